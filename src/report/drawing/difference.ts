import type { Language } from '../../text/language.js'
import { say } from '../../text/say.js'
import type { Drawing } from './render.js'
import { FAINT, INK, shortName, styleOf, TEXT, tick, valueAxis } from './theme.js'

/** The difference at each shared step, its mean with the interval as a band, and the margin where one was set. */
export interface DifferenceInput {
  readonly baseline: string
  readonly other: string
  readonly steps: readonly number[]
  readonly differences: readonly number[]
  readonly mean: number | null
  readonly interval: readonly [number, number] | null
  readonly margin: number | null
  /** The steps that the mean is over. */
  readonly window: readonly [number, number] | null
}

export function difference(language: Language, input: DifferenceInput): Drawing {
  const { steps, differences, mean, interval, margin, window } = input
  const style = styleOf(1)
  const lines = [
    { yAxis: 0, lineStyle: { color: INK, width: 1, type: 'solid' as const }, label: { show: false } },
    ...(margin === null
      ? []
      : [margin, -margin].map((at, i) => ({
          yAxis: at,
          lineStyle: { color: FAINT, width: 1, type: 'dashed' as const },
          label: {
            show: i === 0,
            position: 'insideEndTop' as const,
            formatter: say(language, 'drawing.margin', { margin: tick(margin) }),
            ...TEXT,
            color: FAINT,
          },
        }))),
  ]
  const ends = [...differences, 0, ...(interval ?? []), ...(margin === null ? [] : [margin, -margin])]
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  const pad = 0.06 * (high - low || 1)
  const from = window?.[0] ?? steps[0]
  const to = window?.[1] ?? steps[steps.length - 1]
  return {
    width: 760,
    height: 300,
    option: {
      textStyle: TEXT,
      legend: {
        data: [say(language, 'drawing.mean-difference', {})],
        left: 60,
        top: 2,
        itemWidth: 32,
        itemGap: 28,
        textStyle: TEXT,
        selectedMode: false,
      },
      grid: { left: 66, right: 20, top: 36, bottom: 48 },
      xAxis: valueAxis(say(language, 'drawing.step', {}), { nameGap: 28, splitLine: { show: false } }),
      yAxis: valueAxis(shortName(`${input.other} − ${input.baseline}`, 40), {
        nameGap: 48,
        min: low - pad,
        max: high + pad,
        axisLabel: { ...TEXT, formatter: tick, showMinLabel: false, showMaxLabel: false },
      }),
      series: [
        {
          type: 'line',
          name: say(language, 'drawing.difference', {}),
          data: steps.map((step, i) => [step, differences[i]]),
          symbol: style.symbol,
          symbolSize: steps.length > 60 ? 0 : 6,
          showAllSymbol: true,
          lineStyle: { color: style.color, width: 1, opacity: 0.7 },
          itemStyle: { color: style.color },
          markLine: { silent: true, symbol: 'none', data: lines },
        },
        {
          type: 'line',
          name: say(language, 'drawing.mean-difference', {}),
          data:
            mean === null
              ? []
              : [
                  [from, mean],
                  [to, mean],
                ],
          symbol: 'none',
          lineStyle: { color: INK, width: 2, type: 'dashed' },
          itemStyle: { color: INK },
          markArea:
            interval === null
              ? undefined
              : {
                  silent: true,
                  itemStyle: { color: INK, opacity: 0.1 },
                  data: [[{ coord: [from, interval[0]] }, { coord: [to, interval[1]] }]],
                },
        },
      ],
    },
  }
}
