/**
 * A Gaussian process over points of the unit cube, for scores that are noisy: each point has been measured so many times,
 * and its mean scatters by the noise of one measurement over that number. Matérn 5/2 with a length for each direction, so
 * that a knob that does nothing is seen to do nothing. Written out because it is short: what npm has is either a
 * framework or unmaintained. Formulas: Rasmussen and Williams 2006, chapters 2 and 5.
 */
export interface SurrogatePoint {
  readonly at: readonly number[]
  /** Mean of the measurements. */
  readonly value: number
  readonly count: number
  /** Sum of squares of the measurements around it, which tells the noise; 0 for a single one. */
  readonly squares: number
}

export interface Hyperparameters {
  /** One per direction, in widths of the cube. */
  readonly lengths: readonly number[]
  /** Spread of the function itself, and of one measurement. */
  readonly signal: number
  readonly noise: number
}

export interface Belief {
  readonly mean: number
  readonly spread: number
}

export interface GaussianProcess {
  readonly believe: (at: readonly number[]) => Belief
  /** Spread of the difference of two points. */
  readonly spreadBetween: (a: readonly number[], b: readonly number[]) => number
  /** Logarithm of how likely the measurements are. */
  readonly evidence: number
  readonly noise: number
}

export function gaussianProcess(
  points: readonly SurrogatePoint[],
  { lengths, signal, noise }: Hyperparameters,
): GaussianProcess {
  const n = points.length
  // With a flat prior on the level the process around it is centred on the generalised mean.
  const covariance = (a: readonly number[], b: readonly number[]): number =>
    signal ** 2 * matern(distance(a, b, lengths))
  const matrix = points.map((p, i) =>
    points.map((q, j) => covariance(p.at, q.at) + (i === j ? noise ** 2 / p.count + JITTER * signal ** 2 : 0)),
  )
  const factor = cholesky(matrix)
  const ones = points.map(() => 1)
  const solvedOnes = solve(factor, ones)
  const weight = sum(solvedOnes)
  const values = points.map(({ value }) => value)
  const level = dot(solvedOnes, values) / weight
  const residuals = values.map(value => value - level)
  const solved = solve(factor, residuals)
  const logDeterminant = 2 * factor.reduce((total, row, i) => total + Math.log(row[i]), 0)
  const covarianceBetween = (a: readonly number[], b: readonly number[]): number => {
    const [ka, kb] = [points.map(({ at }) => covariance(at, a)), points.map(({ at }) => covariance(at, b))]
    const [la, lb] = [1 - dot(solvedOnes, ka), 1 - dot(solvedOnes, kb)]
    return covariance(a, b) - dot(ka, solve(factor, kb)) + (la * lb) / weight
  }
  const repeated = points.reduce((total, { count }) => total + count - 1, 0)
  const squares = points.reduce((total, point) => total + point.squares, 0)
  const ofRepeats = -repeated * Math.log(noise) - squares / (2 * noise ** 2)
  return {
    evidence:
      ofRepeats - 0.5 * (dot(residuals, solved) + logDeterminant + Math.log(weight) + (n - 1) * Math.log(2 * Math.PI)),
    noise,
    believe: at => {
      const own = points.map(point => covariance(point.at, at))
      return { mean: level + dot(own, solved), spread: Math.sqrt(Math.max(0, covarianceBetween(at, at))) }
    },
    spreadBetween: (a, b) =>
      Math.sqrt(Math.max(0, covarianceBetween(a, a) + covarianceBetween(b, b) - 2 * covarianceBetween(a, b))),
  }
}

/** So that two points that are almost one can be told apart by the arithmetic. */
const JITTER = 1e-6

function distance(a: readonly number[], b: readonly number[], lengths: readonly number[]): number {
  let squares = 0
  for (let i = 0; i < a.length; i += 1) squares += ((a[i] - b[i]) / lengths[i]) ** 2
  return Math.sqrt(squares)
}

function matern(distance: number): number {
  const scaled = Math.sqrt(5) * distance
  return (1 + scaled + scaled ** 2 / 3) * Math.exp(-scaled)
}

type Rows = readonly Float64Array[]

function cholesky(matrix: readonly (readonly number[])[]): Rows {
  const n = matrix.length
  const rows = matrix.map(() => new Float64Array(n))
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let left = matrix[i][j]
      for (let k = 0; k < j; k += 1) left -= rows[i][k] * rows[j][k]
      rows[i][j] = i === j ? Math.sqrt(Math.max(left, 1e-12)) : left / rows[j][j]
    }
  }
  return rows
}

function solve(factor: Rows, right: readonly number[]): Float64Array {
  const n = right.length
  const found = Float64Array.from(right)
  for (let i = 0; i < n; i += 1) {
    for (let k = 0; k < i; k += 1) found[i] -= factor[i][k] * found[k]
    found[i] /= factor[i][i]
  }
  for (let i = n - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < n; k += 1) found[i] -= factor[k][i] * found[k]
    found[i] /= factor[i][i]
  }
  return found
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < a.length; i += 1) total += a[i] * b[i]
  return total
}

function sum(values: ArrayLike<number>): number {
  let total = 0
  for (let i = 0; i < values.length; i += 1) total += values[i]
  return total
}
