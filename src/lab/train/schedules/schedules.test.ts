import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { beamsInEpoch, bestBeams, type Curriculum, queryOrder } from './curriculum.js'
import { afterEvaluation, type EarlyStopping, NOTHING_EVALUATED, shouldStop } from './early-stopping.js'
import { type LearningRateSettings, learningRateAt, temperatureAt } from './learning-rate.js'

describe('the RCE temperature', () => {
  it('falls in a straight line and reaches both ends', () => {
    const at = (step: number) => temperatureAt(step, 4, { start: 2, end: 0.5 })
    expect([0, 1, 2, 3].map(at)).toEqual([2, 1.5, 1, 0.5])
    expect(at(9)).toBe(0.5)
    expect(temperatureAt(0, 1, { start: 2, end: 0.5 })).toBe(0.5)
  })
})

describe('the learning rate', () => {
  const rate = (schedule: LearningRateSettings['schedule'], ratio = 0, min_ratio = 0) => {
    return Array.from({ length: 10 }, (_, step) =>
      learningRateAt(step, 10, 1e-3, { schedule, warmup: { ratio, steps: null, from: 'stride' }, min_ratio }),
    )
  }

  it('is the peak throughout when constant', () => {
    expect(new Set(rate('constant'))).toEqual(new Set([1e-3]))
  })

  it('climbs to the peak in the warm-up, from its first step on', () => {
    const [first, second, third] = rate('cosine', 0.2)
    expect(first).toBeCloseTo(5e-4, 12)
    expect(second).toBe(1e-3)
    expect(third).toBe(1e-3)
  })

  it.each(['linear', 'cosine'] as const)(
    'falls all the way when %s, and is never zero while there are steps',
    schedule => {
      const rates = rate(schedule, 0.2)
      for (let step = 3; step < rates.length; step += 1) expect(rates[step]).toBeLessThan(rates[step - 1])
      expect(rates[9]).toBeGreaterThan(0)
      expect(rate(schedule, 0.2, 0.1)[9]).toBeGreaterThan(1e-4)
      expect(
        learningRateAt(10, 10, 1, { schedule, warmup: { ratio: 0, steps: null, from: 'stride' }, min_ratio: 0.1 }),
      ).toBeCloseTo(0.1, 12)
    },
  )

  it('halves midway, by a line or by a cosine', () => {
    expect(rate('linear')[5]).toBeCloseTo(5e-4, 12)
    expect(rate('cosine')[5]).toBeCloseTo(5e-4, 12)
  })
})

describe('early stopping', () => {
  const rule: EarlyStopping = { patience: 2, goal: 'max', minimum_gain: 0 }
  const observing = (values: readonly number[], under: EarlyStopping = rule) => {
    return values.reduce((state, value, step) => afterEvaluation(under, state, step, value), NOTHING_EVALUATED)
  }

  it('remembers the best evaluation and stops after enough that were no better', () => {
    const state = observing([0.5, 0.7, 0.6, 0.7])
    expect(state).toEqual({ best: 0.7, bestStep: 1, evaluationsSinceBest: 2 })
    expect(shouldStop(rule, state)).toBe(true)
    expect(shouldStop(rule, observing([0.5, 0.7, 0.6]))).toBe(false)
  })

  it('never stops without patience', () => {
    expect(shouldStop({ ...rule, patience: null }, observing([1, 0, 0, 0, 0, 0]))).toBe(false)
  })

  it('goes down when told so, and takes a gain below the minimum for none', () => {
    expect(observing([5, 4, 3], { ...rule, goal: 'min' }).best).toBe(3)
    expect(observing([0.5, 0.505], { ...rule, minimum_gain: 0.01 }).bestStep).toBe(0)
  })

  it('takes an evaluation that is no number for no improvement', () => {
    expect(observing([Number.NaN, Number.NaN])).toEqual({ best: null, bestStep: null, evaluationsSinceBest: 2 })
  })
})

describe('the curriculum', () => {
  const lever: Curriculum = { early_epochs: 1, early_beams: 3, late_beams: 5, ties: 'stored', order: 'shuffled' }

  it('takes few beams early and more late, as the original does', () => {
    expect([0, 1, 2].map(epoch => beamsInEpoch(epoch, lever))).toEqual([3, 5, 5])
  })

  it('takes the best rewards in stored order, of equal ones the first', () => {
    expect(bestBeams(Float64Array.of(0, 2, 1, 2, 2), 2)).toEqual([1, 3])
    expect(bestBeams(Float64Array.of(0, 2, 1), null)).toEqual([0, 1, 2])
    expect(bestBeams(Float64Array.of(0, 2, 1), 9)).toEqual([0, 1, 2])
  })

  // What torch 2.15 takes on a CPU: a reward a digit, and the positions of the best three or five.
  it.each([
    ['0100', [1, 3, 0]],
    ['21102', [4, 0, 2]],
    ['22001', [1, 0, 4, 3, 2]],
    ['101110', [2, 4, 3]],
    ['001110', [2, 4, 3, 5, 0]],
    ['3231130', [2, 5, 0]],
    ['3031420', [4, 0, 2, 5, 3]],
    ['02102122', [4, 7, 6]],
    ['01021333', [6, 5, 7, 3, 4]],
    ['101022200', [5, 4, 6]],
    ['100212022', [7, 5, 3, 8, 4]],
    ['0112440343', [8, 4, 5]],
    ['4132222030', [0, 8, 2, 3, 6]],
    ['02313310203', [5, 10, 4]],
    ['32223110222', [0, 4, 8, 1, 9]],
    ['402513230400', [3, 0, 9]],
    ['203222301031', [10, 6, 2, 4, 5]],
    ['3543341406022', [9, 1, 7]],
    ['0100010010110', [10, 8, 5, 1, 11]],
    ['12210132111020', [6, 7, 1]],
    ['53240022612062', [8, 12, 0, 3, 1]],
    ['112021200021210', [12, 4, 10]],
    ['011110111100100', [8, 6, 7, 1, 9]],
    ['0121100200121010', [11, 7, 2]],
    ['1010001000010011', [15, 11, 6, 0, 14]],
    ['72151242241610423051', [0, 11, 3]],
    ['00010000111001010111', [15, 8, 9, 13, 18]],
    ['2111221020202000221210020021', [19, 10, 12]],
    ['0210201022101120011221021212', [20, 8, 9, 19, 25]],
    ['1100000010010000000110111111001110101101', [25, 24, 23]],
    ['1100000010010000000110111111001110101101', [23, 26, 25, 24, 0]],
  ] as const)('resolves the ties of %s as torch does on a CPU', (rewards, taken) => {
    const sorted = (positions: readonly number[]): number[] => positions.toSorted((a, b) => a - b)
    expect(bestBeams(Float64Array.from(rewards, Number), taken.length, 'torch-cpu')).toEqual(sorted(taken))
  })

  it('orders queries by how well their groups did', () => {
    const groups = [Float64Array.of(0, 1), Float64Array.of(1, 1), Float64Array.of(0, 0), Float64Array.of(1, 0)]
    const random = seededRandom(1)
    expect(queryOrder(groups, 'stored', random)).toEqual([0, 1, 2, 3])
    expect(queryOrder(groups, 'easy-first', random)).toEqual([1, 0, 3, 2])
    expect(queryOrder(groups, 'hard-first', random)).toEqual([2, 0, 3, 1])
  })

  it('shuffles by the seed alone, and loses no query', () => {
    const groups = Array.from({ length: 50 }, () => Float64Array.of(0))
    const [one, again, other] = [1, 1, 2].map(seed => queryOrder(groups, 'shuffled', seededRandom(seed)))
    expect(one).toEqual(again)
    expect(one).not.toEqual(other)
    expect(one.toSorted((a, b) => a - b)).toEqual(queryOrder(groups, 'stored', seededRandom(1)))
  })
})

describe("other tools' learning rates", () => {
  interface Course {
    readonly name: string
    readonly warmup: number
    readonly total?: number
    readonly min_ratio?: number
    readonly init_ratio?: number
    readonly cycles?: number
    readonly steps: readonly number[]
    readonly factors: readonly number[]
  }
  const courses: readonly Course[] = JSON.parse(
    readFileSync(new URL('./fixtures/learning-rates.json', import.meta.url), 'utf8'),
  )
  // Several cycles, a plateau before the decay and a count from one are of no use to the selector.
  const known = courses.filter(({ name, cycles = 0.5 }) => cycles === 0.5 && !/wsd|one-indexed/.test(name))

  it.each(known)('$name with $warmup of $total steps', ({ name, warmup: steps, total = 100, ...course }) => {
    const { min_ratio = 0, init_ratio: start = 0 } = course
    const from = name.includes('fork') || start > 0 ? 'floor' : 'zero'
    const schedule = name.includes('cosine') ? 'cosine' : name.includes('linear') ? 'linear' : 'constant'
    for (const [i, step] of course.steps.entries()) {
      // No training goes on after its last step.
      if (step > total) continue
      const rate = learningRateAt(step, total, 1, { schedule, warmup: { ratio: 0, steps, from }, min_ratio })
      expect(rate, `step ${step}`).toBeCloseTo(course.factors[i], 9)
    }
  })
})
