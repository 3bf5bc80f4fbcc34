import { differenceEvidence, withinEvidence } from '../../stats/betting-martingale.js'
import { mean } from '../../stats/descriptive.js'
import { ENOUGH_EVIDENCE } from '../../stats/sign-martingale.js'
import { coursesOf, lookTogether, type Settled, settledOf } from './together.js'

/**
 * Which of these checkpoints answers better? Prompts are asked of all of them, a batch at a time, until the evidence is
 * twenty to one (`signMartingale`, `bettingMartingale`): that stays honest however often one looks, so nothing is
 * planned but how many prompts there are. It says nothing about the settings behind the checkpoints: those need seeds.
 */
export interface PromptLook {
  readonly prompts: number
  /** Mean of the arm minus the baseline. */
  readonly estimate: number
  /** Prompts on which the baseline scored higher, and the arm. */
  readonly forBaseline: number
  readonly forArm: number
  /** Against "no difference": so many to one. */
  readonly evidence: number
  readonly claimAt: number
  /** Against a difference of the margin or more; null without a margin. */
  readonly evidenceSame: number | null
  readonly sameAt: number
}

export type SettledPrompts = Settled<PromptLook>

/**
 * Scores between 0 and 1 of the same prompts in the same order. `looks` says after how many of them one looks, `isAll`
 * whether there are no more to ask.
 */
export function settlePrompts(
  baseline: readonly number[],
  others: readonly (readonly number[])[],
  margin: number | null,
  { looks, isAll }: { readonly looks: readonly number[]; readonly isAll: boolean },
): readonly SettledPrompts[] {
  const courses = coursesOf<PromptLook>(others.length)
  for (const prompts of looks) {
    const open = courses.filter(({ arm, answer }) => answer === null && others[arm].length >= prompts)
    lookTogether(
      courses,
      open,
      ({ arm }, sharing) => {
        const differences = others[arm].slice(0, prompts).map((score, k) => score - baseline[k])
        return {
          prompts,
          estimate: mean(differences),
          forBaseline: differences.filter(value => value < 0).length,
          forArm: differences.filter(value => value > 0).length,
          evidence: differenceEvidence(differences),
          claimAt: ENOUGH_EVIDENCE * sharing.claim,
          evidenceSame: margin === null ? null : withinEvidence(differences, margin),
          sameAt: ENOUGH_EVIDENCE * sharing.same,
        }
      },
      answerOf,
    )
  }
  for (const course of courses) {
    if (course.answer !== null || !isAll) continue
    course.answer = 'undetermined'
    course.why = 'last-look'
  }
  return settledOf(courses)
}

function answerOf({ evidence, claimAt, evidenceSame, sameAt, estimate }: PromptLook) {
  if (evidence >= claimAt) return estimate > 0 ? 'higher' : 'lower'
  return evidenceSame !== null && evidenceSame >= sameAt ? 'same' : null
}
