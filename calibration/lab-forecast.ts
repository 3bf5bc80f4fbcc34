import { readFileSync } from 'node:fs'
import { forecastScore, levelAt } from '../src/core/analysis/forecast/forecast.js'
import { mean } from '../src/stats/descriptive.js'
import { isSick, type LabName, type LabRun, type LearnedLab, labRunsIn } from '../test/support/labs.js'
import { type Named, table } from './table.js'

/** Where runs of four labs ended, forecast from a part of each by the other runs of its lab, of other settings alone or of all. */

const METRICS: { readonly [lab in LabName | LearnedLab]: string } = {
  addition: 'val-core/addition/reward/mean@1',
  sorting: 'val-core/sort_medium/acc/mean@4',
  letters: 'eval_rewards/gold/mean',
  vowels: 'eval_rewards/gold/mean',
}

export function forecastTables(): Named[] {
  const rows = (['addition', 'sorting', 'letters', 'vowels'] as const).flatMap(lab => {
    const runs = labRunsIn(readFileSync(new URL(`../../test/data/labs/${lab}.json.br`, import.meta.url)))
    const curves = runs.flatMap(run => curveOf(run, METRICS[lab]))
    return [0.25, 0.5, 0.75].flatMap(share =>
      [false, true].map(isSeen => [lab, `${100 * share} %`, isSeen ? 'yes' : 'no', ...judged(curves, share, isSeen)]),
    )
  })
  const header = [
    'lab',
    'trained',
    'setting seen',
    'given an interval',
    'ends held, %',
    'error',
    'of the last value',
    'less, %',
  ]
  return [['lab-forecast', table(header, rows)]]
}

type LabCurve = ReturnType<typeof curveOf>[number]

function curveOf(run: LabRun, metric: string) {
  const { steps, values } = run.metrics.get(metric) ?? { steps: [], values: [] }
  const isWhole = steps.length > 0 && values.every(Number.isFinite)
  return isWhole ? [{ steps, values, setting: run.group, sick: isSick(run) }] : []
}

function judged(all: readonly LabCurve[], share: number, isSeen: boolean): readonly string[] {
  const until = Math.max(...all.map(({ steps }) => steps[steps.length - 1]))
  const at = share * until
  const healthy = all.filter(({ sick }) => !sick)
  const made = healthy.flatMap(curve => {
    const others = all.filter(other => other !== curve && (isSeen || other.setting !== curve.setting))
    const forecast = forecastScore(curve, others, { at, until, setting: curve.setting })
    const end = levelAt(curve, until, until)
    if (forecast?.interval == null || end === null) return []
    const last = curve.values[curve.steps.findLastIndex(step => step <= at)]
    const [low, high] = forecast.interval
    return [{ held: Number(end >= low && end <= high), error: forecast.estimate - end, habit: last - end }]
  })
  const [error, habit] = [rms(made.map(each => each.error)), rms(made.map(each => each.habit))]
  return [
    `${made.length} of ${healthy.length}`,
    (100 * mean(made.map(({ held }) => held))).toFixed(0),
    error.toFixed(3),
    habit.toFixed(3),
    (100 * (1 - error / habit)).toFixed(0),
  ]
}

function rms(values: readonly number[]): number {
  return Math.sqrt(mean(values.map(value => value ** 2)))
}
