/**
 * A table of embeddings shared by all queries, and what a policy with a frozen input side computes from each row once.
 * Kept for each image and not for each query: an image is a candidate of many queries.
 */
import type { Engine } from '../kernels/engine.js'
import type { Model } from './model.js'
import { NORMALISE_EPSILON } from './shape.js'

export interface EmbeddingTable {
  readonly engine: Engine
  readonly rows: number
  readonly width: number
  readonly start: number
}

/** `values` holds the rows one after the other. */
export function createEmbeddings(engine: Engine, values: ArrayLike<number>, width: number): EmbeddingTable {
  if (values.length % width !== 0) {
    throw new RangeError(`${values.length} numbers are no whole number of embeddings of width ${width}`)
  }
  const start = engine.allocate(values.length)
  engine.numbers().set(values, start)
  return { engine, rows: values.length / width, width, start }
}

export interface ProjectionCache {
  /** Where the row's input projection is. */
  reduced(row: number): number
  /** Copies what is kept of some rows, one after the other: input projections, and unit vectors for the pointer if asked. */
  gather(rows: ArrayLike<number>, reduced: number, unit: number | undefined): void
}

/**
 * What is kept of an image lies together, since a query fetches it from far away in memory: its input projection, unless
 * embeddings are as wide as the policy, and its unit vector, if cand_proj is frozen too.
 */
export function createProjectionCache({ engine, shape, parameters }: Model, table: EmbeddingTable): ProjectionCache {
  const { width, hidden } = shape
  const { kernels } = engine
  const input = width === hidden ? undefined : parameters.get('input_proj.weight')
  const projection = parameters.get('cand_proj.weight')
  const unitOffset = input === undefined ? 0 : hidden
  const rowSize = unitOffset + (projection.trainable ? 0 : hidden)
  const kept = engine.allocate(table.rows * rowSize)
  const projected = engine.allocate(hidden)
  const norm = engine.allocate(1)
  const known = new Uint8Array(table.rows)
  let version = parameters.version

  const reducedOf = (row: number): number => (input === undefined ? table.start + row * width : kept + row * rowSize)
  const unitOf = (row: number): number => kept + row * rowSize + unitOffset

  function forgetIfLoaded(): void {
    if (version === parameters.version) return
    known.fill(0)
    version = parameters.version
  }

  function know(row: number): void {
    if (known[row] === 1) return
    const at = reducedOf(row)
    if (input !== undefined) kernels.matrixVector(at, input.start, table.start + row * width, hidden, width, width)
    if (!projection.trainable) {
      kernels.matrixVector(projected, projection.start, at, hidden, hidden, hidden)
      kernels.normaliseRows(unitOf(row), norm, projected, 1, hidden, NORMALISE_EPSILON)
    }
    known[row] = 1
  }

  return {
    reduced(row) {
      forgetIfLoaded()
      know(row)
      return reducedOf(row)
    },
    gather(rows, reduced, unit) {
      forgetIfLoaded()
      for (let k = 0; k < rows.length; k++) {
        const row = rows[k]
        know(row)
        kernels.copy(reduced + k * hidden, reducedOf(row), hidden)
        if (unit !== undefined) kernels.copy(unit + k * hidden, unitOf(row), hidden)
      }
    },
  }
}
