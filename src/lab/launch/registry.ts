import type { LaunchRule } from './rule.js'
import { batchRefused, clipInert, groupOfOne } from './rules/batch.js'
import { checkpointsDeleted, noCheckpoints } from './rules/checkpoints.js'
import { argumentTwice, linesLost } from './rules/command.js'
import { dataOverlap, evalSmall, evalsInWarmup, noEvaluation, noSeed, noStartEvaluation } from './rules/evaluation.js'
import { entropyBonus, klActs, klIdle, klTwice } from './rules/kl.js'
import { logTraps } from './rules/logging.js'
import { estimatorUnknown, keySuperseded, keyUnknown, klensConfig, valueType } from './rules/settings.js'
import { simulatorReady, sumIsMean, toolResponseCut, turnsOffByOne, userrlTraps } from './rules/userrl.js'

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
  noStartEvaluation,
  evalSmall,
  dataOverlap,
  checkpointsDeleted,
  noCheckpoints,
  noSeed,
  logTraps,
]
