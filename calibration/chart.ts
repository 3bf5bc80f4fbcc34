import { type EChartsOption, init } from 'echarts'

/**
 * One look for all plots of docs/statistics.md: white ground, no decoration, lines told apart by dash and marker as well
 * as by a colour from Okabe and Ito (2008), so that they survive black and white and colour blindness.
 */
export interface Line {
  readonly name: string
  readonly points: readonly (readonly [x: number | string, y: number])[]
  /** Index into the styles; the same thing has the same style in every plot. */
  readonly style: number
}

export interface Panel {
  readonly title: string
  readonly lines: readonly Line[]
}

const STYLES = [
  { color: '#0072B2', symbol: 'circle', type: 'solid' },
  { color: '#D55E00', symbol: 'rect', type: 'dashed' },
  { color: '#009E73', symbol: 'triangle', type: 'dotted' },
  { color: '#000000', symbol: 'diamond', type: [10, 4, 2, 4] },
  { color: '#CC79A7', symbol: 'emptyCircle', type: [4, 2] },
] as const

const INK = '#222222'
const FAINT = '#d9d9d9'
const FONT = 'Helvetica, Arial, sans-serif'

export interface ChartWords {
  readonly title: string
  readonly x: string
  readonly y: string
  /** What was promised, in per cent: a thin line across. */
  readonly limit?: number
  readonly highest?: number
  readonly lowest?: number
}

/** Panels side by side that share their y axis. */
export function lineChart(panels: readonly Panel[], { title, x, y, limit, highest, lowest = 0 }: ChartWords): string {
  const width = 190 + 210 * panels.length
  const height = 360
  const left = 62
  const gap = 34
  const each = (width - left - 20 - gap * (panels.length - 1)) / panels.length
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))]
  const option: EChartsOption = {
    animation: false,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: FONT, color: INK, fontSize: 12 },
    title: [
      { text: title, left: 8, top: 6, textStyle: { fontSize: 14, fontWeight: 'bold', color: INK, fontFamily: FONT } },
      ...panels.map((panel, i) => ({
        text: panel.title,
        left: left + i * (each + gap) + each / 2,
        top: 58,
        textAlign: 'center' as const,
        textStyle: { fontSize: 12, fontWeight: 'normal' as const, color: INK, fontFamily: FONT },
      })),
    ],
    legend: {
      data: names,
      top: 30,
      left: left - 8,
      itemWidth: 34,
      itemGap: 18,
      textStyle: { color: INK, fontSize: 12 },
    },
    grid: panels.map((_, i) => ({ left: left + i * (each + gap), top: 82, width: each, height: height - 82 - 52 })),
    xAxis: panels.map((_, i) => ({
      type: 'category' as const,
      gridIndex: i,
      name: x,
      nameLocation: 'middle' as const,
      nameGap: 28,
      boundaryGap: false,
      axisLine: { onZero: false, lineStyle: { color: INK } },
      axisTick: { alignWithLabel: true },
      axisLabel: { color: INK, interval: 0 },
      nameTextStyle: { color: INK },
    })),
    yAxis: panels.map((_, i) => ({
      type: 'value' as const,
      gridIndex: i,
      min: lowest,
      max: highest,
      name: i === 0 ? (limit === undefined ? y : `${y} (line: ${limit} %)`) : '',
      nameLocation: 'middle' as const,
      nameGap: 42,
      nameTextStyle: { color: INK },
      axisLabel: { show: i === 0, color: INK, formatter: '{value} %' },
      splitLine: { lineStyle: { color: FAINT } },
    })),
    series: panels.flatMap(({ lines }, i) =>
      lines.map(({ name, points, style }, k) => {
        const { color, symbol, type } = STYLES[style]
        return {
          type: 'line' as const,
          name,
          xAxisIndex: i,
          yAxisIndex: i,
          data: points.map(([at, value]) => [String(at), value]),
          color,
          symbol,
          symbolSize: 8,
          showAllSymbol: true,
          clip: false,
          lineStyle: { color, width: 2, type: typeof type === 'string' ? type : [...type] },
          itemStyle: { color },
          ...(limit === undefined || k > 0
            ? {}
            : {
                markLine: {
                  silent: true,
                  symbol: 'none',
                  lineStyle: { color: INK, width: 1, type: 'solid' as const },
                  label: { show: false },
                  data: [{ yAxis: limit }],
                },
              }),
        }
      }),
    ),
  }
  return render(title, option, width, height)
}

export interface Part {
  readonly name: string
  readonly shares: readonly number[]
  readonly fill: string
  readonly ink: string
}

/** Shares that add up to 100 %, one bar per category; shades differ in lightness, so they survive black and white. */
export function stackedBars(
  categories: readonly string[],
  parts: readonly Part[],
  { title, x }: Pick<ChartWords, 'title' | 'x'>,
): string {
  const option: EChartsOption = {
    animation: false,
    backgroundColor: '#ffffff',
    textStyle: { fontFamily: FONT, color: INK, fontSize: 12 },
    title: {
      text: title,
      left: 8,
      top: 6,
      textStyle: { fontSize: 14, fontWeight: 'bold', color: INK, fontFamily: FONT },
    },
    legend: {
      data: parts.map(({ name }) => name),
      top: 32,
      left: 54,
      textStyle: { color: INK, fontSize: 12 },
      itemGap: 18,
    },
    grid: { left: 62, right: 20, top: 66, bottom: 52 },
    xAxis: {
      type: 'category',
      data: [...categories],
      name: x,
      nameLocation: 'middle',
      nameGap: 28,
      nameTextStyle: { color: INK },
      axisLabel: { color: INK, interval: 0 },
      axisLine: { lineStyle: { color: INK } },
    },
    yAxis: {
      type: 'value',
      min: 0,
      max: 100,
      axisLabel: { color: INK, formatter: '{value} %' },
      splitLine: { lineStyle: { color: FAINT } },
    },
    series: parts.map(({ name, shares, fill, ink }) => ({
      type: 'bar',
      name,
      stack: 'all',
      barWidth: '72%',
      data: [...shares],
      itemStyle: { color: fill, borderColor: '#ffffff', borderWidth: 1 },
      label: {
        show: true,
        color: ink,
        fontSize: 11,
        formatter: ({ value }: { value: unknown }) => (typeof value === 'number' && value >= 4 ? value.toFixed(0) : ''),
      },
    })),
  }
  return render(title, option, 860, 370)
}

function render(title: string, option: EChartsOption, width: number, height: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption(option)
  const svg = chart.renderToSVGString()
  chart.dispose()
  return svg
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replaceAll(/ (class|pointer-events)="[^"]*"/g, '')
    .replace(/^<svg([^>]*)>/, `<svg$1 role="img" aria-label="${title}"><title>${title}</title>`)
}
