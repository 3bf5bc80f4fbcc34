import { describe, expect, it } from 'vitest'
import { noise } from '../../../../calibration/noise.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import { type Random, seededRandom } from '../../../stats/random.js'
import type { SeriesPoints } from '../../store/series.js'
import { seriesOf } from '../align.js'
import type { SideEvidence } from './evidence.js'
import { compareSides } from './judge-sides.js'
import { scoresInWindows, seriesInWindows, windowsWhereNeeded } from './windows.js'

const LENGTH = 450
const climb = (step: number): number => 0.3 + 0.5 * (1 - Math.exp((-3 * step) / LENGTH))

/** Evidence every so many steps, from the first on. */
function evaluated(every: number, value: (step: number) => number, first = every): SeriesPoints {
  const steps: number[] = []
  for (let step = first; step <= LENGTH; step += every) steps.push(step)
  return seriesOf(steps, steps.map(value))
}

function noisy(random: Random, every: number, level: number, rho: number): SeriesPoints {
  const plain = evaluated(every, climb)
  const wobble = noise(random, plain.steps.length, rho)
  return { ...plain, values: plain.values.map((value, i) => value + level + 0.03 * wobble[i]) }
}

function on(question: Verdict['question'], first: SideEvidence, second: SideEvidence): Verdict {
  const { verdicts } = compareSides([first, second], { metric: 'm', goal: null, margin: { absolute: 1e-9 } })
  const found = verdicts.find(verdict => verdict.question === question)
  if (found === undefined) throw new Error(`no verdict on ${question}`)
  return found
}

describe('runs that were evaluated every 10 and every 15 steps', () => {
  const [every10, every15] = [evaluated(10, climb), evaluated(15, climb)]

  it('are compared in windows as wide as the widest gap, not at the few steps they share', () => {
    const windows = windowsWhereNeeded([every10, every15])
    expect(windows?.ends).toHaveLength(29)
    for (const run of windows?.shares ?? []) {
      for (const window of run) expect(window.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9)
    }
  })

  it('are level when they follow the same climbing course, wherever the evaluations fell', () => {
    for (const other of [every15, evaluated(10, climb, 4), evaluated(25, climb, 3)]) {
      const { estimate } = on('level', { label: 'a', series: [every10] }, { label: 'b', series: [other] })
      // Taking neighbours for pairs would be off by the climb between them, ten times as much.
      expect(Math.abs(estimate ?? 1)).toBeLessThan(0.001)
    }
  })

  it('show a true gap that the shared steps alone could not', () => {
    const random = seededRandom(5)
    const [a, b] = [noisy(random, 10, 0, 0.3), noisy(random, 15, -0.15, 0.3)]
    const verdict = on('level', { label: 'a', series: [a] }, { label: 'b', series: [b] })
    expect(verdict).toMatchObject({ answer: 'lower', scope: 'runs' })
    expect(verdict.reasons.map(({ key }) => key)).toContain('axis.unaligned')
  })

  it.each([
    [0, 0.05],
    [0.3, 0.05],
    [0.5, 0.06],
  ])('are called different in at most one of twenty equal pairs, at an autocorrelation of %d', (rho, promise) => {
    const random = seededRandom(11)
    const pairs = 400
    let [level, final] = [0, 0]
    for (let i = 0; i < pairs; i += 1) {
      const sides = [10, 15].map(every => ({ label: String(every), series: [noisy(random, every, 0, rho)] }))
      const { verdicts } = compareSides(sides, { metric: 'm', goal: null, margin: { absolute: 1e-9 } })
      const claims = (question: string): number =>
        Number(verdicts.some(verdict => verdict.question === question && verdict.answer !== 'undetermined'))
      level += claims('level')
      final += claims('final')
    }
    const most = promise + 3 * Math.sqrt((promise * (1 - promise)) / pairs)
    expect(level / pairs).toBeLessThanOrEqual(most)
    expect(final / pairs).toBeLessThanOrEqual(most)
  })

  it('keep the scores of single prompts, weighed as the curve is', () => {
    const windows = windowsWhereNeeded([every10, every15])
    if (windows === null) throw new Error('no windows')
    const scores = {
      metric: 'm',
      prompts: ['p', 'q'],
      byStep: new Map(Array.from(every15.steps, (step, i) => [step, Float64Array.of(every15.values[i], step)])),
    }
    const inWindows = scoresInWindows(scores, every15.steps, windows, 1)
    const { steps, values } = seriesInWindows(every15, windows, 1)
    expect(inWindows.byStep.size).toBe(29)
    expect(inWindows.byStep.get(steps[7])?.[0]).toBeCloseTo(values[7], 9)
    expect(inWindows.byStep.get(steps[7])?.[1]).toBeCloseTo(steps[7] - windows.width / 2, 9)
  })
})

describe('shared steps', () => {
  it('are kept where they are nearly all there is', () => {
    const missesSome = evaluated(10, climb)
    const few = { ...missesSome, values: missesSome.values.map((value, i) => (i % 7 === 0 ? Number.NaN : value)) }
    expect(windowsWhereNeeded([evaluated(10, climb), few])).toBeNull()
    expect(windowsWhereNeeded([evaluated(10, climb), evaluated(20, climb)])).toBeNull()
  })
})

describe('along another axis', () => {
  it('the run whose steps cost half as much is further after as many tokens', () => {
    const random = seededRandom(3)
    const cheap = { label: 'cheap', series: [noisy(random, 10, 0, 0.3)], counters: [(step: number) => 500 * step] }
    const dear = { label: 'dear', series: [noisy(random, 10, 0, 0.3)], counters: [(step: number) => 1000 * step] }
    const ask = (by: 'steps' | 'tokens') => {
      const { verdicts } = compareSides([dear, cheap], { metric: 'm', goal: 'max', margin: null, by })
      return verdicts.find(({ question }) => question === 'level')
    }
    expect(ask('steps')?.answer).toBe('undetermined')
    expect(ask('tokens')).toMatchObject({ answer: 'better', scope: 'runs' })
  })
})
