/**
 * Attention of one layer. With x the normalised stream, head by head:
 *   q = turn(norm(x Wq^T))    k = turn(norm(x Wk^T))    v = x Wv^T    y = attend(q, k, v) Wo^T
 * where `turn` is by the row's position. Which rows see which is the passage's affair. Keys and values are of all rows,
 * queries of those that are asked about.
 */

import type { Engine } from '../kernels/engine.js'
import type { Matrix } from '../matrix/matrix.js'
import {
  linearOf,
  normOf,
  type Parts,
  type Passage,
  type RotationTables,
  type RowSet,
  type TrainedPassage,
} from './parts.js'
import { type DecoderShape, decoderLayerNames } from './shape.js'

interface Attention {
  /** Writes y for the `asking` rows, given x of all rows and of these. */
  forward(passage: Passage, asking: RowSet, y: Matrix, x: Matrix, askingX: Matrix): void
  /** Of the last forward of this passage: from dy to the slopes of x by keys and values, and of askingX by queries. */
  backward(passage: TrainedPassage, asking: RowSet, slopes: InputSlopes, dy: Matrix, x: Matrix, askingX: Matrix): void
}

interface InputSlopes {
  readonly dx: Matrix
  readonly dAskingX: Matrix
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
  function trace(passage: Passage, asking: RowSet) {
    const prefix = passage.traceOf(layer)
    const matrix = (name: string, { count }: RowSet, columns: number): Matrix =>
      scratch(`${prefix} ${name}`, count, columns)
    const { all } = passage
    return {
      rawQueries: matrix('raw queries', asking, heads * headWidth),
      rawKeys: matrix('raw keys', all, keyHeads * headWidth),
      queryScales: matrix('query scales', asking, heads).start,
      keyScales: matrix('key scales', all, keyHeads).start,
      queries: matrix('queries', asking, heads * headWidth),
      keys: matrix('keys', all, keyHeads * headWidth),
      values: matrix('values', all, keyHeads * headWidth),
      mixed: matrix('mixed values', asking, heads * headWidth),
    }
  }

  return {
    forward(passage, asking, y, x, askingX) {
      const { rawQueries, rawKeys, queryScales, keyScales, queries, keys, values, mixed } = trace(passage, asking)
      toQueries.forward(rawQueries, askingX)
      toKeys.forward(rawKeys, x)
      toValues.forward(values, x)
      queryNorm.forward(queries, queryScales, rawQueries)
      keyNorm.forward(keys, keyScales, rawKeys)
      rotation.turn(queries, asking.positions)
      rotation.turn(keys, passage.all.positions)
      passage.attend(layer, mixed, queries, keys, values)
      fromHeads.forward(y, mixed)
    },

    backward(passage, asking, { dx, dAskingX }, dy, x, askingX) {
      const { rawQueries, rawKeys, queryScales, keyScales, queries, keys, values, mixed } = trace(passage, asking)
      const like = (name: string, { rows, columns }: Matrix): Matrix => scratch(name, rows, columns)
      const dMixed = like('d mixed values', mixed)
      const dQueries = like('d queries', queries)
      const dKeys = like('d keys', keys)
      const dValues = like('d values', values)
      fromHeads.addWeightGradient(dy, mixed)
      fromHeads.inputGradient(dMixed, dy)
      passage.attendBackward(layer, { dOut: dMixed, dQueries, dKeys, dValues }, queries, keys, values)
      rotation.turnBack(dQueries, asking.positions)
      rotation.turnBack(dKeys, passage.all.positions)
      // A norm's slope may overwrite the one it comes from: each row is read before it is written.
      queryNorm.backward(dQueries, dQueries, queryScales, rawQueries)
      keyNorm.backward(dKeys, dKeys, keyScales, rawKeys)
      toQueries.addWeightGradient(dQueries, askingX)
      toKeys.addWeightGradient(dKeys, x)
      toValues.addWeightGradient(dValues, x)
      toQueries.inputGradient(dAskingX, dQueries)
      toKeys.inputGradient(dx, dKeys)
      toValues.inputGradient(dx, dValues, true)
    },
  }
}

/**
 * Rotary positions (Su et al. 2021): pair i of a head is turned by position x theta^(-2i / headWidth). The tables are
 * made once, in float64.
 */

interface Rotation {
  turn(x: Matrix, positions: number): void
  turnBack(x: Matrix, positions: number): void
}

export function createRotationTables(engine: Engine, shape: DecoderShape): RotationTables {
  const { positions, headWidth, ropeTheta } = shape
  const half = headWidth / 2
  const cosines = engine.allocate(positions * half)
  const sines = engine.allocate(positions * half)
  const numbers = engine.numbers()
  for (let position = 0; position < positions; position++) {
    for (let pair = 0; pair < half; pair++) {
      const angle = position * ropeTheta ** ((-2 * pair) / headWidth)
      numbers[cosines + position * half + pair] = Math.cos(angle)
      numbers[sines + position * half + pair] = Math.sin(angle)
    }
  }
  return { cosines, sines }
}

function createRotation({ engine, shape, rotationTables }: Parts): Rotation {
  const { headWidth } = shape
  const { cosines, sines } = rotationTables
  const turned = ({ start, rows, columns }: Matrix, positions: number, direction: 1 | -1): void =>
    engine.kernels.rotate(start, positions, cosines, sines, rows, columns / headWidth, headWidth, direction)
  return {
    turn: (x, positions) => turned(x, positions, 1),
    turnBack: (x, positions) => turned(x, positions, -1),
  }
}
