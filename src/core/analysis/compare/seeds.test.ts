import { describe, expect, it } from 'vitest'
import { fisherP, studentisedPermutationP } from '../../../stats/exact-tests.js'
import { seededRandom } from '../../../stats/random.js'
import { seriesOf } from '../align.js'
import { compareSides, headline } from './judge-sides.js'

describe('several runs a side', () => {
  const random = seededRandom(3)
  const steps = Array.from({ length: 40 }, (_, i) => 10 * (i + 1))
  const healthy = () =>
    seriesOf(
      steps,
      steps.map(step => 0.4 + 0.4 * (1 - Math.exp(-step / 80)) + 0.01 * random.normal()),
    )
  const collapsing = () =>
    seriesOf(
      steps,
      steps.map(step => (step < 250 ? 0.4 + 0.4 * (1 - Math.exp(-step / 80)) : 0.05) + 0.01 * random.normal()),
    )
  const request = { metric: 'val.score', goal: 'max', margin: null } as const

  it('report a collapse as an outcome of its own, with what the other runs are worth', () => {
    const [first, second] = [
      { label: 'a', series: Array.from({ length: 6 }, healthy) },
      { label: 'b', series: [...Array.from({ length: 3 }, healthy), ...Array.from({ length: 3 }, collapsing)] },
    ]
    const { collapse } = compareSides([first, second], request).others[0]
    expect(collapse).toMatchObject({ baseline: [], other: [3, 4, 5] })
    expect(collapse?.messages.map(({ key }) => key)).toEqual(['seeds.collapsed', 'seeds.others'])
    expect(compareSides([first, first], request).others[0].collapse).toBeNull()
  })

  it('are meanDifferenceText by their interquartile means and by how often one wins, without a verdict on it', () => {
    const sides = ['a', 'b'].map(label => ({ label, series: Array.from({ length: 4 }, healthy) }))
    const keys = headline(compareSides(sides, request).verdicts).reasons.map(({ key }) => key)
    expect(keys).toContain('seeds.described')
  })
})

describe('exact tests', () => {
  it("give Fisher's p for the lady who tasted tea", () => {
    expect(fisherP({ hits: 3, of: 4 }, { hits: 1, of: 4 })).toBeCloseTo(0.4857, 4)
    expect(fisherP({ hits: 0, of: 6 }, { hits: 3, of: 6 })).toBeCloseTo(0.1818, 4)
  })

  it('count the deals of the runs: the farthest of 56 is one of its kind', () => {
    expect(studentisedPermutationP([1, 1.1, 0.9], [5, 5.2, 4.9, 5.1, 5])).toBeCloseTo(1 / 56, 9)
    expect(studentisedPermutationP([1, 2, 3], [1.1, 2.1, 2.9, 2])).toBeGreaterThan(0.5)
  })
})
