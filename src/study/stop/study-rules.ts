import { Problem } from '../../model/problem.js'
import { sentences } from '../../text/sentences.js'
import type { StopRule } from './look.js'
import { stopRules } from './rules.js'

/**
 * The stop rules that a study may have: those that cannot favour an arm (docs/verbs/study.md). A trial that has collapsed
 * or is dead keeps the score it has come down to; one whose environment was away has told nothing about its arm and is
 * tried again. Patience, a drop or hours would end trials by noise or by the speed of an arm; a KL or a value that runs
 * away is ended before its score has shown what it does.
 */

const say = sentences({
  'stop.study': {
    en: 'the stop rule "{rule}" could favour an arm; a study takes {rules}, or none',
    zh: '停止规则“{rule}”可能偏袒某个 arm；研究只接受 {rules}，或 none',
  },
})

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
