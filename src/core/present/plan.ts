import type { z } from 'zod'
import type { Encoded } from '../../text/encode.js'
import { count } from '../../text/numbers.js'
import { message as words } from '../../text/say.js'
import type { planAnswer } from '../analysis/plan/answer.js'
import { type Block, pairs, paragraph, section } from './blocks.js'
import { goalBlocks } from './goal.js'
import { type Speaker, saying } from './speaker.js'
import { shortNumber } from './terminal-text.js'

/** A plan: how much of what would settle it, and what that rests on. */

type PlanAnswer = Encoded<z.infer<typeof planAnswer>>

export function planBlocks(answer: PlanAnswer, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const { difference, margin, forMargin, detectable, budget, assumptions } = answer
  const power = 100 * answer.power
  return [
    ...(answer.judgedBy === null ? [] : goalBlocks({ judgedBy: answer.judgedBy, tags: [] }, speaker)),
    ...(difference === null
      ? []
      : [amountsBlock(say('plan.to-see', { difference: shortNumber(difference), power }), answer, speaker)]),
    ...(margin === null
      ? []
      : [amountsBlock(say('plan.to-equate', { margin: shortNumber(margin), power }), forMargin ?? answer, speaker)]),
    ...detectable.map(found => {
      const smallest = shortNumber(found.difference)
      return paragraph(
        'evals' in found
          ? say('plan.detectable.evals', { evals: found.evals, difference: smallest })
          : say('plan.detectable.prompts', { prompts: found.prompts, difference: smallest }),
      )
    }),
    ...(budget === undefined ? [] : splitBlocks(budget, speaker)),
    section(say('plan.assumed', {}), ...assumptions.map(assumption => paragraph(assumption))),
  ]
}

function amountsBlock(title: string, amounts: NonNullable<PlanAnswer['forMargin']>, speaker: Speaker): Block {
  const say = saying(speaker, words)
  const { prompts, unpairedPrompts, evals, promptsPerEvaluation = 0, seeds } = amounts
  const ofPrompts = [
    ...(prompts === undefined ? [] : [say('plan.prompts', { n: count(prompts) })]),
    ...(unpairedPrompts === undefined ? [] : [say('plan.prompts-unpaired', { n: count(unpairedPrompts) })]),
  ]
  const rows: (readonly [string, string])[] = [
    ...(ofPrompts.length === 0 ? [] : [[say('plan.row.checkpoints', {}), ofPrompts.join(say('plan.or', {}))] as const]),
    ...(evals === undefined
      ? []
      : [
          [
            say('plan.row.runs', {}),
            evals === null
              ? say('plan.no-evals', { n: count(promptsPerEvaluation) })
              : say('plan.evals', { n: count(evals) }),
          ] as const,
        ]),
    ...(seeds === undefined ? [] : [[say('plan.row.settings', {}), say('plan.seeds', { n: count(seeds) })] as const]),
  ]
  return section(title, pairs(rows))
}

function splitBlocks(
  { seeds, prompts, detectable, spent }: NonNullable<PlanAnswer['budget']>,
  speaker: Speaker,
): readonly Block[] {
  const say = saying(speaker, words)
  const split = { seeds, prompts, detectable: shortNumber(detectable), spent: shortNumber(spent) }
  return [paragraph(say('plan.split', split)), ...(seeds < 3 ? [paragraph(say('plan.split-few', {}))] : [])]
}
