/**
 * Ridge regression: the weights w that minimise Σ_i (y_i − x_i·w)² + penalty · |w|², by conjugate gradients on
 * (XᵀX + penalty I) w = Xᵀy (Hestenes and Stiefel 1952). Rows are sparse, since most features of a text are absent; nothing of
 * the size of XᵀX is made.
 */
export interface SparseRow {
  readonly indices: ArrayLike<number>
  readonly values: ArrayLike<number>
}

interface RidgeOptions {
  /** How many weights there are. */
  readonly size: number
  readonly penalty: number
}

/** The residual is this share of Xᵀy at most: far below what a label can tell. */
const TOLERANCE = 1e-7

export function ridgeWeights(
  rows: readonly SparseRow[],
  labels: ArrayLike<number>,
  { size, penalty }: RidgeOptions,
): Float64Array {
  const weights = new Float64Array(size)
  const residual = transposed(rows, labels, size)
  let direction = residual.slice()
  let squares = dot(residual, residual)
  const enough = TOLERANCE ** 2 * squares
  for (let i = 0; i < 2 * size && squares > enough; i += 1) {
    const along = Float64Array.from(rows, row => rowDot(row, direction))
    const curved = transposed(rows, along, size).map((value, at) => value + penalty * direction[at])
    const step = squares / dot(direction, curved)
    for (let at = 0; at < size; at += 1) {
      weights[at] += step * direction[at]
      residual[at] -= step * curved[at]
    }
    const before = squares
    squares = dot(residual, residual)
    direction = direction.map((value, at) => residual[at] + (squares / before) * value)
  }
  return weights
}

export function rowDot({ indices, values }: SparseRow, weights: Float64Array): number {
  let total = 0
  for (let i = 0; i < indices.length; i += 1) total += values[i] * weights[indices[i]]
  return total
}

/** Xᵀ y */
function transposed(rows: readonly SparseRow[], factors: ArrayLike<number>, size: number): Float64Array {
  const sums = new Float64Array(size)
  for (const [at, { indices, values }] of rows.entries()) {
    for (let i = 0; i < indices.length; i += 1) sums[indices[i]] += factors[at] * values[i]
  }
  return sums
}

function dot(a: Float64Array, b: Float64Array): number {
  let total = 0
  for (let i = 0; i < a.length; i += 1) total += a[i] * b[i]
  return total
}
