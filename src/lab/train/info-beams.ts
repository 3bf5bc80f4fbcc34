import type { JsonObject } from '../../logs/model/json.js'
import type { Message } from '../../logs/model/run.js'
import { inParallel } from '../endpoint/in-parallel.js'
import type { Choice, ChoiceLikelihood, Query } from './tasks/task.js'

/**
 * Sequences of examples that make the right answer likelier, found by beam search over a query's pool, as Lever-Plus
 * makes the data of its first training (beam 5, 64 candidates). The InfoScore of a sequence is what it adds to the
 * log-probability of the answer: log P(answer | examples, query) − log P(answer | query). An example is added behind the
 * ones before it. The highest scores stay; the original keeps the lowest for Qwen models, which is a fault of its.
 * What could not be scored is left out and counted, never taken for 0.
 */
interface BeamRequest {
  readonly queries: readonly Query[]
  readonly likelihood: ChoiceLikelihood
  readonly shots: number
  readonly beams: number
  /** Requests at a time. */
  readonly concurrency: number
  readonly progress: (done: number, total: number) => void
  readonly signal: AbortSignal | undefined
}

interface BeamData {
  /** By row of the query: `id_list` of [example…, query], `score_list`, and the pool that was searched. */
  readonly records: JsonObject
  readonly queries: number
  /** Queries without two beams to compare. */
  readonly leftOut: number
  readonly scored: number
  readonly missing: number
  /** Why the first of those is. */
  readonly reason: Message | null
}

interface Beam {
  readonly choice: Choice
  readonly score: number
}

export async function searchBeams(request: BeamRequest): Promise<BeamData> {
  const { queries, progress, signal } = request
  const records: { [id: string]: JsonObject } = {}
  const count = { scored: 0, missing: 0, reason: null as Message | null }
  for (const [done, query] of queries.entries()) {
    signal?.throwIfAborted()
    const beams = await beamsOf(query, request, count)
    if (beams.length >= 2) {
      records[String(query.row)] = {
        id_list: beams.map(({ choice }) => [...choice.map(position => query.pool[position]), query.row]),
        score_list: beams.map(({ score }) => score),
        candidate_pool_ids: [...query.pool],
      }
    }
    progress(done + 1, queries.length)
  }
  const found = Object.keys(records).length
  return { records, queries: found, leftOut: queries.length - found, ...count }
}

async function beamsOf(
  query: Query,
  { likelihood, shots, beams: width, concurrency }: BeamRequest,
  count: { scored: number; missing: number; reason: Message | null },
): Promise<readonly Beam[]> {
  const scoreOf = async (choice: Choice): Promise<number | null> => {
    const reply = await likelihood(query, choice)
    if (reply.kind === 'logprob') return reply.value
    count.missing += 1
    count.reason ??= reply.reason
    return null
  }
  const alone = await scoreOf([])
  if (alone === null) return []
  let beams: readonly Beam[] = [{ choice: [], score: 0 }]
  for (let shot = 0; shot < shots; shot += 1) {
    const longer = beams.flatMap(({ choice }) =>
      Array.from(query.pool.keys())
        .filter(position => !choice.includes(position))
        .map((position): Choice => [...choice, position]),
    )
    const scores = await inParallel(longer, concurrency, scoreOf)
    const scored = longer.flatMap((choice, i): Beam[] => {
      const score = scores[i]
      return score === null ? [] : [{ choice, score: score - alone }]
    })
    count.scored += scored.length
    beams = scored.sort((a, b) => b.score - a.score).slice(0, width)
  }
  return beams
}
