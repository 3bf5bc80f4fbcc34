import { describe, expect, it } from 'vitest'
import { mean } from '../../../stats/descriptive.js'
import { seededRandom } from '../../../stats/random.js'
import { seriesOf } from '../align.js'
import { compareLevel } from './level.js'

const ASKED = { question: 'level', metric: 'score', goal: 'max', baseline: 'a', other: 'b', margin: null } as const
const STEPS = Array.from({ length: 16 }, (_, i) => 25 * (i + 1))

/** Runs of one setting about a level, with an offset that the prompts give to all of them. */
function runs(seed: number, count: number, level: (i: number) => number) {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => {
    const own = 0.01 * random.normal()
    return seriesOf(
      STEPS,
      STEPS.map((_, i) => level(i) + own + 0.01 * random.normal()),
    )
  })
}

describe('several runs a side', () => {
  const [baseline, other] = [runs(1, 5, () => 0.5), runs(2, 5, () => 0.56)]
  const unknown = compareLevel(ASKED, { series: baseline }, { series: other })
  const counted = compareLevel(ASKED, { series: baseline, prompts: 80 }, { series: other, prompts: 80 })

  it('count the sampling noise of the prompts where their number is known', () => {
    expect(counted).toMatchObject({ scope: 'configs', answer: 'better', tags: [], estimate: unknown.estimate })
    expect(counted.method).toMatchObject({ id: 'welch-and-prompt-count', numbers: { prompts: 80 } })
    const share = mean([...baseline, ...other].map(({ values }) => mean(values)))
    expect(counted.method?.numbers.promptError).toBeCloseTo(Math.sqrt((0.1 * share * (1 - share)) / 80), 12)
  })

  it('speak of these prompts only where it is not', () => {
    expect(unknown).toMatchObject({ scope: 'configs', answer: 'better', tags: ['these-prompts'] })
    expect(unknown.reasons.map(({ key }) => key)).toContain('compare.these-prompts')
  })

  it('cover the difference on fresh prompts, which ever more seeds alone do not', () => {
    const random = seededRandom(7)
    const covered = [null, 80].map(prompts => {
      const draws = Array.from({ length: 200 }, (_, draw) => {
        const luck = Math.sqrt(0.1 * 0.25 * (1 / 80)) * random.normal()
        const [first, second] = [runs(2 * draw, 10, () => 0.5), runs(2 * draw + 1, 10, () => 0.5 + luck)]
        const { interval } = compareLevel(ASKED, { series: first, prompts }, { series: second, prompts })
        return interval !== null && interval[0] <= 0 && 0 <= interval[1]
      })
      return draws.filter(Boolean).length / draws.length
    })
    expect(covered[0]).toBeLessThan(0.8)
    expect(covered[1]).toBeGreaterThan(0.92)
  })
})

describe('a gap that grows', () => {
  it('is found the more surely the larger it is', () => {
    const [[first], [second]] = [runs(3, 1, () => 0.4), runs(4, 1, i => 0.42 + 0.02 * i)]
    const found = compareLevel(ASKED, { series: [first] }, { series: [second] })
    expect(found).toMatchObject({ scope: 'runs', answer: 'better' })
    expect(found.method?.numbers.aroundLine).toBeLessThan(0.03)
    expect(found.reasons.map(({ key }) => key)).toContain('level.around-line')
  })
})
