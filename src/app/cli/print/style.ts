import { styleText } from 'node:util'
import {
  alignTable as alignedTable,
  printable as printableText,
  wrapped as wrappedText,
} from '../../../core/present/terminal-text.js'

export { displayWidth, pad, shortNumber, shortStep } from '../../../core/present/terminal-text.js'
export { count } from '../../../text/numbers.js'

/** How things look on this terminal: colour, width, numbers. In a pipe everything is plain. */

type Format = Parameters<typeof styleText>[0]

export function colour(enabled: boolean): (format: Format, text: string) => string {
  return (format, text) => (enabled ? styleText(format, text) : text)
}

export function wantsColour(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv = process.env): boolean {
  if (environment.NO_COLOR) return false
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== '0'
  return stream.isTTY === true && environment.TERM !== 'dumb'
}

/** How many columns there are; null where a program reads, which needs no line to be short. */
export function terminalWidth(): number | null {
  return process.stdout.isTTY === true ? Math.max(40, process.stdout.columns ?? 80) : null
}

export function printable(words: string, most = 80, width = terminalWidth()): string {
  return printableText(words, most, width)
}

export function alignTable(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
  width = terminalWidth(),
): string[] {
  return alignedTable(rows, right, width)
}

export function wrapped(words: string, width = terminalWidth()): string {
  return wrappedText(words, width)
}

/** Bytes, for people. */
export function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
