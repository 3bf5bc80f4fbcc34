import type { AuditRule } from '../rule.js'
import { ARITHMETIC_RULES } from './arithmetic.js'
import { CONTRADICTION_RULES } from './contradiction.js'
import { EVIDENCE_RULES } from './evidence.js'
import { NAMED_RULES } from './named.js'

/** All rules, by what they look at. Adding one is a file and a line in its list. */
export const AUDIT_RULES: readonly AuditRule[] = [
  ...ARITHMETIC_RULES,
  ...CONTRADICTION_RULES,
  ...NAMED_RULES,
  ...EVIDENCE_RULES,
]
