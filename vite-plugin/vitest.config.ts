import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    // Real dev servers and processes: a port that one test gives back may be another's a moment later.
    retry: 2,
  },
});
