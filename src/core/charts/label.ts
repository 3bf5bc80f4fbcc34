import type { Type } from './theme.js'

/**
 * Text inside a chart. Where there is no browser to measure it, widths come from a table, a little too wide rather than too
 * narrow: another machine may have a broader font than ours.
 */

/** Marks that hide or reverse text; SVG forbids most control characters outright. */
const HARMFUL =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffe\uffff]/gu

/** Somebody else's text on one line, safe to show. */
export function shown(text: string): string {
  return text.replace(HARMFUL, ' ').replace(/ {2,}/g, ' ').trim()
}

/** How wide a text is, in pixels. A browser has a better answer than the table here. */
export type Measure = (text: string, type: Letters) => number

type Letters = Pick<Type, 'size' | 'bold'>

/** In ems; wider than any chart, and further nobody needs to measure. */
const WIDEST = 1000

export function textWidth(text: string, { size, bold = false }: Letters): number {
  let ems = 0
  for (const character of text) {
    ems += emsOf(character)
    if (ems > WIDEST) break
  }
  return ems * size * (bold ? 1.06 : 1)
}

/** Advance widths of Helvetica from space to tilde, in hundredths of an em. */
const LATIN = [
  28, 28, 36, 56, 56, 89, 67, 19, 33, 33, 39, 58, 28, 33, 28, 28, 56, 56, 56, 56, 56, 56, 56, 56, 56, 56, 28, 28, 58,
  58, 58, 56, 102, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78, 67, 78, 72, 67, 61, 72, 67, 94, 67, 67,
  61, 28, 28, 28, 47, 56, 33, 56, 56, 50, 56, 56, 28, 56, 56, 22, 22, 50, 22, 83, 56, 56, 56, 56, 33, 50, 28, 56, 50,
  72, 50, 50, 50, 33, 26, 33, 58,
]

/** So much wider is DejaVu, the broadest of the common faces; a file is read on machines that we do not know. */
const BROADER = 1.16

const NARROWEST = 0.19 * BROADER

function emsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  const latin = LATIN[code - 32]
  if (latin !== undefined) return (latin / 100) * BROADER
  return WIDE.some(([first, last]) => code >= first && code <= last) ? 1 : 0.7
}

/** Characters as wide as they are high: dashes and quotes, signs, then the scripts of East Asia, then pictures. */
const WIDE = [
  [0x2014, 0x2026],
  [0x2300, 0x27bf],
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xffe6],
  [0x1f000, 0x3ffff],
] as const

/** Cut in the middle: names of runs and metrics tell themselves apart at both ends. */
export function fitted(text: string, width: number, type: Letters, measure: Measure = textWidth): string {
  const whole = shown(text)
  if (measure(whole, type) <= width) return whole
  const characters = bothEnds([...whole], Math.ceil(width / (NARROWEST * type.size)))
  const cut = (kept: number): string => {
    const head = Math.ceil(kept / 2)
    return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - kept + head).join('')}`
  }
  let [fits, most] = [1, characters.length - 1]
  while (fits < most) {
    const kept = Math.ceil((fits + most) / 2)
    if (measure(cut(kept), type) <= width) fits = kept
    else most = kept - 1
  }
  return fits > 1 ? cut(fits) : '…'
}

/** A name of a megabyte must not be measured a million times. */
function bothEnds(characters: readonly string[], most: number): readonly string[] {
  if (characters.length <= 2 * most) return characters
  return [...characters.slice(0, most), ...characters.slice(-most)]
}

/** Lines no wider than `width`, broken at spaces and between Chinese characters; at most `most`, the last one cut. */
export function wrapped(
  text: string,
  width: number,
  type: Letters,
  most = 4,
  measure: Measure = textWidth,
): readonly string[] {
  const longest = Math.ceil((most * width) / (NARROWEST * type.size)) + 1
  const pieces = [...shown(text)].slice(0, longest).join('').match(PIECES) ?? []
  const lines: string[] = ['']
  for (const piece of pieces) {
    const line = lines[lines.length - 1] + piece
    const fits = measure(line.trimEnd(), type) <= width
    if (fits || lines[lines.length - 1] === '') lines[lines.length - 1] = line
    else lines.push(piece)
  }
  const kept = lines.slice(0, most).map(line => line.trimEnd())
  if (lines.length > most) kept[most - 1] = `${kept[most - 1]}…`
  return kept.map(line => tailCut(line, width, type, measure))
}

/** A word with the space after it, or one wide character, with the brackets and stops that must not stand apart from it. */
const PIECES =
  /[“（《]*(?:[\u2e80-\u2fff\u3040-\u9fff\uf900-\ufaff]|[^\s\u2e80-\u9fff\uf900-\uffef“”]+)[，。；：、！？）》”]* *|[^\S ]+| +|./gsu

function tailCut(text: string, width: number, type: Letters, measure: Measure): string {
  if (measure(text, type) <= width) return text
  const characters = [...text.replace(/…$/, '')]
  while (characters.length > 0 && measure(`${characters.join('')}…`, type) > width) characters.pop()
  return `${characters.join('')}…`
}

/** Labels beside points, where they cover neither each other nor the edge of the plot. Of those that fit, the one that covers least. */

export interface Labelled extends Spot {
  readonly text: string
}

/** From a point to the text beside it, in pixels. */
const AWAY = 10

/** Several sides start at one place; one label is enough for equal words this close, in pixels. */
const SAME_PLACE = 14

/** Of a label beside its point: x is the left end of the text, y its middle. */
export interface PlacedLabel extends Spot {
  readonly label: Labelled
  readonly wide: number
}

interface Room {
  readonly width: number
  readonly height: number
  readonly type: Type
  readonly measure: Measure
  /** What a label had better not cover. */
  readonly points: readonly Spot[]
}

interface Spot {
  readonly x: number
  readonly y: number
}

export function placeLabels(
  labels: readonly Labelled[],
  { width, height, type, points, measure }: Room,
): readonly PlacedLabel[] {
  const { size } = type
  const placed: PlacedLabel[] = []
  for (const [i, label] of labels.entries()) {
    const alike = labels
      .slice(0, i)
      .some(other => other.text === label.text && Math.hypot(other.x - label.x, other.y - label.y) < SAME_PLACE)
    if (alike) continue
    const wide = measure(label.text, type)
    const free = placesAround(label, wide, size).filter(
      ({ x, y }) =>
        x >= 2 &&
        x + wide <= width - 2 &&
        y >= size / 2 &&
        y <= height - size / 2 &&
        !placed.some(other => overlap(x, wide, other.x, other.wide) && Math.abs(y - other.y) < size + 3) &&
        !labels.some(point => covers(x, y, wide, size, point)),
    )
    const covered = free.map(({ x, y }) => points.filter(point => covers(x, y, wide, size, point)).length)
    const best = free[covered.indexOf(Math.min(...covered))]
    if (best !== undefined) placed.push({ label, ...best, wide })
  }
  return placed
}

function covers(x: number, y: number, wide: number, size: number, spot: Spot): boolean {
  return spot.x > x - 5 && spot.x < x + wide + 5 && Math.abs(spot.y - y) < size / 2 + 4
}

function overlap(x: number, width: number, otherX: number, otherWidth: number): boolean {
  return x < otherX + otherWidth + 4 && otherX < x + width + 4
}

/** Right, above, below, left, then further away above and below. */
function placesAround({ x, y }: Spot, wide: number, size: number): readonly Spot[] {
  const lines = [1, 2, 3, 4, 5].flatMap(line => [-line, line])
  return [
    { x: x + AWAY, y },
    { x: x - wide / 2, y: y - AWAY - size / 2 },
    { x: x - wide / 2, y: y + AWAY + size / 2 },
    { x: x - wide - AWAY, y },
    ...lines.flatMap(line => [
      { x: x + AWAY, y: y + line * (size + 3) },
      { x: x - wide - AWAY, y: y + line * (size + 3) },
    ]),
  ]
}
