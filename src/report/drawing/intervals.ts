import type { Drawing } from './render.js'
import { FAINT, INK, shortName, styleOf, TEXT, valueAxis } from './theme.js'

/** One row per comparison: the estimate, its 95 % interval, the margin as a band, and the verdict in a word. */
export interface IntervalsInput {
  readonly unit: string
  readonly rows: readonly {
    readonly label: string
    readonly verdict: string
    readonly estimate: number
    readonly interval: readonly [number, number]
  }[]
  readonly margin: number | null
}

const ROW = 34

export function intervals({ unit, rows, margin }: IntervalsInput): Drawing {
  const ends = [0, ...rows.flatMap(({ interval }) => [...interval]), ...(margin === null ? [] : [margin, -margin])]
  const pad = 0.05 * (Math.max(...ends) - Math.min(...ends) || 1)
  const category = { ...TEXT, width: 190, overflow: 'truncate' as const }
  return {
    width: 760,
    height: 70 + ROW * rows.length,
    option: {
      textStyle: TEXT,
      grid: { left: 210, right: 150, top: 12, bottom: 46 },
      xAxis: valueAxis(unit, {
        nameGap: 28,
        min: Math.min(...ends) - pad,
        max: Math.max(...ends) + pad,
        axisLabel: {
          ...TEXT,
          showMinLabel: false,
          showMaxLabel: false,
          hideOverlap: true,
          formatter: (value: number) => String(Number(value.toPrecision(3))).replace('-', '−'),
        },
      }),
      yAxis: [
        {
          type: 'category',
          inverse: true,
          data: rows.map(({ label }) => shortName(label, 30)),
          axisLabel: category,
          axisLine: { show: false },
          axisTick: { show: false },
        },
        {
          type: 'category',
          inverse: true,
          position: 'right',
          data: rows.map(({ verdict }) => shortName(verdict, 22)),
          axisLabel: TEXT,
          axisLine: { show: false },
          axisTick: { show: false },
        },
      ],
      series: [
        ...rows.map(({ interval }, i) => ({
          type: 'line' as const,
          data: interval.map(end => [end, i]),
          symbol: 'rect',
          symbolSize: [2, 12],
          lineStyle: { color: styleOf(0).color, width: 2 },
          itemStyle: { color: styleOf(0).color },
        })),
        {
          type: 'scatter',
          data: rows.map(({ estimate }, i) => [estimate, i]),
          symbolSize: 10,
          itemStyle: { color: styleOf(0).color },
          markLine: {
            silent: true,
            symbol: 'none',
            label: { show: false },
            data: [{ xAxis: 0 }],
            lineStyle: { color: INK, width: 1, type: 'solid' },
          },
          markArea:
            margin === null
              ? undefined
              : {
                  silent: true,
                  itemStyle: { color: FAINT, opacity: 0.14 },
                  data: [[{ xAxis: -margin }, { xAxis: margin }]],
                },
        },
      ],
    },
  }
}
