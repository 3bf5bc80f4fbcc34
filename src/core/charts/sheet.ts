import { bottomRoom, leftRoom, rightRoom, topRoom } from './axes.js'
import type { Chart, Extent, Panel, PanelAxis } from './chart.js'
import { leastPositive, progressExtent, type Sight, valueExtent } from './extent.js'
import { badgeRoom, placeFindings } from './findings.js'
import { EDGE } from './head.js'
import type { Measure } from './label.js'
import { type AxisRange, type AxisScale, logProgressRange, logRange, progressRange, valueRange } from './scale.js'
import type { Area } from './shapes.js'

/** Where the plots of a chart stand and what their axes reach over, before anything is drawn. */

/** Narrower than this, panels stand below each other. */
const TWO_COLUMNS = 560
const THREE_COLUMNS = 1080
const BETWEEN = 24
export const TITLE_ROOM = 30
export const NOTE_ROOM = 17

/** Heights of plots: alone, with a measured quantity on both axes, among others; of one row of names, and where words stand beside it on three lines. */
const ALONE = 260
const SQUARE = 320
const AMONG = 130
const ROW = 44
const ROW_OF_WORDS = 54
const NARROWEST_CELL = 72
const WIDEST_CELL = 150

/** Symbols at the ends of the axis stay clear of its labels. */
const POINT_ROOM = 8

/** Measured from below the head, whose height is known only when the plots have been drawn. */
export interface Sheet {
  readonly width: number
  readonly height: number
  readonly columns: number
  readonly left: number
  readonly right: number
  readonly plotWidth: number
  readonly progress: Extent
  readonly places: readonly PanelPlace[]
}

export interface PanelPlace {
  /** Where its title begins. */
  readonly top: number
  readonly area: Area
  readonly x: AxisScale
  readonly y: AxisScale
}

export function sheetOf(
  { panels, findings }: Chart,
  {
    width: wanted,
    measure,
    view,
    height,
  }: { readonly width: number; readonly measure: Measure; readonly view?: Extent; readonly height?: number },
): Sheet {
  const allMarks = panels.flatMap(({ marks }) => marks)
  const progress = view ?? progressExtent(allMarks)
  const along = { view, progress, least: leastPositive(allMarks) }
  const columns = Math.min(panels.length, wanted >= THREE_COLUMNS ? 3 : wanted >= TWO_COLUMNS ? 2 : 1) || 1
  const columnWidth = (wanted - 2 * EDGE - (columns - 1) * BETWEEN) / columns
  const heights = panels.map(panel => height ?? heightOf(panel, panels.length === 1, wanted < TWO_COLUMNS))
  const ups = panels.map((panel, i) =>
    rangeOf(panel, 'y', heights[i] / 32, { ...along, findings: findingsOn(panel, findings) }),
  )
  const left = Math.max(0, ...panels.map((panel, i) => leftRoom(panel, ups[i].ticks, wanted, measure)))
  const beside = Math.max(0, ...panels.map(panel => rightRoom(panel, [], wanted, measure)))
  const ticks = Math.max(2, (columnWidth - left - beside) / (columns > 1 ? 64 : 80))
  const acrosses = panels.map(panel => rangeOf(panel, 'x', ticks, along))
  const right = Math.max(0, ...panels.map((panel, i) => rightRoom(panel, acrosses[i].ticks, wanted, measure)))
  const plotWidth = widthOf(panels, columnWidth - left - right)
  const placeAcross = (i: number): AxisScale => {
    const from = EDGE + (i % columns) * (columnWidth + BETWEEN) + left
    const { x, marks } = panels[i]
    const inset = x.kind === 'progress' && marks.some(({ kind }) => kind === 'points') ? POINT_ROOM : 0
    return { ...acrosses[i], kind: kindOf(x), range: [from + inset, from + plotWidth - inset] }
  }
  const badges = panels[0]?.x.kind === 'progress' ? badgeRoom(placeFindings(findings, placeAcross(0))) : 0
  const tops = panels.map(
    (panel, i) =>
      (panel.title === undefined ? 0 : TITLE_ROOM) +
      (panel.note === undefined ? 0 : NOTE_ROOM) +
      topRoom(panel, plotWidth, measure) +
      (i < columns ? badges : 0),
  )
  let bottom = 0
  const places = panels.map((panel, i): PanelPlace => {
    const row = i - (i % columns)
    const top = bottom
    const x = EDGE + (i % columns) * (columnWidth + BETWEEN) + left
    const y = top + Math.max(...tops.slice(row, row + columns))
    const area = { x, y, width: plotWidth, height: heights[i] }
    if (i === panels.length - 1 || (i + 1) % columns === 0) {
      bottom = area.y + area.height + bottomRoom(panel, i >= panels.length - columns)
    }
    const range: Extent = panel.y.kind === 'names' ? [area.y, area.y + area.height] : [area.y + area.height, area.y]
    return { top, area, x: placeAcross(i), y: { ...ups[i], kind: kindOf(panel.y), range } }
  })
  const width = Math.max(wanted, Math.ceil(plotWidth + left + right + 2 * EDGE))
  return { width, height: bottom, columns, left, right, plotWidth, progress, places }
}

function heightOf({ x, y }: Panel, alone: boolean, narrow: boolean): number {
  if (y.kind === 'names') return y.names.length * (narrow && y.words !== undefined ? ROW_OF_WORDS : ROW)
  if (!alone) return AMONG
  return x.kind === 'value' ? SQUARE : ALONE
}

function findingsOn({ metric }: Panel, findings: Chart['findings']): Chart['findings'] {
  return findings.filter(({ metrics }) => metric === undefined || (metrics?.includes(metric) ?? true))
}

function kindOf(axis: PanelAxis): AxisScale['kind'] {
  if (axis.kind === 'names') return 'names'
  return axis.log ? 'log' : 'linear'
}

function rangeOf(
  { x, y, marks }: Panel,
  which: 'x' | 'y',
  about: number,
  { progress, least, ...sight }: Sight & { readonly progress: Extent; readonly least: number },
): AxisRange {
  const axis = which === 'x' ? x : y
  if (axis.kind === 'progress') {
    const { unit, log } = axis
    return log ? logProgressRange(progress, { about, unit, least }) : progressRange(progress, about, unit)
  }
  if (axis.kind === 'value') {
    const extent = axis.fixed ?? valueExtent(marks, which, axis, x.kind === 'progress' ? sight : {})
    const range = axis.log ? logRange(extent ?? [1, 10], about) : valueRange(extent ?? [0, 1], about)
    return axis.isMute ? { ...range, ticks: [] } : range
  }
  return {
    domain: [-0.5, Math.max(1, axis.names.length) - 0.5],
    ticks: axis.names.map((name, value) => ({ value, text: name })),
  }
}

/** More columns than fit make the picture wider: the numbers are what it is for. */
function widthOf(panels: readonly Panel[], fair: number): number {
  const columns = Math.max(0, ...panels.map(({ x }) => (x.kind === 'names' ? x.names.length : 0)))
  if (columns === 0) return fair
  return columns * Math.min(WIDEST_CELL, Math.max(NARROWEST_CELL, fair / columns))
}
