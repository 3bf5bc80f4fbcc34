import { advantageConstant } from './rules/advantage-constant.js'
import { lengthCollapse, lengthExplosion, truncation } from './rules/answer-length.js'
import { entropyCollapse, entropyExplosion } from './rules/entropy.js'
import { environmentOutage } from './rules/environment-outage.js'
import { evalsIdentical, meanImpossible } from './rules/evaluation-values.js'
import { bestIsLast, evalNoise, evalsInWarmup } from './rules/evaluations.js'
import { generalisationGap } from './rules/generalisation-gap.js'
import { gradSpike, gradVanishing, runDead } from './rules/gradient.js'
import { groupsDegenerate } from './rules/groups-degenerate.js'
import { klRunaway } from './rules/kl-runaway.js'
import { klCoefficientMismatch, klSwitchedOff } from './rules/kl-settings.js'
import { klStartNonzero } from './rules/kl-start-nonzero.js'
import { klControllerSaturated, klInert, klTooStrong } from './rules/kl-strength.js'
import { lrNegligible, lrPrintsZero } from './rules/learning-rate.js'
import { learningStalled } from './rules/learning-stalled.js'
import { loggingTrap, nonFinite } from './rules/logging.js'
import { lossIdentity } from './rules/loss-identity.js'
import { trainEvalPromptMismatch, trainInferenceMismatch, weightsNotLoaded } from './rules/mismatch.js'
import { overoptimised } from './rules/overoptimised.js'
import { passAtKFalls } from './rules/pass-at-k.js'
import { clipFraction, klRatioImpossible } from './rules/ratio.js'
import { rewardAbsorbing } from './rules/reward-absorbing.js'
import { rewardCollapse } from './rules/reward-collapse.js'
import { rewardHacking } from './rules/reward-hacking.js'
import { rolloutDiscarded, rolloutStale } from './rules/rollouts.js'
import { seriesConstant, seriesDuplicated, seriesJump } from './rules/series.js'
import { throughputDecay } from './rules/throughput-decay.js'
import { validationCollapse, validationWorsened } from './rules/validation.js'
import { validationLossRising } from './rules/validation-loss-rising.js'
import type { RunRule } from './run-rule.js'

/** All rules, in the order in which a person would go through them. Adding one is a file and a line here. */
export const RULES: readonly RunRule[] = [
  environmentOutage,
  klStartNonzero,
  klSwitchedOff,
  klCoefficientMismatch,
  klInert,
  klTooStrong,
  klRunaway,
  klControllerSaturated,
  klRatioImpossible,
  lossIdentity,
  lrPrintsZero,
  lrNegligible,
  runDead,
  gradVanishing,
  gradSpike,
  clipFraction,
  entropyCollapse,
  entropyExplosion,
  groupsDegenerate,
  rewardAbsorbing,
  advantageConstant,
  validationCollapse,
  overoptimised,
  rewardHacking,
  validationWorsened,
  validationLossRising,
  rewardCollapse,
  generalisationGap,
  passAtKFalls,
  lengthCollapse,
  lengthExplosion,
  truncation,
  trainInferenceMismatch,
  rolloutStale,
  rolloutDiscarded,
  trainEvalPromptMismatch,
  weightsNotLoaded,
  nonFinite,
  seriesJump,
  throughputDecay,
  evalsInWarmup,
  evalsIdentical,
  meanImpossible,
  evalNoise,
  bestIsLast,
  learningStalled,
  seriesConstant,
  seriesDuplicated,
  loggingTrap,
]
