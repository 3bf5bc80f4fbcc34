import { newPrinting, notePrinting, type Printing } from './decimals.js'
import { findNumber, newFoundNumber } from './number.js'

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
}

export type FieldReader = (line: string, from: number) => Fields | undefined

const SEPARATOR = ' - '
/** Far more keys than real runs have. A log whose keys never repeat starts the tree anew, lest it grow without end. */
const MOST_KEYS = 50_000
/** Ten times the longest line seen. What follows on a longer one counts as one bad field. */
const MOST_FIELDS = 20_000

interface Key {
  readonly before: Key | null
  readonly name: string
  readonly label: string
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
    const added = newKey(key, detached(name))
    key.followers.set(added.name, added)
    key.likely = added
    return added
  }

  return (line, from) => {
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

    for (;;) {
      const likely: Key | null = key.likely
      if (likely !== null && line.startsWith(likely.label, at) && findNumber(line, at + likely.label.length, number)) {
        key = likely
      } else {
        if (!line.startsWith(SEPARATOR, at)) break
        const keyStart = at + SEPARATOR.length
        const isFull = values.length >= MOST_FIELDS
        const colon = isFull ? -1 : colonBeforeNumber(line, keyStart)
        if (colon < 0) {
          const fieldEnd = isFull ? line.length : endOfField(line, keyStart)
          badCount += 1
          if (badCount === 1) firstBad = detached(line.slice(keyStart, Math.min(fieldEnd, keyStart + 80)))
          at = fieldEnd
          continue
        }
        key = follower(key, line.slice(keyStart, colon))
      }
      notePrinting(printing, number, values.length)
      values.push(number.value)
      at = number.end
      if (at < line.length && !line.startsWith(SEPARATOR, at)) at = endOfField(line, at)
    }

    if (values.length === 0) return undefined
    key.metrics ??= namesUpTo(key)
    return { metrics: key.metrics, values, printing, badCount, firstBad }
  }

  /** The colon that ends the key. Names of data sets may hold colons too, so it is the first one with a number behind. */
  function colonBeforeNumber(line: string, keyStart: number): number {
    const fieldEnd = endOfField(line, keyStart)
    for (
      let colon = line.indexOf(':', keyStart);
      colon >= 0 && colon < fieldEnd;
      colon = line.indexOf(':', colon + 1)
    ) {
      if (colon > keyStart && findNumber(line, colon + 1, number) && number.end <= fieldEnd) return colon
    }
    return -1
  }
}

function endOfField(line: string, from: number): number {
  const next = line.indexOf(SEPARATOR, from)
  return next < 0 ? line.length : next
}

function newKey(before: Key | null, name: string): Key {
  return { before, name, label: `${SEPARATOR}${name}:`, followers: new Map(), likely: null, metrics: null }
}

function namesUpTo(key: Key): string[] {
  const names: string[] = []
  for (let at: Key | null = key; at !== null && at.before !== null; at = at.before) names.push(at.name)
  return names.reverse()
}

/** V8 keeps a whole megabyte of log alive for a name cut out of it; a copy does not. */
function detached(name: string): string {
  return Buffer.from(name).toString()
}
