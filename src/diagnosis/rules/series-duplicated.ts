import type { MetricMeaning } from '../../model/vocabulary/metric.js'
import { meaningOf, vocabularyFor } from '../../model/vocabulary/resolve.js'
import { message } from '../../text/say.js'
import type { Rule, Symptom } from '../rule.js'
import type { Subject } from '../subject.js'

/** Fewer points may agree by chance, above all when they are printed with three decimals. Derived. */
const FEWEST_POINTS = 5

/**
 * Families within which two names may well hold one number: score and reward without a KL in the reward, returns and
 * advantages of GRPO, lengths of whole and of terminated answers, one rank's tokens, the parts of a clip fraction.
 */
const FAMILIES: readonly (readonly string[])[] = [
  ['reward', 'score', 'return', 'adv', 'value'],
  ['len', 'rank', 'tokens', 'turns', 'tools'],
  ['time'],
  ['clip'],
  ['kl', 'loss', 'ratio'],
  ['lr'],
  ['entropy'],
  ['grad'],
  ['rollout'],
  ['variance'],
  ['throughput', 'mfu'],
  ['memory'],
  ['step', 'epoch', 'episodes', 'samples'],
]

/** Two metrics that mean different things are equal at every step: one was logged in place of the other. */
export const seriesDuplicated: Rule = {
  id: 'series-duplicated',
  severity: 'note',
  needs: [],
  detect(subject) {
    const vocabulary = vocabularyFor({ framework: subject.framework })
    return subject.twins.flatMap((names): Symptom[] => {
      const records = names.flatMap(name => subject.manifest.metrics.get(name) ?? [])
      if (records.some(({ finite }) => finite < FEWEST_POINTS)) return []
      const known = names
        .map(name => ({ name, meaning: meaningOf(name, vocabulary) }))
        .filter(({ meaning }) => meaning.canonical !== null)
      const odd = known.find(({ meaning }) => !mayEqual(known[0].meaning, meaning, subject))
      if (odd === undefined) return []
      const [{ firstStep, lastStep, n }] = records
      return [
        {
          steps: [firstStep, lastStep],
          evidence: { metrics: names, points: n },
          message: message('series-duplicated', { first: known[0].name, second: odd.name, n }),
          remedy: message('series-duplicated.remedy', {}),
        },
      ]
    })
  },
}

function mayEqual(a: MetricMeaning, b: MetricMeaning, { kl }: Subject): boolean {
  if (a === b) return true
  if (a.validation !== b.validation) return false
  if (a.validation) return a.condition.dataset === b.condition.dataset && a.condition.shots === b.condition.shots
  if (a.canonical === 'reward.part' && b.canonical === 'reward.part') return false
  const isPenalised = kl.inReward.on === true && kl.inReward.coefficient !== 0 && kl.inReward.coefficient !== null
  const pair = [a.canonical, b.canonical]
  if (isPenalised && pair.includes('reward.mean') && pair.includes('score.mean')) return false
  return familyOf(a) === familyOf(b)
}

function familyOf({ canonical }: MetricMeaning): number {
  const head = canonical?.split('.')[0] ?? ''
  return FAMILIES.findIndex(family => family.includes(head))
}
