import { PATIENCE } from '../intention/embedded/embedded.js'
import { MOST_AT_ONCE } from '../intention/embedded/matching.js'
import { KINDS } from '../intention/own/kinds.js'
import { ownTasks, type TaskLanguage } from '../intention/own/tasks.js'
import { rewardFor, USERRL_RULES } from '../intention/rules.js'
import type { IntentionTask } from '../intention/task.js'

/**
 * The best questions that a category allows without reading the request: chosen one by one, alone or in compounds of two or
 * three, whichever earns most on the training tasks. A category that training does not have gets the best list overall.
 */
export function fixedLists(
  language: TaskLanguage,
  questions: number,
  tasks: readonly IntentionTask[] = ownTasks('train', language),
): (category: string) => readonly string[] {
  const known = new Map<string, readonly string[]>()
  return category => {
    const found = known.get(category)
    if (found !== undefined) return found
    const own = tasks.filter(task => task.category === category)
    const list = bestList(own.length > 0 ? own : tasks, questions).map(kinds =>
      kinds.map(kind => KINDS.get(kind)?.[language].questions[0] ?? '').join(' '),
    )
    known.set(category, list)
    return list
  }
}

/** Longer lists meet a user who has lost patience. */
const LENGTHS = [4, 5, 6]

/** What occurs more rarely than these never makes it into a list. */
const MOST_CANDIDATES = 16

type List = readonly (readonly string[])[]

function bestList(tasks: readonly IntentionTask[], questions: number): List {
  const kinds = mostFrequent(tasks)
  const lengths = LENGTHS.filter(length => length <= Math.max(questions, LENGTHS[0]))
  const lists = lengths.flatMap(length => [1, 2, 3].map(size => greedyList(tasks, kinds, length, size)))
  return lists.reduce((best, list) => (earned(list, tasks) > earned(best, tasks) ? list : best))
}

/** The kind that adds most, then the next: dealt over the questions so that the best stand in different ones. */
function greedyList(tasks: readonly IntentionTask[], kinds: readonly string[], questions: number, size: number): List {
  let list: readonly string[][] = Array.from({ length: questions }, () => [])
  for (let place = 0; place < Math.min(kinds.length, questions * size); place += 1) {
    const used = new Set(list.flat())
    const candidates = kinds.filter(kind => !used.has(kind))
    const extended = candidates.map(kind =>
      list.map((group, i) => (i === place % questions ? [...group, kind] : group)),
    )
    list = extended.reduce((best, each) => (earned(each, tasks) > earned(best, tasks) ? each : best))
  }
  return list
}

function mostFrequent(tasks: readonly IntentionTask[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { missing_details: details } of tasks) {
    for (const { kind = '', importance } of details) counts.set(kind, (counts.get(kind) ?? 0) + importance)
  }
  const ranked = [...counts].sort(([, one], [, other]) => other - one)
  return ranked.slice(0, MOST_CANDIDATES).map(([kind]) => kind)
}

function earned(list: List, tasks: readonly IntentionTask[]): number {
  return tasks.reduce((sum, task) => sum + earnedOn(list, task), 0)
}

function earnedOn(list: List, { missing_details: details }: IntentionTask): number {
  let sum = 0
  let misses = 0
  for (const kinds of list) {
    const found = details.filter(({ kind }) => kind !== undefined && kinds.includes(kind)).slice(0, MOST_AT_ONCE)
    if (found.length === 0) misses += 1
    if (misses > PATIENCE) break
    sum += rewardFor(found, USERRL_RULES)
  }
  return sum
}
