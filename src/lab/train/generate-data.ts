import type { JsonObject } from '../../logs/model/json.js'
import type { TrainConfig } from './config/selector-settings.js'
import type { LoadedCheckpoint } from './load-checkpoint.js'
import { openSession } from './session.js'
import { generateGroup, type PointerLogits } from './tasks/groups.js'
import { leverRecord } from './tasks/lever/records.js'
import type { Task } from './tasks/task.js'

/**
 * Groups of scored choices as a file of Lever-Plus (v3): what `task: lever` trains on. Choices are proposed as by its
 * generator, beams, samples, the nearest and chance, by a policy or by similarity; the task scores them. Every query
 * depends on the seed alone and answers are kept on disk, so a run that was interrupted pays for nothing twice.
 */
interface GeneratedData {
  /** By row of the query, as its embeddings have it. */
  readonly records: JsonObject
  /** In the file; those for which all proposals were one set of examples are left out: there is nothing to compare. */
  readonly queries: number
  readonly leftOut: number
  readonly scored: number
  readonly missing: number
}

interface GenerateRequest {
  readonly task: Task
  readonly config: TrainConfig
  readonly policy: LoadedCheckpoint | null
  readonly progress: (done: number, total: number) => void
  readonly signal: AbortSignal | undefined
}

/** So many queries wait for their scores side by side. */
const AT_ONCE = 16

export async function generateData({
  task,
  config,
  policy,
  progress,
  signal,
}: GenerateRequest): Promise<GeneratedData> {
  const logits = policy === null ? null : policyLogits(task, config, policy)
  const options = {
    shots: config.policy.shots,
    seed: config.seed,
    proposals: config.group.proposals,
    ...(logits !== null && { logits }),
  }
  const records: { [id: string]: JsonObject } = {}
  let scored = 0
  let missing = 0
  for (let start = 0; start < task.queries.length; start += AT_ONCE) {
    signal?.throwIfAborted()
    const part = task.queries.slice(start, start + AT_ONCE)
    const groups = await Promise.all(part.map(query => generateGroup(task, query, options)))
    for (const [i, { members }] of groups.entries()) {
      if (members.length < 2) continue
      records[String(part[i].row)] = leverRecord(part[i], members)
      const had = members.filter(({ outcome }) => outcome.kind === 'scored').length
      scored += had
      missing += members.length - had
    }
    progress(Math.min(start + AT_ONCE, task.queries.length), task.queries.length)
  }
  const queries = Object.keys(records).length
  return { records, queries, leftOut: task.queries.length - queries, scored, missing }
}

/** What the policy thinks of the next pick: its log-probabilities, which are logits as good as any. */
function policyLogits(task: Task, config: TrainConfig, { values }: LoadedCheckpoint): PointerLogits {
  const session = openSession(task, config)
  const policy = session.policyWith([])
  policy.parameters.load(values)
  return (query, picked) => {
    const next = query.pool.findIndex((_, position) => !picked.includes(position))
    const { nodeLogProbs, nodeOf, candidateCount } = policy.evaluate(session.queryOf(query), [[...picked, next]])
    const start = nodeOf[picked.length] * candidateCount
    return nodeLogProbs.slice(start, start + candidateCount)
  }
}
