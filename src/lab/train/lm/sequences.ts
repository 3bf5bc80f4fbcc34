/**
 * The tree of what sequences begin with. A row is a token after all that came before it: two sequences share the rows of
 * their common beginning, and from where they part on each has its own, one after the other.
 */
import type { DecoderShape } from './shape.js'

export interface TokenSequence {
  readonly tokens: ArrayLike<number>
  /** 1 where the token's probability is asked for. That of the first never is: nothing comes before it. */
  readonly scored: ArrayLike<number>
}

interface PrefixTree {
  /** Of each row. */
  readonly rowTokens: readonly number[]
  readonly rowPositions: readonly number[]
  readonly rowsOfSequences: readonly (readonly number[])[]
  /** For each scored token, sequence by sequence: the row that predicts it, which is the one before it, and the token. */
  readonly scoredRows: readonly number[]
  readonly targets: readonly number[]
  /** Where the scored tokens of each sequence begin, and at last where they end. */
  readonly boundaries: readonly number[]
}

export function prefixTree(
  sequences: readonly TokenSequence[],
  { vocabulary, positions }: Pick<DecoderShape, 'vocabulary' | 'positions'>,
): PrefixTree {
  const rowTokens: number[] = []
  const rowPositions: number[] = []
  const scoredRows: number[] = []
  const targets: number[] = []
  const boundaries = [0]
  /** The row of a token after another row, or after nothing; the pair as one number. */
  const rowAfter = new Map<number, number>()
  const rowsOfSequences = sequences.map(({ tokens, scored }) => {
    const rows: number[] = []
    const end = lastScored(tokens, scored)
    if (end > positions) throw new RangeError(`a sequence of ${end + 1} tokens is longer than ${positions} positions`)
    for (let i = 0; i < end; i++) {
      const token = tokens[i]
      if (!(token >= 0 && token < vocabulary)) throw new RangeError(`there is no token ${token} among ${vocabulary}`)
      const key = ((rows[i - 1] ?? -1) + 1) * vocabulary + token
      const row = rowAfter.get(key) ?? rowTokens.push(token) - 1
      if (!rowAfter.has(key)) {
        rowAfter.set(key, row)
        rowPositions.push(i)
      }
      rows.push(row)
      if (!scored[i + 1]) continue
      scoredRows.push(row)
      targets.push(tokens[i + 1])
    }
    boundaries.push(targets.length)
    return rows
  })
  return { rowTokens, rowPositions, rowsOfSequences, scoredRows, targets, boundaries }
}

function lastScored(tokens: ArrayLike<number>, scored: ArrayLike<number>): number {
  for (let i = tokens.length - 1; i > 0; i--) if (scored[i]) return i
  return 0
}

/**
 * A batch in parts that a model can hold at once. Since every loss here is a sum over tokens, their gradients add up to
 * that of the whole, and a batch of any size needs no more memory than one part.
 */

/**
 * 20 MB of traces with the default decoder. Larger parts are hardly faster, smaller ones tear apart the rollouts of one
 * prompt, which share the cost of it.
 */
const TOKENS_AT_A_TIME = 2048

/** Whole sequences in their order, as many as make about so many tokens; at least one. */
export function chunksOf<Sequence extends TokenSequence>(
  sequences: readonly Sequence[],
  tokensAtATime = TOKENS_AT_A_TIME,
): readonly (readonly Sequence[])[] {
  const chunks: Sequence[][] = []
  let room = 0
  for (const sequence of sequences) {
    const { length } = sequence.tokens
    if (length > room) {
      chunks.push([])
      room = tokensAtATime
    }
    chunks[chunks.length - 1].push(sequence)
    room -= length
  }
  return chunks
}
