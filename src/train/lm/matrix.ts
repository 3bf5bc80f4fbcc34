/**
 * Matrices in the engine's memory, and the two things that a decoder does with a weight: multiply by it, and normalise
 * with it. Forward and reverse of each stand side by side.
 */
import type { Engine } from '../kernels/engine.js'
import { denseGradient, type Parameter } from '../policy/parameters.js'
import type { Workspace } from '../policy/workspace.js'

/** Row by row from `start` on, without gaps. */
export interface Matrix {
  readonly start: number
  readonly rows: number
  readonly columns: number
}

/** A named block of scratch memory as a matrix: the same place each time, with what was last written there. */
export type Scratch = (name: string, rows: number, columns: number) => Matrix

export function createScratch(workspace: Workspace): Scratch {
  return (name, rows, columns) => ({ start: workspace(name, rows * columns), rows, columns })
}

export function zero(engine: Engine, { start, rows, columns }: Matrix): void {
  engine.numbers().fill(0, start, start + rows * columns)
}

export interface Linear {
  /** y = x W^T */
  forward(y: Matrix, x: Matrix): void
  /** dW += dy^T x */
  addWeightGradient(dy: Matrix, x: Matrix): void
  /** dx = dy W, added to what is there if so asked */
  inputGradient(dx: Matrix, dy: Matrix, accumulate?: boolean): void
}

export function createLinear(engine: Engine, weight: Parameter): Linear {
  const { kernels } = engine
  const [outputs, inputs] = weight.dimensions
  return {
    forward(y, x) {
      kernels.multiplyTransposed(y.start, x.start, weight.start, x.rows, outputs, inputs, outputs, inputs, inputs)
    },
    addWeightGradient(dy, x) {
      if (!weight.trainable) return
      const gradient = denseGradient(engine, weight)
      kernels.transposedMultiply(gradient, dy.start, x.start, x.rows, outputs, inputs, inputs, outputs, inputs, true)
    },
    inputGradient(dx, dy, accumulate = false) {
      kernels.multiply(
        ...[dx.start, dy.start, weight.start, dy.rows, outputs, inputs, inputs, outputs, inputs, accumulate],
      )
    },
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
  const rowsOf = (x: Matrix): number => (x.rows * x.columns) / columns
  return {
    forward(y, inverse, x) {
      kernels.rmsNorm(y.start, inverse, x.start, weight.start, rowsOf(x), columns, epsilon)
    },
    backward(dx, dy, inverse, x, accumulate = false) {
      const gradient = denseGradient(engine, weight)
      kernels.rmsNormBackward(
        ...[dx.start, gradient, dy.start, x.start, inverse, weight.start, rowsOf(x), columns, accumulate],
      )
    },
  }
}
