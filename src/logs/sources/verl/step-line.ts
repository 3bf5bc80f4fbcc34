import { newDecimal, readDecimal } from '../binary/decimal.js'
import { screenTexts } from '../console/console-source.js'

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
/** Far more keys than real runs have. A log whose keys never repeat starts the tree again, lest it grow without end. */
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
function startsWith(line: Buffer, at: number, lineEnd: number, label: Buffer): boolean {
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
  for (; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit < 0 || digit > 9) break
    step = step * 10 + digit
  }
  return at === digits || at - digits > MOST_DIGITS ? undefined : { step, end: at }
}

/**
 * One number as Python prints it, read in place: `0.4331`, `-8.1e-06`, `nan`, `-inf`, `True`, `np.float64(0.1)`,
 * `tensor(0.1, device='cuda:0')`. The result goes into an object that the caller reuses, because a log line has
 * some eighty numbers and an object each would cost more than reading them.
 */

interface FoundNumber {
  value: number
  /** Index behind the number. */
  end: number
  /** Digits behind the point; PRINTED_IN_FULL where the text is no fixed-point number, or its digits are all there are. */
  decimals: number
  /** The last printed decimal is 0: a shortest-form printer would have left it out, so the printer is a `%.3f`. */
  padded: boolean
  /** torch prints four decimals whatever the value has. */
  tensor: boolean
}

export const PRINTED_IN_FULL = -1

export function newFoundNumber(): FoundNumber {
  return { value: 0, end: 0, decimals: PRINTED_IN_FULL, padded: false, tensor: false }
}

const SPACE = 0x20
const TAB = 0x09

const decimal = newDecimal()

/** Whether a number stands at `at`; it must end at a blank or at the end of the line, else it may have been cut. */
export function findNumber(bytes: Buffer, at: number, lineEnd: number, found: FoundNumber): boolean {
  let start = at
  while (start < lineEnd && bytes[start] === SPACE) start += 1
  if (!readDecimal(bytes, start, lineEnd, decimal)) return findOddNumber(bytes, start, lineEnd, found)
  const { end, decimals } = decimal
  if (!endsHere(bytes, end, lineEnd)) return false
  found.value = decimal.value
  found.end = end
  found.decimals = decimal.exponential ? PRINTED_IN_FULL : decimals
  found.padded = !decimal.exponential && decimals > 1 && bytes[end - 1] === ZERO
  found.tensor = false
  return true
}

const ODD =
  /([-+]?)(nan|inf(?:inity)?)|(true|false)|([a-z_][\w.]*)\(\s*([-+]?)(?:(nan|inf)|(\d*\.?\d*(?:e[-+]?\d+)?))\s*(?:,[^()]*)?\)/iy

/** Longer than any of these is printed. */
const MOST_ODD_BYTES = 256

function findOddNumber(bytes: Buffer, start: number, lineEnd: number, found: FoundNumber): boolean {
  const line = bytes.toString('latin1', start, Math.min(lineEnd, start + MOST_ODD_BYTES))
  ODD.lastIndex = 0
  const match = ODD.exec(line)
  if (match === null) return false
  const [text, sign = '', word, truth, wrapper = '', innerSign = '', innerWord, innerDigits = ''] = match
  const end = start + text.length
  if (!endsHere(bytes, end, lineEnd)) return false
  if (truth !== undefined) keepOdd(end, truth.toLowerCase() === 'true' ? 1 : 0, found)
  else if (word !== undefined) keepOdd(end, nonFinite(word, sign), found)
  else if (innerWord !== undefined) keepOdd(end, nonFinite(innerWord, innerSign), found)
  else if (!/\d/.test(innerDigits)) return false
  else {
    keepOdd(end, Number(innerSign + innerDigits), found)
    found.tensor = wrapper.endsWith('tensor') && innerDigits.includes('.') && !/e/i.test(innerDigits)
  }
  return true
}

function nonFinite(word: string, sign: string): number {
  if (word.toLowerCase() === 'nan') return Number.NaN
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

function keepOdd(end: number, value: number, found: FoundNumber): void {
  found.value = value
  found.end = end
  found.decimals = PRINTED_IN_FULL
  found.padded = false
  found.tensor = false
}

function endsHere(bytes: Buffer, at: number, lineEnd: number): boolean {
  return at >= lineEnd || bytes[at] === SPACE || bytes[at] === TAB
}

/**
 * How far a printed number can be trusted. verl up to 0.4 prints every value with `%.3f`, so that a learning rate of
 * 1e-6 reads 0.000; later versions print all digits. A fixed format shows in all numbers of a line having equally many
 * decimals. A line that could be either, such as a lone `acc:0.565`, counts as rounded until the log has shown a
 * number printed in full: claiming too little precision is the safe mistake.
 */

/** With fewer, a plain 0.5 could not be told from a rounded number. */
const FEWEST_DECIMALS = 3
/** A fork prints `%.6f`; what has more is printed in full. */
const MOST_DECIMALS = 6
/** torch's default print precision. */
const TENSOR_DECIMALS = 4

/** What the numbers of one line have in common. */
interface Printing {
  /** The decimals that all finite numbers have; PRINTED_IN_FULL when they differ, null without any. */
  shared: number | null
  /** At least one ends in a 0 that only a fixed format prints. */
  padded: boolean
  /** Decimals of the tensors among the values. */
  tensors: (number | null)[] | null
}

function newPrinting(): Printing {
  return { shared: null, padded: false, tensors: null }
}

/** Takes the number at `index` of the line into account. */
function notePrinting(printing: Printing, number: FoundNumber, index: number): void {
  if (number.tensor) {
    printing.tensors ??= []
    printing.tensors[index] = TENSOR_DECIMALS
  } else if (Number.isFinite(number.value)) {
    if (printing.shared === null) printing.shared = number.decimals
    else if (printing.shared !== number.decimals) printing.shared = PRINTED_IN_FULL
    printing.padded ||= number.padded
  }
}

type DecimalsOf = (printing: Printing, count: number) => readonly (number | null)[] | undefined

/** The column of decimals for a row of `count` values, or undefined when they are all there. */
export function createDecimals(state: { printsInFull: boolean }): DecimalsOf {
  let column: readonly number[] = []

  return ({ shared, padded, tensors }, count) => {
    if (tensors !== null) return Array.from({ length: count }, (_, i) => tensors[i] ?? null)
    if (shared === null) return undefined
    const fixed = shared >= FEWEST_DECIMALS && shared <= MOST_DECIMALS
    if (!fixed) state.printsInFull = true
    if (!fixed || (state.printsInFull && !padded)) return undefined
    if (column.length !== count || column[0] !== shared) column = Array.from({ length: count }, () => shared)
    return column
  }
}
