import type { Language } from '../../text/language.js'
import { say } from '../../text/say.js'
import { drawn, type Points } from './envelope.js'
import type { Drawing } from './render.js'
import { dashOf, FAINT, shortName, styleOf, TEXT, valueAxis } from './theme.js'

/** Curves of several sides over steps: replicates thin, their mean bold; a mark at every step that all sides share. */
export interface CurvesInput {
  readonly metric: string
  readonly sides: readonly {
    readonly label: string
    /** One per replicate. */
    readonly runs: readonly Points[]
    /** The mean over replicates; null for a single run. */
    readonly mean: Points | null
  }[]
  readonly sharedSteps: readonly number[]
  readonly findings?: readonly Marked[]
}

/** Steps at which something was found. */
export interface Marked {
  readonly from: number
  readonly to: number
  readonly label: string
}

/** More marks than this are a carpet. */
const MOST_MARKS = 60

export function curves(language: Language, { metric, sides, sharedSteps, findings = [] }: CurvesInput): Drawing {
  const shared = new Set(sharedSteps)
  const marked = marksShown(sharedSteps)
  let each = 1
  const series = sides.flatMap(({ label, runs, mean }, side) => {
    const style = styleOf(side)
    const line = (points: Points, bold: boolean, first: boolean) => {
      const shown = drawn(points)
      each = Math.max(each, shown.each)
      return {
        type: 'line' as const,
        name: shortName(label),
        data: shown.line.map(([step, value]) => ({
          value: [step, value],
          symbolSize: bold && (!marked || shared.has(step)) ? (marked ? 7 : 0) : 0,
        })),
        symbol: style.symbol,
        showSymbol: bold && marked,
        showAllSymbol: true,
        connectNulls: false,
        color: style.color,
        itemStyle: { color: style.color },
        lineStyle: {
          color: style.color,
          width: bold ? 2 : 1,
          type: bold ? dashOf(style) : ('solid' as const),
          opacity: bold ? 1 : 0.35,
        },
        ...(first && side === 0 ? { markArea: areas(findings) } : {}),
      }
    }
    const bold = mean ?? runs[0]
    const thin = mean === null ? runs.slice(1) : runs
    return [line(bold, true, true), ...thin.map(points => line(points, false, false))]
  })
  return {
    width: 760,
    height: 340,
    option: {
      textStyle: TEXT,
      title:
        each > 1
          ? {
              text: say(language, 'drawing.envelope', { n: each }),
              right: 12,
              top: 4,
              textStyle: { ...TEXT, color: FAINT, fontWeight: 'normal' },
            }
          : undefined,
      legend: {
        data: sides.map(({ label }) => shortName(label)),
        left: 60,
        top: 2,
        itemWidth: 32,
        itemGap: 28,
        textStyle: TEXT,
      },
      grid: { left: 66, right: 20, top: 36, bottom: 48 },
      xAxis: valueAxis(say(language, 'drawing.step', {}), { nameGap: 28, splitLine: { show: false } }),
      yAxis: valueAxis(metric, { nameGap: 48 }),
      series,
    },
  }
}

/** Shaded stretches; the names of what was found there stand on the first, lest they cover each other. */
export function areas(findings: readonly Marked[]) {
  const names = [...new Set(findings.map(({ label }) => label))].join(', ')
  return {
    silent: true,
    itemStyle: { color: FAINT, opacity: 0.12 },
    label: { ...TEXT, fontSize: 10, color: FAINT, position: 'insideTop' as const },
    data: findings.map(({ from, to }, i) => [
      { xAxis: from, name: i === 0 ? shortName(names, 40) : '' },
      { xAxis: to },
    ]),
  }
}

/** Whether every shared step has room for a mark of its own. */
export function marksShown(sharedSteps: readonly number[]): boolean {
  return sharedSteps.length <= MOST_MARKS
}
