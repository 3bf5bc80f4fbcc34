/**
 * A table of embeddings shared by all queries, and what a frozen policy computes once and keeps: from each row, if its input
 * side is frozen, and for each query, if all of it is.
 */
import type { Engine } from '../kernels/engine.js'
import type { FloatArray } from '../kernels/kernels.js'
import { allocateMatrix, columnsOf, type Matrix, matrixOf, rowOf } from '../matrix/matrix.js'
import type { ParameterSet } from '../matrix/parameters.js'
import type { Model } from './shape.js'

export interface EmbeddingTable {
  readonly engine: Engine
  /** A row each. */
  readonly embeddings: Matrix
}

/** `values` holds the rows one after the other. */
export function createEmbeddings(engine: Engine, values: ArrayLike<number>, width: number): EmbeddingTable {
  if (values.length % width !== 0) {
    throw new RangeError(`${values.length} numbers are no whole number of embeddings of width ${width}`)
  }
  const embeddings = allocateMatrix(engine, values.length / width, width)
  engine.numbers().set(values, embeddings.start)
  return { engine, embeddings }
}

interface ProjectionCache {
  /** The row's input projection. */
  reduced(row: number): Matrix
  /** Copies what is kept of some rows, one after the other: input projections, and unit vectors for the pointer if asked. */
  gather(rows: ArrayLike<number>, reduced: Matrix, unit: Matrix | undefined): void
}

/**
 * Kept for each image and not for each query: an image is a candidate of many queries. What is kept of an image lies
 * together, since a query fetches it from far away in memory: its input projection, unless embeddings are as wide as the
 * policy, and its unit vector, if cand_proj is frozen too.
 */
export function createProjectionCache(
  { engine, kernels, shape, parameters }: Model,
  { embeddings }: EmbeddingTable,
): ProjectionCache {
  const { width, hidden } = shape
  const input = width === hidden ? undefined : matrixOf(parameters.get('input_proj.weight'))
  const projection = parameters.get('cand_proj.weight')
  const unitOffset = input === undefined ? 0 : hidden
  const kept = allocateMatrix(engine, embeddings.rows, unitOffset + (projection.trainable ? 0 : hidden))
  const reducedRows = input === undefined ? embeddings : columnsOf(kept, 0, hidden)
  const unitRows = columnsOf(kept, unitOffset, hidden)
  const projected = allocateMatrix(engine, 1, hidden)
  const norm = allocateMatrix(engine, 1, 1)
  const known = new Uint8Array(embeddings.rows)
  let version = parameters.version

  function forgetIfLoaded(): void {
    if (version === parameters.version) return
    known.fill(0)
    version = parameters.version
  }

  function know(row: number): void {
    if (known[row] === 1) return
    const reduced = rowOf(reducedRows, row)
    if (input !== undefined) kernels.matrixVector(reduced, input, rowOf(embeddings, row))
    if (!projection.trainable) {
      kernels.matrixVector(projected, matrixOf(projection), reduced)
      kernels.normaliseRows(rowOf(unitRows, row), norm, projected)
    }
    known[row] = 1
  }

  return {
    reduced(row) {
      forgetIfLoaded()
      know(row)
      return rowOf(reducedRows, row)
    },
    gather(rows, reduced, unit) {
      forgetIfLoaded()
      for (let k = 0; k < rows.length; k++) {
        const row = rows[k]
        know(row)
        kernels.copy(rowOf(reduced, k), rowOf(reducedRows, row))
        if (unit !== undefined) kernels.copy(rowOf(unit, k), rowOf(unitRows, row))
      }
    },
  }
}

export interface PolicyQuery {
  /** A row of the table, or an embedding. */
  readonly query: number | Float32Array | Float64Array
  /** Rows of the table, or K embeddings one after the other. */
  readonly candidates: readonly number[] | Int32Array | Float32Array | Float64Array
}

/**
 * The scores of queries that were asked before, for a policy with nothing to train: a reference meets the same queries in
 * every epoch and gives the same scores each time. In the static form these are all that its picks depend on.
 */
interface KnownScores {
  of(query: PolicyQuery): FloatArray | undefined
  /** Keeps a copy, if the query is named by rows. */
  keep(query: PolicyQuery, scores: FloatArray): void
}

interface KnownQuery {
  readonly candidates: readonly number[] | Int32Array
  readonly scores: FloatArray
}

export function createKnownScores(parameters: ParameterSet): KnownScores {
  const byRow = new Map<number, KnownQuery>()
  let version = parameters.version

  return {
    of({ query, candidates }) {
      if (version !== parameters.version) {
        byRow.clear()
        version = parameters.version
      }
      const known = typeof query === 'number' ? byRow.get(query) : undefined
      if (known === undefined || known.candidates.length !== candidates.length) return undefined
      for (let k = 0; k < candidates.length; k++) if (known.candidates[k] !== candidates[k]) return undefined
      return known.scores
    },
    keep({ query, candidates }, scores) {
      if (typeof query !== 'number' || candidates instanceof Float32Array || candidates instanceof Float64Array) return
      byRow.set(query, { candidates: candidates.slice(), scores: scores.slice() })
    },
  }
}
