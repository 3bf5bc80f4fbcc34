import { type Chart, type ChartMark, type Extent, ifKnown, type PointsMark } from './chart.js'
import { type ChartMetric, type ChartRequest, goalNotes } from './request.js'
import { decimalsFor, extentOf, fixedText, stepText } from './scale.js'
import type { Style } from './theme.js'
import { saying } from './words.js'

/** Checkpoints by score: which are indistinguishable from the best, and what the best is worth without its luck. */

export interface RankingRequest extends ChartRequest {
  readonly metric: ChartMetric
  readonly scores: readonly CheckpointPoint[]
  readonly best: {
    readonly step: number
    readonly value: number
    readonly shrunken: number | null
    readonly interval: Extent | null
  }
  /** Steps. */
  readonly indistinguishable: readonly number[]
}

export interface CheckpointPoint {
  readonly step: number
  readonly value: number
  /** The error bar's ends. */
  readonly interval?: Extent | null
}

export function rankingChart({ language, metric, scores, best, indistinguishable }: RankingRequest): Chart {
  const say = saying(language)
  const measured = scores.filter(({ value }) => Number.isFinite(value)).toSorted((a, b) => a.step - b.step)
  const [low, high] = extentOf(measured.flatMap(({ value, interval }) => [value, ...(interval ?? [])]))
  const written = (value: number): string => fixedText(value, decimalsFor(high - low))
  const alike = new Set(indistinguishable)
  const step = stepText(best.step)
  const described = {
    metric: metric.name,
    n: measured.length,
    best: step,
    alike: stepsInWords(indistinguishable),
  }
  const isMany = measured.length > MOST_POINTS
  const scored = isMany ? curveOf(metric, measured) : pointsByKind(say, measured, alike)
  return {
    language,
    title: say('charts.ranking.title', { metric: metric.name }),
    description: say('charts.ranking.described', described),
    notes: [
      ...goalNotes(language, metric),
      ...(!isMany && measured.some(({ interval }) => interval != null) ? [say('charts.ranking.bars', {})] : []),
    ],
    panels: [
      {
        x: { kind: 'progress', unit: 'steps' },
        y: { kind: 'value' },
        marks: [
          ...scored,
          ...pointsOf(say('charts.ranking.best', { step, value: written(best.value) }), 'best', [
            { step: best.step, value: best.value },
          ]),
          // Beside the best as measured, so that neither hides the other.
          ...ifKnown(best.shrunken, value =>
            pointsOf(say('charts.ranking.shrunken', { value: written(value) }), 'estimate', [{ ...best, value }], true),
          ).flat(),
        ],
      },
    ],
    findings: [],
  }
}

/** More are no points any more: they are drawn as the range of the scores in each stretch of steps. */
const MOST_POINTS = 500

function curveOf({ name }: ChartMetric, measured: readonly CheckpointPoint[]): readonly ChartMark[] {
  const line = { x: measured.map(({ step }) => step), y: measured.map(({ value }) => value) }
  return [{ kind: 'curve', name, style: 'rest', line }]
}

function pointsByKind(
  say: ReturnType<typeof saying>,
  measured: readonly CheckpointPoint[],
  alike: ReadonlySet<number>,
): readonly ChartMark[] {
  const [inSet, below] = [true, false].map(is => measured.filter(({ step }) => alike.has(step) === is))
  return [
    ...pointsOf(say('charts.ranking.alike', { n: alike.size }), 'alike', inSet),
    ...pointsOf(say('charts.ranking.rest', {}), 'rest', below),
  ]
}

const MOST_STEPS_SAID = 50

/** For readers who cannot see it, who would not listen to forty thousand numbers either. */
function stepsInWords(steps: readonly number[]): string {
  const said = steps.slice(0, MOST_STEPS_SAID).map(stepText).join(', ')
  return steps.length > MOST_STEPS_SAID ? `${said}, … (${steps.length})` : said
}

function pointsOf(
  name: string,
  style: Style,
  points: readonly CheckpointPoint[],
  beside = false,
): readonly PointsMark[] {
  if (points.length === 0) return []
  const [x, y] = [points.map(({ step }) => step), points.map(({ value }) => value)]
  const ends = (end: 0 | 1): readonly number[] => points.map(({ interval }) => interval?.[end] ?? Number.NaN)
  return [{ kind: 'points', name, style, x, y, bars: { along: 'y', low: ends(0), high: ends(1) }, beside }]
}
