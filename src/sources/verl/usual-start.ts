import { startsWith } from './fields.js'
import { screenTexts } from './line.js'

/**
 * Nearly all bytes of a log are step lines that begin like the one before. This is that beginning as it stands in the
 * file, colours and Ray's prefix included, up to the number of the step: a line that has it need not be decoded.
 */
export interface UsualStart {
  readonly bytes: Buffer
  /** Ray's prefix as text. */
  readonly process: string
}

const LABEL = 'step:'
const ZERO = 0x30
const NINE = 0x39
const MOST_DIGITS = 15

/** How a step line of this process begins, when nothing else stands before its step. */
export function usualStart(bytes: Buffer, start: number, end: number, process: string): UsualStart | null {
  const line = bytes.subarray(start, end)
  const label = line.indexOf(LABEL)
  if (label < 0) return null
  const [before = '', ...more] = screenTexts(line.toString('utf8', 0, label))
  if (before !== process || more.length > 0) return null
  return { bytes: Buffer.from(line.subarray(0, label + LABEL.length)), process }
}

/** The step of a line that begins so, and where its number ends. */
export function readUsualStep(
  { bytes: expected }: UsualStart,
  bytes: Buffer,
  start: number,
  end: number,
): { readonly step: number; readonly end: number } | undefined {
  if (!startsWith(bytes, start, end, expected)) return undefined
  const digits = start + expected.length
  let at = digits
  let step = 0
  while (at < end && bytes[at] >= ZERO && bytes[at] <= NINE) {
    step = step * 10 + bytes[at] - ZERO
    at += 1
  }
  return at === digits || at - digits > MOST_DIGITS ? undefined : { step, end: at }
}
