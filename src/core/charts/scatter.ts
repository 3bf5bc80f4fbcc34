import { type Chart, isMeasured } from './chart.js'
import type { ChartMetric, ChartRequest } from './request.js'
import { progressSpan, roundInterval } from './scale.js'
import { saying } from './words.js'

/** One metric against another along training, KL against reward above all: a path in step order, its ends labelled. */

export interface ScatterRequest extends ChartRequest {
  readonly across: ChartMetric
  readonly up: ChartMetric
  readonly sides: readonly ScatterSide[]
}

export interface ScatterSide {
  readonly label: string
  readonly steps: ArrayLike<number>
  readonly across: ArrayLike<number>
  readonly up: ArrayLike<number>
}

/** A path of more points is a knot; then each point is the mean of some steps, and the chart says so. */
const MOST_POINTS = 60

interface PathPoint {
  readonly from: number
  readonly to: number
  readonly across: number
  readonly up: number
}

export function scatterChart({ language, across, up, sides }: ScatterRequest): Chart {
  const say = saying(language)
  const most = sides.reduce((count, { steps }) => Math.max(count, steps.length), 0)
  const size = most > MOST_POINTS ? Math.max(2, roundInterval(most / MOST_POINTS)) : 1
  const names = { up: up.name, across: across.name, sides: sides.map(({ label }) => label).join(', ') }
  return {
    language,
    title: say('charts.scatter.title', names),
    description: say('charts.scatter.described', names),
    notes: [size === 1 ? say('charts.scatter.order', {}) : say('charts.scatter.means', { n: size })],
    panels: [
      {
        x: { kind: 'value', name: across.name },
        y: { kind: 'value', name: up.name },
        marks: sides.map((side, style) => {
          const points = pointsOf(side, size)
          const labels = endsOf(points).map(at => ({
            at,
            text: say('charts.at-step', { step: progressSpan(points[at].from, points[at].to) }),
          }))
          const [x, y] = [points.map(point => point.across), points.map(point => point.up)]
          return { kind: 'path', name: side.label, style, x, y, labels }
        }),
      },
    ],
    findings: [],
  }
}

/** Means of `size` consecutive records; a record that lacks either value does not count, and none at all is a gap. */
function pointsOf({ steps, across, up }: ScatterSide, size: number): readonly PathPoint[] {
  return Array.from({ length: Math.ceil(steps.length / size) }, (_, block) => {
    const records = Array.from({ length: Math.min(size, steps.length - block * size) }, (_, i) => block * size + i)
    const whole = records.filter(i => isMeasured(across[i]) && isMeasured(up[i]))
    const mean = (values: ArrayLike<number>): number =>
      whole.length === 0 ? Number.NaN : whole.reduce((sum, i) => sum + values[i] / whole.length, 0)
    return {
      from: steps[records[0]],
      to: steps[records[records.length - 1]],
      across: mean(across),
      up: mean(up),
    }
  })
}

/** The first and the last point that were measured. */
function endsOf(points: readonly PathPoint[]): readonly number[] {
  const isWhole = ({ across }: PathPoint): boolean => isMeasured(across)
  return [...new Set([points.findIndex(isWhole), points.findLastIndex(isWhole)])].filter(at => at >= 0)
}
