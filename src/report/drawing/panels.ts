import type { Language } from '../../text/language.js'
import { say } from '../../text/say.js'
import { areas, type Marked } from './curves.js'
import { drawn, type Points } from './envelope.js'
import type { Drawing } from './render.js'
import { dashOf, FAINT, shortName, styleOf, TEXT, valueAxis } from './theme.js'

/** Small multiples of training signals over one axis of steps; stretches with a finding are shaded in their panel. */
export interface PanelsInput {
  readonly sides: readonly string[]
  readonly panels: readonly {
    readonly title: string
    /** One per side; null where a side does not log it. */
    readonly curves: readonly (Points | null)[]
    readonly findings: readonly Marked[]
  }[]
}

const PANEL = { width: 340, height: 150, gapX: 76, gapY: 52, left: 64, top: 56 }

export function panels(language: Language, { sides, panels }: PanelsInput): Drawing {
  const rows = Math.ceil(panels.length / 2)
  const place = (i: number) => ({
    left: PANEL.left + (i % 2) * (PANEL.width + PANEL.gapX - 40),
    top: PANEL.top + Math.floor(i / 2) * (PANEL.height + PANEL.gapY),
    width: PANEL.width - 40,
    height: PANEL.height,
  })
  let each = 1
  const series = panels.flatMap(({ curves, findings }, panel) =>
    curves.flatMap((points, side) => {
      if (points === null) return []
      const style = styleOf(side)
      const shown = drawn(points)
      each = Math.max(each, shown.each)
      const first = curves.findIndex(curve => curve !== null) === side
      return [
        {
          type: 'line' as const,
          name: shortName(sides[side]),
          xAxisIndex: panel,
          yAxisIndex: panel,
          data: shown.line.map(([step, value]) => [step, value]),
          showSymbol: points.steps.length < 12,
          symbol: style.symbol,
          connectNulls: false,
          color: style.color,
          itemStyle: { color: style.color },
          lineStyle: { color: style.color, width: 1.5, type: dashOf(style) },
          ...(first ? { markArea: areas(findings) } : {}),
        },
      ]
    }),
  )
  const quiet = { ...TEXT, color: FAINT, fontWeight: 'normal' as const }
  return {
    width: 760,
    height: PANEL.top + rows * (PANEL.height + PANEL.gapY),
    option: {
      textStyle: TEXT,
      title: [
        ...panels.map(({ title }, i) => ({
          text: shortName(title, 44),
          left: place(i).left - 6,
          top: place(i).top - 24,
          textStyle: { ...TEXT, fontWeight: 'bold' as const },
        })),
        ...(each > 1
          ? [{ text: say(language, 'drawing.envelope', { n: each }), right: 12, top: 4, textStyle: quiet }]
          : []),
      ],
      legend: {
        data: sides.map(side => shortName(side)),
        left: 56,
        top: 2,
        itemWidth: 32,
        itemGap: 28,
        textStyle: TEXT,
      },
      grid: panels.map((_, i) => place(i)),
      xAxis: panels.map((_, i) =>
        valueAxis(i >= panels.length - 2 ? say(language, 'drawing.step', {}) : '', {
          gridIndex: i,
          nameGap: 24,
          splitLine: { show: false },
          splitNumber: 4,
        }),
      ),
      yAxis: panels.map((_, i) => valueAxis('', { gridIndex: i, splitNumber: 3 })),
      series,
    },
  }
}
