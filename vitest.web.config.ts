import { defineConfig } from 'vitest/config'

/** `npm run test:web`: the dashboard in a real browser, one file at a time, because each has a server and a browser of its own. */
export default defineConfig({
  test: {
    include: ['test/web/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
