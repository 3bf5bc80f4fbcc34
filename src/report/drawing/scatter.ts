import type { Language } from '../../text/language.js'
import { say } from '../../text/say.js'
import type { Drawing } from './render.js'
import { dashOf, shortName, styleOf, TEXT, valueAxis } from './theme.js'

/** One metric against another, in the order of training: where a side came from and where it went. */
export interface ScatterInput {
  readonly x: string
  readonly y: string
  readonly sides: readonly { readonly label: string; readonly points: readonly (readonly [x: number, y: number])[] }[]
}

export function scatter(language: Language, { x, y, sides }: ScatterInput): Drawing {
  return {
    width: 760,
    height: 340,
    option: {
      textStyle: TEXT,
      legend: {
        data: sides.map(({ label }) => shortName(label)),
        left: 60,
        top: 2,
        itemWidth: 32,
        itemGap: 28,
        textStyle: TEXT,
      },
      grid: { left: 66, right: 56, top: 36, bottom: 48 },
      xAxis: valueAxis(x, { nameGap: 28, splitLine: { show: false } }),
      yAxis: valueAxis(y, { nameGap: 48 }),
      series: sides.map(({ label, points }, side) => {
        const style = styleOf(side)
        const last = points.length - 1
        return {
          type: 'line' as const,
          name: shortName(label),
          data: points.map((point, i) => ({
            value: [...point],
            symbolSize: i === 0 || i === last ? 11 : 4,
            label:
              i === 0 || i === last
                ? {
                    show: true,
                    formatter: say(language, i === 0 ? 'drawing.start' : 'drawing.end', {}),
                    position: i === 0 ? 'top' : 'right',
                    ...TEXT,
                    color: style.color,
                  }
                : { show: false },
          })),
          symbol: style.symbol,
          showAllSymbol: true,
          color: style.color,
          itemStyle: { color: style.color },
          lineStyle: { color: style.color, width: 1, opacity: 0.6, type: dashOf(style) },
        }
      }),
    },
  }
}
