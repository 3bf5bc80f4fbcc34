import type { AuditRule } from '../rule.js'
import { advantageByConstruction } from './advantage-by-construction.js'
import { bestOfSeveral } from './best-of-several.js'
import { causeUntested } from './cause-untested.js'
import { confound } from './confound.js'
import { convergenceUntested } from './convergence-untested.js'
import { copiedCells } from './copied-cells.js'
import { crossEstimate } from './cross-estimate.js'
import { crossIdentical } from './cross-identical.js'
import { crossSetting } from './cross-setting.js'
import { crossValue } from './cross-value.js'
import { effectiveCoefficient } from './effective-coefficient.js'
import { estimatedAsData } from './estimated-as-data.js'
import { grim } from './grim.js'
import { identicalRows } from './identical-rows.js'
import { klLossByConstruction } from './kl-loss-by-construction.js'
import { levelAsStability } from './level-as-stability.js'
import { linearFill } from './linear-fill.js'
import { lossIdentity } from './loss-identity.js'
import { oneInterval } from './one-interval.js'
import { oneSeed } from './one-seed.js'
import { ownExtremum } from './own-extremum.js'
import { preventedUntested } from './prevented-untested.js'
import { sameUntested } from './same-untested.js'
import { samplingError } from './sampling-error.js'
import { settingAsSuccess } from './setting-as-success.js'
import { significanceUntested } from './significance-untested.js'
import { speedContradicted } from './speed-contradicted.js'
import { stabilityUntested } from './stability-untested.js'
import { timeline } from './timeline.js'
import { unlikeWindows } from './unlike-windows.js'

/** Data that is none, claims that nothing supports, and reports that contradict each other. */
export const EVIDENCE_RULES: readonly AuditRule[] = [
  estimatedAsData,
  linearFill,
  copiedCells,
  identicalRows,
  lossIdentity,
  effectiveCoefficient,
  grim,
  timeline,
  speedContradicted,
  oneInterval,
  ownExtremum,
  bestOfSeveral,
  samplingError,
  sameUntested,
  significanceUntested,
  stabilityUntested,
  levelAsStability,
  convergenceUntested,
  preventedUntested,
  unlikeWindows,
  confound,
  klLossByConstruction,
  advantageByConstruction,
  settingAsSuccess,
  causeUntested,
  oneSeed,
  crossValue,
  crossEstimate,
  crossSetting,
  crossIdentical,
]
