/**
 * Byte-pair encoding (Sennrich et al. 2016) over bytes: beginning with single bytes, the pair of tokens that stands side
 * by side most often becomes a token, until there are enough. Of equally frequent pairs the one of the earlier tokens
 * wins, so that a text has one tokenizer.
 */
import { BYTE_LETTERS, createTokenizer, lettersOf, type Mark, piecesOf, type Tokenizer } from './tokenizer.js'

interface TokenizerOptions {
  /** Tokens in all, the marks included. Fewer when the text has not so many pairs that occur twice. */
  readonly size: number
  /** Texts that are one token each, whatever stands around them. */
  readonly marks: readonly Mark[]
}

/** A kind of piece, as it is cut so far. */
interface Word {
  tokens: readonly number[]
  readonly count: number
}

/** A pair as one number. */
const PAIR = 1 << 20
const FEWEST = 2

export function trainTokenizer(texts: Iterable<string>, { size, marks }: TokenizerOptions): Tokenizer {
  const tokens = [...marks.map(({ text }) => text), ...BYTE_LETTERS]
  const ids = new Map(BYTE_LETTERS.map((letter, i) => [letter, marks.length + i]))
  const words = wordsOf(texts, marks, ids)
  const merges: (readonly [string, string])[] = []
  const pairs = countPairs(words)
  while (tokens.length < size) {
    const best = mostFrequent(pairs)
    if (best === undefined) break
    const [left, right] = [Math.floor(best / PAIR), best % PAIR]
    const token = tokens[left] + tokens[right]
    merges.push([tokens[left], tokens[right]])
    // The same letters may have been merged before from other parts: one token, two ways to it.
    const merged = ids.get(token) ?? tokens.push(token) - 1
    ids.set(token, merged)
    for (const word of [...(pairs.get(best)?.words ?? [])]) {
      count(pairs, word, -1)
      word.tokens = mergedTokens(word.tokens, left, right, merged)
      count(pairs, word, 1)
    }
  }
  return createTokenizer({ marks, merges })
}

function wordsOf(texts: Iterable<string>, marks: readonly Mark[], ids: ReadonlyMap<string, number>): readonly Word[] {
  const counts = new Map<string, number>()
  const { plainParts } = createTokenizer({ marks, merges: [] })
  for (const text of texts) {
    for (const part of plainParts(text)) {
      for (const piece of piecesOf(part)) counts.set(piece, (counts.get(piece) ?? 0) + 1)
    }
  }
  return Array.from(counts, ([piece, times]) => ({
    tokens: Array.from(lettersOf(piece), letter => ids.get(letter) ?? 0),
    count: times,
  }))
}

type Pairs = Map<number, { count: number; readonly words: Set<Word> }>

function countPairs(words: readonly Word[]): Pairs {
  const pairs: Pairs = new Map()
  for (const word of words) count(pairs, word, 1)
  return pairs
}

/** Adds a word's pairs to the counts, or takes them away again. */
function count(pairs: Pairs, word: Word, sign: 1 | -1): void {
  for (let i = 1; i < word.tokens.length; i++) {
    const key = word.tokens[i - 1] * PAIR + word.tokens[i]
    const pair = pairs.get(key) ?? { count: 0, words: new Set() }
    pair.count += sign * word.count
    if (sign > 0) pair.words.add(word)
    else pair.words.delete(word)
    if (pair.count > 0) pairs.set(key, pair)
    else pairs.delete(key)
  }
}

function mostFrequent(pairs: Pairs): number | undefined {
  let best: number | undefined
  let most = FEWEST - 1
  for (const [key, { count: times }] of pairs) {
    if (times > most || (times === most && best !== undefined && key < best)) [best, most] = [key, times]
  }
  return best
}

function mergedTokens(tokens: readonly number[], left: number, right: number, merged: number): readonly number[] {
  const result: number[] = []
  for (let i = 0; i < tokens.length; i++) {
    const isPair = tokens[i] === left && tokens[i + 1] === right
    result.push(isPair ? merged : tokens[i])
    if (isPair) i++
  }
  return result
}
