import type { GraphicComponentOption, GridComponentOption, LegendComponentOption } from 'echarts/components'
import { fitted, textWidth, wrapped } from './label.js'
import { colour, FONT, TEXT } from './theme.js'

/** What stands around a plot: title, notes and legend above it. All places are reckoned in pixels here. */

/** Free space at the left and right edge of a chart. */
export const EDGE = 12

const NOTE_LINE = 17
const LEGEND_SIGN = 30
/** Between entries and between rows alike; entries get the rest of their distance as padding. */
const LEGEND_GAP = 8
const LEGEND_PAD = 12
const LEGEND_LINE = 14 + LEGEND_GAP

export interface LegendEntry {
  readonly name: string
  readonly icon?: string
  /** A line without markers. */
  readonly bare?: boolean
}

/** A diamond that keeps its shape; ECharts stretches its own over the whole sign. */
export const DIAMOND = 'path://M0,-1L1,0L0,1L-1,0Z'

export interface Head {
  readonly graphics: readonly FreeText[]
  readonly legend: LegendComponentOption
  /** Where the plot may begin. */
  readonly bottom: number
}

interface HeadText {
  readonly title: string
  readonly notes: readonly string[]
  readonly entries: readonly LegendEntry[]
  readonly width: number
}

export function head({ title, notes, entries, width }: HeadText): Head {
  const room = width - 2 * EDGE
  const titleText = freeText(EDGE, 10, fitted(title, room, TEXT.title * 1.06), {
    size: TEXT.title,
    colour: colour('ink'),
    bold: true,
  })
  const noteLines = notes.flatMap(note => wrapped(note, room, TEXT.small))
  const notesTop = 34
  const noteTexts = noteLines.map((text, i) =>
    freeText(EDGE, notesTop + i * NOTE_LINE, text, { size: TEXT.small, colour: colour('muted') }),
  )
  const legendTop = notesTop + noteLines.length * NOTE_LINE + 3
  const { option, rows } = legendRows(entries, room, legendTop)
  return {
    graphics: [titleText, ...noteTexts],
    legend: option,
    bottom: legendTop + rows * LEGEND_LINE + 8,
  }
}

/** ECharts would break the rows by its own measure of text; the plot must know where they end. */
function legendRows(
  entries: readonly LegendEntry[],
  room: number,
  top: number,
): { readonly option: LegendComponentOption; readonly rows: number } {
  const data: { name: string; icon?: string; itemStyle?: { opacity: number } }[] = []
  let used = 0
  let rows = entries.length > 0 ? 1 : 0
  for (const { name, icon, bare = false } of entries) {
    const width = LEGEND_SIGN + 5 + textWidth(name, TEXT.label) + LEGEND_PAD + LEGEND_GAP
    if (used > 0 && used + width > room) {
      data.push({ name: '\n' })
      rows += 1
      used = 0
    }
    // ECharts puts a dot on every line of a legend, also where the line has none.
    data.push({ name, ...(icon !== undefined && { icon }), ...(bare && { itemStyle: { opacity: 0 } }) })
    used += width
  }
  return {
    rows,
    option: {
      show: rows > 0,
      data,
      left: EDGE,
      top,
      width: 4 * room,
      padding: 0,
      itemGap: LEGEND_GAP,
      itemWidth: LEGEND_SIGN,
      itemHeight: 9,
      selectedMode: false,
      textStyle: {
        color: colour('ink'),
        fontSize: TEXT.label,
        lineHeight: LEGEND_LINE - LEGEND_GAP,
        padding: [0, LEGEND_PAD, 0, 0],
      },
    },
  }
}

/** The longest a side's name may be in a legend: two of them fit on a row. */
export function legendName(name: string, width: number): string {
  return fitted(name, (width - 2 * EDGE) / 2 - LEGEND_SIGN - LEGEND_GAP - LEGEND_PAD - 5, TEXT.label)
}

/** Two sides of one name would be one entry, and the second would be drawn in silence. */
export function distinctNames(names: readonly string[]): readonly string[] {
  return names.map((name, i) => {
    const before = names.slice(0, i).filter(other => other === name).length
    return before === 0 ? name : `${name} (${before + 1})`
  })
}

export type FreeText = ReturnType<typeof freeText>

export function freeText(
  x: number,
  y: number,
  text: string,
  style: {
    readonly size: number
    readonly colour: string
    readonly bold?: boolean
    readonly align?: 'left' | 'center' | 'right'
  },
) {
  return {
    type: 'text' as const,
    silent: true,
    x,
    y,
    style: {
      text,
      fill: style.colour,
      fontSize: style.size,
      fontFamily: FONT,
      fontWeight: style.bold ? ('bold' as const) : ('normal' as const),
      align: style.align ?? ('left' as const),
      verticalAlign: 'top' as const,
    },
  }
}

export function graphicOption(texts: readonly FreeText[]): GraphicComponentOption {
  return { elements: texts.map(text => ({ ...text })) }
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** ECharts 6 moves a grid whose labels it thinks too wide; ours is placed already. */
export function gridAt({ left, top, width, height }: Box): GridComponentOption {
  return { left, top, width, height, outerBoundsMode: 'none' }
}

/** What every option has: nothing moves, nothing is thinned out, one font. */
export const BASE = {
  animation: false,
  backgroundColor: colour('paper'),
  textStyle: { fontFamily: FONT },
} as const
