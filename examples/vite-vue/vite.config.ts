import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { pageside } from 'vite-plugin-pageside';

export default defineConfig({
  plugins: [vue(), pageside()],
});
