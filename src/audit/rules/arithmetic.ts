import type { AuditRule } from '../rule.js'
import { countMismatch } from './count-mismatch.js'
import { differenceColumn } from './difference-column.js'
import { differenceRow } from './difference-row.js'
import { latePercent } from './late-percent.js'
import { mixedRounding } from './mixed-rounding.js'
import { notSorted } from './not-sorted.js'
import { percentBase } from './percent-base.js'
import { percentChange } from './percent-change.js'
import { percentForPoints } from './percent-for-points.js'
import { rangeDifference } from './range-difference.js'
import { spreadExceeded } from './spread-exceeded.js'
import { statedDifference } from './stated-difference.js'
import { stepwiseChange } from './stepwise-change.js'
import { wrongEquation } from './wrong-equation.js'
import { wrongMean } from './wrong-mean.js'
import { wrongMultiple } from './wrong-multiple.js'

/** What the report's own numbers do not add up to. */
export const ARITHMETIC_RULES: readonly AuditRule[] = [
  differenceColumn,
  differenceRow,
  percentChange,
  percentBase,
  percentForPoints,
  statedDifference,
  stepwiseChange,
  wrongMultiple,
  rangeDifference,
  spreadExceeded,
  wrongMean,
  mixedRounding,
  latePercent,
  countMismatch,
  notSorted,
  wrongEquation,
]
