/**
 * One layer of cross-attention with a single query token, re-associated so that no key or value of a candidate is ever
 * computed. For each head a, with R the reduced candidates and rows W_a of a head:
 *   u_a = Wk_a^T (Wq q + bq)_a      w_a = softmax(R u_a / sqrt(h / heads))      z_a = R^T w_a
 *   context_a = Wv_a z_a + bv_a sum(w_a)      out = LayerNorm(Wo context + bo + q)
 * The key bias adds the same number to all scores of a head and cancels, so its gradient is exactly zero; torch's is
 * round-off. sum(w_a) is 1 unless dropout acts on the weights.
 */
import { addTo, type Model } from './model.js'
import { addOuterGradient, denseGradient, type Parameter } from './parameters.js'
import { LAYER_NORM_EPSILON, layerNames } from './shape.js'

/** Below this a weight is zero in effect, and a subnormal float32 would slow every product it enters. */
const SMALLEST_WEIGHT = 1e-30

export interface Attention {
  /** From the query at `input` to the query at `output`. `dropout` has heads x count factors. */
  forward(input: number, output: number, reduced: number, count: number, dropout: Float32Array | undefined): void
  /**
   * Of the last forward. Adds to `dInput` if `inputWanted`, and to `dReduced` unless it is undefined; `dOutput` is
   * overwritten.
   */
  backward(dOutput: number, dInput: number, inputWanted: boolean, dReduced: number | undefined): void
}

interface LayerTrace {
  readonly input: number
  readonly reduced: number
  readonly count: number
  readonly dropout: Float32Array | undefined
  readonly inverseDeviation: number
}

/** Blocks of rows in which the gradient of in_proj_weight is one outer product each: queries, keys, values. */
export const attentionBlocks = (hidden: number, heads: number): readonly number[] => [
  hidden,
  ...new Array<number>(2 * heads).fill(hidden / heads),
]

export function createAttention({ engine, shape, parameters, workspace }: Model, layer: number): Attention {
  const { kernels } = engine
  const { hidden, heads } = shape
  const size = hidden / heads
  const names = layerNames(layer)
  const weight = parameters.get(names.attention)
  const bias = parameters.get(names.attentionBias)
  const output = parameters.get(names.output)
  const outputBias = parameters.get(names.outputBias)
  const norm = parameters.get(names.norm)
  const normBias = parameters.get(names.normBias)
  const keys = weight.start + hidden * hidden
  const values = keys + hidden * hidden
  const scale = 1 / Math.sqrt(size)

  const projectedQuery = engine.allocate(hidden)
  const perHeadQuery = engine.allocate(heads * hidden)
  const mixture = engine.allocate(heads * hidden)
  const context = engine.allocate(hidden)
  const centred = engine.allocate(hidden)
  const dContext = engine.allocate(hidden)
  const dMixture = engine.allocate(hidden)
  const dPerHeadQuery = engine.allocate(hidden)
  const dProjectedQuery = engine.allocate(hidden)
  const dQuery = engine.allocate(hidden)
  const named = (name: string, length: number): number => workspace(`layer ${layer} ${name}`, length)
  const sums = new Float64Array(heads)
  let last: LayerTrace = { input: 0, reduced: 0, count: 0, dropout: undefined, inverseDeviation: 0 }

  function forward(
    input: number,
    out: number,
    reduced: number,
    count: number,
    dropout: Float32Array | undefined,
  ): void {
    const weights = named('weights', heads * count)
    const dropped = dropout === undefined ? weights : named('dropped weights', heads * count)
    const a = engine.numbers()
    kernels.matrixVector(projectedQuery, weight.start, input, hidden, hidden, hidden)
    addTo(a, projectedQuery, bias.start, hidden)
    for (let head = 0; head < heads; head++) {
      const rows = head * size
      const u = perHeadQuery + head * hidden
      const z = mixture + head * hidden
      const w = weights + head * count
      kernels.transposedVector(u, keys + rows * hidden, projectedQuery + rows, size, hidden, hidden)
      kernels.matrixVector(w, reduced, u, count, hidden, hidden)
      softmax(w, count)
      sums[head] = dropout === undefined ? 1 : applyDropout(dropout, head, w, dropped + head * count, count)
      kernels.transposedVector(z, reduced, dropped + head * count, count, hidden, hidden)
      kernels.matrixVector(context + rows, values + rows * hidden, z, size, hidden, hidden)
      for (let i = rows; i < rows + size; i++) a[context + i] += sums[head] * a[bias.start + 2 * hidden + i]
    }
    kernels.matrixVector(out, output.start, context, hidden, hidden, hidden)
    last = { input, reduced, count, dropout, inverseDeviation: layerNorm(input, out) }
  }

  function softmax(w: number, count: number): void {
    const a = engine.numbers()
    let most = Number.NEGATIVE_INFINITY
    for (let k = 0; k < count; k++) most = Math.max(most, a[w + k])
    let total = 0
    for (let k = 0; k < count; k++) {
      const value = Math.exp((a[w + k] - most) * scale)
      a[w + k] = value
      total += value
    }
    for (let k = 0; k < count; k++) {
      const share = a[w + k] / total
      a[w + k] = share < SMALLEST_WEIGHT ? 0 : share
    }
  }

  function applyDropout(dropout: Float32Array, head: number, w: number, dropped: number, count: number): number {
    const a = engine.numbers()
    let sum = 0
    for (let k = 0; k < count; k++) {
      const kept = a[w + k] * dropout[head * count + k]
      a[dropped + k] = kept
      sum += kept
    }
    return sum
  }

  /** Adds output bias and residual to `out` and normalises it there; keeps the normalised vector before its weight. */
  function layerNorm(input: number, out: number): number {
    const a = engine.numbers()
    let mean = 0
    for (let i = 0; i < hidden; i++) {
      a[out + i] += a[outputBias.start + i] + a[input + i]
      mean += a[out + i]
    }
    mean /= hidden
    let variance = 0
    for (let i = 0; i < hidden; i++) variance += (a[out + i] - mean) ** 2
    const inverse = 1 / Math.sqrt(variance / hidden + LAYER_NORM_EPSILON)
    for (let i = 0; i < hidden; i++) {
      const value = (a[out + i] - mean) * inverse
      a[centred + i] = value
      a[out + i] = value * a[norm.start + i] + a[normBias.start + i]
    }
    return inverse
  }

  function backward(dOutput: number, dInput: number, inputWanted: boolean, dReduced: number | undefined): void {
    const { input, reduced, count, dropout } = last
    const weights = named('weights', heads * count)
    const dropped = dropout === undefined ? weights : named('dropped weights', heads * count)
    const dScores = named('d scores', count)
    const a = engine.numbers()
    layerNormBackward(dOutput)
    addVector(outputBias, dOutput)
    addOuterGradient(engine, output, 0, dOutput, context)
    kernels.transposedVector(dContext, output.start, dOutput, hidden, hidden, hidden)
    for (let head = 0; head < heads; head++) {
      const rows = head * size
      const z = mixture + head * hidden
      const u = perHeadQuery + head * hidden
      addOuterGradient(engine, weight, 1 + heads + head, dContext + rows, z)
      kernels.transposedVector(dMixture, values + rows * hidden, dContext + rows, size, hidden, hidden)
      kernels.matrixVector(dScores, reduced, dMixture, count, hidden, hidden)
      if (dReduced !== undefined) kernels.addOuter(dReduced, dropped + head * count, dMixture, count, hidden, hidden)
      softmaxBackward(dScores, weights + head * count, count, head, dContext + rows)
      if (dReduced !== undefined) kernels.addOuter(dReduced, dScores, u, count, hidden, hidden)
      kernels.transposedVector(dPerHeadQuery, reduced, dScores, count, hidden, hidden)
      addOuterGradient(engine, weight, 1 + head, projectedQuery + rows, dPerHeadQuery)
      kernels.matrixVector(dProjectedQuery + rows, keys + rows * hidden, dPerHeadQuery, size, hidden, hidden)
    }
    addOuterGradient(engine, weight, 0, dProjectedQuery, input)
    if (bias.trainable) {
      const target = denseGradient(engine, bias)
      addTo(a, target, dProjectedQuery, hidden)
      for (let i = 0; i < hidden; i++) a[target + 2 * hidden + i] += sums[Math.floor(i / size)] * a[dContext + i]
    }
    if (!inputWanted) return
    kernels.transposedVector(dQuery, weight.start, dProjectedQuery, hidden, hidden, hidden)
    addTo(a, dInput, dQuery, hidden)
    addTo(a, dInput, dOutput, hidden)
  }

  /** Turns the gradient of the weights at `dScores` into that of the scores before softmax. */
  function softmaxBackward(dScores: number, w: number, count: number, head: number, dContextOfHead: number): void {
    const a = engine.numbers()
    const { dropout } = last
    if (dropout !== undefined) {
      let throughBias = 0
      const valueBias = bias.start + 2 * hidden + head * size
      for (let i = 0; i < size; i++) throughBias += a[valueBias + i] * a[dContextOfHead + i]
      for (let k = 0; k < count; k++) a[dScores + k] = (a[dScores + k] + throughBias) * dropout[head * count + k]
    }
    let mean = 0
    for (let k = 0; k < count; k++) mean += a[w + k] * a[dScores + k]
    for (let k = 0; k < count; k++) a[dScores + k] = a[w + k] * (a[dScores + k] - mean) * scale
  }

  /** Turns the gradient at `dOutput` into that of the sum which was normalised. */
  function layerNormBackward(dOutput: number): void {
    const a = engine.numbers()
    const dNorm = norm.trainable ? denseGradient(engine, norm) : undefined
    let mean = 0
    let along = 0
    addVector(normBias, dOutput)
    for (let i = 0; i < hidden; i++) {
      const slope = a[dOutput + i]
      if (dNorm !== undefined) a[dNorm + i] += slope * a[centred + i]
      const scaled = slope * a[norm.start + i]
      a[dOutput + i] = scaled
      mean += scaled
      along += scaled * a[centred + i]
    }
    mean /= hidden
    along /= hidden
    for (let i = 0; i < hidden; i++) {
      a[dOutput + i] = (a[dOutput + i] - mean - a[centred + i] * along) * last.inverseDeviation
    }
  }

  function addVector(parameter: Parameter, vector: number): void {
    if (parameter.trainable) addTo(engine.numbers(), denseGradient(engine, parameter), vector, parameter.length)
  }

  return { forward, backward }
}
