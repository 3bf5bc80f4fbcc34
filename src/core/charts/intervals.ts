import type { Answer } from '../../logs/model/verdict.js'
import { clauses } from '../../text/language.js'
import { decimalsFor, signed } from '../../text/numbers.js'
import { type Chart, type ChartMark, type Extent, ifKnown } from './chart.js'
import { type ChartMetric, type ChartRequest, goalNotes } from './request.js'
import { saying } from './words.js'

/** One row per comparison: estimate, 95 % interval, the margin as a band, and the verdict in words. */

export interface IntervalsRequest extends ChartRequest {
  readonly metric: ChartMetric
  readonly rows: readonly IntervalRow[]
}

/** All rows in one unit. */
export interface IntervalRow {
  readonly label: string
  readonly estimate: number | null
  readonly interval: Extent | null
  readonly margin: number | null
  readonly answer: Answer
}

export function intervalsChart({ language, metric, rows }: IntervalsRequest): Chart {
  const say = saying(language)
  const words = rows.map(row => ({ strong: say(`charts.answer.${row.answer}`, {}), plain: numbersOf(say, row) }))
  const described = clauses(
    rows.map(({ label }, i) =>
      say('charts.intervals.row', { label, answer: words[i].strong, numbers: words[i].plain }),
    ),
    language,
  )
  return {
    language,
    title: say('charts.intervals.title', { metric: metric.name }),
    description: say('charts.intervals.described', { metric: metric.name, rows: described }),
    notes: [
      ...goalNotes(language, metric),
      say('charts.intervals.bars', {}),
      ...(rows.some(({ margin }) => margin !== null) ? [say('charts.intervals.margin', {})] : []),
    ],
    panels: [
      {
        x: { kind: 'value', name: say('charts.intervals.axis', {}), holds: [0] },
        y: { kind: 'names', names: rows.map(({ label }) => label), words },
        marks: [
          ...rows.flatMap(marginOf),
          { kind: 'rule', style: 'zero', axis: 'x', at: 0 },
          ...rows.flatMap(estimateOf),
        ],
      },
    ],
    findings: [],
  }
}

function marginOf({ margin }: IntervalRow, row: number): readonly ChartMark[] {
  return ifKnown(margin, size => ({ kind: 'box', style: 'within', x: [-size, size], y: [row - 0.41, row + 0.41] }))
}

function estimateOf({ estimate, interval, answer }: IntervalRow, row: number): readonly ChartMark[] {
  const bars = interval && ({ along: 'x', low: [interval[0]], high: [interval[1]] } as const)
  return ifKnown(estimate, value => ({ kind: 'points', style: answer, x: [value], y: [row], ...(bars && { bars }) }))
}

function numbersOf(say: ReturnType<typeof saying>, { estimate, interval }: IntervalRow): string {
  if (estimate === null) return say('charts.intervals.no-estimate', {})
  if (interval === null) return say('charts.intervals.no-interval', { estimate: signed(estimate, 4) })
  const [value, low, high] = [estimate, ...interval].map(number => signed(number, decimalsFor(interval)))
  return say('charts.intervals.numbers', { estimate: value, low, high })
}
