import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import { pageside } from 'vite-plugin-pageside';

export default defineConfig({
  plugins: [preact(), pageside()],
});
