import { LineChart, ScatterChart } from 'echarts/charts'
import {
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
} from 'echarts/components'
import { type EChartsCoreOption, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { PAGE_COLOURS, PAPER } from './theme.js'

/** A chart before it is drawn: what ECharts takes, and its size. */
export interface Drawing {
  readonly option: EChartsCoreOption
  readonly width: number
  readonly height: number
}

use([
  LineChart,
  ScatterChart,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  SVGRenderer,
])

/**
 * SVG without a browser. ECharts numbers its ids through the life of a process; they are renamed after the chart, so that
 * the same data gives the same bytes and several charts can stand in one page.
 */
export function renderSvg({ option, width, height }: Drawing, id: string, ground: 'paper' | 'page'): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({ animation: false, backgroundColor: ground === 'paper' ? PAPER : 'transparent', ...option })
    const svg = renamed(chart.renderToSVGString({ useViewBox: true }), id)
    return ground === 'paper' ? svg : onPage(svg)
  } finally {
    chart.dispose()
  }
}

/** By the order in which they first stand in the text. */
function renamed(svg: string, id: string): string {
  const names = new Map<string, string>()
  return svg.replace(/zr\d+-[a-z]+-?\d+/g, name => {
    const known = names.get(name) ?? `${id}-${names.size}`
    names.set(name, known)
    return known
  })
}

function onPage(svg: string): string {
  return PAGE_COLOURS.reduce(
    (text, [fixed, variable]) => text.replaceAll(`"${fixed}"`, `"${variable}"`).replaceAll(`${fixed};`, `${variable};`),
    svg,
  )
}
