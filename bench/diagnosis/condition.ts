/**
 * What can be wrong with a run, in words that belong to no tool. A finding of any tool asserts one of these (claims.ts),
 * and each log says which of them are so (truth.ts): thereby four vocabularies can be held against one truth.
 */
export type Condition =
  | 'non-finite' // NaN or infinity where a number should be
  | 'no-signal' // most groups tied: hardly any advantage to learn from
  | 'stopped' // the policy does not move, or no longer
  | 'no-progress' // nothing was learned from beginning to end
  | 'plateau' // learning has levelled off
  | 'collapse' // validation or task score fell for good
  | 'reward-hacking' // the reward rises, the task does not
  | 'components' // one component of the reward makes up nearly all of its variance
  | 'reward-not-score' // what is optimised is not the score, and no setting says why
  | 'kl-at-start' // policy and reference differ before the first update
  | 'kl-runaway' // far from the reference, or ever faster away from it
  | 'kl-sign' // the coefficient rewards distance
  | 'kl-inert' // the KL term is too small to act
  | 'kl-off' // the log measures KL, the loss has none
  | 'entropy-collapse'
  | 'entropy-explosion'
  | 'length-collapse'
  | 'length-explosion'
  | 'truncation'
  | 'clipping' // a large share of the tokens is clipped
  | 'ratio-off' // the probability ratio is off before any update
  | 'gradient-spikes'
  | 'rate-zero'
  | 'rate-negligible'
  | 'loss-diverged' // a policy loss is no progress bar; true only of one that really blows up
  | 'constant' // a series never changes
  | 'duplicate' // two series are the same
  | 'names' // a metric is not what its name says
  | 'eval-noise' // the wobble of the evaluations is what their size predicts
  | 'best-is-last' // the best evaluation is the last: training longer may pay
  | 'slower' // steps take longer and longer
  | 'confounded' // statements about configuration alone
  | 'other'

/** Each with why. */
export type Reasons = Partial<Record<Condition, string>>

/** What is so in one log. Whatever is listed in neither is not so, and saying it is wrong. */
export interface Truth {
  readonly healthy: boolean
  /** Evident from the log and worth acting on: who does not say it has missed it. */
  readonly present: Reasons
  /** True, but a symptom or a matter of taste: saying it is right, silence is no miss. */
  readonly allowed: Reasons
  /** True and of no consequence: right as a note, a false alarm as a warning. */
  readonly notes: Reasons
}
