import type { Validation } from './validate.js'

/**
 * What a policy chose over all queries together. A policy that gives every query the same few examples, be it for a pool
 * of two or for weights that were never loaded, scores the same whatever it was trained on: no evaluation of it can tell
 * one training from another.
 */
export interface ChoiceSpread {
  readonly queries: number
  /** Sequences of examples that differ. */
  readonly distinct: number
  /** Examples that any query was shown. */
  readonly examples: number
  /** Of how often each example is chosen, in nats: log(examples) where all are chosen alike. */
  readonly entropy: number
  /** Candidates that a query could choose from. */
  readonly pool: { readonly least: number; readonly most: number }
}

export function choiceSpread(asked: Validation['asked']): ChoiceSpread {
  const counts = new Map<number, number>()
  for (const { examples } of asked) for (const id of examples) counts.set(id, (counts.get(id) ?? 0) + 1)
  const picks = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const sizes = asked.map(({ pool }) => pool)
  return {
    queries: asked.length,
    distinct: new Set(asked.map(({ examples }) => examples.join(' '))).size,
    examples: counts.size,
    entropy: [...counts.values()].reduce((sum, count) => sum - (count / picks) * Math.log(count / picks), 0),
    pool: { least: Math.min(...sizes), most: Math.max(...sizes) },
  }
}

/** Below so many queries a small number of choices is no wonder. */
const ENOUGH_QUERIES = 20
/** A choice that twenty queries share on average is none of theirs. */
const QUERIES_PER_CHOICE = 20

/** Whether such choices can tell policies apart. */
export function isBlind({ queries, distinct }: ChoiceSpread): boolean {
  return queries >= ENOUGH_QUERIES && distinct * QUERIES_PER_CHOICE <= queries
}
