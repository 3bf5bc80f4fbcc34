import {
  pairedPrompts,
  promptsForEquivalence,
  seedsForDifference,
  seedsForEquivalence,
} from '../../stats/sample-size.js'
import type { PromptLook } from './settle-prompts.js'
import type { SeedLook } from './settle-seeds.js'

/**
 * What a study would have taken that looks once: a single look that four times in five finds a difference of the margin
 * where there is one and shows the same where there is none, with the spread that was seen; without a margin, as much as
 * the last planned look has.
 */
export interface FixedDesign {
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
