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

/** Most cells, those with a range or a negative number too; asked first, because lists can have a hundred thousand. */
const PLAIN = /^[ -~–−]*$/
const ESCAPES = /\u001b\[[0-9;]*m/g
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u

export function pad(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const blank = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return side === 'left' ? text + blank : blank + text
}

/**
 * Columns of equal width, over which a row of one cell runs; `right` names the columns that are numbers. The last column
 * is not padded. Where the terminal is too narrow, the last column is broken into several lines if it `wraps`, then the
 * widest texts and titles are cut, never a number; columns that still have no room are left out, and … says so.
 */
export function alignTable(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number>,
  width: number | null,
  wraps = false,
): string[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const isAcross = (row: readonly string[]): boolean => row.length === 1 && columns > 1
  const taken = rows.map(row => (isAcross(row) ? [] : row.map(displayWidth)))
  const widest = (from: number): number[] => {
    const widths: number[] = Array.from({ length: columns }, () => 0)
    for (const row of taken.slice(from)) for (let i = 0; i < row.length; i += 1) widths[i] = Math.max(widths[i], row[i])
    return widths
  }
  const numbers = widest(1)
  const last = columns - 1
  const breaks = wraps && columns > 1 && !right.has(last)
  const widths =
    width === null
      ? widest(0)
      : narrowed(widest(0), width, i =>
          right.has(i) ? numbers[i] : breaks && i === last ? NARROWEST_BROKEN : NARROWEST_COLUMN,
        )
  const before = ' '.repeat(widths.slice(0, last).reduce((sum, each) => sum + each + 2, 0))
  const sides = widths.map((_, i) => (right.has(i) ? 'right' : 'left'))
  return rows.flatMap((row, nth) => {
    if (isAcross(row)) return row[0].trimEnd()
    let line = ''
    for (let i = 0; i < row.length && i < widths.length; i += 1) {
      const room = widths[i] - taken[nth][i]
      const isBroken = room < 0 && breaks && i === last && longestWord(row[i]) <= widths[i]
      if (i > 0) line += '  '
      if (isBroken) line += wrapped(row[i], widths[i]).replaceAll('\n  ', '\n')
      else if (room < 0) line += pad(shortened(row[i], widths[i], right.has(i)), widths[i], sides[i])
      else line += sides[i] === 'right' ? ' '.repeat(room) + row[i] : row[i] + ' '.repeat(room)
    }
    if (nth === 0 && widths.length < columns) line += '  …'
    if (!line.includes('\n')) return line.trimEnd()
    return line.split('\n').map((part, i) => (i === 0 ? part : before + part).trimEnd())
  })
}

function longestWord(cell: string): number {
  return Math.max(...(cell.match(PIECES) ?? ['']).map(displayWidth))
}

/** A column of text narrower than this says nothing; one that is broken into lines needs some room. */
const NARROWEST_COLUMN = 10
const NARROWEST_BROKEN = 20

/** The last column gives way first, as far as it may; then the widest; at last columns are left out. */
function narrowed(widths: readonly number[], width: number, least: (column: number) => number): number[] {
  const kept = [...widths]
  const total = (): number => kept.reduce((sum, each) => sum + each + 2, kept.length < widths.length ? 1 : -2)
  while (total() > width) {
    const last = kept.length - 1
    const widest = kept.reduce((best, each, i) => (each > least(i) && each > (kept[best] ?? 0) ? i : best), -1)
    const excess = total() - width
    if (last === widths.length - 1 && least(last) === NARROWEST_BROKEN && kept[last] > NARROWEST_BROKEN) {
      kept[last] = Math.max(NARROWEST_BROKEN, kept[last] - excess)
    } else if (widest >= 0) kept[widest] -= 1
    else if (kept.length > 2) kept.pop()
    else break
  }
  return kept
}

/** Of a title above numbers, which is mostly the name of a metric, the end says more than the beginning. */
function shortened(cell: string, width: number, fromTheEnd: boolean): string {
  const characters = [...cell.replace(ESCAPES, '')]
  const kept: string[] = []
  for (const character of fromTheEnd ? characters.reverse() : characters) {
    if (displayWidth([...kept, character].join('')) > width - 1) break
    kept.push(character)
  }
  return fromTheEnd ? `…${kept.reverse().join('')}` : `${kept.join('')}…`
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
  const pieces = line.match(PIECES) ?? []
  for (const [i, piece] of pieces.entries()) {
    const needed = piece.startsWith('\u001b') ? 0 : displayWidth(piece)
    // Marks that close stay with the character before them, so there must be room for all.
    let closing = 0
    for (let next = i + 1; piece.trim() !== '' && CLOSING.test(pieces[next] ?? ''); next += 1) {
      closing += displayWidth(pieces[next])
    }
    const belongs = CLOSING.test(piece) && !current.endsWith(' ')
    if (used + needed + closing > width && used > hanging.length && !belongs) {
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
