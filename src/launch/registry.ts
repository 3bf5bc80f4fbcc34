import type { LaunchRule } from './rule.js'
import { argumentTwice } from './rules/argument-twice.js'
import { batchRefused } from './rules/batch-refused.js'
import { checkpointsDeleted } from './rules/checkpoints-deleted.js'
import { clipInert } from './rules/clip-inert.js'
import { dataOverlap } from './rules/data-overlap.js'
import { entropyBonus } from './rules/entropy-bonus.js'
import { estimatorUnknown } from './rules/estimator-unknown.js'
import { evalSmall } from './rules/eval-small.js'
import { evalsInWarmup } from './rules/evals-in-warmup.js'
import { groupOfOne } from './rules/group-of-one.js'
import { keySuperseded } from './rules/key-superseded.js'
import { keyUnknown } from './rules/key-unknown.js'
import { klActs } from './rules/kl-acts.js'
import { klIdle } from './rules/kl-idle.js'
import { klTwice } from './rules/kl-twice.js'
import { klensConfig } from './rules/klens-config.js'
import { linesLost } from './rules/lines-lost.js'
import { noCheckpoints } from './rules/no-checkpoints.js'
import { noEvaluation } from './rules/no-evaluation.js'
import { noSeed } from './rules/no-seed.js'
import { simulatorReady } from './rules/simulator.js'
import { sumIsMean } from './rules/sum-is-mean.js'
import { toolResponseCut } from './rules/tool-response-cut.js'
import { turnsOffByOne } from './rules/turns-off-by-one.js'
import { userrlTraps } from './rules/userrl-traps.js'
import { valueType } from './rules/value-type.js'

/** Every rule: whether it starts, then what it is, then whether it can answer. */
export const LAUNCH_RULES: readonly LaunchRule[] = [
  linesLost,
  klensConfig,
  keyUnknown,
  estimatorUnknown,
  valueType,
  batchRefused,
  argumentTwice,
  keySuperseded,
  klActs,
  klTwice,
  klIdle,
  entropyBonus,
  clipInert,
  groupOfOne,
  sumIsMean,
  turnsOffByOne,
  toolResponseCut,
  userrlTraps,
  simulatorReady,
  evalsInWarmup,
  noEvaluation,
  evalSmall,
  dataOverlap,
  checkpointsDeleted,
  noCheckpoints,
  noSeed,
]
