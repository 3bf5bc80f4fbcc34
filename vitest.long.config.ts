import { defineConfig } from 'vitest/config'
import { LONG } from './vitest.config.js'

/** What takes minutes of its own: real runs of both labs, kills at random moments, simulations, trainings that are made sick. */
export default defineConfig({
  test: {
    include: LONG.map(path => path.replace(/\/\*\*$/, '/**/*.test.ts')),
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
