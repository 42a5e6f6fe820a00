import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'happy-dom',
    include: ['{test,extension/test,console/test}/**/*.test.ts'],
    // A DOM for each file would take ten times as long as the tests: every file tidies up after itself.
    isolate: false,
  },
});
