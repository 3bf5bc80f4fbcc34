import { CustomChart, LineChart } from 'echarts/charts'
import { GraphicComponent, GridComponent, LegendComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { Chart } from './chart.js'
import { shown } from './label.js'
import { FONT, variableFor } from './theme.js'

/**
 * A chart as SVG text, without a browser. ECharts counts its instances and puts the count into ids and classes, adds data
 * for its own client script, and repeats the font in every text; all of that goes, so that equal input gives equal bytes
 * and several charts can stand in one page.
 */

use([LineChart, CustomChart, GridComponent, LegendComponent, GraphicComponent, SVGRenderer])

export interface Rendering {
  /** Begins every id in the SVG; different for each chart of a page. */
  readonly prefix: string
  /** `fixed` for a file of its own, on white; `variables` for a page with `chartStyleSheet`. */
  readonly colours: 'fixed' | 'variables'
}

export function renderSvg({ option, width, height, description }: Chart, { prefix, colours }: Rendering): string {
  const instance = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    instance.setOption(option)
    const raw = instance.renderToSVGString({ useViewBox: true })
    return cleaned(raw, prefix, colours).replace(
      /^<svg[^>]*>/,
      `<svg xmlns="http://www.w3.org/2000/svg" class="klens-chart" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(description)}" font-family="${FONT}">`,
    )
  } finally {
    instance.dispose()
  }
}

/** ECharts escapes angle brackets and quotes in texts, so whatever looks like a tag is one. */
function cleaned(svg: string, prefix: string, colours: Rendering['colours']): string {
  const ids = new Map<string, string>()
  const idFor = (id: string): string => {
    const known = ids.get(id) ?? `${prefix}-${ids.size}`
    ids.set(id, known)
    return known
  }
  return svg
    .replace(/<style >[\s\S]*?<\/style>\n?/g, '')
    .replace(/<path[^>]* fill-opacity="0"[^>]* stroke-width="0"[^>]*><\/path>\n/g, '')
    .replace(/<[^>]*>/g, tag =>
      tag
        .replace(/ (?:class|ecmeta_\w+|pointer-events)="[^"]*"/g, '')
        .replace(/font-family:[^;"]*;/, '')
        .replace(/ style=""/, '')
        // A hundredth of a pixel is enough, and no machine's last digit shows.
        .replace(/\d+\.\d{3,}/g, number => String(Number(Number(number).toFixed(2))))
        // Not every viewer knows the attribute (librsvg does not); a third of an em is the same place in any font.
        .replace(/ dominant-baseline="central"/, ' dy="0.35em"')
        .replace(/(?<= id=")zr[\w-]+(?=")|(?<=url\(#)zr[\w-]+(?=\))/g, idFor)
        .replace(/(?<= (?:fill|stroke)=")#\w+(?=")/g, hex => (colours === 'fixed' ? hex : (variableFor(hex) ?? hex))),
    )
    .replace(/><\/(?:path|rect|circle|polyline|polygon|line)>/g, '/>')
}

/** In characters; a description is read aloud. */
const LONGEST = 600

function escaped(text: string): string {
  const characters = [...shown(text)]
  const short = characters.length <= LONGEST ? characters : [...characters.slice(0, LONGEST - 1), '…']
  return short
    .join('')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
