import { advantageConstant } from './advantage-constant.js'
import { bestIsLast } from './best-is-last.js'
import { clipFraction } from './clip-fraction.js'
import { entropyCollapse } from './entropy-collapse.js'
import { entropyExplosion } from './entropy-explosion.js'
import { environmentOutage } from './environment-outage.js'
import { evalNoise } from './eval-noise.js'
import { evalsIdentical } from './evals-identical.js'
import { evalsInWarmup } from './evals-in-warmup.js'
import { gradSpike } from './grad-spike.js'
import { gradVanishing } from './grad-vanishing.js'
import { groupsDegenerate } from './groups-degenerate.js'
import { klCoefficientMismatch } from './kl-coefficient-mismatch.js'
import { klControllerSaturated } from './kl-controller-saturated.js'
import { klInert } from './kl-inert.js'
import { klRatioImpossible } from './kl-ratio-impossible.js'
import { klRunaway } from './kl-runaway.js'
import { klStartNonzero } from './kl-start-nonzero.js'
import { klSwitchedOff } from './kl-switched-off.js'
import { learningStalled } from './learning-stalled.js'
import { lengthCollapse } from './length-collapse.js'
import { lengthExplosion } from './length-explosion.js'
import { loggingTrap } from './logging-trap.js'
import { lossIdentity } from './loss-identity.js'
import { lrNegligible } from './lr-negligible.js'
import { lrPrintsZero } from './lr-prints-zero.js'
import { meanImpossible } from './mean-impossible.js'
import { nonFinite } from './non-finite.js'
import { rewardAbsorbing } from './reward-absorbing.js'
import { rewardHacking } from './reward-hacking.js'
import type { Rule } from './rule.js'
import { runDead } from './run-dead.js'
import { seriesConstant } from './series-constant.js'
import { seriesDuplicated } from './series-duplicated.js'
import { throughputDecay } from './throughput-decay.js'
import { trainInferenceMismatch } from './train-inference-mismatch.js'
import { truncation } from './truncation.js'
import { validationCollapse } from './validation-collapse.js'
import { validationWorsened } from './validation-worsened.js'

/** All rules, in the order in which a person would go through them. Adding one is a file and a line here. */
export const RULES: readonly Rule[] = [
  klStartNonzero,
  klSwitchedOff,
  klCoefficientMismatch,
  klInert,
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
  environmentOutage,
  validationCollapse,
  rewardHacking,
  validationWorsened,
  lengthCollapse,
  lengthExplosion,
  truncation,
  trainInferenceMismatch,
  nonFinite,
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
