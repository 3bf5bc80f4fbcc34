import { screenTexts } from '../console/line.js'
import { findNumber, newFoundNumber, newPrinting, notePrinting, type Printing } from './number.js'

/**
 * The fields of a step line: ` - actor/entropy:0.43 - actor/pg_loss:-0.005 …`.
 *
 * A run prints the same keys in the same order thousands of times, so each key remembers which one followed it: the
 * usual line is read by comparing with the expected label and never cuts a key out. The keys form a tree, one path
 * per sequence of keys seen, and rows with the same keys share one array of names.
 */

export interface Fields {
  readonly metrics: readonly string[]
  readonly values: readonly number[]
  readonly printing: Printing
  /** Fields with a key but no readable number. */
  readonly badCount: number
  readonly firstBad: string
  /** The whole line was keys that came before in this order, and their numbers. */
  readonly isUsual: boolean
}

/** Reads the fields between two places. */
export type FieldReader = (line: Buffer, from: number, lineEnd: number) => Fields | undefined

const SEPARATOR = ' - '
const SEPARATOR_BYTES = Buffer.from(SEPARATOR)
const COLON = 0x3a
/** Far more keys than real runs have. A log whose keys never repeat starts the tree anew, lest it grow without end. */
const MOST_KEYS = 50_000
/** Ten times the longest line seen. What follows on a longer one counts as one bad field. */
const MOST_FIELDS = 20_000

interface Key {
  readonly before: Key | null
  readonly name: string
  readonly label: Buffer
  readonly followers: Map<string, Key>
  likely: Key | null
  /** The names on the path to here, made when a line first ends here. */
  metrics: readonly string[] | null
}

export function createFieldReader(): FieldReader {
  const number = newFoundNumber()
  let start = newKey(null, '')
  let keys = 0

  function follower(key: Key, name: string): Key {
    const known = key.followers.get(name)
    if (known !== undefined) {
      key.likely = known
      return known
    }
    keys += 1
    const added = newKey(key, name)
    key.followers.set(name, added)
    key.likely = added
    return added
  }

  return (line, from, lineEnd) => {
    if (keys > MOST_KEYS) {
      start = newKey(null, '')
      keys = 0
    }
    let key = start
    let at = from
    const values: number[] = []
    const printing = newPrinting()
    let badCount = 0
    let firstBad = ''
    let isUsual = true

    for (;;) {
      const likely: Key | null = key.likely
      if (
        likely !== null &&
        startsWith(line, at, lineEnd, likely.label) &&
        findNumber(line, at + likely.label.length, lineEnd, number)
      ) {
        key = likely
      } else {
        if (!startsWith(line, at, lineEnd, SEPARATOR_BYTES)) break
        isUsual = false
        const keyStart = at + SEPARATOR_BYTES.length
        const isFull = values.length >= MOST_FIELDS
        const colon = isFull ? -1 : colonBeforeNumber(line, keyStart, lineEnd)
        if (colon < 0) {
          const fieldEnd = isFull ? lineEnd : endOfField(line, keyStart, lineEnd)
          badCount += 1
          if (badCount === 1)
            firstBad = line.toString('utf8', keyStart, Math.min(fieldEnd, keyStart + 320)).slice(0, 80)
          at = fieldEnd
          continue
        }
        key = follower(key, line.toString('utf8', keyStart, colon))
      }
      notePrinting(printing, number, values.length)
      values.push(number.value)
      at = number.end
      if (at < lineEnd && !startsWith(line, at, lineEnd, SEPARATOR_BYTES)) {
        isUsual = false
        at = endOfField(line, at, lineEnd)
      }
    }

    if (values.length === 0) return undefined
    key.metrics ??= namesUpTo(key)
    return { metrics: key.metrics, values, printing, badCount, firstBad, isUsual: isUsual && at === lineEnd }
  }

  /** The colon that ends the key. Names of data sets may hold colons too, so it is the first one with a number behind. */
  function colonBeforeNumber(line: Buffer, keyStart: number, lineEnd: number): number {
    const fieldEnd = endOfField(line, keyStart, lineEnd)
    for (let at = keyStart + 1; at < fieldEnd; at += 1) {
      if (line[at] === COLON && findNumber(line, at + 1, lineEnd, number) && number.end <= fieldEnd) return at
    }
    return -1
  }
}

/** Byte by byte: for so few, calling Buffer's own comparison costs more. */
export function startsWith(line: Buffer, at: number, lineEnd: number, label: Buffer): boolean {
  const { length } = label
  if (at + length > lineEnd) return false
  for (let i = 0; i < length; i += 1) if (line[at + i] !== label[i]) return false
  return true
}

function endOfField(line: Buffer, from: number, lineEnd: number): number {
  const next = line.subarray(from, lineEnd).indexOf(SEPARATOR_BYTES)
  return next < 0 ? lineEnd : from + next
}

function newKey(before: Key | null, name: string): Key {
  return { before, name, label: Buffer.from(`${SEPARATOR}${name}:`), followers: new Map(), likely: null, metrics: null }
}

function namesUpTo(key: Key): string[] {
  const names: string[] = []
  for (let at: Key | null = key; at !== null && at.before !== null; at = at.before) names.push(at.name)
  return names.reverse()
}

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
