import type { MetricMeaning } from '../../model/vocabulary/metric.js'
import { meaningOf, vocabularyFor } from '../../model/vocabulary/resolve.js'
import { runRule, threshold, type UntreatedSymptom } from '../run-rule.js'
import type { Subject } from '../subject.js'

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

export const seriesDuplicated = runRule({
  id: 'series-duplicated',
  severity: 'note',
  about: {
    en: 'Two metrics that mean different things are equal at every step: one was logged in place of the other.',
    zh: '含义不同的两个指标每一步都相等：其中一个记录错了。',
  },
  needs: [],
  thresholds: {
    FEWEST_POINTS: threshold(5, {
      en: 'Fewer points may agree by chance, above all when they are printed with three decimals. Derived.',
      zh: '点更少时可能碰巧相同，尤其是只打印三位小数时。推得。',
    }),
  },
  says: {
    'series-duplicated': {
      en: '{first} and {second} are equal at all {n} steps, but mean different things: one was logged in place of the other',
      zh: '{first} 与 {second} 在全部 {n} 个 step 上完全相等，但含义不同：其中一个记录错了',
    },
  },
  remedy: {
    en: 'look at the line that logs them, or at the data set or reward function that each is computed from; count them as one measurement until then',
    zh: '检查记录这两项的代码，或各自使用的数据集、reward 函数；在此之前只当作一项测量',
  },
  check(subject, { say, FEWEST_POINTS }) {
    const vocabulary = vocabularyFor({ framework: subject.framework })
    return subject.twins.flatMap((names): UntreatedSymptom[] => {
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
          message: say('series-duplicated', { first: known[0].name, second: odd.name, n }),
        },
      ]
    })
  },
})

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
