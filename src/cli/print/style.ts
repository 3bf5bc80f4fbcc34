import { styleText } from 'node:util'
import { figure } from '../../text/numbers.js'

export { count } from '../../text/numbers.js'

/** How things look on a terminal: colour, width, numbers. In a pipe everything is plain. */

type Format = Parameters<typeof styleText>[0]

export function colour(enabled: boolean): (format: Format, text: string) => string {
  return (format, text) => (enabled ? styleText(format, text) : text)
}

export function wantsColour(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv = process.env): boolean {
  if (environment.NO_COLOR) return false
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== '0'
  return stream.isTTY === true && environment.TERM !== 'dumb'
}

/**
 * Text from a log, safe to print: control characters (terminal escapes), and marks that reverse or hide text, become
 * visible; too long a text is cut.
 */
export function printable(text: string, longest = 80): string {
  const safe = text.replace(HARMFUL, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (safe.length <= longest) return safe
  const characters = [...safe]
  return characters.length <= longest ? safe : `${characters.slice(0, longest - 1).join('')}…`
}

const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

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

/** Columns of equal width; `right` names the columns that are numbers. The last column is not padded. */
export function alignTable(rows: readonly (readonly string[])[], right: ReadonlySet<number> = new Set()): string[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, displayWidth(cell))
    })
  }
  return rows.map(row =>
    row
      .map((cell, i) => (right.has(i) ? pad(cell, widths[i], 'right') : pad(cell, widths[i])))
      .join('  ')
      .trimEnd(),
  )
}

/** A value for people: four significant digits. */
export function shortNumber(value: number): string {
  return figure(value, 4)
}

export function shortStep(step: number): string {
  return Number.isInteger(step) ? String(step) : shortNumber(step)
}
