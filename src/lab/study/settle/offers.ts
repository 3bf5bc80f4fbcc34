import type { Offer } from '../../../logs/model/study/answers.js'
import type { PromptLook, SeedLook } from '../../../logs/model/study/terms.js'
import { mean, variance } from '../../../stats/descriptive.js'
import {
  pairedPrompts,
  promptsForEquivalence,
  seedsForDifference,
  seedsForEquivalence,
} from '../../../stats/sample-size.js'

/**
 * What to buy next, seeds or prompts? The difference of two arms with K seeds each, every run asked n prompts, scatters by
 *
 *   2 (τ²/K + σ²/(K n)),
 *
 * τ between seeds, σ between a run's prompts. Whichever makes this smaller per second is bought: a seed costs a training
 * and its prompts, a prompt costs one answer of every run that there is. Only scatter within arms is looked at, never the
 * difference between them, so that the choice cannot favour an answer. Training longer is not for sale: a run of another
 * length is another setting, and can be asked as an arm.
 */
export interface Components {
  /** Variance between seeds of one arm, without the luck of the prompts. */
  readonly seeds: number
  /** Variance between the prompts of one run, what all runs of the arm find hard or easy apart. */
  readonly prompts: number
  /** Prompts that each run was asked. */
  readonly asked: number
}

/** Scores by arm, seed and prompt; two seeds an arm at least, the same prompts everywhere. */
export function componentsOf(arms: readonly (readonly (readonly number[])[])[]): Components {
  const asked = arms[0][0].length
  let [left, free] = [0, 0]
  const between: number[] = []
  for (const runs of arms) {
    const levels = runs.map(scores => mean(scores))
    const centre = mean(levels)
    between.push(variance(levels))
    for (let prompt = 0; prompt < asked; prompt += 1) {
      const ease = mean(runs.map(scores => scores[prompt])) - centre
      for (const [i, scores] of runs.entries()) left += (scores[prompt] - levels[i] - ease) ** 2
    }
    free += (runs.length - 1) * (asked - 1)
  }
  const prompts = free > 0 ? left / free : 0
  return { seeds: Math.max(0, mean(between) - prompts / asked), prompts, asked }
}

interface Prices {
  /** Seconds of a training, and of one prompt asked of one run. */
  readonly run: number
  readonly prompt: number
}

interface Stock {
  readonly seeds: number
  readonly arms: number
}

/** The next look's seeds, and twice the prompts; null where there are no more of them. The first is the better buy. */
export function offersFor(
  { seeds: between, prompts: within, asked }: Components,
  { seeds, arms }: Stock,
  { run, prompt }: Prices,
  next: { readonly seeds: number | null; readonly prompts: number | null },
): readonly Offer[] {
  const errorWith = (count: number, n: number): number => Math.sqrt((2 * (between + within / n)) / count)
  const offers: Offer[] = []
  if (next.seeds !== null) {
    const seconds = (next.seeds - seeds) * arms * (run + asked * prompt)
    offers.push({ kind: 'seeds', count: next.seeds, seconds, error: errorWith(next.seeds, asked) })
  }
  if (next.prompts !== null) {
    const seconds = (next.prompts - asked) * seeds * arms * prompt
    offers.push({ kind: 'prompts', count: next.prompts, seconds, error: errorWith(seeds, next.prompts) })
  }
  const now = errorWith(seeds, asked) ** 2
  const gain = ({ error, seconds }: Offer): number => (now - error ** 2) / seconds
  return offers.toSorted((a, b) => gain(b) - gain(a))
}

/**
 * What a study would have taken that looks once: a single look that four times in five finds a difference of the margin
 * where there is one and shows the same where there is none, with the spread that was seen; without a margin, as much as
 * the last planned look has.
 */
interface FixedDesign {
  readonly seeds: number
  readonly prompts: number | null
  readonly trials: number
  readonly by: 'margin' | 'most'
}

export function fixedDesign(
  last: SeedLook | PromptLook,
  { margin, most, others }: { readonly margin: number | null; readonly most: number; readonly others: number },
): FixedDesign {
  const by = margin === null ? 'most' : 'margin'
  const level = 1 - 0.05 / others
  if ('seeds' in last) {
    const seeds =
      margin === null
        ? most
        : Math.max(
            seedsForDifference(last.scatter, { difference: margin, level }),
            seedsForEquivalence(last.scatter, { margin, level }),
          )
    return { seeds, prompts: null, trials: (others + 1) * seeds, by }
  }
  const differing = (last.forBaseline + last.forArm) / last.prompts
  const prompts =
    margin === null
      ? last.prompts
      : Math.max(
          pairedPrompts(differing, { difference: margin, level }),
          promptsForEquivalence(differing, { margin, level }),
        )
  return { seeds: 1, prompts, trials: others + 1, by }
}
