/** The learning rate and the coefficients of a step, from the settings in the words of the schedules. */
import { coefficientRule } from '../config/controller.js'
import { type FrameworkRate, frameworkRateFactor } from '../schedules/framework-rate.js'
import { type KlCoefficientState, type KlRule, nextKlCoefficient } from '../schedules/kl-coefficient.js'
import type { IntentionConfig } from './settings.js'

/** `step` from 1. */
export function learningRateOf({ lr, steps: totalSteps }: IntentionConfig, step: number): number {
  const { schedule, warmup, cycles, min_ratio: minimumRatio, stable_ratio: stableRatio } = lr
  const rate: FrameworkRate = {
    ...{ schedule, totalSteps, minimumRatio, cycles, stableRatio },
    warmupSteps: warmup.steps ?? Math.floor(warmup.ratio * totalSteps),
    initialRatio: warmup.from === 'floor' ? minimumRatio : 0,
  }
  return lr.grpo * frameworkRateFactor(step - 1, rate)
}

export interface CoefficientRules {
  readonly kl: KlRule
  readonly entropy: KlRule
}

export interface Coefficients {
  readonly kl: KlCoefficientState
  readonly entropy: KlCoefficientState
}

export function klIsInReward({ kl }: IntentionConfig): boolean {
  return kl.reward.coef > 0
}

export function coefficientRules(config: IntentionConfig): CoefficientRules {
  const { kl, entropy } = config
  return {
    kl: coefficientRule(klIsInReward(config) ? kl.reward.coef : kl.loss.coef, kl),
    entropy: coefficientRule(entropy.coef, entropy),
  }
}

/** After a batch that was learned from. */
export function nextCoefficients(
  rules: CoefficientRules,
  before: Coefficients,
  seen: { readonly kl: number; readonly entropy: number; readonly batchSize: number; readonly totalSteps: number },
): Coefficients {
  return {
    kl: nextKlCoefficient(rules.kl, before.kl, seen),
    entropy: nextKlCoefficient(rules.entropy, before.entropy, { ...seen, kl: mirrored(rules.entropy, seen.entropy) }),
  }
}

/** A controller acts on what is too high; entropy that is too low must look to it like that. */
function mirrored(rule: KlRule, entropy: number): number {
  switch (rule.kind) {
    case 'band':
      return rule.low + rule.high - entropy
    case 'proportional':
      return 2 * rule.target - entropy
    default:
      return entropy
  }
}
