import type { MetricMeaning } from '../../../logs/model/vocabulary/metric.js'
import { meaningOf, vocabularyFor } from '../../../logs/model/vocabulary/resolve.js'
import { listed } from '../../../text/language.js'
import { figure } from '../../../text/numbers.js'
import { runRule, type Symptom, threshold, type UntreatedSymptom } from '../run-rule.js'
import type { Curve } from '../signs/curve.js'
import { JUMP_THRESHOLDS, type Jump, jumpIn } from '../signs/odd-series.js'
import type { Subject } from '../subject.js'

/** Ratios, divergences and gradients have heavy tails by nature, and rules of their own. */
const HEAVY_TAILED = ['grad', 'kl', 'ratio', 'rollout']

export const seriesJump = runRule({
  id: 'series-jump',
  severity: 'note',
  about: {
    en: 'A value that lies orders of magnitude beyond all others, in any metric, known to klens or not. Of a loss it is a warning, since the update was made of it.',
    zh: '任何指标（无论 klens 是否认识）中出现比其他值高出若干数量级的值。若是 loss 则为警告，因为更新正是由它得来的。',
  },
  needs: [],
  thresholds: JUMP_THRESHOLDS,
  says: {
    'series-jump': {
      en: '{n} {n|metric jumps|metrics jump} orders of magnitude beyond the usual: {list}',
      zh: '{n} 个指标出现比平时高出若干数量级的值：{list}',
    },
    'series-jump.loss': {
      en: 'the loss jumps orders of magnitude beyond the usual: {list}',
      zh: 'loss 出现比平时高出若干数量级的值：{list}',
    },
    'series-jump.remedy': {
      en: 'check the batch of step {step}: an overflow, a division by almost zero or a broken record; leave the value out of every mean and chart',
      zh: '查看 step {step} 的 batch：溢出、除以接近 0 的数，或记录损坏；求均值和画图时排除该值',
    },
    'series-jump.loss.remedy': {
      en: 'check the batch of step {step} (an overflow, one token with an extreme ratio, a division by almost zero), and that gradients were clipped there; if the score changed, go back to an earlier checkpoint',
      zh: '查看 step {step} 的 batch（溢出、某个 token 的 ratio 极端、除以接近 0 的数），并确认该步的梯度已裁剪；若得分随之变化，退回到此前的 checkpoint',
    },
  },
  check(subject) {
    const jumps = subject.extremes.flatMap(curve => {
      const jump = jumpIn(curve)
      const head = headOf(subject, curve.metric)
      return jump === undefined || HEAVY_TAILED.includes(head) ? [] : [{ jump, isLoss: head === 'loss' }]
    })
    const symptoms = [
      jumpSymptom(
        jumps.filter(({ isLoss }) => isLoss).map(({ jump }) => jump),
        true,
      ),
      jumpSymptom(
        jumps.filter(({ isLoss }) => !isLoss).map(({ jump }) => jump),
        false,
      ),
    ]
    return symptoms.filter(symptom => symptom !== undefined)
  },
})

function jumpSymptom(jumps: readonly Jump[], isLoss: boolean): Symptom | undefined {
  const [first] = jumps
  if (first === undefined) return undefined
  const list = listed(
    jumps.map(({ metric, value, step, usual }) => `${metric} = ${figure(value)} (step ${step}; ± ${figure(usual)})`),
  )
  return {
    ...(isLoss && { severity: 'warning' }),
    steps: [Math.min(...jumps.map(({ steps }) => steps[0])), Math.max(...jumps.map(({ steps }) => steps[1]))],
    evidence: {
      metrics: jumps.map(({ metric }) => metric),
      values: jumps.map(({ value }) => value),
      steps: jumps.map(({ step }) => step),
      usual: jumps.map(({ usual }) => usual),
    },
    message: isLoss
      ? seriesJump.say('series-jump.loss', { list })
      : seriesJump.say('series-jump', { n: jumps.length, list }),
    remedy: seriesJump.say(isLoss ? 'series-jump.loss.remedy' : 'series-jump.remedy', { step: first.step }),
  }
}

/** The kind of metric, in training or validation; nothing for what nobody knows, unless its name says that it is a loss. */
function headOf({ framework }: Subject, metric: string): string {
  const { canonical } = meaningOf(metric, vocabularyFor({ framework }))
  if (canonical !== null) return canonical.replace(/^val\./, '').split('.')[0]
  return /(?:^|[/_.])loss(?:$|[/_.])/i.test(metric) ? 'loss' : ''
}

/**
 * Quantities that differ from batch to batch in any run that trains. Not rates, coefficients, maxima at a limit or clip
 * fractions: those may stand still. Not losses: on-policy they print as 0.
 */
const MUST_VARY = ['reward.mean', 'score.mean', 'entropy', 'grad.norm', 'kl.ref', 'len.response', 'time.step'] as const

export const seriesConstant = runRule({
  id: 'series-constant',
  severity: 'note',
  about: {
    en: 'A metric that must vary never does: a placeholder, too few digits, or nothing happens.',
    zh: '本应变化的指标始终不变：只是占位、位数太少，或什么也没发生。',
  },
  needs: [[...MUST_VARY, 'reward.part']],
  thresholds: {
    FEWEST_POINTS: threshold(20, {
      en: 'Fewer points may well agree in three printed decimals. Derived.',
      zh: '点更少时，三位小数完全可能碰巧相同。推得。',
    }),
  },
  says: {
    'series-constant': {
      en: '{n} {n|metric that must vary never does|metrics that must vary never do}: {list}',
      zh: '{n} 个本应变化的指标始终不变：{list}',
    },
    'series-constant.part': {
      en: '{n} {n|reward part|reward parts} never {n|varies|vary} over {rows} row{rows||s}: {list}. A part that is equal for every response changes no advantage',
      zh: '{n} 个 reward 分项在 {rows} 行中始终不变：{list}。所有回答得到的都一样，不影响优势',
    },
    'series-constant.part.remedy': {
      en: 'a part that is always 0 is never earned: read responses and try the function on one that should earn it; a part at its maximum is learned and can be removed',
      zh: '始终为 0 的分项从未得到过：查看回答，并用一个应当得分的回答试该函数；始终满分的已学会，可以去掉',
    },
  },
  remedy: {
    en: 'find out whether training does nothing, the metric is a placeholder, or the log prints too few digits; until then draw no conclusion from it',
    zh: '确认是训练没有发生变化、该指标只是占位，还是日志打印位数不够；在此之前不要据此下结论',
  },
  check(subject, { before }) {
    const isRewardSaid = before.some(({ rule }) => rule === 'reward-absorbing')
    const meanings = MUST_VARY.filter(meaning => !mayStandStill(meaning, subject))
    const asked = meanings.filter(meaning => !(isRewardSaid && /^(?:reward|score)/.test(meaning)))
    const parts = subject.curves('reward.part')
    return [
      ...constantSymptom(asked.flatMap(meaning => subject.curve(meaning) ?? []).filter(neverVaries), false),
      // Where all parts stand still, so does the reward: that is reward-absorbing.
      ...constantSymptom(parts.every(neverVaries) ? [] : parts.filter(neverVaries), true),
    ]
  },
})

function neverVaries({ values }: Curve): boolean {
  return values.length >= seriesConstant.limits.FEWEST_POINTS && values.every(value => value === values[0])
}

function constantSymptom(still: readonly Curve[], areParts: boolean): UntreatedSymptom[] {
  if (still.length === 0) return []
  const n = still.length
  const list = listed(still.map(({ metric, values }) => `${metric} = ${figure(values[0])}`))
  return [
    {
      steps: [
        Math.min(...still.map(({ steps }) => steps[0])),
        Math.max(...still.map(({ steps }) => steps[steps.length - 1])),
      ],
      evidence: { metrics: still.map(({ metric }) => metric), values: still.map(({ values }) => values[0]) },
      message: areParts
        ? seriesConstant.say('series-constant.part', { n, rows: still[0].steps.length, list })
        : seriesConstant.say('series-constant', { n, list }),
      remedy: areParts ? seriesConstant.say('series-constant.part.remedy', {}) : undefined,
    },
  ]
}

/** Without a penalty some trainers log a divergence of 0 that nobody computed. */
function mayStandStill(meaning: string, { kl }: Subject): boolean {
  return meaning === 'kl.ref' && kl.inLoss.on !== true && kl.inReward.on !== true
}

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
      en: '{first} and {second} are identical at all {n} steps, but mean different things: one was logged in place of the other',
      zh: '{first} 与 {second} 在全部 {n} 个 step 上完全相等，但含义不同：其中一个记录错了',
    },
  },
  remedy: {
    en: 'check the line that logs them, or the data set or reward function behind each; treat them as one measurement until then',
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
