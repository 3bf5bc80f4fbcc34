import { decimalsFor, figure, signed } from '../../text/numbers.js'
import { type Chart, type ChartMark, type Extent, ifKnown, type ProgressUnit } from './chart.js'
import { type ChartMetric, type ChartRequest, goalNotes, listOf } from './request.js'
import { extentOf, progressSpan } from './scale.js'
import { saying } from './words.js'

/** The difference at each shared step, around zero: its mean with the interval, and the margin where one was set. */

export interface DifferenceRequest extends ChartRequest {
  readonly metric: ChartMetric
  readonly baseline: string
  readonly other: string
  readonly steps: ArrayLike<number>
  /** Other minus baseline, one per step. */
  readonly differences: ArrayLike<number>
  readonly estimate: number | null
  readonly interval: Extent | null
  /** The steps that the estimate is over; all of them unless given. */
  readonly window?: Extent
  /** What the steps are of; steps of training unless given. */
  readonly along?: ProgressUnit
  readonly margin: number | null
}

export function differenceChart(request: DifferenceRequest): Chart {
  const { language, metric, baseline, other, estimate, interval, margin, along = 'steps' } = request
  const say = saying(language)
  const [x, y] = [listOf(request.steps), listOf(request.differences)]
  const over = request.window ?? extentOf(x)
  const written = (value: number): string => signed(value, interval === null ? 4 : decimalsFor(interval))
  const names = { other, baseline, metric: metric.name }
  const margins = margin === null ? [] : [margin, -margin]
  return {
    language,
    title: say('charts.difference.title', names),
    description: say('charts.difference.described', { ...names, n: x.length }),
    notes: [
      ...goalNotes(language, metric),
      ...ifKnown(estimate, value => say('charts.difference.estimate', { estimate: written(value) })),
      ...ifKnown(interval, ends => say('charts.difference.interval', { ends: ends.map(written).join(' … ') })),
    ],
    panels: [
      {
        x: { kind: 'progress', unit: along },
        y: { kind: 'value', holds: [0] },
        marks: [
          { kind: 'points', name: say('charts.difference.points', {}), style: 'difference', x, y, stems: true },
          { kind: 'rule', style: 'zero', axis: 'y', at: 0 },
          ...margins.map((at): ChartMark => {
            const name = say('charts.margin', { margin: figure(Math.abs(at)) })
            return { kind: 'rule', name, style: 'margin', axis: 'y', at }
          }),
          ...ifKnown(estimate, (at): ChartMark => {
            const name = say('charts.difference.mean', { steps: progressSpan(...over, along) })
            return { kind: 'rule', name, style: 'estimate', axis: 'y', at, over }
          }),
          ...ifKnown(interval, (ends): ChartMark => {
            return { kind: 'box', name: say('charts.interval', {}), style: 'estimate', x: over, y: ends }
          }),
        ],
      },
    ],
    findings: [],
  }
}
