import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { pageside } from 'vite-plugin-pageside';

export default defineConfig({
  plugins: [reactRouter(), pageside()],
});
