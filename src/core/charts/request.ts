import type { Goal } from '../../logs/model/vocabulary/metric.js'
import type { Language } from '../../text/language.js'
import type { ChartSeries } from './chart.js'
import { saying } from './words.js'

/** What every kind of chart is asked, and what they all say of a metric and of an axis. */

export interface ChartRequest {
  readonly language: Language
}

/** The metric on an axis, as it should be called. */
export interface ChartMetric {
  readonly name: string
  readonly goal?: Goal | null
}

/** Values in step order, as the store has them; one that is not finite is a gap. */
export interface ChartLine {
  readonly steps: ArrayLike<number>
  readonly values: ArrayLike<number>
}

export function seriesOf({ steps, values }: ChartLine): ChartSeries {
  return { x: listOf(steps), y: listOf(values) }
}

/** `Array.from` takes ten times as long for the typed arrays of the store. */
export function listOf(values: ArrayLike<number>): readonly number[] {
  const list = new Array<number>(values.length)
  for (let i = 0; i < list.length; i += 1) list[i] = values[i]
  return list
}

export function goalNotes(language: Language, { goal = null }: ChartMetric): readonly string[] {
  if (goal === null) return []
  return [saying(language)(goal === 'max' ? 'charts.higher-is-better' : 'charts.lower-is-better', {})]
}
