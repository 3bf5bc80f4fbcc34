import { defineConfig } from 'vitest/config'

/** What takes minutes of its own: real runs of both labs, kills at random moments, trainings that are made sick. */
export default defineConfig({
  test: { include: ['test/long/**/*.test.ts'], maxWorkers: '100%', testTimeout: 120_000, hookTimeout: 120_000 },
})
