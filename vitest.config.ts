import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/{core,corpus,cli,grammar,manifest}/**/*.test.ts'],
    testTimeout: 120_000,
  },
});
