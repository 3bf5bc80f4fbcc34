import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../../logs/model/verdict.js'
import { type Random, seededRandom } from '../../../stats/random.js'
import type { SeriesPoints } from '../../store/series.js'
import type { SideEvidence } from './evidence.js'
import { compareSides, headline } from './judge-sides.js'

function points(steps: readonly number[], values: readonly number[]): SeriesPoints {
  const unknown = new Float64Array(steps.length).fill(Number.NaN)
  return { steps: Float64Array.from(steps), values: Float64Array.from(values), times: unknown, segments: unknown }
}

function side(label: string, ...series: readonly SeriesPoints[]): SideEvidence {
  return { label, series, checkpoint: null }
}

const STEPS = [5, 10, 15, 20, 25, 30, 35, 40, 45]
const NO_KL = points(STEPS, [1.818, 2.14, 1.84, 1.83, 1.75, 1.788, 2.04, 2.003, 2.202])
const KL = points(STEPS, [1.695, 1.992, 1.768, 1.915, 1.97, 1.828, 1.84, 2.123, 2.005])
const REWARD = { metric: 'val.score', goal: 'max', margin: { share: 0.05 } } as const

function verdictOn(verdicts: readonly Verdict[], question: Verdict['question']): Verdict {
  const found = verdicts.find(verdict => verdict.question === question)
  if (found === undefined) throw new Error(`no verdict on ${question}`)
  return found
}

describe('comparing the UserRL pair', () => {
  const { verdicts, table } = compareSides([side('no-kl', NO_KL), side('kl', KL)], REWARD)

  it('cannot tell the runs apart, and says from which margin on they would count as the same', () => {
    const level = verdictOn(verdicts, 'level')
    expect(level).toMatchObject({ answer: 'undetermined', scope: 'runs', baseline: 'no-kl', other: 'kl' })
    expect(level.estimate).toBeCloseTo(-0.0306, 4)
    expect(level.interval?.map(end => end.toFixed(3))).toEqual(['-0.220', '0.159'])
    expect(level.smallestMargin).toBeCloseTo(0.177, 3)
    expect(headline(verdicts)).toBe(level)
  })

  it('says nothing on speed and stability either, and never speaks of settings', () => {
    for (const question of ['final', 'speed', 'stability', 'cost'] as const) {
      expect(verdictOn(verdicts, question).answer).toBe('undetermined')
    }
    expect(verdicts.some(({ scope }) => scope === 'configs')).toBe(false)
  })

  it('leaves the start of training out: it is the same on both sides, whatever the sides are', () => {
    const withStart = (run: SeriesPoints): SeriesPoints => points([0, ...run.steps], [1.2, ...run.values])
    const found = compareSides([side('no-kl', withStart(NO_KL)), side('kl', withStart(KL))], REWARD).verdicts
    expect(verdictOn(found, 'level')).toEqual(verdictOn(verdicts, 'level'))
  })

  it('lines up the nine evaluations', () => {
    expect(table).toHaveLength(9)
    expect(table[0]).toEqual({ step: 5, values: [1.818, 1.695], diff: expect.closeTo(-0.123, 9) })
  })
})

describe('a percentage', () => {
  it('is of the baseline over just what is compared: the end of training, or one checkpoint', () => {
    const steps = Array.from({ length: 60 }, (_, i) => 5 * (i + 1))
    const rising = points(
      steps,
      steps.map((_, i) => 0.1 + (0.8 * (i + 1)) / 60 + 0.001 * (i % 3)),
    )
    const verdicts = (checkpoint: number | null) =>
      compareSides(
        [
          { ...side('a', rising), checkpoint },
          { ...side('b', rising), checkpoint, prompts: 100 },
        ],
        REWARD,
      ).verdicts
    const { level, margin } = verdictOn(verdicts(null), 'final')
    expect(level).toBeCloseTo(0.774, 2)
    expect(margin).toBeCloseTo(0.05 * (level ?? 0), 9)
    expect(verdictOn(verdicts(null), 'level').margin).toBeCloseTo(0.05 * 0.508, 3)
    expect(verdictOn(verdicts(5), 'checkpoint').level).toBeCloseTo(0.1133, 3)
  })
})

describe('speed', () => {
  const random = seededRandom(9)
  const steps = Array.from({ length: 60 }, (_, i) => 5 * i)
  const noise = [0, 1].map(() => steps.map(() => 0.02 * random.normal()))
  const accuracy = [120, 60].map((pace, i) =>
    steps.map((step, k) => 0.4 + 0.5 * (1 - Math.exp(-step / pace)) + noise[i][k]),
  )
  const judged = (turn: (value: number) => number, goal: 'max' | 'min') => {
    const [first, second] = accuracy.map(values => points(steps, values.map(turn)))
    const sides = [side('slow', first), side('fast', second)]
    return verdictOn(compareSides(sides, { metric: 'm', goal, margin: null }).verdicts, 'speed')
  }
  const plain = judged(value => value, 'max')

  it('is found, and is the same for a loss, a negative reward and any other zero of the scale', () => {
    expect(plain.answer).toBe('better')
    for (const found of [
      judged(value => 1.4 - value, 'min'),
      judged(value => value - 5, 'max'),
      judged(value => 100 * value + 60, 'max'),
    ]) {
      expect(found).toMatchObject({ answer: 'better', interval: plain.interval, p: plain.p })
    }
  })
})

describe('the rules above the numbers', () => {
  const flat = (level: number, seed: number): SeriesPoints => {
    const random = seededRandom(seed)
    const steps = Array.from({ length: 30 }, (_, i) => i)
    return points(
      steps,
      steps.map(() => level + 0.01 * random.normal()),
    )
  }
  const many = (level: number, from: number): SeriesPoints[] => [0, 1, 2, 3].map(i => flat(level, from + i))

  it('claims scope configs only with three runs a side', () => {
    const pair = compareSides([side('a', flat(1, 1)), side('b', flat(1.5, 2))], REWARD).verdicts
    expect(pair.every(({ scope }) => scope !== 'configs')).toBe(true)
    const groups = compareSides([side('a', ...many(1, 10)), side('b', ...many(1.5, 20))], REWARD).verdicts
    expect(verdictOn(groups, 'level')).toMatchObject({ scope: 'configs', answer: 'better' })
  })

  it('calls nothing the same without a margin', () => {
    const sides = [side('a', ...many(1, 10)), side('b', ...many(1, 20))]
    const answers = compareSides(sides, { ...REWARD, margin: null }).verdicts.map(({ answer }) => answer)
    expect(answers).not.toContain('same')
    expect(verdictOn(compareSides(sides, REWARD).verdicts, 'level').answer).toBe('same')
  })

  it('says higher or lower where nobody has said which is better, and turns with the goal', () => {
    const sides = [side('a', ...many(1, 10)), side('b', ...many(1.5, 20))]
    const level = (goal: 'max' | 'min' | null) =>
      verdictOn(compareSides(sides, { ...REWARD, goal }).verdicts, 'level').answer
    expect([level('max'), level('min'), level(null)]).toEqual(['better', 'worse', 'higher'])
  })

  it('calls a difference that is shown and yet below the margin just that', () => {
    const sides = [side('a', ...many(1, 10)), side('b', ...many(1.02, 20))]
    expect(verdictOn(compareSides(sides, REWARD).verdicts, 'level').answer).toBe('different-but-small')
  })

  it('never interpolates, and has a sentence for sides that share no step, one step, or only NaN', () => {
    const cases = [
      [points([1, 2], [1, 2]), points([3, 4], [1, 2])],
      [points([1, 2], [1, 2]), points([2, 3], [1, 2])],
      [points([1, 2], [Number.NaN, Number.NaN]), points([1, 2], [1, 2])],
      [points([], []), points([], [])],
      [
        points(
          STEPS,
          STEPS.map(() => 1),
        ),
        points(
          STEPS,
          STEPS.map(() => 1),
        ),
      ],
    ]
    for (const [a, b] of cases) {
      const { verdicts } = compareSides([side('a', a), side('b', b)], REWARD)
      expect(verdicts).toHaveLength(5)
      for (const { answer, reasons } of verdicts) {
        expect(['undetermined', 'same']).toContain(answer)
        expect(reasons.length).toBeGreaterThan(0)
      }
    }
  })
})

describe('error rates on pairs of equal runs', () => {
  function curve(random: Random, n: number, rho: number): SeriesPoints {
    let noise = random.normal()
    const steps = Array.from({ length: n }, (_, i) => 5 * (i + 1))
    const values = steps.map((_, i) => {
      const rise = (0.28 * (1 - Math.exp((-2.2 * (i + 1)) / n))) / (1 - Math.exp(-2.2))
      const value = 1.75 + rise + 0.13 * noise
      noise = rho * noise + Math.sqrt(1 - rho ** 2) * random.normal()
      return value
    })
    return points(steps, values)
  }

  // More lengths and correlations, and many more repetitions: calibration.test.ts, which takes minutes.
  it.each([[20, 0.3]])(
    'claims a difference, a faster or a stabler run in at most one of twenty: %i evaluations, autocorrelation %d',
    (n, rho) => {
      const random = seededRandom(n)
      const repetitions = 100
      const claims = new Map<string, number>()
      for (let i = 0; i < repetitions; i += 1) {
        const sides = [side('a', curve(random, n, rho)), side('b', curve(random, n, rho))]
        for (const { question, answer } of compareSides(sides, REWARD).verdicts) {
          if (answer === 'better' || answer === 'worse') claims.set(question, (claims.get(question) ?? 0) + 1)
        }
      }
      for (const count of claims.values()) expect(count / repetitions).toBeLessThanOrEqual(0.05 + 0.03)
    },
  )
})

describe('several sides of three runs whose seeds come out in one of two ways', () => {
  const STEPS_OF_THREE = [10, 20, 30]
  const anyHeadline = (random: Random, gap: number): boolean => {
    const run = (level: number) => points(STEPS_OF_THREE, [level, level, level])
    const sides = [0, 0, 0, 0, gap].map((level, i) => {
      const seeds = [0, 1, 2].map(() => run(level + (random.next() < 0.5 ? -5 : 0) + 0.05 * random.normal()))
      return side(`side ${i}`, ...seeds)
    })
    const { others } = compareSides(sides, { metric: 'm', goal: 'max', margin: { absolute: 1e-9 } })
    return others.some(({ verdicts }) => CLAIMS.has(headline(verdicts).answer))
  }
  const CLAIMS = new Set<string>(['better', 'worse', 'different-but-small'])

  it('are told apart in at most one of twenty comparisons', () => {
    const random = seededRandom(31)
    const claimed = Array.from({ length: 600 }, () => anyHeadline(random, 0)).filter(Boolean).length
    expect(claimed / 600).toBeLessThanOrEqual(0.05)
  })

  it('are told apart where they differ far beyond that', () => {
    const random = seededRandom(32)
    const claimed = Array.from({ length: 60 }, () => anyHeadline(random, 40)).filter(Boolean).length
    expect(claimed / 60).toBeGreaterThan(0.6)
  })
})
