/**
 * What a policy and its optimiser ask of the machine: routines over one long array of numbers, in which a vector or
 * matrix is named by the index of its first element. Matrices are row by row; a stride is the distance from one row to
 * the next, so that a half of a matrix can be used where it lies. plain.ts does this in float64 to be read and to check
 * against, assembly/ in float32 with SIMD. What only a language model needs is in decoder-kernels.ts.
 */
import type { DecoderKernels } from './decoder-kernels.js'

export type FloatArray = Float32Array | Float64Array

export interface Kernels extends DecoderKernels {
  copy(target: number, source: number, length: number): void
  /** y = W x */
  matrixVector(y: number, w: number, x: number, rows: number, columns: number, stride: number): void
  /** y = W^T x */
  transposedVector(y: number, w: number, x: number, rows: number, columns: number, stride: number): void
  /** D += left right^T */
  addOuter(d: number, left: number, right: number, rows: number, columns: number, stride: number): void
  sumOfSquares(x: number, length: number): number
  /** Y[m x n] = X[m x k] W[n x k]^T */
  multiplyTransposed(
    y: number,
    x: number,
    w: number,
    m: number,
    n: number,
    k: number,
    strideY: number,
    strideX: number,
    strideW: number,
  ): void
  /** D[m x k] = G[m x n] W[n x k], added to what is there if so asked */
  multiply(
    d: number,
    g: number,
    w: number,
    m: number,
    n: number,
    k: number,
    strideD: number,
    strideG: number,
    strideW: number,
    accumulate: boolean,
  ): void
  /** D[n x k] = G[m x n]^T X[m x k], added to what is there if so asked */
  transposedMultiply(
    d: number,
    g: number,
    x: number,
    m: number,
    n: number,
    k: number,
    strideD: number,
    strideG: number,
    strideX: number,
    accumulate: boolean,
  ): void
  /** out = x / max(|x|, epsilon), row by row; the lengths |x| are kept for the way back. */
  normaliseRows(out: number, norms: number, x: number, rows: number, columns: number, epsilon: number): void
  /**
   * dx = (dOut - out (out . dOut)) / |x|, row by row. A row shorter than epsilon has no direction to improve: its dx is 0
   * (torch divides by epsilon there, which turns one row of zeros into a gradient of 10^12).
   */
  normaliseRowsBackward(
    dx: number,
    dOut: number,
    out: number,
    norms: number,
    rows: number,
    columns: number,
    epsilon: number,
  ): void
  /** One step of AdamW over `length` parameters with gradient `scale` g. */
  adamw(p: number, m: number, v: number, g: number, length: number, ...rates: AdamRates): void
  /** The same for a matrix whose gradient is `scale` left right^T, without writing that gradient down. */
  adamwOuter(
    p: number,
    m: number,
    v: number,
    left: number,
    right: number,
    rows: number,
    columns: number,
    ...rates: AdamRates
  ): void
  /** Where `floor` is far below what can matter: m becomes a multiple of its last digit, v no less than it. */
  floorMoments(m: number, v: number, length: number, floor: number): void
}

/**
 *   m += blendFirst (g - m)        v += blendSecond (g^2 - v)
 *   p -= stepSize m / (sqrt(v) + epsilon) + decay p
 * which is AdamW with its correction of v moved into stepSize and epsilon.
 */
export type AdamRates = readonly [
  scale: number,
  /** 1 - beta1 */
  blendFirst: number,
  /** 1 - beta2 */
  blendSecond: number,
  /** learning rate x sqrt(1 - beta2^t) / (1 - beta1^t) */
  stepSize: number,
  /** Adam's epsilon x sqrt(1 - beta2^t) */
  epsilon: number,
  /** learning rate x weight decay */
  decay: number,
]
