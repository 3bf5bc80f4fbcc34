/**
 * Matrices in the engine's memory, and what is done with them: the kernels of kernels.ts with matrices for arguments instead
 * of places, sizes and strides, and the two things that a decoder does with a weight: multiply by it, and normalise with it.
 * Forward and reverse of each stand side by side.
 */
import type { Engine } from '../kernels/engine.js'
import type { FloatArray } from '../kernels/kernels.js'
import { denseGradient, type Parameter } from './parameters.js'

/** Row by row from `start` on, `stride` numbers from one row to the next. A vector is a matrix of one row. */
export interface Matrix {
  readonly start: number
  readonly rows: number
  readonly columns: number
  readonly stride: number
}

export function matrixAt(start: number, rows: number, columns: number): Matrix {
  return { start, rows, columns, stride: columns }
}

export function allocateMatrix(engine: Engine, rows: number, columns: number): Matrix {
  return matrixAt(engine.allocate(rows * columns), rows, columns)
}

/** A weight as it is; a bias as one row. */
export function matrixOf({ start, dimensions, length }: Parameter): Matrix {
  return dimensions.length === 2 ? matrixAt(start, dimensions[0], dimensions[1]) : matrixAt(start, 1, length)
}

export function rowsOf({ start, columns, stride }: Matrix, first: number, rows: number): Matrix {
  return { start: start + first * stride, rows, columns, stride }
}

export function rowOf(matrix: Matrix, row: number): Matrix {
  return rowsOf(matrix, row, 1)
}

export function columnsOf({ start, rows, stride }: Matrix, first: number, columns: number): Matrix {
  return { start: start + first, rows, columns, stride }
}

/** A named block of scratch memory as a matrix: the same place each time, with what was last written there. */
export type Scratch = (name: string, rows: number, columns: number) => Matrix

/** A larger block when more is needed. */
export function createScratch(engine: Engine): Scratch {
  const blocks = new Map<string, { readonly size: number; matrix: Matrix }>()
  return (name, rows, columns) => {
    const length = rows * columns
    const known = blocks.get(name)
    if (known !== undefined && known.size >= length) {
      const { matrix } = known
      // Mostly the same shape as before, for which there is a matrix already.
      if (matrix.rows !== rows || matrix.columns !== columns) known.matrix = matrixAt(matrix.start, rows, columns)
      return known.matrix
    }
    // Half as much again, so that queries of slowly growing size do not leave a trail of blocks.
    const size = known === undefined ? length : Math.max(length, Math.ceil(1.5 * known.size))
    const matrix = matrixAt(engine.allocate(size), rows, columns)
    blocks.set(name, { size, matrix })
    return matrix
  }
}

/** The numbers of a matrix without gaps, to be read and written one by one; only until memory is next asked for. */
export function numbersIn(engine: Engine, { start, rows, columns }: Matrix): FloatArray {
  return engine.numbers().subarray(start, start + rows * columns)
}

export function zero(engine: Engine, matrix: Matrix): void {
  numbersIn(engine, matrix).fill(0)
}

/** A row shorter than this has no direction. */
const SHORTEST_ROW = 1e-12

export interface MatrixKernels {
  /** Without gaps, as many numbers as the target has. */
  copy(target: Matrix, source: Matrix): void
  /** target += source, both without gaps */
  add(target: Matrix, source: Matrix): void
  /** y = W x */
  matrixVector(y: Matrix, w: Matrix, x: Matrix): void
  /** y = W^T x */
  transposedVector(y: Matrix, w: Matrix, x: Matrix): void
  /** D += left right^T */
  addOuter(d: Matrix, left: Matrix, right: Matrix): void
  /** Y = X W^T */
  multiplyTransposed(y: Matrix, x: Matrix, w: Matrix): void
  /** D = G W, added to what is there if so asked */
  multiply(d: Matrix, g: Matrix, w: Matrix, accumulate?: boolean): void
  /** D = G^T X, added to what is there if so asked */
  transposedMultiply(d: Matrix, g: Matrix, x: Matrix, accumulate?: boolean): void
  /** out = x / |x|, row by row; the lengths |x| are kept for the way back. */
  normaliseRows(out: Matrix, norms: Matrix, x: Matrix): void
  normaliseRowsBackward(dx: Matrix, dOut: Matrix, out: Matrix, norms: Matrix): void
}

export function createMatrixKernels({ kernels }: Engine): MatrixKernels {
  return {
    copy: (target, source) => kernels.copy(target.start, source.start, target.rows * target.columns),
    add: (target, source) => kernels.add(target.start, source.start, target.rows * target.columns),
    matrixVector: (y, w, x) => kernels.matrixVector(y.start, w.start, x.start, w.rows, w.columns, w.stride),
    transposedVector: (y, w, x) => kernels.transposedVector(y.start, w.start, x.start, w.rows, w.columns, w.stride),
    addOuter: (d, left, right) => kernels.addOuter(d.start, left.start, right.start, d.rows, d.columns, d.stride),
    multiplyTransposed(y, x, w) {
      const sizes = [x.rows, w.rows, x.columns, y.stride, x.stride, w.stride] as const
      kernels.multiplyTransposed(y.start, x.start, w.start, ...sizes)
    },
    multiply(d, g, w, accumulate = false) {
      const sizes = [g.rows, w.rows, w.columns, d.stride, g.stride, w.stride] as const
      kernels.multiply(d.start, g.start, w.start, ...sizes, accumulate)
    },
    transposedMultiply(d, g, x, accumulate = false) {
      const sizes = [g.rows, g.columns, x.columns, d.stride, g.stride, x.stride] as const
      kernels.transposedMultiply(d.start, g.start, x.start, ...sizes, accumulate)
    },
    normaliseRows: (out, norms, x) =>
      kernels.normaliseRows(out.start, norms.start, x.start, x.rows, x.columns, SHORTEST_ROW),
    normaliseRowsBackward(dx, dOut, out, norms) {
      const places = [dx.start, dOut.start, out.start, norms.start] as const
      kernels.normaliseRowsBackward(...places, out.rows, out.columns, SHORTEST_ROW)
    },
  }
}

export interface Linear {
  /** y = x W^T */
  forward(y: Matrix, x: Matrix): void
  /** dW += dy^T x; what is there means nothing, and is not added to, before the first time since it was zeroed. */
  addWeightGradient(dy: Matrix, x: Matrix, accumulate?: boolean): void
  /** dx = dy W, added to what is there if so asked */
  inputGradient(dx: Matrix, dy: Matrix, accumulate?: boolean): void
}

/** By a weight, or by some of its columns. */
export function createLinear(
  engine: Engine,
  weight: Parameter,
  [first, count]: readonly [first: number, count: number] = [0, weight.dimensions[1]],
): Linear {
  const kernels = createMatrixKernels(engine)
  const w = columnsOf(matrixOf(weight), first, count)
  const { gradient } = weight
  const dw = { ...w, start: gradient.dense + first }
  return {
    forward: (y, x) => kernels.multiplyTransposed(y, x, w),
    addWeightGradient(dy, x, accumulate = gradient.state !== 'none') {
      if (!weight.trainable) return
      gradient.state = 'dense'
      kernels.transposedMultiply(dw, dy, x, accumulate)
    },
    inputGradient: (dx, dy, accumulate) => kernels.multiply(dx, dy, w, accumulate),
  }
}

export interface Norm {
  /** y = weight x s with s = 1 / rms(x), row by row; `inverse` keeps s. */
  forward(y: Matrix, inverse: number, x: Matrix): void
  /** From the slopes of y to those of x, added to what is there if so asked, and of the weight. */
  backward(dx: Matrix, dy: Matrix, inverse: number, x: Matrix, accumulate?: boolean): void
}

/** A matrix whose rows hold several heads is normalised head by head: the weight tells how wide a row is. */
export function createNorm(engine: Engine, weight: Parameter, epsilon: number): Norm {
  const { kernels } = engine
  const columns = weight.length
  const rowCount = (x: Matrix): number => (x.rows * x.columns) / columns
  return {
    forward(y, inverse, x) {
      kernels.rmsNorm(y.start, inverse, x.start, weight.start, rowCount(x), columns, epsilon)
    },
    backward(dx, dy, inverse, x, accumulate = false) {
      const gradient = denseGradient(engine, weight)
      kernels.rmsNormBackward(
        ...[dx.start, gradient, dy.start, x.start, inverse, weight.start, rowCount(x), columns, accumulate],
      )
    },
  }
}
