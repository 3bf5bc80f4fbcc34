/**
 * One layer of cross-attention with a single query token, re-associated so that no key or value of a candidate is ever
 * computed. For each head a, with R the reduced candidates and rows W_a of a head:
 *   u_a = Wk_a^T (Wq q + bq)_a      w_a = softmax(R u_a / sqrt(h / heads))      z_a = R^T w_a
 *   context_a = Wv_a z_a + bv_a sum(w_a)      out = LayerNorm(Wo context + bo + q)
 * The key bias adds the same number to all scores of a head and cancels, so its gradient is exactly zero; torch's is
 * round-off. sum(w_a) is 1 unless dropout acts on the weights.
 */
import { allocateMatrix, columnsOf, type Matrix, matrixAt, matrixOf, rowOf, rowsOf } from '../matrix/matrix.js'
import { addOuterGradient, denseGradient, type Parameter } from '../matrix/parameters.js'
import { LAYER_NORM_EPSILON, layerNames, type Model } from './shape.js'

/** Below this a weight is zero in effect, and a subnormal float32 would slow every product it enters. */
const SMALLEST_WEIGHT = 1e-30

interface Attention {
  /** From the query `input` to the query `output`. `dropout` has heads x candidates factors. */
  forward(input: Matrix, output: Matrix, reduced: Matrix, dropout: Float32Array | undefined): void
  /**
   * Of the last forward. Adds to `dInput` if `inputWanted`, and to `dReduced` unless it is undefined; `dOutput` is
   * overwritten.
   */
  backward(dOutput: Matrix, dInput: Matrix, inputWanted: boolean, dReduced: Matrix | undefined): void
}

interface LayerTrace {
  readonly input: Matrix
  readonly reduced: Matrix
  readonly dropout: Float32Array | undefined
  readonly inverseDeviation: number
}

/** Blocks of rows in which the gradient of in_proj_weight is one outer product each: queries, keys, values. */
export const attentionBlocks = (hidden: number, heads: number): readonly number[] => [
  hidden,
  ...new Array<number>(2 * heads).fill(hidden / heads),
]

export function createAttention({ engine, kernels, shape, parameters, scratch }: Model, layer: number): Attention {
  const { hidden, heads: headCount } = shape
  const size = hidden / headCount
  const names = layerNames(layer)
  const weight = parameters.get(names.attention)
  const bias = parameters.get(names.attentionBias)
  const output = parameters.get(names.output)
  const outputBias = parameters.get(names.outputBias)
  const norm = parameters.get(names.norm)
  const normBias = parameters.get(names.normBias)
  const scale = 1 / Math.sqrt(size)

  const vector = (): Matrix => allocateMatrix(engine, 1, hidden)
  const projectedQuery = vector()
  const context = vector()
  const centred = vector()
  const dContext = vector()
  const dMixture = vector()
  const dPerHeadQuery = vector()
  const dProjectedQuery = vector()
  const dQuery = vector()
  const fromHeads = matrixOf(output)
  const toQueries = rowsOf(matrixOf(weight), 0, hidden)
  const queryBias = columnsOf(matrixOf(bias), 0, hidden)
  const valueBias = columnsOf(matrixOf(bias), 2 * hidden, hidden)
  /** What belongs to one head: its rows of the weight and its part of each vector. */
  const heads = Array.from({ length: headCount }, (_, head) => {
    const part = (whole: Matrix): Matrix => columnsOf(whole, head * size, size)
    return {
      toKeys: rowsOf(matrixOf(weight), hidden + head * size, size),
      toValues: rowsOf(matrixOf(weight), 2 * hidden + head * size, size),
      projectedQuery: part(projectedQuery),
      dProjectedQuery: part(dProjectedQuery),
      context: part(context),
      dContext: part(dContext),
      valueBias: part(valueBias),
      /** u and z */
      query: vector(),
      mixture: vector(),
    }
  })
  const named = (name: string, rows: number, columns: number): Matrix =>
    scratch(`layer ${layer} ${name}`, rows, columns)
  const sums = new Float64Array(headCount)
  const nothing = matrixAt(0, 0, 0)
  let last: LayerTrace = { input: nothing, reduced: nothing, dropout: undefined, inverseDeviation: 0 }

  function forward(input: Matrix, out: Matrix, reduced: Matrix, dropout: Float32Array | undefined): void {
    const count = reduced.rows
    const weights = named('weights', headCount, count)
    const dropped = dropout === undefined ? weights : named('dropped weights', headCount, count)
    kernels.matrixVector(projectedQuery, toQueries, input)
    kernels.add(projectedQuery, queryBias)
    heads.forEach((of, head) => {
      const w = rowOf(weights, head)
      kernels.transposedVector(of.query, of.toKeys, of.projectedQuery)
      kernels.matrixVector(w, reduced, of.query)
      softmax(w)
      sums[head] = dropout === undefined ? 1 : applyDropout(dropout, head, w, rowOf(dropped, head))
      kernels.transposedVector(of.mixture, reduced, rowOf(dropped, head))
      kernels.matrixVector(of.context, of.toValues, of.mixture)
      addScaled(of.context, sums[head], of.valueBias)
    })
    kernels.matrixVector(out, fromHeads, context)
    last = { input, reduced, dropout, inverseDeviation: layerNorm(input, out) }
  }

  function addScaled({ start: target, columns }: Matrix, factor: number, { start: source }: Matrix): void {
    const a = engine.numbers()
    for (let i = 0; i < columns; i++) a[target + i] += factor * a[source + i]
  }

  function softmax({ start: w, columns }: Matrix): void {
    const a = engine.numbers()
    let most = Number.NEGATIVE_INFINITY
    for (let k = 0; k < columns; k++) most = Math.max(most, a[w + k])
    let total = 0
    for (let k = 0; k < columns; k++) {
      const value = Math.exp((a[w + k] - most) * scale)
      a[w + k] = value
      total += value
    }
    for (let k = 0; k < columns; k++) {
      const share = a[w + k] / total
      a[w + k] = share < SMALLEST_WEIGHT ? 0 : share
    }
  }

  function applyDropout(
    dropout: Float32Array,
    head: number,
    { start: w, columns }: Matrix,
    { start: dropped }: Matrix,
  ): number {
    const a = engine.numbers()
    let sum = 0
    for (let k = 0; k < columns; k++) {
      const kept = a[w + k] * dropout[head * columns + k]
      a[dropped + k] = kept
      sum += kept
    }
    return sum
  }

  /** Adds output bias and residual to `out` and normalises it there; keeps the normalised vector before its weight. */
  function layerNorm({ start: x }: Matrix, { start: y }: Matrix): number {
    const a = engine.numbers()
    let mean = 0
    for (let i = 0; i < hidden; i++) {
      a[y + i] += a[outputBias.start + i] + a[x + i]
      mean += a[y + i]
    }
    mean /= hidden
    let variance = 0
    for (let i = 0; i < hidden; i++) variance += (a[y + i] - mean) ** 2
    const inverse = 1 / Math.sqrt(variance / hidden + LAYER_NORM_EPSILON)
    for (let i = 0; i < hidden; i++) {
      const value = (a[y + i] - mean) * inverse
      a[centred.start + i] = value
      a[y + i] = value * a[norm.start + i] + a[normBias.start + i]
    }
    return inverse
  }

  function backward(dOutput: Matrix, dInput: Matrix, inputWanted: boolean, dReduced: Matrix | undefined): void {
    const { input, reduced, dropout } = last
    const count = reduced.rows
    const weights = named('weights', headCount, count)
    const dropped = dropout === undefined ? weights : named('dropped weights', headCount, count)
    const dScores = named('d scores', 1, count)
    layerNormBackward(dOutput)
    addVector(outputBias, dOutput)
    addOuterGradient(engine, output, 0, dOutput, context)
    kernels.transposedVector(dContext, fromHeads, dOutput)
    heads.forEach((of, head) => {
      addOuterGradient(engine, weight, 1 + headCount + head, of.dContext, of.mixture)
      kernels.transposedVector(dMixture, of.toValues, of.dContext)
      kernels.matrixVector(dScores, reduced, dMixture)
      if (dReduced !== undefined) kernels.addOuter(dReduced, rowOf(dropped, head), dMixture)
      softmaxBackward(dScores, rowOf(weights, head), head)
      if (dReduced !== undefined) kernels.addOuter(dReduced, dScores, of.query)
      kernels.transposedVector(dPerHeadQuery, reduced, dScores)
      addOuterGradient(engine, weight, 1 + head, of.projectedQuery, dPerHeadQuery)
      kernels.matrixVector(of.dProjectedQuery, of.toKeys, dPerHeadQuery)
    })
    addOuterGradient(engine, weight, 0, dProjectedQuery, input)
    if (bias.trainable) {
      const target = matrixAt(denseGradient(engine, bias), 1, 3 * hidden)
      kernels.add(columnsOf(target, 0, hidden), dProjectedQuery)
      const ofValues = columnsOf(target, 2 * hidden, hidden)
      heads.forEach((of, head) => {
        addScaled(columnsOf(ofValues, head * size, size), sums[head], of.dContext)
      })
    }
    if (!inputWanted) return
    kernels.transposedVector(dQuery, toQueries, dProjectedQuery)
    kernels.add(dInput, dQuery)
    kernels.add(dInput, dOutput)
  }

  /** Turns the gradient of the weights in `dScores` into that of the scores before softmax. */
  function softmaxBackward({ start: slopes, columns }: Matrix, { start: w }: Matrix, head: number): void {
    const a = engine.numbers()
    const { dropout } = last
    if (dropout !== undefined) {
      const { start: biases } = heads[head].valueBias
      const { start: dContexts } = heads[head].dContext
      let throughBias = 0
      for (let i = 0; i < size; i++) throughBias += a[biases + i] * a[dContexts + i]
      for (let k = 0; k < columns; k++) a[slopes + k] = (a[slopes + k] + throughBias) * dropout[head * columns + k]
    }
    let mean = 0
    for (let k = 0; k < columns; k++) mean += a[w + k] * a[slopes + k]
    for (let k = 0; k < columns; k++) a[slopes + k] = a[w + k] * (a[slopes + k] - mean) * scale
  }

  /** Turns the gradient in `dOutput` into that of the sum which was normalised. */
  function layerNormBackward(dOutput: Matrix): void {
    addVector(normBias, dOutput)
    const dNorm = norm.trainable ? denseGradient(engine, norm) : undefined
    const a = engine.numbers()
    const { start: slopes } = dOutput
    const { start: before } = centred
    let mean = 0
    let along = 0
    for (let i = 0; i < hidden; i++) {
      const slope = a[slopes + i]
      if (dNorm !== undefined) a[dNorm + i] += slope * a[before + i]
      const scaled = slope * a[norm.start + i]
      a[slopes + i] = scaled
      mean += scaled
      along += scaled * a[before + i]
    }
    mean /= hidden
    along /= hidden
    for (let i = 0; i < hidden; i++) {
      a[slopes + i] = (a[slopes + i] - mean - a[before + i] * along) * last.inverseDeviation
    }
  }

  function addVector(parameter: Parameter, vector: Matrix): void {
    if (parameter.trainable) kernels.add(matrixAt(denseGradient(engine, parameter), 1, parameter.length), vector)
  }

  return { forward, backward }
}
