import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'happy-dom', include: ['{test,extension/test,console/test}/**/*.test.ts'] },
});
