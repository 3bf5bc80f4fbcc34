import { Problem } from '../../model/problem.js'
import { sentences } from '../../text/sentences.js'
import {
  budget,
  byFinding,
  collapse,
  drop,
  patience,
  type StopDecision,
  type StopInput,
  type StopRule,
} from './stop-rule.js'

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
  'stop.study': {
    en: 'the stop rule "{rule}" could favour an arm; a study takes {rules}, or none',
    zh: '停止规则“{rule}”可能偏袒某个 arm；研究只接受 {rules}，或 none',
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
export function decideStop(rules: readonly StopRule[], look: StopInput): StopDecision | null {
  const ordered = [...rules].sort((a, b) => Number(b.id === 'outage') - Number(a.id === 'outage'))
  for (const rule of ordered) {
    const decision = rule.decide(look)
    if (decision !== null) return decision
  }
  return null
}

/**
 * The stop rules that a study may have: those that cannot favour an arm (docs/verbs/study.md). A trial that has collapsed
 * or is dead keeps the score it has come down to; one whose environment was away has told nothing about its arm and is
 * tried again. Patience, a drop or hours would end trials by noise or by the speed of an arm; a KL or a value that runs
 * away is ended before its score has shown what it does.
 */

/** After which a trial is done, with its last score. */
export const COUNTED: ReadonlySet<string> = new Set(['collapse', 'dead'])
const UNBIASED: readonly string[] = [...COUNTED, 'outage']

/** `none`, or a list such as `collapse,dead,outage`. */
export function studyStopRules(line: string): readonly StopRule[] {
  const rules = stopRules(line)
  for (const { id } of rules) {
    if (!UNBIASED.includes(id)) {
      throw new Problem('bad-request', say('stop.study', { rule: id, rules: UNBIASED.join(', ') }))
    }
  }
  return rules
}
