// Bundles a TypeScript file as a production build would, with a source map: node bundle.mjs <entry> <folder>
import { build } from 'vite';

const [entry, outDir] = process.argv.slice(2);
await build({
  configFile: false,
  root: outDir,
  logLevel: 'error',
  build: {
    outDir: 'out',
    sourcemap: true,
    minify: true,
    lib: { entry, formats: ['iife'], name: 'app', fileName: () => 'app.js' },
  },
});
