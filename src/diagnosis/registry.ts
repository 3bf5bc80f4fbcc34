import { klInert } from './kl-inert.js'
import type { Rule } from './rule.js'

/** All rules, in the order in which a person would go through them. Adding one is a file and a line here. */
export const RULES: readonly Rule[] = [klInert]
