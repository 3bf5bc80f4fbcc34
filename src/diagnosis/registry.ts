import { advantageConstant } from './rules/advantage-constant.js'
import { bestIsLast } from './rules/best-is-last.js'
import { clipFraction } from './rules/clip-fraction.js'
import { entropyCollapse } from './rules/entropy-collapse.js'
import { entropyExplosion } from './rules/entropy-explosion.js'
import { environmentOutage } from './rules/environment-outage.js'
import { evalNoise } from './rules/eval-noise.js'
import { evalsIdentical } from './rules/evals-identical.js'
import { evalsInWarmup } from './rules/evals-in-warmup.js'
import { generalisationGap } from './rules/generalisation-gap.js'
import { gradSpike } from './rules/grad-spike.js'
import { gradVanishing } from './rules/grad-vanishing.js'
import { groupsDegenerate } from './rules/groups-degenerate.js'
import { klCoefficientMismatch } from './rules/kl-coefficient-mismatch.js'
import { klControllerSaturated } from './rules/kl-controller-saturated.js'
import { klInert } from './rules/kl-inert.js'
import { klRatioImpossible } from './rules/kl-ratio-impossible.js'
import { klRunaway } from './rules/kl-runaway.js'
import { klStartNonzero } from './rules/kl-start-nonzero.js'
import { klSwitchedOff } from './rules/kl-switched-off.js'
import { klTooStrong } from './rules/kl-too-strong.js'
import { learningStalled } from './rules/learning-stalled.js'
import { lengthCollapse } from './rules/length-collapse.js'
import { lengthExplosion } from './rules/length-explosion.js'
import { loggingTrap } from './rules/logging-trap.js'
import { lossIdentity } from './rules/loss-identity.js'
import { lrNegligible } from './rules/lr-negligible.js'
import { lrPrintsZero } from './rules/lr-prints-zero.js'
import { meanImpossible } from './rules/mean-impossible.js'
import { nonFinite } from './rules/non-finite.js'
import { rewardAbsorbing } from './rules/reward-absorbing.js'
import { rewardHacking } from './rules/reward-hacking.js'
import { runDead } from './rules/run-dead.js'
import { seriesConstant } from './rules/series-constant.js'
import { seriesDuplicated } from './rules/series-duplicated.js'
import { seriesJump } from './rules/series-jump.js'
import { throughputDecay } from './rules/throughput-decay.js'
import { trainEvalPromptMismatch } from './rules/train-eval-prompt-mismatch.js'
import { trainInferenceMismatch } from './rules/train-inference-mismatch.js'
import { truncation } from './rules/truncation.js'
import { validationCollapse } from './rules/validation-collapse.js'
import { validationWorsened } from './rules/validation-worsened.js'
import { weightsNotLoaded } from './rules/weights-not-loaded.js'
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
  rewardHacking,
  validationWorsened,
  generalisationGap,
  lengthCollapse,
  lengthExplosion,
  truncation,
  trainInferenceMismatch,
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
