import type { TrainConfig } from './config/schema.js'
import type { Policy } from './policy/policy.js'
import type { Session } from './session.js'
import { type Choice, queriesOf, type Split, type Task } from './tasks/task.js'

/** The policy's own choice for each query of a split, without dropout and without chance, scored by the task. */
export interface Validation {
  readonly ids: readonly string[]
  readonly hard: readonly number[]
  readonly soft: readonly number[]
  /** As the data names the candidates: positions in the query's pool. */
  readonly choices: readonly Choice[]
  readonly missing: number
  readonly metrics: { readonly [name: string]: number }
}

export async function validate(
  session: Session,
  policy: Policy,
  task: Task,
  {
    split,
    shots,
    samples,
  }: { readonly split: Split; readonly shots: number; readonly samples: TrainConfig['eval']['samples'] },
): Promise<Validation> {
  const queries = queriesOf(task, split).slice(0, samples ?? undefined)
  const scored: { id: string; hard: number; soft: number; choice: Choice }[] = []
  let missing = 0
  for (const query of queries) {
    const choice = policy.greedy(session.queryOf(query), { shots })
    const [outcome] = await task.score(query, [choice])
    if (outcome.kind === 'missing') missing += 1
    else scored.push({ id: query.id, hard: outcome.hard ?? outcome.soft, soft: outcome.soft, choice })
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [hard, soft] = [scored.map(each => each.hard), scored.map(each => each.soft)]
  return {
    ids: scored.map(({ id }) => id),
    hard,
    soft,
    choices: scored.map(({ choice }) => choice),
    missing,
    metrics: { 'val.score': mean(hard), 'val.score.soft': mean(soft) },
  }
}
