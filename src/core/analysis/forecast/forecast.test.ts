import { describe, expect, it } from 'vitest'
import { isSick, type LabName, type LabRun, type LearnedLab, readLab } from '../../../../test/support/labs.js'
import { mean } from '../../../stats/descriptive.js'
import { seededRandom } from '../../../stats/random.js'
import {
  checkForecast,
  type EvaluatedCurve,
  type FinishedCurve,
  fallsShort,
  forecastScore,
  levelAt,
} from './forecast.js'

const METRICS: { readonly [lab in LabName | LearnedLab]: string } = {
  addition: 'val-core/addition/reward/mean@1',
  sorting: 'val-core/sort_medium/acc/mean@4',
  letters: 'eval_rewards/gold/mean',
  vowels: 'eval_rewards/gold/mean',
}

function curvesOf(lab: LabName | LearnedLab) {
  return readLab(lab).flatMap((run: LabRun) => {
    const { steps, values } = run.metrics.get(METRICS[lab]) ?? { steps: [], values: [] }
    return steps.length === 0 || !values.every(Number.isFinite)
      ? []
      : [{ steps, values, setting: run.group, sick: isSick(run) }]
  })
}

/** Every healthy run, from all runs of other settings: a setting that the workspace has never seen. */
function judged(lab: LabName | LearnedLab, share: number) {
  const all = curvesOf(lab)
  const until = Math.max(...all.map(({ steps }) => steps[steps.length - 1]))
  const at = share * until
  return all
    .filter(({ sick }) => !sick)
    .flatMap(curve => {
      const others = all.filter(({ setting }) => setting !== curve.setting)
      const forecast = forecastScore(curve, others, { at, until, setting: curve.setting })
      const end = levelAt(curve, until, until) ?? Number.NaN
      if (forecast?.interval == null) return []
      const last = curve.values[curve.steps.findLastIndex(step => step <= at)]
      return [
        {
          held: end >= forecast.interval[0] && end <= forecast.interval[1],
          error: forecast.estimate - end,
          habit: last - end,
        },
      ]
    })
}

function rms(values: readonly number[]): number {
  return Math.sqrt(mean(values.map(value => value ** 2)))
}

describe('the end of a run by other runs of its lab', () => {
  it.each(['addition', 'sorting', 'letters', 'vowels'] as const)(
    'lies in the 80 % interval of at least 75 %% of them, and is missed by 20 %% less than by the last value: %s',
    lab => {
      const made = [0.25, 0.5, 0.75].flatMap(share => judged(lab, share))
      expect(made.length).toBeGreaterThan(50)
      expect(mean(made.map(({ held }) => Number(held)))).toBeGreaterThanOrEqual(0.75)
      expect(rms(made.map(({ error }) => error))).toBeLessThan(0.8 * rms(made.map(({ habit }) => habit)))
    },
  )
})

/** Curves that rise to a level, each at its own speed. */
function drawnCurve(random: ReturnType<typeof seededRandom>, setting: string, tilt = 0): FinishedCurve {
  const [level, speed] = [0.6 + 0.05 * random.normal(), 3 * Math.exp(0.3 * random.normal())]
  const steps = Array.from({ length: 20 }, (_, i) => 5 * (i + 1))
  const values = steps.map(
    step => level * (1 - 0.5 * Math.exp((-speed * step) / 100)) + 0.02 * random.normal() + (step > 50 ? tilt : 0),
  )
  return { steps, values, setting }
}

describe('an interval', () => {
  it('holds 80 % of ends where runs are alike, with few finished ones as with many', () => {
    const random = seededRandom(5)
    for (const count of [24, 60]) {
      let [made, held] = [0, 0]
      for (let i = 0; i < 400; i += 1) {
        const finished = Array.from({ length: count }, (_, k) => drawnCurve(random, String(k % 4)))
        const curve = drawnCurve(random, 'new')
        const forecast = forecastScore(curve, finished, { at: 40, until: 100, setting: 'new' })
        if (forecast?.interval == null) continue
        const end = levelAt(curve, 100, 100) ?? Number.NaN
        made += 1
        if (end >= forecast.interval[0] && end <= forecast.interval[1]) held += 1
      }
      expect(made).toBeGreaterThan(40)
      expect(held / made).toBeGreaterThan(0.78)
    }
  })

  it('is not given where hardly any finished run stood there', () => {
    const random = seededRandom(7)
    const finished = Array.from({ length: 30 }, () => drawnCurve(random, 'a'))
    const astray: EvaluatedCurve = { steps: [10, 20, 30, 40], values: [0.1, 0.05, 0.02, 0.01] }
    expect(forecastScore(astray, finished, { at: 40, until: 100, setting: null })?.interval).toBeNull()
    expect(forecastScore(astray, [], { at: 40, until: 100, setting: null })).toBeNull()
    expect(forecastScore(finished[0], finished.slice(1, 4), { at: 40, until: 100, setting: null })?.interval).toBeNull()
  })

  it('stays between 0 and 1 where all scores do', () => {
    const random = seededRandom(9)
    const steps = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
    const near = (): FinishedCurve => ({
      steps,
      values: steps.map(step => Math.min(1, 0.9 + 0.001 * step + 0.02 * random.normal())),
      setting: 'a',
    })
    const finished = Array.from({ length: 60 }, near)
    const [low, high] = forecastScore(near(), finished, { at: 50, until: 100, setting: 'a' })?.interval ?? [0, 2]
    expect(high).toBeLessThanOrEqual(1)
    expect(low).toBeLessThan(high)
  })

  it('says how likely a score is passed', () => {
    const random = seededRandom(11)
    const finished = Array.from({ length: 40 }, (_, k) => drawnCurve(random, String(k % 4)))
    const forecast = forecastScore(drawnCurve(random, 'new'), finished, { at: 60, until: 100, setting: null })
    const at = (score: number): number => forecast?.chanceOf(score) ?? Number.NaN
    expect(at(0)).toBeGreaterThan(0.9)
    expect(at(1)).toBeLessThan(0.1)
    expect(at((forecast?.estimate ?? 0) - 0.01)).toBeGreaterThan(at((forecast?.estimate ?? 0) + 0.01))
  })
})

describe('the check on finished runs', () => {
  it('counts what held, and tells intervals that hold too little', () => {
    const random = seededRandom(13)
    const finished = Array.from({ length: 40 }, (_, k) => drawnCurve(random, String(k % 4)))
    const { runs, covered } = checkForecast(finished, 40, 100)
    expect(covered / runs).toBeGreaterThan(0.7)
    expect(fallsShort({ runs, covered })).toBe(false)
    expect(fallsShort({ runs: 30, covered: 15 })).toBe(true)
    expect(fallsShort({ runs: 0, covered: 0 })).toBe(false)
  })
})
