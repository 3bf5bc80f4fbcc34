import { z } from 'zod'
import { Problem } from '../../../logs/model/problem.js'
import { list } from '../../../logs/model/schema.js'
import { goalSchema } from '../../../logs/model/vocabulary/judged-by.js'
import { sentence } from '../../../text/answer-schema.js'
import { figure } from '../../../text/numbers.js'
import { message } from '../../../text/say.js'
import { absoluteSize, type Size } from '../conventions.js'
import { type GivenNoise, knownNoise, type NoiseAtHand } from './noise.js'
import {
  amounts,
  amountsForDifference,
  amountsForMargin,
  budgetSplit,
  detectableWithEvaluations,
  detectableWithPrompts,
  type Noise,
  type Split,
  splitBudget,
} from './plan.js'

/** A plan: how much would settle it, by what is known of the noise and what has to be assumed. */

/** The amounts are those for the difference, or for the margin where no difference is asked for. */
export const planAnswer = amounts.extend({
  /** The score that the plan is about; null where none was measured. */
  judgedBy: goalSchema.nullable(),
  power: z.number(),
  difference: z.number().nullable(),
  margin: z.number().nullable(),
  assumptions: list(sentence),
  forMargin: amounts.optional(),
  /** What the data at hand could show. */
  detectable: list(
    z.union([
      z.object({ prompts: z.number(), difference: z.number() }),
      z.object({ evals: z.number(), difference: z.number() }),
    ]),
  ),
  budget: budgetSplit.optional(),
})

export interface PlanOptions extends GivenNoise {
  readonly difference: Size | null
  readonly margin: Size | null
  readonly power: number | null
  /** Evaluations of each run now. */
  readonly evals: number | null
  readonly budget: number | null
  readonly costRun: number | null
  readonly costPrompt: number | null
}

const USUAL_POWER = 0.8

export function makePlan(options: PlanOptions, measured: NoiseAtHand | null): z.infer<typeof planAnswer> {
  const power = options.power ?? USUAL_POWER
  const { noise, prompts, level, assumptions } = knownNoise(options, measured)
  const [difference, margin] = [absolute(options.difference, level), absolute(options.margin, level)]
  const forDifference =
    difference === null ? null : amountsForDifference(difference, power, correctedFor(noise, options, difference))
  const forMargin = margin === null ? null : amountsForMargin(margin, power, noise)
  const main = forDifference ?? forMargin ?? {}
  if (Object.keys(main).length === 0) refuse('not-enough', 'plan.nothing-known')
  const split = splitOf(options, noise, power)
  const shares = [options.difference, options.margin].some(given => given !== null && 'share' in given)
  const { evals } = options
  return {
    ...main,
    judgedBy: measured?.judgedBy ?? null,
    power,
    difference,
    margin,
    assumptions: [
      ...assumptions,
      ...(shares && level !== null ? [message('plan.assume.level', { level: figure(level, 4) })] : []),
      ...(split === null ? [] : [message('plan.assume.budget', {})]),
    ],
    ...(forDifference !== null && forMargin !== null && { forMargin }),
    detectable: [
      ...(prompts === null || noise.pairedVariance === null
        ? []
        : [{ prompts, difference: detectableWithPrompts(prompts, noise.pairedVariance, power) }]),
      ...(evals === null || noise.evaluations === null
        ? []
        : [{ evals, difference: detectableWithEvaluations(evals, noise, power) }]),
    ],
    ...(split !== null && { budget: split }),
  }
}

function refuse(
  code: 'bad-request' | 'not-enough',
  key: 'plan.nothing-known' | 'plan.share-of-nothing' | 'plan.needs-costs' | 'plan.needs-scatter',
): never {
  throw new Problem(code, message(key, {}))
}

/** A discordance counts the difference itself: the variance is what it leaves. */
function correctedFor(noise: Noise, { discordance }: PlanOptions, difference: number): Noise {
  if (discordance === null || noise.pairedVariance === null) return noise
  return { ...noise, pairedVariance: Math.max(noise.pairedVariance - difference ** 2, 0) }
}

function absolute(size: Size | null, level: number | null): number | null {
  if (size === null) return null
  return absoluteSize(size, level ?? 0) ?? refuse('bad-request', 'plan.share-of-nothing')
}

function splitOf(
  { budget, costRun: run, costPrompt: prompt }: PlanOptions,
  { seedScatter, promptScatter }: Noise,
  power: number,
): Split | null {
  if (budget === null) return null
  if (run === null || prompt === null) return refuse('bad-request', 'plan.needs-costs')
  if (seedScatter === null || promptScatter === null) return refuse('not-enough', 'plan.needs-scatter')
  const split = splitBudget({ budget, run, prompt }, seedScatter, promptScatter, power)
  if (split !== null) return split
  throw new Problem('not-enough', message('plan.budget-too-small', { least: figure(4 * (run + prompt), 4) }))
}
