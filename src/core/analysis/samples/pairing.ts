import { z } from 'zod'
import { groupBy } from '../../../logs/model/util/group-by.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { mean } from '../../../stats/descriptive.js'
import type { Answer } from './answers.js'

/** Two sides prompt by prompt. Several answers to a prompt share its luck, so they are averaged and it counts once. */
export interface PromptPair {
  readonly id: string
  readonly scores: readonly [number, number]
  readonly answers: readonly [readonly Answer[], readonly Answer[]]
}

export function pairPrompts(first: readonly Answer[], second: readonly Answer[]): readonly PromptPair[] {
  const [byFirst, bySecond] = [groupBy(first, ({ id }) => id), groupBy(second, ({ id }) => id)]
  return [...byFirst].flatMap(([id, answers]): PromptPair[] => {
    const others = bySecond.get(id)
    if (others === undefined) return []
    return [{ id, scores: [meanScore(answers), meanScore(others)], answers: [answers, others] }]
  })
}

function meanScore(answers: readonly Answer[]): number {
  return mean(answers.map(({ score }) => score))
}

/** How scores tell right from wrong. */
export interface Scale {
  /** Whether there are two scores only, and each prompt has one answer: then prompts flip. */
  readonly binary: boolean
  /** More than two different scores. */
  readonly graded: boolean
  /** An answer on the good side of this is right. */
  readonly threshold: number
  readonly goal: Goal
  readonly isRight: (score: number) => boolean
}

/**
 * Two different scores are right and wrong, whatever numbers they are (1 and 0, 1 and −1). Of one score alone, 0 or less
 * is wrong. Graded ones are split at the middle of what was seen, which is said.
 */
export function scaleOf(sides: readonly (readonly Answer[])[], goal: Goal): Scale {
  const scores = new Set<number>()
  for (const answers of sides) for (const { score } of answers) scores.add(score)
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const score of scores) {
    low = Math.min(low, score)
    high = Math.max(high, score)
  }
  const threshold = low < high ? (low + high) / 2 : Math.min(0.5, high / 2 || 0.5)
  const single = sides.every(answers => new Set(answers.map(({ id }) => id)).size === answers.length)
  const isRight = (score: number): boolean => (goal === 'max' ? score > threshold : score < threshold)
  return { binary: scores.size <= 2 && single, graded: scores.size > 2, threshold, goal, isRight }
}

/**
 * Do two checkpoints choose alike? Equal scores with equal choices on every prompt mean more often that the same weights
 * were loaded twice than that two trainings agree.
 */
export const agreement = z.object({
  /** What was compared: a column of choices, final answers read from the texts, or the texts themselves. */
  basis: z.enum(['choice', 'answer', 'output']),
  n: z.number(),
  identical: z.number(),
  /** Prompts on which the same things were chosen, in any order; null where choices are single. */
  asSets: z.number().nullable(),
})

export type Agreement = z.infer<typeof agreement>

export interface Chosen {
  readonly choice: string | null
  readonly answer: string | null
  /** A hash of the whole output. */
  readonly output: string | null
}

/** On fewer prompts of all, what was chosen is not known well enough to speak of it. */
const LEAST_SHARE = 0.5

export function agreementOf(pairs: readonly (readonly [Chosen, Chosen])[]): Agreement | null {
  for (const basis of ['choice', 'answer', 'output'] as const) {
    const known = pairs.flatMap(([first, second]) => {
      const [a, b] = [first[basis], second[basis]]
      return a === null || b === null ? [] : [[a, b] as const]
    })
    if (known.length === 0 || known.length < LEAST_SHARE * pairs.length) continue
    const identical = known.filter(([a, b]) => a === b).length
    return { basis, n: known.length, identical, asSets: basis === 'choice' ? setsAlike(known) : null }
  }
  return null
}

function setsAlike(known: readonly (readonly [string, string])[]): number | null {
  const lists = known.map(pair => pair.map(members))
  if (!lists.some(pair => pair.some(({ length }) => length > 1))) return null
  return lists.filter(([a, b]) => a.toSorted().join('\0') === b.toSorted().join('\0')).length
}

/** `[3, 7]`, `3 7` and `3,7` are lists; a sentence is one choice. */
function members(choice: string): readonly string[] {
  const bare = choice.trim().replace(/^[[({]|[\])}]$/g, '')
  const parts = bare.split(/[\s,;]+/).filter(part => part !== '')
  return parts.length > 1 && parts.every(part => /^["']?[\w.-]{1,40}["']?$/.test(part)) && isList(choice)
    ? parts
    : [choice]
}

function isList(choice: string): boolean {
  return /^\s*[[({]/.test(choice) || /^[\d\s,;.-]+$/.test(choice)
}
