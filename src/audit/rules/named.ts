import type { AuditRule } from '../rule.js'
import { allImproved } from './all-improved.js'
import { bestAgainstSingle } from './best-against-single.js'
import { bestEverywhere } from './best-everywhere.js'
import { boundExceeded } from './bound-exceeded.js'
import { chanceNamed } from './chance-named.js'
import { namedComparison } from './named-comparison.js'
import { namedDifference } from './named-difference.js'
import { namedExtremum } from './named-extremum.js'
import { namedOrder } from './named-order.js'
import { namedValue } from './named-value.js'
import { notMonotone } from './not-monotone.js'
import { productColumn } from './product-column.js'

/** Sentences that name rows and columns of a table, against that table. */
export const NAMED_RULES: readonly AuditRule[] = [
  namedExtremum,
  bestEverywhere,
  namedDifference,
  namedComparison,
  namedOrder,
  namedValue,
  allImproved,
  boundExceeded,
  notMonotone,
  productColumn,
  chanceNamed,
  bestAgainstSingle,
]
