import { defineConfig } from 'vite';
import { pageside } from 'vite-plugin-pageside';
import solid from 'vite-plugin-solid';

export default defineConfig({
  plugins: [solid(), pageside()],
});
