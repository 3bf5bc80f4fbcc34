import type { AuditRule } from '../rule.js'
import { allContradicted } from './all-contradicted.js'
import { biggerMoveUnmarked } from './bigger-move-unmarked.js'
import { comparedWithPending } from './compared-with-pending.js'
import { completeButPartial } from './complete-but-partial.js'
import { declineWithoutRival } from './decline-without-rival.js'
import { extremumContradicted } from './extremum-contradicted.js'
import { extremumOverPending } from './extremum-over-pending.js'
import { finalIsBest } from './final-is-best.js'
import { fluctuationDenied } from './fluctuation-denied.js'
import { oppositeStatements } from './opposite-statements.js'
import { orderContradicted } from './order-contradicted.js'
import { pendingButFilled } from './pending-but-filled.js'
import { progressContradicted } from './progress-contradicted.js'
import { rangeContradicted } from './range-contradicted.js'
import { rankingOmits } from './ranking-omits.js'
import { signContradicted } from './sign-contradicted.js'
import { smootherTurnsMore } from './smoother-turns-more.js'
import { stableWhileMoving } from './stable-while-moving.js'
import { stablerSwingsMore } from './stabler-swings-more.js'
import { staleBest } from './stale-best.js'
import { stepComparison } from './step-comparison.js'
import { swingOmitsChange } from './swing-omits-change.js'
import { titleSubjectMissing } from './title-subject-missing.js'
import { trendContradicted } from './trend-contradicted.js'
import { valueContradicted } from './value-contradicted.js'
import { windowHidesChange } from './window-hides-change.js'

/** A statement against the document's own tables, lists and other statements. */
export const CONTRADICTION_RULES: readonly AuditRule[] = [
  extremumContradicted,
  staleBest,
  rangeContradicted,
  signContradicted,
  allContradicted,
  trendContradicted,
  rankingOmits,
  orderContradicted,
  valueContradicted,
  stepComparison,
  swingOmitsChange,
  finalIsBest,
  stablerSwingsMore,
  smootherTurnsMore,
  fluctuationDenied,
  declineWithoutRival,
  stableWhileMoving,
  windowHidesChange,
  biggerMoveUnmarked,
  progressContradicted,
  completeButPartial,
  pendingButFilled,
  comparedWithPending,
  extremumOverPending,
  titleSubjectMissing,
  oppositeStatements,
]
