/**
 * The scores of queries that were asked before, for a policy with nothing to train: a reference meets the same queries in
 * every epoch and gives the same scores each time. In the static form these are all that its picks depend on.
 */
import type { FloatArray } from '../kernels/kernels.js'
import type { PolicyQuery } from './inputs.js'
import type { ParameterSet } from './parameters.js'

export interface KnownScores {
  of(query: PolicyQuery): FloatArray | undefined
  /** Keeps a copy, if the query is named by rows. */
  keep(query: PolicyQuery, scores: FloatArray): void
}

interface Entry {
  readonly candidates: readonly number[] | Int32Array
  readonly scores: FloatArray
}

export function createKnownScores(parameters: ParameterSet): KnownScores {
  const byRow = new Map<number, Entry>()
  let version = parameters.version

  return {
    of({ query, candidates }) {
      if (version !== parameters.version) {
        byRow.clear()
        version = parameters.version
      }
      const entry = typeof query === 'number' ? byRow.get(query) : undefined
      if (entry === undefined || entry.candidates.length !== candidates.length) return undefined
      for (let k = 0; k < candidates.length; k++) if (entry.candidates[k] !== candidates[k]) return undefined
      return entry.scores
    },
    keep({ query, candidates }, scores) {
      if (typeof query !== 'number' || candidates instanceof Float32Array || candidates instanceof Float64Array) return
      byRow.set(query, { candidates: candidates.slice(), scores: scores.slice() })
    },
  }
}
