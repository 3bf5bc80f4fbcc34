import type { Axis } from '../../model/axis.js'
import { benjaminiHochberg } from '../../stats/multiplicity.js'
import { FEWEST_EVALUATIONS } from '../../stats/paired-mean.js'
import { pValueOf } from '../../stats/student-estimate.js'
import { readSeries } from '../../store/series.js'
import { align, type Window } from '../align.js'
import { judgedSteps, scopeOf } from '../conventions.js'
import type { Counter } from './axis.js'
import type { RunSide } from './evidence.js'
import { layOut } from './lay-out.js'
import { differenceOf } from './level.js'
import { sharedMetrics } from './summary.js'

/**
 * Everything that both sides log, tested at once. Of a hundred metrics in which nothing differs four are called by
 * chance, and somebody finds them: so each has a q, the share of false finds expected among all that are no larger
 * (Benjamini and Hochberg).
 */
export interface MetricDifference {
  readonly metric: string
  readonly other: string
  /** Other minus baseline, over what runs are judged by. */
  readonly estimate: number
  readonly p: number
  readonly q: number
}

/** What the runs are held against each other along, and which of their steps. */
interface Course {
  readonly counters: readonly (readonly Counter[])[]
  readonly axis: Axis
  readonly window: Window | undefined
}

export async function differencesInAll(
  sides: readonly RunSide[],
  { counters, axis, window }: Course,
): Promise<readonly MetricDifference[]> {
  const metrics = sharedMetrics(sides)
  const read = await Promise.all(sides.map(({ runs }) => Promise.all(runs.map(run => readSeries(run, metrics)))))
  const found = metrics.flatMap(metric => {
    const series = read.map(runs => runs.flatMap(each => each.get(metric) ?? []))
    return sides.slice(1).flatMap(({ label }, i) => {
      const [first, second] = [series[0], series[i + 1]]
      if (first.length < sides[0].runs.length || second.length < sides[i + 1].runs.length) return []
      const evaluated = [
        { series: first, counters: counters[0] },
        { series: second, counters: counters[i + 1] },
      ]
      const shared = align(layOut(evaluated, axis, window).sides.flatMap(side => side.series))
      const used = judgedSteps(shared.steps).length
      const runs = [first.length, second.length] as const
      const scope = scopeOf(runs)
      if (scope === 'runs' && used < FEWEST_EVALUATIONS) return []
      const late = { steps: shared.steps.slice(-used), values: shared.values.map(values => values.slice(-used)) }
      const estimate = differenceOf(late, runs, scope)
      return estimate.standardError > 0
        ? [{ metric, other: label, estimate: estimate.mean, p: pValueOf(estimate) }]
        : []
    })
  })
  const qValues = benjaminiHochberg(found.map(({ p }) => p))
  return found.map((difference, i) => ({ ...difference, q: qValues[i] }))
}
