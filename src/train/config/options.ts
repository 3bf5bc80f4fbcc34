import type { AdvantageOptions } from '../objectives/advantages.js'
import type { GrpoOptions } from '../objectives/grpo.js'
import type { RewardOptions } from '../objectives/rewards.js'
import type { Curriculum } from '../schedules/curriculum.js'
import type { EarlyStopping } from '../schedules/early-stopping.js'
import type { KlRule } from '../schedules/kl-coefficient.js'
import type { LearningRate } from '../schedules/learning-rate.js'
import type { Proposals } from '../tasks/groups.js'
import { coefficientRule } from './controller.js'
import type { TrainConfig } from './schema.js'

/** A config in the words of the objectives and schedules. */

export function rewardOptions({ reward }: TrainConfig): RewardOptions {
  const { mode, hard_weight: hardWeight, soft_weight: softWeight, relevance_weight: relevanceWeight } = reward
  const { alpha, beta, quality, correctness } = reward
  return { mode, hardWeight, softWeight, relevanceWeight, alpha, beta, quality, correctness }
}

export function proposalOptions({ group }: TrainConfig): Proposals {
  const { samples, ...proposals } = group.proposals
  return { ...proposals, samplesPerTemperature: samples }
}

export function advantageOptions({ adv }: TrainConfig): AdvantageOptions {
  return { kind: adv.kind, minimumStd: adv.minimum_std, clip: adv.clip }
}

/** `effectiveKl` is what the rule below says at this step; in the loss it is 0 where the KL is in the reward. */
export function grpoOptions(config: TrainConfig, effectiveKl: number): GrpoOptions {
  return {
    clipLow: config.clip.low,
    clipHigh: config.clip.high,
    klCoefficient: klIsInReward(config) ? 0 : effectiveKl,
    klEstimator: config.kl.loss.estimator,
    entropyCoefficient: config.entropy.coef,
  }
}

export function klIsInReward({ kl }: TrainConfig): boolean {
  return kl.reward.coef > 0
}

/** One rule moves the one coefficient that acts, wherever it acts. */
export function klRule(config: TrainConfig): KlRule {
  const { kl } = config
  return coefficientRule(klIsInReward(config) ? kl.reward.coef : kl.loss.coef, kl)
}

export function learningRate({ lr }: TrainConfig, phase: 'rce' | 'grpo'): LearningRate {
  const { ratio, steps, from } = lr.warmup
  return {
    peak: lr[phase],
    schedule: lr.schedule,
    warmup: { ...(steps === null ? { ratio } : { steps }), from },
    minimumRatio: lr.min_ratio,
  }
}

export function curriculumOf({ curriculum }: TrainConfig): Curriculum {
  return {
    earlyEpochs: curriculum.early_epochs,
    earlyBeams: curriculum.early_beams,
    lateBeams: curriculum.late_beams,
    order: curriculum.order,
  }
}

export function earlyStopping({ early_stopping: rule }: TrainConfig): EarlyStopping {
  return { patience: rule.patience, goal: rule.goal, minimumGain: rule.minimum_gain }
}
