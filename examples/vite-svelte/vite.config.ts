import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { pageside } from 'vite-plugin-pageside';

export default defineConfig({
  plugins: [svelte(), pageside()],
});
