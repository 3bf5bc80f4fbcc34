import type { Relation, ReportRule } from './assertion.js'
import { claims } from './judgement/claims.js'
import { confound, oneRun, selection } from './judgement/design.js'
import { domain } from './judgement/domain.js'
import { resolution } from './judgement/resolution.js'
import { aggregate } from './relations/aggregate.js'
import { bound } from './relations/bound.js'
import { change } from './relations/change.js'
import { comparison } from './relations/comparison.js'
import { course } from './relations/course.js'
import { derived } from './relations/derived.js'
import { direction } from './relations/direction.js'
import { equation } from './relations/equation.js'
import { extremum } from './relations/extremum.js'
import { namedCells } from './relations/named-cells.js'
import { share } from './relations/share.js'
import { span, steps } from './relations/span.js'
import { summary } from './relations/summary.js'
import { trend } from './relations/trend.js'
import { order, winner } from './relations/winner.js'
import { KNOWN_RULES, type RuleCard } from './rules.js'
import { copied, cross } from './structure/copied.js'
import { identity, tables } from './structure/tables.js'

/** All relations in the order in which they are read, and all rules over whole reports. */
export const RELATIONS_CHECKED: readonly Relation[] = [
  change,
  direction,
  share,
  equation,
  order,
  derived,
  aggregate,
  summary,
  extremum,
  course,
  winner,
  comparison,
  namedCells,
  bound,
  span,
  steps,
  trend,
]

const BY_NAME = new Map(RELATIONS_CHECKED.flatMap(one => one.names.map((name): [string, Relation] => [name, one])))

export const relationNamed = (name: string): Relation | undefined => BY_NAME.get(name)

export const RULES: readonly ReportRule[] = [
  tables,
  copied,
  identity,
  claims,
  resolution,
  oneRun,
  selection,
  domain,
  confound,
  cross,
]

/** Every rule that has an example, for `--rules`, the docs and the tests. */
export const RULE_CARDS: readonly RuleCard[] = Object.entries(KNOWN_RULES).flatMap(([id, known]) =>
  'example' in known ? [{ id, ...known }] : [],
)
