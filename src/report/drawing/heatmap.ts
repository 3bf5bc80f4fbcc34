import type { Language } from '../../text/language.js'
import { say } from '../../text/say.js'
import type { Drawing } from './render.js'
import { FAINT, INK, LINE, shortName, TEXT, tick } from './theme.js'

/** A sweep's matrix: the score in each cell, missing cells crossed out, cells that are too equal to others marked. */
export interface HeatmapInput {
  readonly rows: readonly string[]
  readonly columns: readonly string[]
  /** By row, then column; null is missing. */
  readonly values: readonly (readonly (number | null)[])[]
  /** Rows whose scores are the same to the last digit as another's. */
  readonly identical: readonly boolean[]
}

const CELL = { width: 96, height: 34 }

export function heatmap(language: Language, { rows, columns, values, identical }: HeatmapInput): Drawing {
  const known = values.flat().filter(value => value !== null)
  const [low, high] = [Math.min(...known), Math.max(...known)]
  // From paper to a mid blue: in grey it still reads as light to dark, and black figures stand on all of it.
  const shade = (value: number): string => {
    const share = high > low ? (value - low) / (high - low) : 0
    const mix = (a: number, b: number): number => Math.round(a + share * (b - a))
    return `rgb(${mix(245, 120)},${mix(249, 178)},${mix(252, 217)})`
  }
  const cells = values.flatMap((row, i) => row.map((value, j) => ({ i, j, value })))
  const cross = cells.filter(({ value }) => value === null)
  const left = 130
  const width = left + CELL.width * columns.length + 30
  const height = 70 + CELL.height * rows.length + 26
  const axis = { axisLine: { show: false }, axisTick: { show: false }, splitLine: { show: false } }
  const legend = [
    ...(cross.length > 0 ? [`× ${say(language, 'drawing.missing', {})}`] : []),
    ...(identical.some(Boolean) ? [say(language, 'drawing.identical', {})] : []),
  ].join('    ')
  return {
    width: Math.max(360, width),
    height,
    option: {
      textStyle: TEXT,
      title: { text: legend, left: left - 6, bottom: 6, textStyle: { ...TEXT, color: FAINT, fontWeight: 'normal' } },
      grid: { left, top: 34, width: CELL.width * columns.length, height: CELL.height * rows.length },
      xAxis: {
        type: 'category',
        position: 'top',
        data: columns.map(name => shortName(name, 14)),
        axisLabel: { ...TEXT, interval: 0 },
        ...axis,
      },
      yAxis: { type: 'category', inverse: true, data: rows.map(name => shortName(name, 18)), axisLabel: TEXT, ...axis },
      series: [
        {
          type: 'scatter',
          symbol: 'rect',
          symbolSize: [CELL.width - 2, CELL.height - 2],
          data: cells.map(({ i, j, value }) => ({
            value: [j, i],
            itemStyle: { color: value === null ? 'transparent' : shade(value), borderColor: LINE, borderWidth: 1 },
            label: {
              show: true,
              formatter: value === null ? '×' : `${tick(value)}${identical[i] ? ' =' : ''}`,
              color: value === null ? FAINT : INK_ON_CELL,
              fontFamily: TEXT.fontFamily,
              fontSize: 12,
            },
          })),
          silent: true,
        },
      ],
    },
  }
}

/** Cells stay light in a dark page, so their figures stay dark: a shade beside INK that the page does not replace. */
const INK_ON_CELL = INK.replace(/.$/, '5')
