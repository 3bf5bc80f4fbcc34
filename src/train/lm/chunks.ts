/**
 * A batch in parts that a model can hold at once. Since every loss here is a sum over tokens, their gradients add up to
 * that of the whole, and a batch of any size needs no more memory than one part.
 */
import type { TokenSequence } from './prefix-tree.js'

/**
 * 20 MB of traces with the default decoder. Larger parts are hardly faster, smaller ones tear apart the rollouts of one
 * prompt, which share the cost of it.
 */
export const TOKENS_AT_A_TIME = 2048

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
