import { mean } from '../../stats/descriptive.js'
import { nearestChoice, randomChoice, randomForQuery } from './groups.js'
import {
  type Baseline,
  type BaselineOptions,
  type Choice,
  type Outcome,
  type Query,
  queriesOf,
  type Task,
} from './task.js'

/** The best choice of so many for a query, where the task can know it. */
export type BestChoice = (query: Query, shots: number) => Choice

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
