import type { Chart, ChartFinding, CurveMark, Panel, ProgressUnit } from './chart.js'
import { progressExtent } from './extent.js'
import { type ChartLine, type ChartMetric, type ChartRequest, goalNotes, listOf, seriesOf } from './request.js'
import { stepText } from './scale.js'
import { saying } from './words.js'

/** Metrics over steps: one for several sides, or small multiples over one axis, with findings through all of them. */

interface AlongTraining extends ChartRequest {
  readonly findings?: readonly ChartFinding[]
  /** What the lines run along; steps unless given. */
  readonly along?: ProgressUnit
}

export interface CurvesRequest extends AlongTraining {
  readonly metric: ChartMetric
  readonly sides: readonly CurveSide[]
  /** Marked on the axis: where the sides can be compared. */
  readonly sharedSteps?: readonly number[]
  readonly log?: boolean
}

export interface CurveSide {
  readonly label: string
  /** Which of the looks it has; by its place unless given, so that hiding one side does not recolour the others. */
  readonly look?: number
  /** The run, or the mean of the replicates. */
  readonly line: ChartLine | CurveMark['line']
  readonly replicates?: readonly ChartLine[]
  readonly smoothed?: CurveMark['smoothed']
  /** An interval at each step. */
  readonly band?: { readonly [name in 'steps' | 'low' | 'high']: ArrayLike<number> }
}

export function curvesChart(request: CurvesRequest): Chart {
  const { language, metric, sides, sharedSteps = [], findings = [], along = 'steps', log = false } = request
  const curves = sides.map(curveOf)
  const [from, to] = progressExtent(curves).map(stepText)
  const names = { metric: metric.name, sides: sides.map(({ label }) => label).join(', ') }
  const shared = sharedSteps.length === 0 ? [] : [{ kind: 'strokes', x: sharedSteps } as const]
  return {
    language,
    title: metric.name,
    description: saying(language)('charts.curves.described', { ...names, from, to }),
    notes: goalNotes(language, metric),
    panels: [{ x: { kind: 'progress', unit: along }, y: { kind: 'value', log }, marks: [...curves, ...shared] }],
    findings,
  }
}

export interface PanelsRequest extends AlongTraining {
  readonly title: string
  /** The names of the sides, in the order of each panel's lines. */
  readonly sides: readonly string[]
  readonly panels: readonly MetricPanel[]
}

export interface MetricPanel {
  readonly metric: ChartMetric
  /** One per side; null where a side has not logged it. */
  readonly lines: readonly (CurveSide['line'] | null)[]
  readonly log?: boolean
}

export function panelsChart(request: PanelsRequest): Chart {
  const { language, title, sides, panels, findings = [], along = 'steps' } = request
  const say = saying(language)
  const metrics = panels.map(({ metric }) => metric.name).join(', ')
  return {
    language,
    title,
    description: say('charts.panels.described', { title, metrics, sides: sides.join(', ') }),
    notes: [],
    panels: panels.map(({ metric, lines, log = false }): Panel => {
      const absent = sides.filter((_, i) => lines[i] == null).join(', ')
      return {
        title: metric.name,
        ...(absent !== '' && { note: say('charts.panels.absent', { sides: absent }) }),
        x: { kind: 'progress', unit: along },
        y: { kind: 'value', log },
        marks: lines.flatMap((line, i) => (line === null ? [] : [curveOf({ label: sides[i], line }, i)])),
      }
    }),
    findings,
  }
}

function curveOf({ label, look, line, replicates = [], smoothed, band }: CurveSide, index: number): CurveMark {
  return {
    kind: 'curve',
    name: label,
    style: look ?? index,
    line: 'steps' in line ? seriesOf(line) : line,
    ...(replicates.length > 0 && { runs: replicates.map(seriesOf) }),
    ...(smoothed && { smoothed }),
    ...(band && { band: { x: listOf(band.steps), low: listOf(band.low), high: listOf(band.high) } }),
  }
}
