import { z } from 'zod'
import { absoluteSize } from '../analysis/conventions.js'
import { knownNoise, noiseAtHand } from '../analysis/plan/noise.js'
import {
  amountsForDifference,
  amountsForMargin,
  detectableWithEvaluations,
  detectableWithPrompts,
  type Noise,
  type Split,
  splitBudget,
} from '../analysis/plan/plan.js'
import { Problem } from '../model/problem.js'
import { FEWEST_EVALUATIONS } from '../stats/paired-mean.js'
import { figure } from '../text/numbers.js'
import { message } from '../text/say.js'
import { inWords, list, metric, numberWithin, otherwise, request, size } from './fields.js'
import { resolveSides } from './names.js'
import { question } from './question.js'

/** How many prompts, evaluations or seeds would settle it? */

const planRequest = request({
  sides: list(z.string())
    .refine(sides => sides.length < 3, otherwise('plan.two-sides'))
    .default([]),
  metric,
  difference: size,
  margin: size,
  power: numberWithin({ above: 0, below: 1 }),
  sd: numberWithin({ above: 0 }),
  seedSd: numberWithin({ above: 0 }),
  prompts: numberWithin({ above: 0, whole: true }),
  discordance: numberWithin({ above: 0, below: 1 }),
  p: numberWithin({ above: 0, below: 1 }),
  evals: numberWithin({ above: FEWEST_EVALUATIONS - 1, whole: true }),
  budget: numberWithin({ above: 0 }),
  costRun: numberWithin({ above: 0 }),
  costPrompt: numberWithin({ above: 0 }),
})

type PlanRequest = z.output<typeof planRequest>

const amounts = z.object({
  /** The same prompts for both checkpoints. */
  prompts: z.number().optional(),
  unpairedPrompts: z.number().optional(),
  /** Of the whole training; null where no number of them will do. */
  evals: z.number().nullable().optional(),
  /** Where none will do: the prompts per evaluation that would leave room for evaluations to count. */
  promptsPerEvaluation: z.number().optional(),
  seeds: z.number().optional(),
})

/** The amounts are those for the difference, or for the margin where no difference is asked for. */
const planAnswer = amounts.extend({
  power: z.number(),
  difference: z.number().nullable(),
  margin: z.number().nullable(),
  assumptions: list(z.string()),
  forMargin: amounts.optional(),
  /** What the data at hand could show. */
  detectable: list(
    z.union([
      z.object({ prompts: z.number(), difference: z.number() }),
      z.object({ evals: z.number(), difference: z.number() }),
    ]),
  ),
  budget: z.object({ seeds: z.number(), prompts: z.number(), detectable: z.number(), spent: z.number() }).optional(),
})

export type PlanAnswer = z.infer<typeof planAnswer>

const USUAL_POWER = 0.8

export const plan = question({
  request: planRequest,
  answer: planAnswer,
  async ask(workspace, asked, asking) {
    const { sides: names, metric, evals, lang } = asked
    const power = asked.power ?? USUAL_POWER
    if (asked.difference === null && asked.margin === null) refuse('bad-request', 'plan.needs-size')
    const sides = await resolveSides(workspace, names, asking)
    const measured = sides.length === 0 ? null : await noiseAtHand(sides, metric)
    const { noise, prompts, level, assumptions } = knownNoise(asked, measured)
    const [difference, margin] = [absolute(asked.difference, level), absolute(asked.margin, level)]
    const forDifference =
      difference === null ? null : amountsForDifference(difference, power, correctedFor(noise, asked, difference))
    const forMargin = margin === null ? null : amountsForMargin(margin, power, noise)
    const main = forDifference ?? forMargin ?? {}
    if (Object.keys(main).length === 0) refuse('not-enough', 'plan.nothing-known')
    const split = budgetSplit(asked, noise, power)
    const shares = [asked.difference, asked.margin].some(given => given !== null && 'share' in given)
    const all = [
      ...assumptions,
      ...(shares && level !== null ? [message('plan.assume.level', { level: figure(level, 4) })] : []),
      ...(split === null ? [] : [message('plan.assume.budget', {})]),
    ]
    return {
      ...main,
      power,
      difference,
      margin,
      assumptions: inWords(all, lang),
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
  },
})

function refuse(
  code: 'bad-request' | 'not-enough',
  key: 'plan.needs-size' | 'plan.nothing-known' | 'plan.share-of-nothing' | 'plan.needs-costs' | 'plan.needs-scatter',
): never {
  throw new Problem(code, message(key, {}))
}

/** A discordance counts the difference itself: the variance is what it leaves. */
function correctedFor(noise: Noise, { discordance }: PlanRequest, difference: number): Noise {
  if (discordance === null || noise.pairedVariance === null) return noise
  return { ...noise, pairedVariance: Math.max(noise.pairedVariance - difference ** 2, 0) }
}

function absolute(size: PlanRequest['difference'], level: number | null): number | null {
  if (size === null) return null
  return absoluteSize(size, level ?? 0) ?? refuse('bad-request', 'plan.share-of-nothing')
}

function budgetSplit(
  { budget, costRun: run, costPrompt: prompt }: PlanRequest,
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
