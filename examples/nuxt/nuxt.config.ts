import { pageside } from 'vite-plugin-pageside';

export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  devtools: { enabled: false },
  telemetry: false,
  vite: {
    plugins: [pageside()],
  },
});
