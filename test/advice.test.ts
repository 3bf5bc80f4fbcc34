import { expect, it } from 'vitest'
import { mean } from '../src/stats/descriptive.js'
import { type Advised, advised } from './support/advice.js'
import { readLab } from './support/labs.js'

/** Every sixth run of the sorting lab, healthy or sick. All runs of both labs: test/long/advice.test.ts. */
it('the checkpoint to take is worth the better of two habits, and avoids most of a fall after a peak', () => {
  const few = readLab('sorting')
    .filter((_, i) => i % 6 === 0)
    .flatMap(run => advised('sorting', run))
  const average = (runs: readonly Advised[], of: keyof Advised): number => mean(runs.map(run => run[of]))
  expect(average(few, 'taken')).toBeGreaterThan(Math.max(average(few, 'highest'), average(few, 'last')) - 0.002)
  const falling = few.filter(({ peak, last }) => peak - last > 0.05)
  expect(falling.length).toBeGreaterThan(2)
  const avoided = average(falling, 'taken') - average(falling, 'last')
  expect(avoided / (average(falling, 'peak') - average(falling, 'last'))).toBeGreaterThan(0.8)
})
