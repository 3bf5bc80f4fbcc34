import type { FloatArray } from '../kernels/kernels.js'

/** A matrix of embeddings, one row for each item, row after row. */
export interface Embeddings {
  readonly rows: number
  readonly width: number
  readonly values: FloatArray
}

export function rowOf(embeddings: Embeddings, row: number): FloatArray {
  return embeddings.values.subarray(row * embeddings.width, (row + 1) * embeddings.width)
}

/** Cosine similarity of one query with each candidate of its pool. A zero vector is similar to nothing: 0. */
export function similarities(query: FloatArray, candidates: Embeddings, pool: ArrayLike<number>): Float64Array {
  const queryLength = Math.sqrt(dot(query, query))
  return Float64Array.from(pool, row => {
    const candidate = rowOf(candidates, row)
    const lengths = queryLength * Math.sqrt(dot(candidate, candidate))
    return lengths === 0 ? 0 : dot(query, candidate) / lengths
  })
}

/** Positions of the largest values first; equal ones in their order, so that the answer is the same on every machine. */
export function positionsFromLargest(values: ArrayLike<number>): number[] {
  return Array.from(values, (_, position) => position).sort((a, b) => values[b] - values[a] || a - b)
}

function dot(a: FloatArray, b: FloatArray): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i]
  return sum
}
