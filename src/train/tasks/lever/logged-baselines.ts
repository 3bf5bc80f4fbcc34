import { averageOutcome } from '../baselines.js'
import type { Baseline, BaselineOptions, Group, GroupMember, Outcome, Query } from '../task.js'

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
      members.flatMap(group => bestOf(group)),
    ),
  ].filter(({ scored, missing }) => scored + missing > 0)
}

function bestOf(group: readonly GroupMember[]): readonly GroupMember[] {
  return group.toSorted((a, b) => rank(b.outcome) - rank(a.outcome)).slice(0, 1)
}

/** Hard outweighs any soft score of a judged choice, which lies in [0, 1]; missing comes last. */
function rank(outcome: Outcome): number {
  if (outcome.kind === 'missing') return Number.NEGATIVE_INFINITY
  return 2 * (outcome.hard ?? 0) + outcome.soft
}
