import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';
import { pageside } from 'vite-plugin-pageside';

export default defineConfig({
  // A version of its own: by default SvelteKit takes the time of the build, so that no two are the same.
  plugins: [sveltekit({ adapter: adapter(), version: { name: '1' } }), pageside()],
});
