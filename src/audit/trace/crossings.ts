import type { Quantity } from '../../logs/document/quantity.js'
import type { FigureOptions } from './candidates.js'
import { scaleOf } from './figure.js'
import { type Log, type LogMetric, type LogRun, nameOf } from './log.js'
import type { FigureReading } from './reading.js'

/** Steps at which a curve first passes a value: "0.8 is first exceeded at step 150", "第 285 步归零". */

const ZERO = /(?<![a-z])zero(?![a-z])|归零|降为 ?0|为 ?0(?![.\d])/i
const DOWN = /(?<![a-z])(?:below|under|drop\w*|fall\w*|fell|zero)(?![a-z])|跌|低于|降|归零/i

const MOST_RUNS = 6
const MOST_METRICS = 4
const MOST_LIMITS = 3

/** The first steps beyond each of the limits, of one run or made of those of several. */
export function* crossingReadings(
  log: Log,
  text: string,
  limits: readonly Quantity[],
  { runs, metrics, isNamed }: Pick<FigureOptions, 'runs' | 'metrics' | 'isNamed'>,
): Generator<FigureReading> {
  const isDown = DOWN.test(text)
  const values = [...(ZERO.test(text) ? [null] : []), ...limits.slice(-MOST_LIMITS).toReversed()]
  const all: FigureReading[] = []
  for (const [l, limit] of values.entries())
    for (const run of runs.slice(0, MOST_RUNS))
      for (const metric of metrics.slice(0, MOST_METRICS))
        for (const down of [isDown, !isDown]) {
          if (limit === null && !down) continue
          const beyond = limit === null ? 0 : limit.value / scaleOf(limit, metric.value)
          const cost = run.cost + metric.cost + 0.5 * l + (down === isDown ? 0 : 1)
          for (const [w, steps] of firstBeyond(log, run.value, metric.value, beyond, down).entries())
            all.push({
              metric: metric.value,
              values: steps.map(step => ({ value: step, printed: step, step: null, run: null })),
              address: null,
              computed: `${nameOf(run.value)}: ${metric.value.name} ${down ? '<' : '>'} ${limit?.value ?? 0}`,
              rank: cost + 0.3 * w,
              isNamed: isNamed && w === 0 && l === 0 && values.length === 1 && run === runs[0] && metric === metrics[0],
              chance: 0.02,
              grid: gridOf(log, run.value, metric.value),
              kind: 'computed',
            })
        }
  yield* all.sort((a, b) => a.rank - b.rank)
}

/** Beyond the limit, or at it; of several runs that of their mean, the mean of theirs, the last and the first. */
function firstBeyond(
  log: Log,
  runs: readonly LogRun[],
  { name }: LogMetric,
  limit: number,
  isDown: boolean,
): readonly (readonly number[])[] {
  const both = [false, true].map(isAt => {
    const each = runs.map(run => {
      const { steps = [], values = [] } = log.seriesOf(run, name) ?? {}
      return steps[values.findIndex(value => (isDown ? value < limit : value > limit) || (isAt && value === limit))]
    })
    const { steps, values } = runs.length > 1 ? log.meanCurve(runs, name) : { steps: [], values: [] }
    const ofCurve =
      steps[values.findIndex(value => (isDown ? value < limit : value > limit) || (isAt && value === limit))]
    const found = each.filter(step => step !== undefined)
    const curve = ofCurve === undefined ? [] : [ofCurve]
    if (found.length < 2 || found.length < each.length) return [...curve, ...(each.length === 1 ? found : [])]
    const sum = found.reduce((a, b) => a + b, 0)
    return [...curve, sum / found.length, Math.max(...found), Math.min(...found)]
  })
  const ways = Math.max(...both.map(({ length }) => length))
  return Array.from({ length: ways }, (_, i) => [...new Set(both.flatMap(steps => steps[i] ?? []))])
}

/** How far apart its steps are. */
function gridOf(log: Log, [run]: readonly LogRun[], { name }: LogMetric): number {
  const [, a = 0, b = 0] = run === undefined ? [] : (log.seriesOf(run, name)?.steps ?? [])
  return Math.max(0, b - a)
}
