import type { Language } from '../../text/language.js'
import type { NamesAxis, Panel } from './chart.js'
import { fitted, type Measure, wrapped } from './label.js'
import { type AxisScale, pixelAt } from './scale.js'
import { type Area, lines, type Shape, segment, text, texts } from './shapes.js'
import { TYPE } from './theme.js'
import { saying } from './words.js'

/** The axes of one panel: grid lines and labels, names of rows and columns. No text stands on its side. */

const LINE = 16

/** How much room the names of rows and the words at their far end may take, as shares of the picture. */
const NAMES_SHARE = 0.26
const WORDS_SHARE = 0.34

/** What stands left of a plot. */
export function leftRoom({ y }: Panel, ticks: AxisScale['ticks'], width: number, measure: Measure): number {
  if (y.kind !== 'names') return Math.ceil(Math.max(0, ...ticks.map(tick => measure(tick.text, TYPE.note))) + 12)
  const widest = Math.max(40, ...[y.name ?? '', ...y.names].map(name => measure(name, TYPE.label)))
  return Math.ceil(Math.min(NAMES_SHARE * width, widest)) + 14
}

/** What stands right of it: words, or the half of the last label that hangs over. */
export function rightRoom({ y }: Panel, ticks: AxisScale['ticks'], width: number, measure: Measure): number {
  if (y.kind !== 'names' || y.words === undefined) {
    return Math.max(8, Math.ceil(measure(ticks.at(-1)?.text ?? '', TYPE.note) / 2) - 8)
  }
  const widths = y.words.flatMap(({ strong, plain }) => [measure(strong, TYPE.strong), measure(plain, TYPE.note)])
  return Math.ceil(Math.min(WORDS_SHARE * width, Math.max(60, ...widths))) + 20
}

/** What stands above it: the name of the vertical axis, or the names of columns. */
export function topRoom({ x, y }: Panel, width: number, measure: Measure): number {
  if (x.kind === 'names') return 22 + LINE * Math.max(1, ...headings(x, width, measure).map(({ length }) => length))
  return y.kind === 'value' && y.name !== undefined ? 20 : 0
}

function headings({ names }: NamesAxis, width: number, measure: Measure): readonly (readonly string[])[] {
  return names.map(name => wrapped(name, width / names.length - 6, TYPE.label, 2, measure))
}

/** What stands below it: labels of ticks, and the name of the axis. */
export function bottomRoom({ x }: Panel, isNamed: boolean): number {
  return x.kind === 'names' ? 12 : isNamed ? 50 : 30
}

interface AxesPlace {
  readonly area: Area
  readonly x: AxisScale
  readonly y: AxisScale
  readonly room: { readonly left: number; readonly right: number }
  /** Whether the horizontal axis says its name. */
  readonly isNamed: boolean
  readonly measure: Measure
  readonly language: Language
}

export function axes(panel: Panel, place: AxesPlace): readonly Shape[] {
  return [...verticalAxis(panel, place), ...horizontalAxis(panel, place)]
}

function verticalAxis({ x: across, y: axis }: Panel, place: AxesPlace): readonly Shape[] {
  if (axis.kind === 'names') return rowNames(axis, place, across.kind === 'names')
  const { area, y, room, measure } = place
  const at = y.ticks.map(({ value }) => pixelAt(y, value))
  return [
    ...lines(
      at.map(top => segment(area.x, top, area.x + area.width, top)),
      GRID,
    ),
    ...y.ticks.map((tick, i) => text([area.x - 8, at[i]], tick.text, TYPE.note, 'end')),
    ...named(axis.kind === 'value' ? axis.name : undefined, name =>
      text([area.x - room.left, area.y - 15], fitted(name, area.width, TYPE.name, measure), TYPE.name),
    ),
  ]
}

const GRID = { colour: 'grid', width: 1 } as const

function named(name: string | undefined, write: (name: string) => Shape): readonly Shape[] {
  return name === undefined ? [] : [write(name)]
}

function rowNames({ name, names, words = [] }: NamesAxis, place: AxesPlace, headed: boolean): readonly Shape[] {
  const { area, y, room, measure } = place
  const left = area.x - room.left
  return [
    ...named(headed ? name : undefined, down =>
      text([left, area.y - 12], fitted(down, room.left - 10, TYPE.note, measure), TYPE.note),
    ),
    ...names.flatMap((row, i) => {
      const written = wrapped(row, room.left - 12, TYPE.label, 2, measure)
      return texts([left, pixelAt(y, i) - ((written.length - 1) * LINE) / 2], written, LINE, TYPE.label)
    }),
    ...words.flatMap(({ strong, plain }, i) => {
      const width = room.right - 18
      const numbers = wrapped(plain, width, TYPE.note, 2, measure)
      const [x, top] = [area.x + area.width + 18, pixelAt(y, i) - (numbers.length * LINE) / 2]
      return [
        text([x, top], fitted(strong, width, TYPE.strong, measure), TYPE.strong),
        ...texts([x, top + LINE], numbers, LINE, TYPE.note),
      ]
    }),
  ]
}

function horizontalAxis({ x: axis }: Panel, place: AxesPlace): readonly Shape[] {
  if (axis.kind === 'names') return columnNames(axis, place)
  const { area, x, isNamed, measure, language } = place
  const name = axis.kind === 'progress' ? saying(language)(`charts.axis.${axis.unit}`, {}) : axis.name
  const bottom = area.y + area.height
  const at = x.ticks.map(({ value }) => pixelAt(x, value))
  return [
    ...lines(axis.kind === 'value' ? at.map(left => segment(left, area.y, left, bottom)) : [], GRID),
    ...lines(
      [
        segment(area.x, bottom, area.x + area.width, bottom),
        ...at.map(left => segment(left, bottom, left, bottom + 4)),
      ],
      { colour: 'axis', width: 1 },
    ),
    ...x.ticks.map((tick, i) => text([at[i], bottom + 15], tick.text, TYPE.note, 'middle')),
    ...named(isNamed ? name : undefined, words =>
      text([area.x + area.width / 2, bottom + 36], fitted(words, area.width, TYPE.name, measure), TYPE.name, 'middle'),
    ),
  ]
}

/** Above the columns, where a table has them. */
function columnNames(axis: NamesAxis, { area, x, measure }: AxesPlace): readonly Shape[] {
  const heads = headings(axis, area.width, measure)
  const tall = Math.max(1, ...heads.map(({ length }) => length))
  return [
    ...heads.flatMap((written, i) =>
      written.map((line, k) =>
        text([pixelAt(x, i), area.y - 12 - (written.length - 1 - k) * LINE], line, TYPE.label, 'middle'),
      ),
    ),
    ...named(axis.name, name =>
      text([area.x, area.y - 14 - tall * LINE], fitted(name, area.width, TYPE.note, measure), TYPE.note),
    ),
  ]
}
