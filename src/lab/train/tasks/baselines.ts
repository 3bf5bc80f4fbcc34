import { mean } from '../../../stats/descriptive.js'
import { nearestChoice, randomChoice, randomForQuery } from './groups.js'
import {
  type Baseline,
  type BaselineOptions,
  type Choice,
  type Group,
  type GroupMember,
  type Outcome,
  type Query,
  queriesOf,
  type Task,
} from './task.js'

/** The best choice of so many for a query, where the task can know it. */
type BestChoice = (query: Query, shots: number) => Choice

/** Baselines of a task that can score any choice; `zeroShot`: also none at all. */
export async function scoredBaselines(
  task: Task,
  options: BaselineOptions,
  best: BestChoice | null,
  { zeroShot = false }: { readonly zeroShot?: boolean } = {},
): Promise<readonly Baseline[]> {
  const { shots, split, seed, draws = 16, samples = null } = options
  const queries = queriesOf(task, split).slice(0, samples ?? undefined)
  const average = async (name: Baseline['name'], choose: (query: Query) => readonly Choice[]): Promise<Baseline> => {
    const outcomes = await Promise.all(queries.map(query => task.score(query, choose(query))))
    return averageOutcome({ name, shots, split }, outcomes.flat())
  }
  const baselines = [
    ...(zeroShot ? [await average('zero-shot', () => [[]])] : []),
    await average('random', query => {
      const random = randomForQuery(seed, query)
      return Array.from({ length: draws }, () => randomChoice(query, shots, random))
    }),
    await average('nearest', query => [nearestChoice(task, query, shots)]),
  ]
  if (best === null) return baselines
  return [...baselines, await average('best', query => [best(query, shots)])]
}

export function averageOutcome(of: Pick<Baseline, 'name' | 'shots' | 'split'>, outcomes: readonly Outcome[]): Baseline {
  const scored = outcomes.filter(outcome => outcome.kind === 'scored')
  return {
    ...of,
    hard: mean(scored.map(({ hard }) => hard ?? Number.NaN)),
    soft: mean(scored.map(({ soft }) => soft)),
    scored: scored.length,
    missing: outcomes.length - scored.length,
  }
}

/**
 * Baselines of a log, which can only speak of choices it holds: the average of those made at random, of those made by
 * retrieval, of all, and for each query the best one logged (by hard, then soft). The last is a best of what was tried,
 * not of what is possible. The shots are the log's own; a question about another number has no answer here.
 */
export function loggedBaselines(
  queries: readonly Query[],
  groups: readonly Group[],
  { shots, split, samples = null }: BaselineOptions,
): readonly Baseline[] {
  const members = groups
    .filter(({ query }) => queries[query].split === split)
    .slice(0, samples ?? undefined)
    .map(group => group.members.filter(({ choice }) => choice.length === shots))
  const all = members.flat()
  const average = (name: Baseline['name'], of: readonly GroupMember[]) =>
    averageOutcome(
      { name, shots, split },
      of.map(({ outcome }) => outcome),
    )
  const by = (method: string) => all.filter(member => member.method === method)
  return [
    average('random', by('random')),
    average('nearest', by('retrieval')),
    average('logged', all),
    average(
      'best',
      members.flatMap(group => bestLogged(group)),
    ),
  ].filter(({ scored, missing }) => scored + missing > 0)
}

function bestLogged(group: readonly GroupMember[]): readonly GroupMember[] {
  return group.toSorted((a, b) => rankOf(b.outcome) - rankOf(a.outcome)).slice(0, 1)
}

/** Hard outweighs any soft score of a judged choice, which lies in [0, 1]; missing comes last. */
function rankOf(outcome: Outcome): number {
  if (outcome.kind === 'missing') return Number.NEGATIVE_INFINITY
  return 2 * (outcome.hard ?? 0) + outcome.soft
}
