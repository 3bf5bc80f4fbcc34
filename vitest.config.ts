import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Campaigns: real runs, kills, simulations. What every change is tried with must be over within five minutes. */
export const LONG = [
  'test/long/**',
  'test/torture/**',
  'test/follow.test.ts',
  'test/train-resume.test.ts',
  'src/core/analysis/compare/calibration.test.ts',
]

export default defineConfig({
  test: {
    // More than there are cores: much of a test's time is spent waiting for processes that it started. As a number, for a
    // share of the cores is never taken for more than all of them.
    maxWorkers: availableParallelism() + 1,
    globalSetup: ['test/support/folder-of-run.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No test leaves anything in a module, so modules are loaded once per worker: a fifth of all the time.
    isolate: false,
    // One project: each has workers and transformed modules of its own.
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
    // `npm run test:web` and `npm run test:long`
    exclude: ['test/web/**', ...LONG],
  },
})
