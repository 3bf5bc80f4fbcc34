import type { Message } from '../../../logs/model/run.js'
import type { Scope } from '../../../logs/model/verdict.js'
import { detrended, mean, variance } from '../../../stats/descriptive.js'
import { FEWEST_EVALUATIONS } from '../../../stats/paired-mean.js'
import type { StudentEstimate } from '../../../stats/student-estimate.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { type Aligned, align } from '../align.js'
import { differenceByPrompt, meanScores, type PromptScores, withPrompts, withVariance } from '../prompt-scores.js'

/**
 * How much of a difference hangs on which prompts were asked. All evaluations ask the same ones, so their sampling noise is a
 * constant offset that no look at the curves can see. Per-prompt scores tell it; where only the number of prompts is
 * known, a share of p(1 − p)/n stands in for it.
 */
export interface PromptError {
  readonly estimate: StudentEstimate & { readonly promptError: number }
  readonly prompts: number
  /** Variance of the difference of one prompt; null where only the number of prompts is known. */
  readonly variancePerPrompt: number | null
  readonly reason: Message
}

/** The scores of every run of both sides on the same prompts, in the order of the runs. */
export function promptErrorFromScores({
  plain,
  scores: [baseline, other],
  steps,
  scope,
  differenceOf,
}: {
  readonly plain: StudentEstimate
  readonly scores: readonly [readonly PromptScores[], readonly PromptScores[]]
  readonly steps: readonly number[]
  readonly scope: Scope
  readonly differenceOf: (shared: Aligned, runs: readonly [number, number], scope: Scope) => StudentEstimate
}): PromptError | null {
  const runs = [...baseline, ...other]
  const scored = steps.filter(step => runs.every(({ byStep }) => byStep.has(step)))
  if (scored.length === 0 || (scope === 'runs' && scored.length < FEWEST_EVALUATIONS)) return null
  const wanted = new Set(scored)
  const means = align(runs.map(meanScores))
  const kept = means.steps.map((_, i) => i).filter(i => wanted.has(means.steps[i]))
  const onSteps = { steps: scored, values: means.values.map(values => kept.map(i => values[i])) }
  const differences = differenceByPrompt(baseline, other, scored)
  if (differences.length < 2) return null
  const prompts = differences.length
  return {
    estimate: withPrompts(plain, differenceOf(onSteps, [baseline.length, other.length], scope), differences),
    prompts,
    variancePerPrompt: variance(differences),
    reason: message('compare.prompts-counted', { prompts, metric: baseline[0].metric }),
  }
}

/**
 * Shares of p(1 − p)/n by which the prompts' sampling noise moves a difference, over all evaluations and over their end.
 *
 * Two runs: on 1,080 pairs of real runs of like quality 0.17–0.32 and 0.31–0.56, less the longer the window. With these
 * the interval covers the difference on fresh prompts in 94–97 % at 9 to 80 evaluations, where the curves alone cover it
 * in 83–97 %.
 *
 * Settings: a part of that is the runs' own (two runs of one setting solve other prompts), which their scatter holds
 * already and which averages out over runs. The per-prompt differences of three against three runs less that part are
 * 0.06–0.09 and 0.07–0.14 on average over the pairs of settings of two labs, up to 0.21 and 0.28 where they lie far
 * apart; so much stays however many seeds are run (docs/statistics.md).
 */
const SHARE = { runs: { level: 0.15, final: 0.3 }, configs: { level: 0.1, final: 0.15 } }

/** Variance of the difference of two runs, or of two settings, whose scores are shares about this one. */
export function promptVarianceOfShares(
  share: number,
  prompts: number,
  question: keyof typeof SHARE.runs,
  scope: keyof typeof SHARE = 'runs',
): number {
  return (SHARE[scope][question] * share * (1 - share)) / prompts
}

/** Null unless all scores are shares. */
export function promptErrorFromCount(
  plain: StudentEstimate,
  { values }: Aligned,
  prompts: number,
  question: keyof typeof SHARE.runs,
  scope: Scope,
): PromptError | null {
  if (values.some(run => run.some(value => value < 0 || value > 1))) return null
  const share = mean(values.map(run => mean(run)))
  return {
    estimate: withVariance(
      plain,
      promptVarianceOfShares(share, prompts, question, scope === 'configs' ? 'configs' : 'runs'),
      prompts - 1,
    ),
    prompts,
    variancePerPrompt: null,
    reason: message('compare.prompts-guessed', { prompts }),
  }
}

/**
 * Curves alone. All evaluations of a run ask the same prompts, so their sampling noise is an offset that does not shrink
 * with more evaluations, and where nothing tells how many prompts there are it cannot be computed. It is not small: the
 * error of the mean counts as at least this share of the variance of one evaluation's difference. Chosen on 112 pairs of one
 * setting of a lab, of which curves told apart up to a third at eighty evaluations; docs/statistics.md has it on others.
 */
const LEAST_SHARE = 0.21

/** Around their line, because a gap that grows is no noise. */
export function onUnknownPrompts<Estimate extends StudentEstimate>(
  estimate: Estimate,
  differences: Float64Array,
): Estimate {
  const least = Math.sqrt(LEAST_SHARE * variance(detrended(differences)))
  return estimate.standardError < least ? { ...estimate, standardError: least } : estimate
}
