import { harmlessText } from '../../text/harmless.js'

/**
 * Names and texts of logs as an assistant reads them: between two fences that nothing inside can close, with what cannot
 * be seen shown by its number or taken out. What stands outside is klens's own.
 */
export function dataFence(text: string): string {
  return `${OPENING}${withoutFences(text)}${CLOSING}`
}

const OPENING = '```text\n'
const CLOSING = '\n```'
export const FENCE_LENGTH = OPENING.length + CLOSING.length

/** Letters that some models read and no person sees: tags, by which text is smuggled, and selectors of variants. */
const SMUGGLED = /[\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0f]|[\u180b-\u180f]|\u3164|\uffa0/gu

/** Never longer than before but for letters that cannot be seen. */
export function withoutFences(text: string): string {
  return harmlessText(text.replace(SMUGGLED, '').replace(/\r\n?/g, '\n')).replace(/([`~])\1{2,}/g, '$1$1')
}

/** A name as it may stand in a list, outside of a fence: short, on one line, no marks. */
export function plainName(name: string): string {
  const line = withoutFences(name).replace(/[\n\t`<>]+/g, ' ')
  return line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line
}

const LONGEST_NAME = 80
