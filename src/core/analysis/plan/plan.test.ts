import { describe, expect, it } from 'vitest'
import { mean, variance } from '../../../stats/descriptive.js'
import { studentCdf, studentQuantile } from '../../../stats/distributions.js'
import { pairedMean } from '../../../stats/paired-mean.js'
import { seededRandom } from '../../../stats/random.js'
import { seedsForDifference, seedsForEquivalence, unpairedPrompts, upperScatter } from '../../../stats/sample-size.js'
import { intervalOf } from '../../../stats/student-estimate.js'
import { judgedCount } from '../conventions.js'
import { noiseOf } from './noise.js'
import { amountsForDifference, amountsForMargin, detectableWithEvaluations, splitBudget } from './plan.js'

const NOTHING = { pairedVariance: null, promptScatter: null, evaluations: null, promptLuck: null, seedScatter: null }

describe('seeds a side, power 0.8', () => {
  it.each([
    [0.03, 4, 3, 3],
    [0.05, 8, 6, 6],
    [0.08, 18, 12, 13],
    [0.1, 27, 18, 20],
    [0.13, 44, 30, 33],
  ])('are those of the table at a run spread of %d, give or take one', (scatter, fine, coarse, same) => {
    expect(Math.abs(seedsForDifference(scatter, { difference: 0.079 }) - fine)).toBeLessThanOrEqual(1)
    expect(Math.abs(seedsForDifference(scatter, { difference: 0.0967 }) - coarse)).toBeLessThanOrEqual(1)
    expect(Math.abs(seedsForEquivalence(scatter, { margin: 0.0967 }) - same)).toBeLessThanOrEqual(1)
  })
})

describe('planning', () => {
  it('asks for the prompts of the seeds’ re-analysis: 52,000 and 104,000 paired, 511,000 a side unpaired, for 0.275 points', () => {
    const prompts = (discordance: number): number | undefined =>
      amountsForDifference(0.00275, 0.8, { ...NOTHING, pairedVariance: discordance }).prompts
    expect(Math.round((prompts(0.05) ?? 0) / 1000)).toBe(52)
    expect(Math.round((prompts(0.1) ?? 0) / 1000)).toBe(104)
    expect(Math.round(unpairedPrompts(0.56, { difference: 0.00275 }) / 1000)).toBe(511)
  })

  it('asks for 4,251 unpaired prompts to resolve 0.079 when one prompt scatters by 1.3, and for half as many at a correlation of one half', () => {
    const { unpairedPrompts: apart, prompts } = amountsForDifference(0.079, 0.8, {
      ...NOTHING,
      promptScatter: 1.3,
      pairedVariance: 1.3 ** 2,
    })
    expect(apart).toBe(4251)
    expect(prompts).toBe(2126)
  })

  it.each([
    [0.1, 0.2],
    [0.3, 0.12],
    [0.5, 0.08],
  ])(
    'asks for as many evaluations as give the power asked for, by the verdict that is headlined: autocorrelation %d, difference %d',
    (rho, difference) => {
      const evaluations = { spread: 0.13 * Math.SQRT2, autocorrelation: rho }
      const planned = amountsForDifference(difference, 0.8, { ...NOTHING, evaluations }).evals ?? 0
      const judged = judgedCount(planned)
      const random = seededRandom(5)
      let shown = 0
      for (let i = 0; i < 1_000; i += 1) {
        let state = random.normal()
        const differences = Array.from({ length: judged }, () => {
          const value = state
          state = rho * state + Math.sqrt(1 - rho ** 2) * random.normal()
          return difference + evaluations.spread * value
        })
        if (intervalOf(pairedMean(differences)).low > 0) shown += 1
      }
      // Three Monte Carlo errors of this count and of the one that the plan rests on.
      expect(Math.abs(shown / 1_000 - 0.8)).toBeLessThan(0.06)
      expect(detectableWithEvaluations(planned, { evaluations, promptLuck: null }, 0.8)).toBeLessThanOrEqual(difference)
    },
  )

  it('counts the prompts’ luck in, and says when no number of evaluations will do', () => {
    const evaluations = { spread: 0.04, autocorrelation: 0.3 }
    const luck = (error: number) => ({ ...NOTHING, evaluations, promptLuck: { error, prompts: 200 } })
    const [none, some, much] = [0, 0.005, 0.015].map(error => amountsForDifference(0.02, 0.8, luck(error)))
    expect(some.evals).toBeGreaterThan(none.evals ?? 0)
    expect(much.evals).toBeNull()
    expect(much.promptsPerEvaluation).toBeGreaterThan(800)
  })

  it('needs more of everything for a narrower margin', () => {
    const noise = {
      pairedVariance: 0.1,
      promptScatter: 0.4,
      evaluations: { spread: 0.1, autocorrelation: 0.3 },
      promptLuck: null,
      seedScatter: 0.05,
    }
    const [wide, narrow] = [amountsForMargin(0.1, 0.8, noise), amountsForMargin(0.05, 0.8, noise)]
    for (const kind of ['prompts', 'unpairedPrompts', 'evals', 'seeds'] as const) {
      expect(narrow[kind]).toBeGreaterThan(wide[kind] ?? 0)
    }
  })
})

describe('a pilot', () => {
  it.each([3, 5])('of %i runs a side is not taken at its word: the plan reaches what it promises', pilot => {
    const random = seededRandom(12)
    const [difference, scatter] = [0.02, 0.015]
    let [reached, short] = [0, 0]
    const plans = 400
    for (let i = 0; i < plans; i += 1) {
      const groups = [0, 1].map(() => Array.from({ length: pilot }, () => scatter * random.normal()))
      const pooled = Math.sqrt(mean(groups.map(values => variance(values))))
      const seeds = seedsForDifference(upperScatter(pooled, 2 * pilot - 2), { difference })
      const error = scatter * Math.sqrt(2 / seeds)
      const power = studentCdf(difference / error - studentQuantile(0.975, 2 * seeds - 2), 2 * seeds - 2)
      reached += power / plans
      if (power < 0.7) short += 1 / plans
    }
    expect(reached).toBeGreaterThan(0.8)
    expect(short).toBeLessThan(0.22)
  })
})

describe('splitting a budget', () => {
  it('buys prompts near σ/τ·√(cost of a run / cost of a prompt), as the textbook has it, where seeds are many', () => {
    const split = splitBudget({ budget: 2_000, run: 4, prompt: 0.01 }, 0.02, 0.5, 0.8)
    const textbook = (0.5 / 0.02) * Math.sqrt(4 / 0.01)
    expect(split?.prompts).toBeGreaterThan(0.7 * textbook)
    expect(split?.prompts).toBeLessThan(1.3 * textbook)
    expect(split?.spent).toBeLessThanOrEqual(2_000)
  })

  it('never beats what the seeds alone allow: more prompts do not fix their scatter', () => {
    const seeds = splitBudget({ budget: 100, run: 10, prompt: 1e-9 }, 0.05, 0.5, 0.8)
    expect(seeds?.seeds).toBe(4)
    expect(seeds?.detectable).toBeGreaterThan(0.05)
  })

  it('is impossible where the money does not reach for two runs a side', () => {
    expect(splitBudget({ budget: 30, run: 10, prompt: 0.1 }, 0.05, 0.5, 0.8)).toBeNull()
  })
})

describe('the noise of runs at hand', () => {
  const random = seededRandom(9)
  const run = (offset: number) => {
    const none = new Float64Array(60).fill(Number.NaN)
    const steps = Float64Array.from(none, (_, i) => 5 * i)
    return { steps, values: steps.map(() => 0.5 + offset + 0.03 * random.normal()), times: none, segments: none }
  }

  it('tells the scatter of evaluations from that of seeds, and knows no seeds where each side has one run', () => {
    const several = noiseOf([
      { label: 'a', series: [0.05, -0.05, 0].map(run), samples: [] },
      { label: 'b', series: [0.04, -0.06, 0.01].map(run), samples: [] },
    ])
    // Four degrees of freedom: what they show, times 1.56.
    expect(several.seedScatter).toBeGreaterThan(1.5 * 0.04)
    expect(several.seedScatter).toBeLessThan(1.6 * 0.06)
    expect(several.evaluations?.spread).toBeGreaterThan(0.03)
    expect(several.evaluations?.spread).toBeLessThan(0.06)
    const single = noiseOf([{ label: 'a', series: [run(0)], samples: [] }])
    expect(single.seedScatter).toBeNull()
    expect(single.evaluations?.spread).toBeCloseTo(0.03 * Math.SQRT2, 1)
  })
})
