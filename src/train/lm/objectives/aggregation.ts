/**
 * How the losses of tokens become one number. Every mode is a weight for each token, the same for all tokens of a
 * sequence, so that a batch can be gone through in parts whose losses and gradients add up. With T tokens in all, T_s in
 * a sequence, S sequences that have any:
 *   token-mean               1 / T             every token counts alike (DAPO, verl's default)
 *   token-sum                1
 *   seq-mean-token-sum       1 / S
 *   seq-mean-token-mean      1 / (S T_s)       every sequence counts alike (GRPO's paper)
 *   seq-mean-token-sum-norm  1 / (S L)         L a constant, the longest response there may be (Dr. GRPO)
 */
export const AGGREGATIONS = [
  'token-mean',
  'token-sum',
  'seq-mean-token-sum',
  'seq-mean-token-mean',
  'seq-mean-token-sum-norm',
] as const
export type Aggregation = (typeof AGGREGATIONS)[number]

/** For each sequence what one of its tokens weighs. `counts`: tokens of each sequence; `longest`: L. */
export function tokenWeights(counts: readonly number[], aggregation: Aggregation, longest: number): Float64Array {
  const tokens = counts.reduce((sum, count) => sum + count, 0)
  const sequences = counts.filter(count => count > 0).length
  return Float64Array.from(counts, count =>
    count === 0 ? 0 : weightOf(aggregation, tokens, sequences, count, longest),
  )
}

function weightOf(
  aggregation: Aggregation,
  tokens: number,
  sequences: number,
  ownTokens: number,
  longest: number,
): number {
  switch (aggregation) {
    case 'token-mean':
      return 1 / tokens
    case 'token-sum':
      return 1
    case 'seq-mean-token-sum':
      return 1 / sequences
    case 'seq-mean-token-mean':
      return 1 / (sequences * ownTokens)
    case 'seq-mean-token-sum-norm':
      return 1 / (sequences * longest)
  }
}
