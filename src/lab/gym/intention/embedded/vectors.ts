import { inflateRawSync } from 'node:zlib'
import { BOOK, CODES, DIMENSIONS, PARTS, WORDS } from './word-vectors.js'

/** What English words mean, as directions: words that are used alike point alike. */

export type Direction = Float32Array

interface Lexicon {
  readonly positions: ReadonlyMap<string, number>
  /** One row a word, of length 1. */
  readonly rows: Float32Array
}

let lexicon: Lexicon | null = null

/** Unpacked when first needed. */
function unpacked(): Lexicon {
  if (lexicon !== null) return lexicon
  const words = inflateRawSync(Buffer.from(WORDS, 'base64')).toString('latin1').split(' ')
  const codes = Buffer.from(CODES, 'base64')
  const book = new Int8Array(Buffer.from(BOOK, 'base64'))
  const width = DIMENSIONS / PARTS
  const entries = book.length / DIMENSIONS
  const rows = new Float32Array(words.length * DIMENSIONS)
  for (let word = 0; word < words.length; word += 1) {
    const row = rows.subarray(word * DIMENSIONS, (word + 1) * DIMENSIONS)
    for (let part = 0; part < PARTS; part += 1) {
      const entry = (part * entries + codes[word * PARTS + part]) * width
      for (let k = 0; k < width; k += 1) row[part * width + k] = book[entry + k]
    }
    shorten(row)
  }
  lexicon = { positions: new Map(words.map((word, i) => [word, i])), rows }
  return lexicon
}

function shorten(row: Float32Array): void {
  let squares = 0
  for (const value of row) squares += value * value
  const length = Math.sqrt(squares)
  if (length > 0) for (let k = 0; k < row.length; k += 1) row[k] /= length
}

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/es$/, ''],
  [/s$/, ''],
  [/ing$/, ''],
  [/ing$/, 'e'],
  [/ed$/, ''],
  [/d$/, ''],
]

/** Where a word stands, the commonest first; -1: it is not known in any of its forms. */
export function positionOf(word: string): number {
  const { positions } = unpacked()
  const found = positions.get(word)
  if (found !== undefined) return found
  for (const [ending, instead] of ENDINGS) {
    const position = ending.test(word) ? positions.get(word.replace(ending, instead)) : undefined
    if (position !== undefined) return position
  }
  return -1
}

/** How much a word tells: common ones little; 1 for rare and unknown ones. */
export function weightOf(position: number): number {
  return position < 0 ? 1 : Math.min(1, Math.log(1 + position / 30) / Math.log(1 + 3000 / 30))
}

/** Cosine; 0 where one of the two is not known. */
export function likeness(one: number, other: number): number {
  if (one < 0 || other < 0) return 0
  const { rows } = unpacked()
  let sum = 0
  for (let k = 0, i = one * DIMENSIONS, j = other * DIMENSIONS; k < DIMENSIONS; k += 1) sum += rows[i + k] * rows[j + k]
  return sum
}

/** Where words point together. */
export function directionOf(words: Iterable<readonly [position: number, weight: number]>): Direction {
  const { rows } = unpacked()
  const direction = new Float32Array(DIMENSIONS)
  for (const [position, weight] of words) {
    if (position < 0) continue
    for (let k = 0, i = position * DIMENSIONS; k < DIMENSIONS; k += 1) direction[k] += weight * rows[i + k]
  }
  shorten(direction)
  return direction
}

export function cosine(one: Direction, other: Direction): number {
  let sum = 0
  for (let k = 0; k < DIMENSIONS; k += 1) sum += one[k] * other[k]
  return sum
}
