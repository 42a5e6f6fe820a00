import tailwindcss from '@tailwindcss/vite';

export default {
  plugins: [tailwindcss()],
  css: { devSourcemap: process.env.SOURCEMAPS !== 'off' },
};
