import type { Relation, Rule } from './assertion.js'
import { change, direction } from './relations/change.js'
import { derived } from './relations/derived.js'
import { equation } from './relations/equation.js'
import { order } from './relations/order.js'
import { count, mean } from './relations/summary.js'
import { shareRelation } from './relations/share.js'

/** All relations in the order in which they are read, and all rules over whole reports. */
export const RELATIONS_CHECKED: readonly Relation[] = [change, direction, shareRelation, equation, order, derived, mean, count]

export const RULES: readonly Rule[] = []
