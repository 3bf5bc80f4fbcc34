/**
 * From embeddings to what the policy works on: the query and the candidates projected to `hidden`, and the candidates as
 * unit vectors for the pointer. All beams of a query share these; when the projections are frozen they come from the
 * cache. Dropout stands after cand_proj in the static form and before it in the gated one, as in the original.
 *   R = C W_in^T        P = R W_c^T        U = P / |P| row by row
 */
import { createLinear, type Matrix, matrixAt, rowOf } from '../matrix/matrix.js'
import type { DropoutMask } from './dropout.js'
import { createProjectionCache, type EmbeddingTable, type PolicyQuery } from './embeddings.js'
import { type Model, scaleBy } from './shape.js'

/** What was computed; `raw` ones are set only if a gradient can ask for them. */
export interface Inputs {
  readonly rawQuery: Matrix
  readonly rawCandidates: Matrix
  readonly reducedQuery: Matrix
  readonly reduced: Matrix
  /** What cand_proj was applied to. */
  readonly projectionInput: Matrix
  readonly norms: Matrix
  readonly unit: Matrix
}

interface InputSide {
  /** Whether a gradient of the candidates leads to a parameter that is trained. */
  readonly candidatesTrainable: boolean
  readonly inputTrainable: boolean
  load(query: PolicyQuery, mask: DropoutMask | undefined): Inputs
  /**
   * dP = (dU - U (U . dU)) / |P|        dW_c += dP^T R        dR = dP W_c
   * Writes dR to `dReduced` if there is an input projection to train.
   */
  candidatesBackward(inputs: Inputs, mask: DropoutMask | undefined, dUnit: Matrix, dReduced: Matrix | undefined): void
  /** dW_in += dR^T C + dq x^T */
  inputBackward(inputs: Inputs, dReduced: Matrix, dReducedQuery: Matrix): void
}

export function createInputSide(model: Model, table: EmbeddingTable | undefined): InputSide {
  const { engine, kernels, shape, parameters, scratch } = model
  const { width, hidden, form } = shape
  if (table !== undefined && table.embeddings.columns !== width) {
    throw new RangeError(`embeddings of width ${table.embeddings.columns} do not fit a policy of width ${width}`)
  }
  if (table !== undefined && table.engine !== engine) throw new RangeError('the embeddings belong to another engine')
  const input = width === hidden ? undefined : parameters.get('input_proj.weight')
  const reduction = input === undefined ? undefined : createLinear(engine, input)
  const projection = parameters.get('cand_proj.weight')
  const toPointer = createLinear(engine, projection)
  const inputTrainable = input?.trainable ?? false
  const cache = table === undefined || inputTrainable ? undefined : createProjectionCache(model, table)
  const embeddings = table?.embeddings ?? matrixAt(0, 0, width)

  function load({ query, candidates }: PolicyQuery, mask: DropoutMask | undefined): Inputs {
    const count = isEmbeddings(candidates) ? candidates.length / width : candidates.length
    check(query, candidates, count, mask)
    const rawQuery = scratch('raw query', 1, width)
    const rawCandidates = scratch('raw candidates', count, width)
    const reducedQuery = scratch('reduced query', 1, hidden)
    const reduced = scratch('reduced', count, hidden)
    const dropped = mask !== undefined && form === 'gated' ? scratch('dropped', count, hidden) : reduced
    const projected = scratch('projected', count, hidden)
    const norms = scratch('candidate norms', count, 1)
    const unit = scratch('unit', count, hidden)

    if (typeof query === 'number' && cache !== undefined) kernels.copy(reducedQuery, cache.reduced(query))
    else {
      if (typeof query === 'number') kernels.copy(rawQuery, rowOf(embeddings, query))
      else engine.numbers().set(query, rawQuery.start)
      reduce(reducedQuery, rawQuery)
    }

    const rows = isEmbeddings(candidates) ? undefined : candidates
    const unitsAreKept =
      rows !== undefined && cache !== undefined && !projection.trainable && (mask === undefined || form === 'static')
    if (rows !== undefined && cache !== undefined) {
      cache.gather(rows, reduced, unitsAreKept ? (mask === undefined ? unit : projected) : undefined)
    } else {
      if (rows === undefined) engine.numbers().set(candidates, rawCandidates.start)
      else for (let k = 0; k < count; k++) kernels.copy(rowOf(rawCandidates, k), rowOf(embeddings, rows[k]))
      reduce(reduced, rawCandidates)
    }

    if (unitsAreKept) {
      // Dropping after cand_proj: P and U differ by a factor a row, so masking U and normalising again is the same.
      if (mask !== undefined) {
        scaleBy(engine, projected, mask.candidates)
        kernels.normaliseRows(unit, norms, projected)
      }
    } else {
      if (mask !== undefined && form === 'gated') {
        kernels.copy(dropped, reduced)
        scaleBy(engine, dropped, mask.candidates)
      }
      toPointer.forward(projected, dropped)
      if (mask !== undefined && form === 'static') scaleBy(engine, projected, mask.candidates)
      kernels.normaliseRows(unit, norms, projected)
    }
    return { rawQuery, rawCandidates, reducedQuery, reduced, projectionInput: dropped, norms, unit }
  }

  function reduce(target: Matrix, source: Matrix): void {
    if (reduction === undefined) kernels.copy(target, source)
    else reduction.forward(target, source)
  }

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
    if (row >= 0 && row < embeddings.rows && Number.isInteger(row)) return
    throw new RangeError(`there is no embedding ${row}; the table has ${embeddings.rows}`)
  }

  return {
    candidatesTrainable: projection.trainable || inputTrainable,
    inputTrainable,
    load,

    candidatesBackward({ norms, unit, projectionInput }, mask, dUnit, dReduced) {
      const dProjected = scratch('d projected', unit.rows, hidden)
      kernels.normaliseRowsBackward(dProjected, dUnit, unit, norms)
      if (mask !== undefined && form === 'static') scaleBy(engine, dProjected, mask.candidates)
      toPointer.addWeightGradient(dProjected, projectionInput)
      if (dReduced === undefined) return
      toPointer.inputGradient(dReduced, dProjected)
      if (mask !== undefined && form === 'gated') scaleBy(engine, dReduced, mask.candidates)
    },

    inputBackward({ rawCandidates, rawQuery }, dReduced, dReducedQuery) {
      if (input === undefined) return
      reduction?.addWeightGradient(dReduced, rawCandidates)
      kernels.addOuter(matrixAt(input.gradient.dense, hidden, width), dReducedQuery, rawQuery)
    },
  }
}

function isEmbeddings(candidates: PolicyQuery['candidates']): candidates is Float32Array | Float64Array {
  return candidates instanceof Float32Array || candidates instanceof Float64Array
}
