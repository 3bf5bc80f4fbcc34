/**
 * From embeddings to what the policy works on: the query and the candidates projected to `hidden`, and the candidates as
 * unit vectors for the pointer. All beams of a query share these; when the projections are frozen they come from the
 * cache. Dropout stands after cand_proj in the static form and before it in the gated one, as in the original.
 *   R = C W_in^T        P = R W_c^T        U = P / |P| row by row
 */
import type { DropoutMask } from './dropout.js'
import { createProjectionCache, type EmbeddingTable } from './embeddings.js'
import { type Model, scaleBy } from './model.js'
import { NORMALISE_EPSILON } from './shape.js'

export interface PolicyQuery {
  /** A row of the table, or an embedding. */
  readonly query: number | Float32Array | Float64Array
  /** Rows of the table, or K embeddings one after the other. */
  readonly candidates: readonly number[] | Int32Array | Float32Array | Float64Array
}

/** Positions in the engine of what was computed; `raw` ones are set only if a gradient can ask for them. */
export interface Inputs {
  readonly count: number
  readonly rawQuery: number
  readonly rawCandidates: number
  readonly reducedQuery: number
  readonly reduced: number
  /** What cand_proj was applied to. */
  readonly projectionInput: number
  readonly norms: number
  readonly unit: number
}

export interface InputSide {
  /** Whether a gradient of the candidates leads to a parameter that is trained. */
  readonly candidatesTrainable: boolean
  readonly inputTrainable: boolean
  load(query: PolicyQuery, mask: DropoutMask | undefined): Inputs
}

export function createInputSide(model: Model, table: EmbeddingTable | undefined): InputSide {
  const { engine, shape, parameters, workspace } = model
  const { kernels } = engine
  const { width, hidden, form } = shape
  if (table !== undefined && table.width !== width) {
    throw new RangeError(`embeddings of width ${table.width} do not fit a policy of width ${width}`)
  }
  if (table !== undefined && table.engine !== engine) throw new RangeError('the embeddings belong to another engine')
  const input = width === hidden ? undefined : parameters.get('input_proj.weight')
  const projection = parameters.get('cand_proj.weight')
  const inputTrainable = input?.trainable ?? false
  const cache = table === undefined || inputTrainable ? undefined : createProjectionCache(model, table)

  function load({ query, candidates }: PolicyQuery, mask: DropoutMask | undefined): Inputs {
    const count = isEmbeddings(candidates) ? candidates.length / width : candidates.length
    check(query, candidates, count, mask)
    const rawQuery = workspace('raw query', width)
    const rawCandidates = workspace('raw candidates', count * width)
    const reducedQuery = workspace('reduced query', hidden)
    const reduced = workspace('reduced', count * hidden)
    const dropped = mask !== undefined && form === 'gated' ? workspace('dropped', count * hidden) : reduced
    const projected = workspace('projected', count * hidden)
    const norms = workspace('candidate norms', count)
    const unit = workspace('unit', count * hidden)

    if (typeof query === 'number' && cache !== undefined) kernels.copy(reducedQuery, cache.reduced(query), hidden)
    else {
      if (typeof query === 'number') kernels.copy(rawQuery, rowStart(query), width)
      else engine.numbers().set(query, rawQuery)
      reduce(reducedQuery, rawQuery, 1)
    }

    const rows = isEmbeddings(candidates) ? undefined : candidates
    const unitsAreKept =
      rows !== undefined && cache !== undefined && !projection.trainable && (mask === undefined || form === 'static')
    if (rows !== undefined && cache !== undefined) {
      cache.gather(rows, reduced, unitsAreKept ? (mask === undefined ? unit : projected) : undefined)
    } else {
      if (rows === undefined) engine.numbers().set(candidates, rawCandidates)
      else for (let k = 0; k < count; k++) kernels.copy(rawCandidates + k * width, rowStart(rows[k]), width)
      reduce(reduced, rawCandidates, count)
    }

    if (unitsAreKept) {
      // Dropping after cand_proj: P and U differ by a factor a row, so masking U and normalising again is the same.
      if (mask !== undefined) {
        scaleBy(engine.numbers(), projected, mask.candidates)
        kernels.normaliseRows(unit, norms, projected, count, hidden, NORMALISE_EPSILON)
      }
    } else {
      if (mask !== undefined && form === 'gated') {
        kernels.copy(dropped, reduced, count * hidden)
        scaleBy(engine.numbers(), dropped, mask.candidates)
      }
      kernels.multiplyTransposed(projected, dropped, projection.start, count, hidden, hidden, hidden, hidden, hidden)
      if (mask !== undefined && form === 'static') scaleBy(engine.numbers(), projected, mask.candidates)
      kernels.normaliseRows(unit, norms, projected, count, hidden, NORMALISE_EPSILON)
    }
    return { count, rawQuery, rawCandidates, reducedQuery, reduced, projectionInput: dropped, norms, unit }
  }

  function reduce(target: number, source: number, count: number): void {
    if (input === undefined) kernels.copy(target, source, count * hidden)
    else kernels.multiplyTransposed(target, source, input.start, count, hidden, width, hidden, width, width)
  }

  const rowStart = (row: number): number => (table?.start ?? 0) + row * width

  function check(
    query: PolicyQuery['query'],
    candidates: PolicyQuery['candidates'],
    count: number,
    mask: DropoutMask | undefined,
  ): void {
    if (typeof query === 'number') checkRow(query)
    else if (query.length !== width)
      throw new RangeError(`a query of ${query.length} numbers; the policy takes ${width}`)
    if (!Number.isInteger(count) || count === 0) {
      throw new RangeError(`${candidates.length} numbers are no candidates of width ${width}`)
    }
    if (!isEmbeddings(candidates)) for (const row of candidates) checkRow(row)
    if (mask !== undefined && mask.candidateCount !== count) {
      throw new RangeError(`a dropout mask for ${mask.candidateCount} candidates does not fit ${count}`)
    }
  }

  function checkRow(row: number): void {
    if (table === undefined) throw new RangeError('rows can be named only for a policy that was given embeddings')
    if (row >= 0 && row < table.rows && Number.isInteger(row)) return
    throw new RangeError(`there is no embedding ${row}; the table has ${table.rows}`)
  }

  return { candidatesTrainable: projection.trainable || inputTrainable, inputTrainable, load }
}

function isEmbeddings(candidates: PolicyQuery['candidates']): candidates is Float32Array | Float64Array {
  return candidates instanceof Float32Array || candidates instanceof Float64Array
}
