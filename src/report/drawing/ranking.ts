import type { Language } from '../../text/language.js'
import { say } from '../../text/say.js'
import type { Drawing } from './render.js'
import { FAINT, INK, PAPER, styleOf, TEXT, valueAxis } from './theme.js'

/** Evaluations with their error, those that cannot be told from the best filled, and what the best is worth. */
export interface RankingInput {
  readonly metric: string
  readonly points: readonly { readonly step: number; readonly value: number }[]
  /** Standard error of one evaluation; null where nothing tells. */
  readonly error: number | null
  readonly indistinguishable: readonly number[]
  readonly best: { readonly step: number; readonly shrunken: number | null }
}

export function ranking(language: Language, { metric, points, error, indistinguishable, best }: RankingInput): Drawing {
  const alike = new Set(indistinguishable)
  const { color } = styleOf(0)
  const shrunken = best.shrunken === null ? [] : [[best.step, best.shrunken]]
  const names = [
    say(language, 'drawing.score', {}),
    say(language, 'drawing.alike', {}),
    say(language, 'drawing.shrunken', {}),
  ]
  const bars =
    error === null
      ? []
      : points.map(({ step, value }) => [
          [step, value - error],
          [step, value + error],
        ])
  return {
    width: 760,
    height: 330,
    option: {
      textStyle: TEXT,
      legend: {
        data: [...names.slice(0, 2), ...(shrunken.length > 0 ? [names[2]] : [])],
        left: 60,
        top: 2,
        itemWidth: 18,
        itemGap: 48,
        textStyle: TEXT,
      },
      grid: { left: 66, right: 20, top: 36, bottom: 48 },
      xAxis: valueAxis(say(language, 'drawing.step', {}), { nameGap: 28, splitLine: { show: false } }),
      yAxis: valueAxis(metric, { nameGap: 48 }),
      series: [
        ...bars.map(data => ({
          type: 'line' as const,
          data,
          symbol: 'none',
          lineStyle: { color: FAINT, width: 1, opacity: 0.6 },
          silent: true,
        })),
        {
          type: 'scatter',
          name: names[0],
          data: points.filter(({ step }) => !alike.has(step)).map(({ step, value }) => [step, value]),
          symbol: 'circle',
          symbolSize: 7,
          itemStyle: { color: PAPER, borderColor: color, borderWidth: 1.5 },
        },
        {
          type: 'scatter',
          name: names[1],
          data: points.filter(({ step }) => alike.has(step)).map(({ step, value }) => [step, value]),
          symbol: 'circle',
          symbolSize: 8,
          itemStyle: { color },
        },
        {
          type: 'scatter',
          name: names[2],
          data: shrunken,
          symbol: 'diamond',
          symbolSize: 14,
          itemStyle: { color: INK },
        },
      ],
    },
  }
}
