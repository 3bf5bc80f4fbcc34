/**
 * Whole sequences on their way through the decoder, one after the other without padding: every product runs over the
 * rows of all of them, attention over each by itself. A sequence is cut after the last token that something is asked
 * about, since what follows cannot matter.
 */
import { ATTENTION_BLOCK, weightStride } from '../kernels/decoder-kernels.js'
import { type Matrix, rowsFrom, zero } from './matrix.js'
import type { Parts, TrainedPassage } from './parts.js'

export interface TokenSequence {
  readonly tokens: ArrayLike<number>
  /** 1 where the token's probability is asked for. That of the first never is: nothing comes before it. */
  readonly scored: ArrayLike<number>
}

export interface PackedPassage extends TrainedPassage {
  /** For each scored token, sequence by sequence, the row whose state predicts it. */
  readonly scoredRows: readonly number[]
  readonly targets: readonly number[]
  /** Where the scored tokens of each sequence begin, and at last where they end. */
  readonly boundaries: readonly number[]
}

export function packSequences({ engine, scratch, shape }: Parts, sequences: readonly TokenSequence[]): PackedPassage {
  const { kernels } = engine
  const { heads, keyHeads, headWidth, positions: longest, vocabulary } = shape
  const scoredRows: number[] = []
  const targets: number[] = []
  const boundaries = [0]
  const parts: { readonly first: number; readonly length: number; readonly weights: number }[] = []
  let rows = 0
  let weightCount = 0
  let widest = 0
  for (const { tokens, scored } of sequences) {
    let length = 0
    for (let i = 1; i < tokens.length; i++) {
      if (!scored[i]) continue
      scoredRows.push(rows + i - 1)
      targets.push(tokens[i])
      length = i
    }
    if (length > longest) throw new RangeError(`a sequence of ${length + 1} tokens is longer than ${longest} positions`)
    parts.push({ first: rows, length, weights: weightCount })
    boundaries.push(targets.length)
    rows += length
    weightCount += heads * length * weightStride(length)
    widest = Math.max(widest, weightStride(length))
  }
  const tokens = scratch('tokens', rows, 1).start
  const positions = scratch('positions', rows, 1).start
  // Asked for before numbers(): memory that grows moves.
  const numbers = engine.numbers()
  sequences.forEach((sequence, s) => {
    const { first, length } = parts[s]
    for (let i = 0; i < length; i++) {
      const token = sequence.tokens[i]
      if (!(token >= 0 && token < vocabulary)) throw new RangeError(`there is no token ${token} among ${vocabulary}`)
      numbers[tokens + first + i] = token
      numbers[positions + first + i] = i
    }
  })
  const weightsOf = (layer: number): number => scratch(`${layer} attention weights`, 1, weightCount).start
  const of = (matrix: Matrix, s: number): number => rowsFrom(matrix, parts[s].first, parts[s].length).start

  return {
    rows,
    tokens,
    positions,
    scoredRows,
    targets,
    boundaries,
    traceOf: layer => String(layer),
    attend(layer, out, queries, keys, values) {
      const weights = weightsOf(layer)
      parts.forEach((part, s) => {
        if (part.length === 0) return
        kernels.attend(
          ...[of(out, s), weights + part.weights, of(queries, s), of(keys, s), of(values, s)],
          ...[part.length, 0, heads, keyHeads, headWidth],
        )
      })
    },
    attendBackward(layer, { dOut, dQueries, dKeys, dValues }, queries, keys, values) {
      const weights = weightsOf(layer)
      const block = scratch('attention block', ATTENTION_BLOCK, widest).start
      zero(engine, dKeys)
      zero(engine, dValues)
      parts.forEach((part, s) => {
        if (part.length === 0) return
        kernels.attendBackward(
          ...[of(dQueries, s), of(dKeys, s), of(dValues, s), of(dOut, s), block, weights + part.weights],
          ...[of(queries, s), of(keys, s), of(values, s), part.length, 0, heads, keyHeads, headWidth],
        )
      })
    },
  }
}
