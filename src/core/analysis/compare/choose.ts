import type { Message } from '../../../logs/model/run.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { normalQuantile } from '../../../stats/distributions.js'
import { spikeSlabPosterior } from '../../../stats/spike-slab.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { figure } from '../../../text/numbers.js'

/**
 * If one must choose today: the likelier side, how likely, and what is lost on average if it is the wrong one. What was
 * seen has the error of the estimate and, for single runs, the scatter of seeds on both sides; what was to be expected
 * beforehand is that most knobs do next to nothing and a few do much (`spikeSlabPosterior`).
 */
export interface Choice {
  readonly side: string
  /** That the chosen side is the better one. */
  readonly probability: number
  /** In the metric's unit: the mean of what is given away in the cases where the other side is better. */
  readonly lossIfWrong: number
  /** The mean of what is gained in the others. */
  readonly gainIfRight: number
  /** Standard error of the difference between the settings: of the estimate, and of seeds where single runs stand for them. */
  readonly error: number
  readonly assumption: Message
}

export interface SeedSd {
  /** Standard deviation between runs of one setting. */
  readonly size: number
  /** Where the number comes from. */
  readonly source: 'workspace' | 'user' | 'assumed'
}

/** Real GRPO runs of one setting scattered by 1 to 2.3 % of their level; a little more is assumed. */
export const ASSUMED_SEED_SD = 0.025

export function choose(
  verdict: Verdict,
  goal: Goal | null,
  runs: readonly [number, number],
  seedSd: SeedSd,
): Choice | null {
  const { estimate, interval, scope } = verdict
  if (goal === null || estimate === null || interval === null || !(interval[1] > interval[0])) return null
  const error = verdict.method?.numbers.standardError ?? (interval[1] - interval[0]) / (2 * normalQuantile(0.975))
  const ofSeeds = scope === 'runs' ? seedSd.size ** 2 * (1 / runs[0] + 1 / runs[1]) : 0
  const towardsOther = goal === 'max' ? estimate : -estimate
  // Runs that speak for their settings have shown how much they scatter: SE² = τ²/K₁ + τ²/K₂.
  const known = scope === 'configs' ? error / Math.sqrt(1 / runs[0] + 1 / runs[1]) : seedSd.size
  const whole = Math.hypot(error, Math.sqrt(ofSeeds))
  return {
    side: towardsOther > 0 ? verdict.other : verdict.baseline,
    ...spikeSlabPosterior(estimate, whole, known),
    error: whole,
    assumption: scope === 'runs' ? assumptionOf(seedSd) : message(`choose.${scope}`, {}),
  }
}

function assumptionOf({ size, source }: SeedSd): Message {
  return message(`choose.scatter-${source}`, { size: figure(size, 2) })
}

/** "A: 83 % likely to be better; in the other 17 % …": what a person is told who must choose today. */
export function choiceSentence({ side, probability, lossIfWrong, assumption }: Choice): Message {
  const percent = Math.min(99, Math.round(100 * probability))
  const loss = Number(lossIfWrong.toPrecision(2))
  return message('choose.line', { side, probability: percent, rest: 100 - percent, loss, assumption })
}

/** Of several others the one most likely to beat the baseline; the baseline if none is. */
export function chooseAmong(choices: readonly (Choice | null)[], baseline: string): Choice | null {
  const made = choices.filter(choice => choice !== null)
  const winners = made.filter(({ side }) => side !== baseline)
  const pool = winners.length > 0 ? winners : made
  const better = winners.length > 0 ? Math.max : Math.min
  const wanted = better(...pool.map(({ probability }) => probability))
  return pool.find(({ probability }) => probability === wanted) ?? null
}
