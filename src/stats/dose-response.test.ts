import { describe, expect, it } from 'vitest'
import { type DoseCell, doseDifference, doseTrend } from './dose-response.js'
import { headlinesFirst, holm } from './multiplicity.js'
import { type Random, seededRandom } from './random.js'
import { pValueOf, type StudentEstimate, welch } from './student-estimate.js'

const REPETITIONS = 2_000
/** Three standard errors of a rate of 5 % at 2,000 repetitions. */
const SLACK = 0.015

const normal = (random: Random): number => random.normal()

/** Student's t with three degrees of freedom: tails so heavy that the fourth moment is infinite. */
function heavy(random: Random): number {
  const squares = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2
  return random.normal() / Math.sqrt(squares / 3)
}

function cells(values: readonly (readonly number[])[], block = ''): DoseCell[] {
  return values.map((own, score) => ({ score, block, values: own }))
}

describe('a sweep without any effect', () => {
  it.each([
    ['3 settings of 3 runs', 3, 3, 1, normal],
    ['4 settings of 3 runs, the last three times as noisy', 4, 3, 3, normal],
    ['4 settings of 8 runs, the last three times as noisy', 4, 8, 3, normal],
    ['6 settings of 3 runs', 6, 3, 1, normal],
    ['4 settings of 3 runs, heavy tails', 4, 3, 1, heavy],
    ['5 settings of one run', 5, 1, 1, normal],
    ['8 settings of one run', 8, 1, 1, normal],
    ['5 settings of one run, heavy tails', 5, 1, 1, heavy],
    ['5 settings of one run, the last three times as noisy', 5, 1, 3, normal],
  ])(
    'is credited with one in at most one case of twenty, trend and single settings together: %s',
    (_, k, runs, ratio, draw) => {
      const random = seededRandom(11)
      let claims = 0
      for (let i = 0; i < REPETITIONS; i += 1) {
        const drawn = cells(
          Array.from({ length: k }, (__, j) =>
            Array.from({ length: runs }, () => draw(random) * (1 + ((ratio - 1) * j) / (k - 1))),
          ),
        )
        const singles = runs > 1 ? drawn.slice(1).map(cell => doseDifference([drawn[0]], [cell])) : []
        const pValues = (estimates: readonly (StudentEstimate | null)[]): number[] =>
          estimates.flatMap(estimate => (estimate === null ? [] : [pValueOf(estimate)]))
        const { headlines, beside } = headlinesFirst(pValues(singles), pValues([doseTrend(drawn)]), 0.5)
        if (Math.min(...headlines, ...beside) < 0.05) claims += 1
      }
      expect(claims / REPETITIONS).toBeLessThanOrEqual(0.05 + SLACK)
    },
  )
})

describe('the trend over a dose', () => {
  it('finds a steady fall of three spreads over four settings of five runs in most cases', () => {
    const random = seededRandom(3)
    let found = 0
    for (let i = 0; i < 500; i += 1) {
      const drawn = cells([0, 1, 2, 3].map(j => [0, 0, 0, 0, 0].map(() => random.normal() - j)))
      const estimate = doseTrend(drawn)
      if (estimate !== null && estimate.mean < 0 && pValueOf(estimate) < 0.025) found += 1
    }
    expect(found / 500).toBeGreaterThan(0.95)
  })

  it('is the slope of least squares, from the lowest dose to the highest', () => {
    // numpy.polyfit([0, 1, 2, 3, 4], [1, 3, 2, 5, 4], 1)[0] = 0.8
    const estimate = doseTrend(cells([[1], [3], [2], [5], [4]]))
    expect(estimate?.mean).toBeCloseTo(4 * 0.8, 10)
    // scipy.stats.linregress of the same: stderr = 0.34641016
    expect(estimate?.standardError).toBeCloseTo(4 * 0.34641016, 6)
    expect(estimate?.degreesOfFreedom).toBe(3)
  })

  it('compares like with like: a level that differs between blocks is no effect of the dose', () => {
    const low = cells(
      [
        [1, 1.1, 0.9],
        [1.2, 1, 0.8],
      ],
      'low',
    )
    const high = [{ score: 1, block: 'high', values: [9, 9.1, 8.9] }]
    expect(doseTrend([...low, ...high])?.mean).toBeCloseTo(0, 10)
  })

  it('says nothing where the dose never moves within a block, or nothing is left to measure the error by', () => {
    expect(
      doseTrend([
        { score: 0, block: 'a', values: [1, 2] },
        { score: 1, block: 'b', values: [3, 4] },
      ]),
    ).toBeNull()
    expect(doseTrend(cells([[1], [2]]))).toBeNull()
    expect(doseDifference(cells([[1, 2]], 'a'), cells([[3, 4]], 'b'))).toBeNull()
  })

  it('is Welch’s difference where there are two settings', () => {
    const [first, second] = [
      [1, 2, 4],
      [2, 5, 9, 3],
    ]
    const expected = welch(first, second)
    const found = doseDifference(cells([first]), cells([second]))
    expect(found?.mean).toBeCloseTo(expected.mean, 12)
    expect(found?.standardError).toBeCloseTo(expected.standardError, 12)
    expect(found?.degreesOfFreedom).toBeCloseTo(expected.degreesOfFreedom, 10)
  })
})

describe('the p-values of a call', () => {
  it('are those of Holm among the headlines at their share, whatever is asked beside them', () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06])
    const alone = headlinesFirst([0.021, 0.028], []).headlines
    expect(alone[0]).toBeCloseTo(0.06, 12)
    expect(headlinesFirst([0.021, 0.028], [1e-9, 0.5]).headlines).toEqual(alone)
  })

  it('let what is asked beside have all of the level once every headline is claimed', () => {
    expect(headlinesFirst([0.001], [0.04]).beside[0]).toBeCloseTo(0.04, 12)
    expect(headlinesFirst([0.3], [0.012]).beside[0]).toBeCloseTo(0.04, 12)
    expect(headlinesFirst([0.3], [0.04]).beside[0]).toBeCloseTo(0.04 / 0.3, 12)
  })

  it('claim anything false in at most one call of twenty, with headlines that differ or not', () => {
    const random = seededRandom(17)
    for (const differing of [0, 1, 2]) {
      let claims = 0
      for (let i = 0; i < 4_000; i += 1) {
        const first = [0, 1].map(k => (k < differing ? 1e-6 : random.next()))
        const { headlines, beside } = headlinesFirst(first, [random.next(), random.next(), random.next()])
        if (Math.min(1, ...headlines.slice(differing), ...beside) < 0.05) claims += 1
      }
      expect(claims / 4_000).toBeLessThanOrEqual(0.05 + SLACK)
    }
  })
})
