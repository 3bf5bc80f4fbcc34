import { describe, expect, it } from 'vitest'
import { stratifiedBootstrap } from '../../calibration/rivals.js'
import { bestOf, comparisonsWithBest } from './best-of-several.js'
import { changePoint } from './change-point.js'
import { mean } from './descriptive.js'
import { normalCdf } from './distributions.js'
import { INTERIM_ANALYSES } from './group-sequential.js'
import { pairedMean } from './paired-mean.js'
import { type Random, seededRandom } from './random.js'
import { pairedPrompts, seedsForDifference, seedsForEquivalence, unpairedPrompts } from './sample-size.js'
import { neighbourDeviations, spreadRatio } from './stability.js'
import { equivalence, intervalOf } from './student-estimate.js'
import { commonLevel, crossing, crossingDifference, soonerOdds } from './time-to-level.js'
import { jitter, trend } from './trend.js'

/** Error rates by simulation, with fixed seeds: what a method promises, it must keep on noise of known kind. */

const REPETITIONS = 2_000
/** Monte Carlo error at 2,000 repetitions: three standard errors of a rate of 5 %. */
const SLACK = 0.015

/** AR(1) noise of spread one. */
function noise(random: Random, n: number, rho: number): Float64Array {
  let state = random.normal()
  return Float64Array.from({ length: n }, () => {
    const value = state
    state = rho * state + Math.sqrt(1 - rho ** 2) * random.normal()
    return value
  })
}

function rate(repetitions: number, happens: (random: Random) => boolean, seed = 1): number {
  const random = seededRandom(seed)
  let count = 0
  for (let i = 0; i < repetitions; i += 1) if (happens(random)) count += 1
  return count / repetitions
}

function difference(random: Random, n: number, rho: number, gap = 0): Float64Array {
  const a = noise(random, n, rho)
  const b = noise(random, n, rho)
  return a.map((value, i) => 0.13 * (b[i] - value) + gap)
}

describe('the paired interval', () => {
  it.each([
    [9, 0],
    [9, 0.3],
    [9, 0.5],
    [20, 0.3],
    [20, 0.5],
    [50, 0],
    [50, 0.3],
    [93, 0.3],
  ])('excludes zero in at most one of twenty equal pairs: T = %i, autocorrelation %d', (n, rho) => {
    const wrong = rate(REPETITIONS, random => {
      const { low, high } = intervalOf(pairedMean(difference(random, n, rho)))
      return low > 0 || high < 0
    })
    expect(wrong).toBeLessThanOrEqual(0.05 + SLACK)
  })

  it('stays below 8 % at an autocorrelation of 0.6, where verdicts are tagged fragile', () => {
    for (const n of [9, 20, 50]) {
      const wrong = rate(REPETITIONS, random => {
        const { low, high } = intervalOf(pairedMean(difference(random, n, 0.6)))
        return low > 0 || high < 0
      })
      expect(wrong).toBeLessThanOrEqual(0.08 + SLACK)
    }
  })

  it('calls two runs the same that differ by just the margin in at most 5 % of cases', () => {
    for (const [n, rho] of [
      [9, 0.3],
      [50, 0.3],
      [93, 0.5],
    ]) {
      const wrong = rate(
        REPETITIONS,
        random => equivalence(pairedMean(difference(random, n, rho, 0.0967)), 0.0967).equivalent,
      )
      expect(wrong).toBeLessThanOrEqual(0.05 + SLACK)
    }
  })

  it('has power: a gap of 0.15 over 50 evaluations is found nine times in ten', () => {
    const found = rate(REPETITIONS, random => intervalOf(pairedMean(difference(random, 50, 0.3, 0.15))).low > 0)
    expect(found).toBeGreaterThan(0.9)
  })
})

describe('the best of several', () => {
  it('has the quantiles of the specification', () => {
    const quantiles = [3, 5, 9, 20].map(k => comparisonsWithBest(k))
    for (const [i, expected] of [2.7, 3.06, 3.36, 3.71].entries()) expect(quantiles[i]).toBeCloseTo(expected, 1)
  })

  it('is told among as many as a run can have, in no more time', () => {
    expect(comparisonsWithBest(100_000)).toBeGreaterThan(comparisonsWithBest(10_000))
    expect(comparisonsWithBest(100_000)).toBeLessThan(7)
    const scores = Array.from({ length: 300_000 }, (_, i) => Math.sin(i))
    expect(bestOf(scores, 0.1).reported).toBeCloseTo(1)
  })

  it('keeps the truly best in the set in at least 95 % of cases, and shrinks the reported maximum towards it', () => {
    for (const k of [3, 9, 20]) {
      let missed = 0
      let biasReported = 0
      let biasShrunken = 0
      const random = seededRandom(k)
      for (let i = 0; i < REPETITIONS; i += 1) {
        const truth = Array.from({ length: k }, () => 0.5 * random.normal())
        const best = bestOf(
          truth.map(value => value + random.normal()),
          1,
        )
        if (!best.indistinguishable.includes(truth.indexOf(Math.max(...truth)))) missed += 1
        biasReported += Math.abs(best.reported - truth[best.index]) / REPETITIONS
        biasShrunken += Math.abs(best.shrunken - truth[best.index]) / REPETITIONS
      }
      expect(missed / REPETITIONS).toBeLessThanOrEqual(0.05 + SLACK)
      expect(biasShrunken).toBeLessThan(biasReported)
    }
  })
})

describe('the best of a run that goes on', () => {
  it('is ever missed in at most 5 % of runs that are ranked after every evaluation, however they rise', () => {
    for (const rise of [0, 2, 6]) {
      const random = seededRandom(rise + 1)
      const everMissed = (among: number | undefined): number => {
        let missed = 0
        for (let i = 0; i < 300; i += 1) {
          const scores = Array.from({ length: 30 }, (_, at) => (rise * at) / 30 + random.normal())
          const isMissed = scores.some((_, last) => {
            const { indistinguishable } = bestOf(scores.slice(0, last + 1), 1, among === undefined ? {} : { among })
            return !indistinguishable.includes(rise === 0 ? 0 : last)
          })
          if (isMissed) missed += 1
        }
        return missed / 300
      }
      expect(everMissed(31)).toBeLessThanOrEqual(0.05)
      if (rise === 2) expect(everMissed(undefined)).toBeGreaterThan(0.2)
    }
  })
})

describe('stability', () => {
  it('tells equal spreads apart in at most 5 % of cases', () => {
    for (const [n, rho] of [
      [9, 0.3],
      [20, 0.6],
      [50, 0.3],
    ]) {
      const wrong = rate(REPETITIONS, random => spreadRatio(noise(random, n, rho), noise(random, n, rho)).p < 0.05)
      expect(wrong).toBeLessThanOrEqual(0.05 + SLACK)
    }
  })

  it('is read from what lies off the neighbours, at any places', () => {
    const places = [0, 1, 3, 4, 10, 11, 13]
    const straight = places.map(x => 2 - 0.3 * x)
    const cubic = places.map(x => 0.01 * (x - 4) ** 3 + x)
    for (const off of neighbourDeviations(straight, places, 1)) expect(off).toBeCloseTo(0, 12)
    for (const off of neighbourDeviations(cubic, places, 2)) expect(off).toBeCloseTo(0, 10)
    const [off] = neighbourDeviations([0, 1, 0], [0, 1, 2], 1)
    expect(off).toBeCloseTo(1 / Math.sqrt(1.5), 12)
  })

  it('tells twice the noise over fifty evaluations, which a phase could be, and over two hundred, which none could', () => {
    const random = seededRandom(5)
    const run = (n: number, size: number) => Array.from({ length: n }, () => size * random.normal())
    const [short, long] = [50, 200].map(n => spreadRatio(run(n, 2), run(n, 1)))
    for (const { ratio } of [short, long]) expect(ratio.low).toBeGreaterThan(1)
    expect([short, long].map(({ clusters }) => clusters)).toEqual([true, false])
  })

  it('does not tell the UserRL pair apart', () => {
    const without = [1.818, 2.14, 1.84, 1.83, 1.75, 1.788, 2.04, 2.003, 2.202]
    const withKl = [1.695, 1.992, 1.768, 1.915, 1.97, 1.828, 1.84, 2.123, 2.005]
    const { ratio, p } = spreadRatio(without, withKl)
    expect(p).toBeGreaterThan(0.2)
    expect(ratio.low).toBeLessThan(1)
    expect(ratio.high).toBeGreaterThan(1)
    expect(ratio.estimate).toBeCloseTo(0.8987, 4)
  })
})

describe('time to a level', () => {
  const steps = [5, 10, 15, 20, 25, 30, 35, 40, 45]
  const without = [1.818, 2.14, 1.84, 1.83, 1.75, 1.788, 2.04, 2.003, 2.202]
  const withKl = [1.695, 1.992, 1.768, 1.915, 1.97, 1.828, 1.84, 2.123, 2.005]

  it('knows a crossing only to one interval, and one that was not held not at all', () => {
    expect(crossing(steps, without, 2)).toEqual({ after: 30, until: 35 })
    expect(crossing(steps, withKl, 2)).toEqual({ after: 35, until: 40 })
    expect(crossing(steps, without, 2.123, { hold: 1 })).toEqual({ after: 5, until: 10 })
    expect(crossing(steps, withKl, 2.2)).toEqual({ after: 45, until: Number.POSITIVE_INFINITY })
  })

  it('cannot tell who was sooner when the intervals touch', () => {
    const { low, high } = crossingDifference(crossing(steps, without, 2), crossing(steps, withKl, 2))
    expect(low).toBeLessThanOrEqual(0)
    expect(high).toBeGreaterThan(0)
  })
})

describe('the odds of being sooner', () => {
  it('are about even for two curves of one course, and clear for one that is far ahead', () => {
    const steps = Array.from({ length: 40 }, (_, i) => i)
    const random = seededRandom(3)
    const course = (shift: number): number[] =>
      steps.map(step => 1 - Math.exp(-(step + shift) / 12) + 0.03 * random.normal())
    const level = commonLevel(course(0), course(0), 10) * 0.8
    const even = soonerOdds(steps, course(0), course(0), level, { draws: 500 })
    expect(Math.max(even.firstSooner, even.secondSooner)).toBeLessThan(0.975)
    const ahead = soonerOdds(steps, course(0), course(12), level, { draws: 500 })
    expect(ahead.secondSooner).toBeGreaterThan(0.975)
    expect(ahead.firstSooner + ahead.secondSooner + ahead.tie).toBeCloseTo(1, 9)
  })
})

describe('noise of a single score', () => {
  it('is covered in most cases by a stratified bootstrap from ten runs on', () => {
    const missedByBootstrap = rate(200, random => {
      const groups = [
        Array.from({ length: 10 }, () => random.normal()),
        Array.from({ length: 10 }, () => random.normal()),
      ]
      const { low, high } = stratifiedBootstrap(groups, ([a, b]) => mean(b) - mean(a), { resamples: 400 })
      return low > 0 || high < 0
    })
    expect(missedByBootstrap).toBeLessThanOrEqual(0.08 + 0.06)
  })

  it('is estimated from second differences, whatever the course', () => {
    const random = seededRandom(9)
    const curve = Array.from({ length: 400 }, (_, i) => Math.sin(i / 60) + 0.1 * random.normal())
    expect(jitter([...curve.keys()], curve)).toBeCloseTo(0.1, 1)
    expect(jitter([1, 2, 3, 9, 10], curve.slice(0, 5))).toBeNaN()
  })
})

describe('change points and trends', () => {
  it('raise a false alarm in at most 5 % of curves without a change, at autocorrelations up to 0.3', () => {
    for (const rho of [0, 0.3]) {
      const alarms = rate(400, random => {
        const change = changePoint(noise(random, 20, rho), { draws: 200 })
        return change !== null && change.p < 0.05 && change.conservativeP < 0.05
      })
      expect(alarms).toBeLessThanOrEqual(0.05 + 0.02)
    }
  })

  it('find a fall of four spreads, and where it was', () => {
    const random = seededRandom(5)
    const curve = noise(random, 50, 0.2).map((value, i) => value - (i >= 30 ? 4 : 0))
    const change = changePoint(curve, { draws: 300 })
    expect(change?.p).toBeLessThan(0.05)
    expect(Math.abs((change?.index ?? 0) - 30)).toBeLessThanOrEqual(2)
  })

  it('see a trend in about 5 % of curves without one', () => {
    const steps = Array.from({ length: 20 }, (_, i) => i)
    const wrong = rate(REPETITIONS, random => trend(steps, noise(random, 20, 0.3)).p < 0.05)
    expect(wrong).toBeLessThanOrEqual(0.08)
  })
})

describe('planned looks', () => {
  it('are ever wrong in at most 5 % of what is only chance', () => {
    const wrong = rate(20_000, random => {
      let [sum, before] = [0, 0]
      return INTERIM_ANALYSES.some(({ share, level }) => {
        sum += Math.sqrt(share - before) * random.normal()
        before = share
        return 2 * normalCdf(-Math.abs(sum) / Math.sqrt(share)) < level
      })
    })
    expect(wrong).toBeLessThanOrEqual(0.05 + 0.005)
    expect(wrong).toBeGreaterThan(0.04)
  })
})

describe('sample sizes', () => {
  it('ask for about 52,000 paired prompts to confirm 0.275 points at 5 % discordance, and 511,000 unpaired', () => {
    const paired = pairedPrompts(0.05 - 0.00275 ** 2, { difference: 0.00275 })
    expect(Math.round(paired / 1_000)).toBe(52)
    expect(Math.round(unpairedPrompts(0.56, { difference: 0.00275 }) / 1_000)).toBe(511)
  })

  it('are those of the specification for seeds', () => {
    expect([0.03, 0.05, 0.08, 0.1, 0.13].map(scatter => seedsForDifference(scatter, { difference: 0.079 }))).toEqual([
      4, 8, 18, 27, 44,
    ])
    // A t approximation to the noncentral t: one fewer than the exact 33 at the far end.
    expect([0.03, 0.05, 0.08, 0.1, 0.13].map(scatter => seedsForEquivalence(scatter, { margin: 0.0967 }))).toEqual([
      3, 6, 13, 20, 32,
    ])
  })
})
