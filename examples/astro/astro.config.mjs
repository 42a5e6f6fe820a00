import react from '@astrojs/react';
import vue from '@astrojs/vue';
import { defineConfig } from 'astro/config';
import { pageside } from 'vite-plugin-pageside';

export default defineConfig({
  integrations: [react(), vue()],
  vite: {
    plugins: [pageside()],
  },
});
