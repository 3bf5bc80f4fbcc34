/**
 * Attention of one layer. With x the normalised stream, head by head:
 *   q = turn(norm(x Wq^T))    k = turn(norm(x Wk^T))    v = x Wv^T    y = attend(q, k, v) Wo^T
 * where `turn` is by the row's position. Which rows see which is the passage's affair.
 */

import type { Matrix } from './matrix.js'
import { linearOf, normOf, type Parts, type Passage, type TrainedPassage } from './parts.js'
import { createRotation } from './rotation.js'
import { decoderLayerNames } from './shape.js'

export interface Attention {
  /** Writes y for the rows x. */
  forward(passage: Passage, y: Matrix, x: Matrix): void
  /** Of the last forward of this passage: from dy to dx. */
  backward(passage: TrainedPassage, dx: Matrix, dy: Matrix, x: Matrix): void
}

export function createAttention(parts: Parts, layer: number): Attention {
  const { scratch, shape } = parts
  const { heads, keyHeads, headWidth } = shape
  const names = decoderLayerNames(layer)
  const toQueries = linearOf(parts, names.query)
  const toKeys = linearOf(parts, names.key)
  const toValues = linearOf(parts, names.value)
  const fromHeads = linearOf(parts, names.output)
  const queryNorm = normOf(parts, names.queryNorm)
  const keyNorm = normOf(parts, names.keyNorm)
  const rotation = createRotation(parts)

  /** What the way back needs again; the same places in both directions. */
  function trace(passage: Passage) {
    const prefix = passage.traceOf(layer)
    const matrix = (name: string, columns: number): Matrix => scratch(`${prefix} ${name}`, passage.rows, columns)
    return {
      rawQueries: matrix('raw queries', heads * headWidth),
      rawKeys: matrix('raw keys', keyHeads * headWidth),
      queryScales: matrix('query scales', heads).start,
      keyScales: matrix('key scales', keyHeads).start,
      queries: matrix('queries', heads * headWidth),
      keys: matrix('keys', keyHeads * headWidth),
      values: matrix('values', keyHeads * headWidth),
      mixed: matrix('mixed values', heads * headWidth),
    }
  }

  return {
    forward(passage, y, x) {
      const { rawQueries, rawKeys, queryScales, keyScales, queries, keys, values, mixed } = trace(passage)
      toQueries.forward(rawQueries, x)
      toKeys.forward(rawKeys, x)
      toValues.forward(values, x)
      queryNorm.forward(queries, queryScales, rawQueries)
      keyNorm.forward(keys, keyScales, rawKeys)
      rotation.turn(queries, passage.positions)
      rotation.turn(keys, passage.positions)
      passage.attend(layer, mixed, queries, keys, values)
      fromHeads.forward(y, mixed)
    },

    backward(passage, dx, dy, x) {
      const { rawQueries, rawKeys, queryScales, keyScales, queries, keys, values, mixed } = trace(passage)
      const like = (name: string, { rows, columns }: Matrix): Matrix => scratch(name, rows, columns)
      const dMixed = like('d mixed values', mixed)
      const dQueries = like('d queries', queries)
      const dKeys = like('d keys', keys)
      const dValues = like('d values', values)
      fromHeads.addWeightGradient(dy, mixed)
      fromHeads.inputGradient(dMixed, dy)
      passage.attendBackward(layer, { dOut: dMixed, dQueries, dKeys, dValues }, queries, keys, values)
      rotation.turnBack(dQueries, passage.positions)
      rotation.turnBack(dKeys, passage.positions)
      // A norm's slope may overwrite the one it comes from: each row is read before it is written.
      queryNorm.backward(dQueries, dQueries, queryScales, rawQueries)
      keyNorm.backward(dKeys, dKeys, keyScales, rawKeys)
      toQueries.addWeightGradient(dQueries, x)
      toKeys.addWeightGradient(dKeys, x)
      toValues.addWeightGradient(dValues, x)
      toQueries.inputGradient(dx, dQueries)
      toKeys.inputGradient(dx, dKeys, true)
      toValues.inputGradient(dx, dValues, true)
    },
  }
}
