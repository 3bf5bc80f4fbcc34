import { harmless } from '../../text/harmless.js'
import { figure } from '../../text/numbers.js'

/** Text on a terminal: what is safe to print, how wide it is, and where it breaks. A width of null is a pipe. */

/** In a pipe only what is absurdly long is cut. */
const LONGEST_PIPED = 400

/**
 * Text from a log, safe to print: control characters (terminal escapes), and marks that reverse or hide text, become
 * visible; what is too long for a terminal is cut there.
 */
export function printable(text: string, most: number, width: number | null): string {
  const longest = width === null ? Math.max(most, LONGEST_PIPED) : most
  if (text.length <= longest && PLAIN.test(text)) return text
  const safe = harmless(text)
  if (safe.length <= longest) return safe
  const characters = [...safe]
  return characters.length <= longest ? safe : `${characters.slice(0, longest - 1).join('')}…`
}

/** Terminal columns that a text takes: Chinese and other wide characters take two. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const character of text.replace(ESCAPES, '')) width += WIDE.test(character) ? 2 : 1
  return width
}

/** Most cells; asked first, because lists can have a hundred thousand of them. */
const PLAIN = /^[ -~]*$/
const ESCAPES = /\u001b\[[0-9;]*m/g
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

export function pad(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const blank = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return side === 'left' ? text + blank : blank + text
}

/**
 * Columns of equal width, over which a row of one cell runs; `right` names the columns that are numbers. The last column is not padded. Where the terminal
 * is too narrow, the widest columns of text are cut, never a number.
 */
export function alignTable(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number>,
  width: number | null,
): string[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const isAcross = (row: readonly string[]): boolean => row.length === 1 && columns > 1
  const widths = new Array<number>(columns).fill(0)
  /** Of every cell, one after the other: lists can have a hundred thousand of them. */
  const taken: number[] = []
  for (const row of rows) {
    if (isAcross(row)) continue
    for (let i = 0; i < row.length; i += 1) {
      const wide = displayWidth(row[i])
      taken.push(wide)
      if (wide > widths[i]) widths[i] = wide
    }
  }
  if (width !== null) narrow(widths, right, width)
  let nth = 0
  return rows.map(row => {
    if (isAcross(row)) return row[0].trimEnd()
    let line = ''
    for (let i = 0; i < row.length; i += 1) {
      const room = widths[i] - taken[nth]
      const cell = room < 0 ? shortened(row[i], widths[i]) : row[i]
      const blank = ' '.repeat(room < 0 ? Math.max(0, widths[i] - displayWidth(cell)) : room)
      line += (i === 0 ? '' : '  ') + (right.has(i) ? blank + cell : cell + blank)
      nth += 1
    }
    return line.trimEnd()
  })
}

/** A column of text narrower than this says nothing. */
const NARROWEST_COLUMN = 10

function narrow(widths: number[], right: ReadonlySet<number>, width: number): void {
  const total = (): number => widths.reduce((sum, each) => sum + each + 2, -2)
  while (total() > width) {
    const widest = widths.reduce((best, each, i) => (!right.has(i) && each > (widths[best] ?? 0) ? i : best), -1)
    if (widest < 0 || widths[widest] <= NARROWEST_COLUMN) return
    widths[widest] -= 1
  }
}

function shortened(cell: string, width: number): string {
  const plain = cell.replace(ESCAPES, '')
  let kept = ''
  for (const character of plain) {
    if (displayWidth(kept + character) > width - 1) break
    kept += character
  }
  return `${kept}…`
}

/**
 * Lines no wider than the terminal, broken between words and indented like the first; Chinese may break anywhere but
 * before a mark that closes. A terminal by itself would break in the middle of a word.
 */
export function wrapped(text: string, width: number | null): string {
  if (width === null) return text
  return text
    .split('\n')
    .map(line => (displayWidth(line) <= width ? line : wrapLine(line, width)))
    .join('\n')
}

const PIECES = /\u001b\[[0-9;]*m|[ ]+|[^ \u2e80-\uffef\u001b]+|./gu
const CLOSING = /^[，。；：！？、）」』”’》…]/

function wrapLine(line: string, width: number): string {
  const indent = (/^ */.exec(line)?.[0] ?? '').slice(0, Math.floor(width / 2))
  const hanging = `${indent}  `
  const lines: string[] = []
  let current = ''
  let used = 0
  for (const piece of line.match(PIECES) ?? []) {
    const needed = piece.startsWith('\u001b') ? 0 : displayWidth(piece)
    if (used + needed > width && used > hanging.length && !CLOSING.test(piece)) {
      lines.push(current.trimEnd())
      current = hanging
      used = hanging.length
      if (piece.trim() === '') continue
    }
    current += piece
    used += needed
  }
  return [...lines, current].join('\n')
}

/** A value for people: four significant digits. */
export function shortNumber(value: number): string {
  return figure(value, 4)
}

export function shortStep(step: number): string {
  return Number.isInteger(step) ? String(step) : shortNumber(step)
}
