import type { CellsMark, Chart, ChartMark } from './chart.js'
import { cellFacts, hatching, letterSign } from './heatmap.js'
import { fitted, type Measure, shown, wrapped } from './label.js'
import { fixedText } from './scale.js'
import { lines, rect, type Shape, segment, symbols, text, texts } from './shapes.js'
import { HEAT, lookOf, TYPE } from './theme.js'
import { saying } from './words.js'

/** What stands above the plots: title, notes and legend. */

/** Free space at the left and right edge of a chart. */
export const EDGE = 12

const TITLE_LINE = 20
const NOTE_LINE = 17
const LEGEND_LINE = 22
const SIGN = 30
const SIGN_GAP = 6
const ENTRY_GAP = 20

export interface PlacedBlock {
  readonly shapes: readonly Shape[]
  /** Where the next thing may begin. */
  readonly bottom: number
}

export interface HeadRoom {
  readonly width: number
  readonly measure: Measure
}

export function head(
  title: string,
  note: string,
  entries: readonly LegendEntry[],
  { width, measure }: HeadRoom,
): PlacedBlock {
  const room = width - 2 * EDGE
  const titles = title === '' ? [] : titleLines(title, room, measure)
  const notes = note === '' ? [] : wrapped(note, room, TYPE.note, 4, measure)
  const notesTop = titles.length === 0 ? NOTE_LINE - 6 : 20 + titles.length * TITLE_LINE
  const legend = legendRows(entries, room, notesTop - 6 + notes.length * NOTE_LINE, measure)
  return {
    shapes: [
      ...texts([EDGE, 18], titles, TITLE_LINE, TYPE.title),
      ...texts([EDGE, notesTop], notes, NOTE_LINE, TYPE.note),
      ...legend.shapes,
    ],
    bottom: titles.length === 0 && notes.length === 0 ? 8 : legend.bottom + 10,
  }
}

/** On two lines if that shows all of it, else cut in the middle. */
function titleLines(title: string, room: number, measure: Measure): readonly string[] {
  const whole = fitted(title, room, TYPE.title, measure)
  if (whole === shown(title)) return [whole]
  const two = wrapped(title, room, TYPE.title, 2, measure)
  return two.join('').replaceAll(' ', '') === shown(title).replaceAll(' ', '') ? two : [whole]
}

/** One sign and its name. */
export interface LegendEntry {
  readonly name: string
  readonly sign: (left: number, middle: number) => readonly Shape[]
  readonly width: number
}

const ORDER: readonly ChartMark['kind'][] = ['curve', 'path', 'points', 'rule', 'box']

/** Each named mark once, however many panels it stands in. Signs of points turn into areas where ranges are drawn. */
export function legendOf({ panels, language }: Chart, ranges: boolean): readonly LegendEntry[] {
  const seen = new Map<string, LegendEntry>()
  const order = (mark: ChartMark): number =>
    ORDER.indexOf(mark.kind) * 1000 + ('style' in mark ? Number(mark.style) || 0 : 0)
  for (const mark of panels.flatMap(({ marks }) => marks).toSorted((a, b) => order(a) - order(b))) {
    if (mark.kind === 'cells') return cellEntries(mark, language)
    if (!('name' in mark) || mark.name === undefined) continue
    const key = `${mark.kind} ${mark.style}`
    if (!seen.has(key)) seen.set(key, { name: mark.name, width: SIGN, sign: signOf(mark, ranges) })
  }
  return [...seen.values()]
}

function signOf(mark: Extract<ChartMark, { readonly style: unknown }>, ranges: boolean): LegendEntry['sign'] {
  const look = lookOf(mark.style)
  const { colour, dash } = look
  const line: LegendEntry['sign'] = (x, y) => lines([segment(x, y, x + SIGN, y)], { colour, width: 2, dash })
  const symbol: LegendEntry['sign'] = (x, y) => symbols([[x + SIGN / 2, y]], { ...look, size: Math.min(12, look.size) })
  const patch: LegendEntry['sign'] = (x, y) => [rect(x, y - 5, SIGN, 10, { fill: { colour, opacity: 0.4 } })]
  switch (mark.kind) {
    case 'curve':
    case 'path':
      return (x, y) => [...line(x, y), ...symbol(x, y)]
    case 'points':
      return ranges && mark.stems ? patch : symbol
    case 'rule':
      return line
    case 'box':
      return patch
  }
}

function cellEntries({ cells, identical }: CellsMark, language: Chart['language']): readonly LegendEntry[] {
  const say = saying(language)
  const all = cells.flat()
  const { low, high, decimals } = cellFacts(cells)
  const ends = { low: fixedText(low, decimals), high: fixedText(high, decimals) }
  const shades: LegendEntry['sign'] = (x, y) =>
    HEAT.map(({ fill }, i) =>
      rect(x + i * 14, y - 7, 14, 14, { fill: { colour: fill }, stroke: { colour: 'grid', width: 0.5 } }),
    )
  const hatched: LegendEntry['sign'] = (x, y) => hatching({ x, y: y - 7, width: 24, height: 14 })
  const letter: LegendEntry['sign'] = (x, y) => letterSign([x + 8, y], 'A')
  const entries = [
    {
      name: say('charts.heatmap.shades', ends),
      width: HEAT.length * 14,
      sign: shades,
      has: all.some(c => 'value' in c),
    },
    { name: say('charts.heatmap.missing', {}), width: 24, sign: hatched, has: all.some(c => 'missing' in c) },
    { name: say('charts.heatmap.identical', {}), width: 16, sign: letter, has: identical.length > 0 },
  ]
  return entries.filter(({ has }) => has)
}

function legendRows(entries: readonly LegendEntry[], room: number, top: number, measure: Measure): PlacedBlock {
  const shapes: Shape[] = []
  let [x, y] = [EDGE, top + LEGEND_LINE / 2]
  const names = distinct(
    entries.map(({ name, width }) => fitted(name, room - width - SIGN_GAP - 24, TYPE.label, measure)),
  )
  for (const [i, { sign, width }] of entries.entries()) {
    const wide = width + SIGN_GAP + measure(names[i], TYPE.label)
    if (x > EDGE && x + wide > EDGE + room) {
      x = EDGE
      y += LEGEND_LINE
    }
    shapes.push(...sign(x, y), text([x + width + SIGN_GAP, y], names[i], TYPE.label))
    x += wide + ENTRY_GAP
  }
  return { shapes, bottom: entries.length === 0 ? top : y + LEGEND_LINE / 2 }
}

/** Names that are equal, perhaps only since they were cut, are told apart by a number. */
function distinct(names: readonly string[]): readonly string[] {
  return names.map((name, i) => {
    const before = names.slice(0, i).filter(other => other === name).length
    return before === 0 ? name : `${name} (${before + 1})`
  })
}
