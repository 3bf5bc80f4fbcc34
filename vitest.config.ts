import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'web/**/*.test.ts'],
    // `npm run test:web`, and `npm run test:long` (test/long: campaigns on real runs, kills, sick trainings)
    exclude: ['test/web/**', 'test/long/**'],
    // The default leaves a core idle, which on two cores is half of the machine.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
