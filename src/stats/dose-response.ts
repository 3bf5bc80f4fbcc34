import { mean, variance } from './descriptive.js'
import type { StudentEstimate } from './student-estimate.js'

/**
 * Does a quantity rise or fall with a dose? One degree of freedom: least squares over scores, within blocks that are
 * alike in everything else, so that only like is compared with like (Armitage 1955 for the scores).
 *
 *   slope = Σ n (x − x̄_block) ȳ / Σ n (x − x̄_block)²
 *
 * Callers score a dose by its rank: a dose of zero has no logarithm, log(1 + x) depends on the unit, and ranks need
 * neither. The price is power where the response is far from even steps; false claims stay at 5 % either way.
 */
export interface DoseCell {
  readonly score: number
  readonly block: string
  /** One number per run. */
  readonly values: readonly number[]
}

/** Values a cell needs before its own scatter is an estimate of anything. */
const FEWEST_FOR_SCATTER = 2

/**
 * The change along the fitted line from the lowest score to the highest; null where no block holds two scores, or
 * nothing is left over to measure the error by. Where every cell has replicates the error is their scatter, cell by
 * cell (Welch and Satterthwaite), so a bent response does not count as noise. Else it is the scatter around the line.
 */
export function doseTrend(cells: readonly DoseCell[]): StudentEstimate | null {
  const used = [...new Set(cells.map(({ block }) => block))]
    .map(name => cells.filter(({ block }) => block === name))
    .filter(block => new Set(block.map(({ score }) => score)).size > 1)
  const centred = used.flatMap(block => {
    const count = block.reduce((sum, { values }) => sum + values.length, 0)
    const centre = block.reduce((sum, { score, values }) => sum + score * values.length, 0) / count
    return block.map(({ score, values }) => ({ offset: score - centre, values }))
  })
  const squares = centred.reduce((sum, { offset, values }) => sum + values.length * offset ** 2, 0)
  if (squares === 0) return null
  const slope = centred.reduce((sum, { offset, values }) => sum + values.length * offset * mean(values), 0) / squares
  const scores = used.flat().map(({ score }) => score)
  const range = Math.max(...scores) - Math.min(...scores)
  const error = centred.every(({ values }) => values.length >= FEWEST_FOR_SCATTER)
    ? scatterWithin(centred.map(({ offset, values }) => ({ weight: (offset * values.length) / squares, values })))
    : scatterAround(used, slope, squares)
  if (error === null) return null
  return { mean: slope * range, standardError: error.standardError * range, degreesOfFreedom: error.degreesOfFreedom }
}

/** The second dose minus the first, over the blocks that have both; each block weighs by how much it can tell. */
export function doseDifference(first: readonly DoseCell[], second: readonly DoseCell[]): StudentEstimate | null {
  const pairs = first.flatMap(a => {
    const b = second.find(({ block }) => block === a.block)
    return b === undefined ? [] : [{ a, b, weight: 1 / (1 / a.values.length + 1 / b.values.length) }]
  })
  if (pairs.length === 0) return null
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0)
  const parts = pairs.flatMap(({ a, b, weight }) => [
    { weight: -weight / total, values: a.values },
    { weight: weight / total, values: b.values },
  ])
  const estimate = parts.reduce((sum, { weight, values }) => sum + weight * mean(values), 0)
  return { mean: estimate, ...scatterWithin(parts) }
}

type Scatter = Pick<StudentEstimate, 'standardError' | 'degreesOfFreedom'>

/** The error of a weighted sum of means, each with a scatter of its own. */
function scatterWithin(parts: readonly { readonly weight: number; readonly values: readonly number[] }[]): Scatter {
  const terms = parts.map(({ weight, values }) => ({
    size: (weight ** 2 * variance(values)) / values.length,
    free: values.length - 1,
  }))
  const total = terms.reduce((sum, { size }) => sum + size, 0)
  const spread = terms.reduce((sum, { size, free }) => sum + size ** 2 / free, 0)
  const free = terms.reduce((sum, term) => sum + term.free, 0)
  return { standardError: Math.sqrt(total), degreesOfFreedom: spread > 0 ? total ** 2 / spread : free }
}

/** The error of a slope by what the line, with a level for each block, leaves unexplained. */
function scatterAround(blocks: readonly (readonly DoseCell[])[], slope: number, squares: number): Scatter | null {
  let left = 0
  let count = 0
  for (const block of blocks) {
    const points = block.flatMap(({ score, values }) => values.map(value => value - slope * score))
    const level = mean(points)
    for (const point of points) left += (point - level) ** 2
    count += points.length
  }
  const degreesOfFreedom = count - blocks.length - 1
  if (degreesOfFreedom < 1) return null
  return { standardError: Math.sqrt(left / degreesOfFreedom / squares), degreesOfFreedom }
}
