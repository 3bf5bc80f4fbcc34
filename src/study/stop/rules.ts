import { Problem } from '../../model/problem.js'
import { sentences } from '../../text/sentences.js'
import { byFinding } from './by-finding.js'
import { collapse } from './collapse.js'
import { budget, drop, patience } from './limits.js'
import type { Look, StopDecision, StopRule } from './look.js'

/**
 * When a training should stop. A person names rules in one line, `collapse,dead,patience=10,drop=20%,hours=12`; those
 * that test or diagnose stand without being named, since they hardly ever stop what is healthy.
 */

const say = sentences({
  'stop.unknown': {
    en: 'there is no stop rule "{rule}"; there are {rules}, and patience=N, drop=N%, steps=N, hours=N',
    zh: '没有停止规则“{rule}”；可用的有 {rules}，以及 patience=N、drop=N%、steps=N、hours=N',
  },
  'stop.bad-number': {
    en: '"{rule}" needs a number above 0, such as patience=10, drop=20%, steps=400 or hours=12',
    zh: '“{rule}”需要一个大于 0 的数，例如 patience=10、drop=20%、steps=400 或 hours=12',
  },
})

const PROVEN: readonly StopRule[] = [collapse, ...byFinding]

const LIMITS: { readonly [name: string]: (value: number, isShare: boolean) => StopRule } = {
  patience,
  drop: (value, isShare) => drop(isShare ? { share: value / 100 } : { absolute: value }),
  steps: value => budget({ steps: value }),
  hours: value => budget({ hours: value }),
}

/** For somebody who only wants to see. */
const NONE = 'none'

/** Without a line, those that test. */
export function stopRules(line: string | null): readonly StopRule[] {
  if (line === null) return PROVEN
  if (line === NONE) return []
  return line.split(',').map(part => ruleNamed(part.trim()))
}

function ruleNamed(text: string): StopRule {
  const [name, value] = text.split('=', 2)
  const proven = PROVEN.find(({ id }) => id === name)
  if (proven !== undefined && value === undefined) return proven
  const limit = Object.hasOwn(LIMITS, name) ? LIMITS[name] : undefined
  if (limit === undefined) {
    const rules = PROVEN.map(({ id }) => id).join(', ')
    throw new Problem('bad-request', say('stop.unknown', { rule: text, rules }))
  }
  const isShare = value?.endsWith('%') === true
  const number = Number((value ?? '').replace(/%$/, '') || Number.NaN)
  if (!(number > 0)) throw new Problem('bad-request', say('stop.bad-number', { rule: text }))
  return limit(number, isShare)
}

/** The first rule that has a reason; an outage before all others, since it explains what the others see. */
export function decideStop(rules: readonly StopRule[], look: Look): StopDecision | null {
  const ordered = [...rules].sort((a, b) => Number(b.id === 'outage') - Number(a.id === 'outage'))
  for (const rule of ordered) {
    const decision = rule.decide(look)
    if (decision !== null) return decision
  }
  return null
}
