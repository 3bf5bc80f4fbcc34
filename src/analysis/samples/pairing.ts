import { groupBy } from '../../model/util/group-by.js'
import type { Goal } from '../../model/vocabulary/metric.js'
import { mean } from '../../stats/descriptive.js'
import type { Answer } from './side-scores.js'

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
