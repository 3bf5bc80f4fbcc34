import type { Relation, ReportRule } from './assertion.js'
import { checklist } from './judgement/checklist.js'
import { samplingError } from './judgement/sampling-error.js'
import { change } from './relations/change.js'
import { differenceColumn } from './relations/difference-column.js'
import { direction } from './relations/direction.js'
import { equation } from './relations/equation.js'
import { meanInRange } from './relations/mean-in-range.js'
import { share } from './relations/share.js'
import { span } from './relations/span.js'
import { summaryRow } from './relations/summary-row.js'
import { KNOWN_RULES, type RuleCard } from './rules.js'
import { crossReports } from './structure/cross-reports.js'
import { identicalRows } from './structure/identical-rows.js'
import { linearFill } from './structure/linear-fill.js'
import { lossIdentity } from './structure/loss-identity.js'

/** All relations in the order in which they are read, and all rules over whole reports. */
export const RELATIONS_CHECKED: readonly Relation[] = [
  change,
  direction,
  share,
  equation,
  span,
  meanInRange,
  differenceColumn,
  summaryRow,
]

const BY_NAME = new Map(RELATIONS_CHECKED.map(one => [one.name, one]))

export const relationNamed = (name: string): Relation | undefined => BY_NAME.get(name)

export const RULES: readonly ReportRule[] = [identicalRows, linearFill, lossIdentity, samplingError, crossReports]

/** Only on request: it lists words, and does not say that they are wrong. */
export const CHECKLIST: ReportRule = checklist

/** Every rule that has an example, for `--rules`, the docs and the tests. */
export const RULE_CARDS: readonly RuleCard[] = Object.entries(KNOWN_RULES).flatMap(([id, known]) =>
  'example' in known ? [{ id, ...known }] : [],
)
