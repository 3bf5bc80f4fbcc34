import type { Json } from '../../model/json.js'
import { groupBy } from '../../model/util/group-by.js'
import { type Column, inOrder, type Setting, settingKey } from './sweep-cells.js'

/** Which cells of the matrix are empty: combinations nobody ran, evaluations nobody made, training nobody logged. */

export interface Missing {
  readonly kind: 'run' | 'evaluation' | 'training'
  readonly values: readonly Json[]
  /** Raw metric names for evaluations, canonical ones for training; empty for a run. */
  readonly metrics: readonly string[]
  readonly steps: readonly number[]
  /** The source itself marks these cells as empty; else they are simply not there. */
  readonly marked: boolean
}

export function missingCells(settings: readonly Setting[], columns: readonly Column[]): readonly Missing[] {
  return [...missingRuns(settings), ...missingEvaluations(settings, columns), ...missingTraining(settings)]
}

/** Knob by knob: every combination of values that were tried. */
function missingRuns(settings: readonly Setting[]): Missing[] {
  const there = new Set(settings.map(({ values }) => settingKey(values)))
  const tried = (settings[0]?.values ?? []).map((_, knob) => distinct(settings.map(({ values }) => values[knob])))
  const combinations = tried.reduce<readonly (readonly Json[])[]>(
    (before, values) => before.flatMap(start => values.map(value => [...start, value])),
    [[]],
  )
  return combinations
    .filter(values => !there.has(settingKey(values)))
    .map(values => ({ kind: 'run', values, metrics: [], steps: [], marked: false }))
}

function distinct(values: readonly Json[]): Json[] {
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()].sort(inOrder)
}

/** A step at which anybody was evaluated, or at which a source marks an empty cell, is expected of everybody. */
function missingEvaluations(settings: readonly Setting[], columns: readonly Column[]): Missing[] {
  const metrics = columns.map(({ metric }) => metric)
  const scores = settings.flatMap(({ runs }) => runs.flatMap(run => run.scores))
  const ofColumns = scores.filter(({ metric }) => metrics.includes(metric))
  const expected = [...new Set(ofColumns.flatMap(({ points, marked }) => [...points.keys(), ...marked]))]
  return settings.flatMap(setting => {
    const gaps = columns.flatMap(({ metric, points }) => {
      const own = setting.runs.flatMap(run => {
        const found = points.get(run.id)
        return found === undefined ? [] : [found]
      })
      const marked = new Set(
        setting.runs.flatMap(run => run.scores.filter(each => each.metric === metric).flatMap(each => each.marked)),
      )
      return expected
        .filter(step => !own.some(found => found.has(step)))
        .map(step => ({ metric, step, marked: marked.has(step) }))
    })
    const byKind = groupBy(gaps, ({ marked }) => marked)
    return [...byKind].flatMap(([marked, found]) => {
      const bySteps = groupBy(
        [...groupBy(found, ({ metric }) => metric)].map(([metric, cells]) => ({
          metric,
          steps: cells.map(({ step }) => step).sort((a, b) => a - b),
        })),
        ({ steps }) => steps.join(),
      )
      return [...bySteps.values()].map(
        (same): Missing => ({
          kind: 'evaluation',
          values: setting.values,
          metrics: same.map(({ metric }) => metric),
          steps: same[0].steps,
          marked,
        }),
      )
    })
  })
}

/** Training figures that other settings have and this one has not at all. */
function missingTraining(settings: readonly Setting[]): Missing[] {
  const hasAny = ({ runs }: Setting, metric: string): boolean =>
    runs.some(({ training }) => (training.get(metric)?.size ?? 0) > 0)
  const known = [...new Set(settings.flatMap(({ runs }) => runs.flatMap(({ training }) => [...training.keys()])))]
  return settings.flatMap((setting): Missing[] => {
    const metrics = known.filter(
      metric => !hasAny(setting, metric) && settings.some(other => other !== setting && hasAny(other, metric)),
    )
    return metrics.length === 0 ? [] : [{ kind: 'training', values: setting.values, metrics, steps: [], marked: false }]
  })
}
