/**
 * Text to tokens and back: byte-level byte-pair encoding. Ids are the marks, then the 256 bytes, then a token for each
 * merge. Every text can be written, and comes back as it was; tokens that are no text (half a character) come back with
 * U+FFFD, as everywhere.
 */

/** A text that is one token wherever it stands: who speaks, where a call begins. */
export interface Mark {
  readonly text: string
  /** Left out when the text is shown (`skip_special_tokens`). */
  readonly special: boolean
}

interface TokenizerParts {
  readonly marks: readonly Mark[]
  readonly merges: readonly (readonly [left: string, right: string])[]
}

export interface Tokenizer extends TokenizerParts {
  readonly size: number
  /** The tokens as they are written: marks, letters of bytes, merged letters. */
  readonly tokens: readonly string[]
  /** Marks in the text become their tokens, as in Hugging Face's tokenizers. */
  encode(text: string): number[]
  /** Nothing in the text is a mark: for what a person or a simulator said. */
  encodePlain(text: string): number[]
  decode(tokens: Iterable<number>, options?: { readonly skipSpecial?: boolean }): string
  markId(text: string): number
  /** What is between the marks. */
  plainParts(text: string): readonly string[]
}

/** A piece that has been cut once need not be cut again; texts repeat themselves. */
const REMEMBERED = 50_000

export function createTokenizer({ marks, merges }: TokenizerParts): Tokenizer {
  const markTexts = marks.map(({ text }) => text)
  // Two merges may lead to the same letters.
  const written = [...new Set([...BYTE_LETTERS, ...merges.map(([left, right]) => left + right)])]
  const tokens = [...markTexts, ...written]
  const ids = new Map(written.map((token, i) => [token, marks.length + i]))
  const double = markTexts.find((text, i) => ids.has(text) || markTexts.indexOf(text) !== i)
  if (double !== undefined) throw new RangeError(`the mark "${double}" is a token already`)
  const ranks = new Map(merges.map(([left, right], rank) => [`${left} ${right}`, rank]))
  const markIds = new Map(marks.map(({ text }, id) => [text, id]))
  const markPattern = anyOf(markTexts)
  const remembered = new Map<string, readonly number[]>()

  function tokensOfPiece(piece: string): readonly number[] {
    const known = remembered.get(piece)
    if (known !== undefined) return known
    const cut = mergedLetters(Array.from(lettersOf(piece)), ranks).map(token => ids.get(token) ?? 0)
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(piece, cut)
    return cut
  }

  const encodePlain = (text: string): number[] => piecesOf(text).flatMap(tokensOfPiece)
  /** Plain parts at even places, the marks between them at odd ones. */
  const split = (text: string): readonly string[] => (markPattern === null ? [text] : text.split(markPattern))

  return {
    marks,
    merges,
    tokens,
    size: tokens.length,
    encodePlain,
    encode: text => split(text).flatMap((part, i) => (i % 2 === 0 ? encodePlain(part) : [markIds.get(part) ?? 0])),
    plainParts: text => split(text).filter((_, i) => i % 2 === 0),

    decode(given, { skipSpecial = false } = {}) {
      const bytes: Uint8Array[] = []
      for (const id of given) {
        if (!(id in tokens)) throw new RangeError(`there is no token ${id} among ${tokens.length}`)
        if (id >= marks.length) bytes.push(bytesOf(tokens[id]))
        else if (!(skipSpecial && marks[id].special)) bytes.push(Buffer.from(tokens[id]))
      }
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(bytes))
    },

    markId(text) {
      const id = markIds.get(text)
      if (id === undefined) throw new RangeError(`this tokenizer has no mark "${text}"`)
      return id
    },
  }
}

/** The longest of several that begin at the same place. */
function anyOf(texts: readonly string[]): RegExp | null {
  if (texts.length === 0) return null
  const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(
    `(${texts
      .toSorted((a, b) => b.length - a.length)
      .map(literal)
      .join('|')})`,
  )
}

/** Merges the pair of the lowest rank, the leftmost first, until no pair has a rank. */
function mergedLetters(letters: string[], ranks: ReadonlyMap<string, number>): readonly string[] {
  for (;;) {
    let best = -1
    let lowest = Number.POSITIVE_INFINITY
    for (let i = 1; i < letters.length; i++) {
      const rank = ranks.get(`${letters[i - 1]} ${letters[i]}`) ?? Number.POSITIVE_INFINITY
      if (rank < lowest) [best, lowest] = [i, rank]
    }
    if (best < 0) return letters
    letters.splice(best - 1, 2, letters[best - 1] + letters[best])
  }
}

/**
 * The letters in which byte-level tokenizers write bytes (GPT-2's): a printable byte is its own Latin-1 character, any
 * other one of the characters from 256 on, so that a vocabulary is readable text. Sorted by letter, as the vocabulary
 * begins.
 */
const isPrintable = (byte: number): boolean =>
  (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae

const ALL_BYTES = Array.from({ length: 256 }, (_, byte) => byte)
const HIDDEN_BYTES = ALL_BYTES.filter(byte => !isPrintable(byte))

const LETTER_OF_BYTE: readonly string[] = ALL_BYTES.map(byte =>
  String.fromCharCode(isPrintable(byte) ? byte : 256 + HIDDEN_BYTES.indexOf(byte)),
)
const BYTE_OF_LETTER: ReadonlyMap<string, number> = new Map(LETTER_OF_BYTE.map((letter, byte) => [letter, byte]))

export const BYTE_LETTERS: readonly string[] = LETTER_OF_BYTE.toSorted()

const encoder = new TextEncoder()

/** A text as the letters of its UTF-8 bytes. */
export function lettersOf(text: string): string {
  let letters = ''
  for (const byte of encoder.encode(text)) letters += LETTER_OF_BYTE[byte]
  return letters
}

function bytesOf(letters: string): Uint8Array {
  return Uint8Array.from(letters, letter => BYTE_OF_LETTER.get(letter) ?? 0)
}

/**
 * Where a text may be cut before bytes are merged: words with the blank before them, single digits, runs of other signs,
 * runs of blanks (the last one left to the word behind it). The expression means the same in JavaScript and in
 * Oniguruma, which reads it from tokenizer.json: no \s, which the two disagree about.
 */
const BLANK = '\\p{Z}\\t-\\r'

export const PIECE_PATTERN = [
  ' ?\\p{L}+',
  '\\p{N}',
  ` ?[^\\p{L}\\p{N}${BLANK}]+`,
  `[${BLANK}]+(?![^${BLANK}])`,
  `[${BLANK}]+`,
].join('|')

export function piecesOf(text: string): readonly string[] {
  return text.match(new RegExp(PIECE_PATTERN, 'gu')) ?? []
}
