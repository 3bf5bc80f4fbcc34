import { figure, percentage } from '../../text/figure.js'
import { runRule, threshold, tooShort } from '../run-rule.js'
import { between, type Curve, firstOf, medianOf, type Stretch, within } from '../signs/curve.js'
import { whereLasting } from '../signs/lasting.js'
import { levelChange } from '../signs/score.js'
import type { Subject } from '../subject.js'

export const lengthExplosion = runRule({
  id: 'length-explosion',
  severity: 'warning',
  about: {
    en: 'Answers grow and the task gains nothing (length pegged at its maximum, valid actions fall). Growth alone is no fault: policies that learn to reason write more and score more.',
    zh: '回答变长而任务没有收益（长度顶到上限、有效动作减少）。变长本身不是问题：学会推理的策略写得更多、得分也更高。',
  },
  needs: ['len.response'],
  uses: ['len.truncated', 'score.mean', 'reward.mean', 'val.score'],
  thresholds: {
    LONGER: threshold(1.5, {
      en: 'Derived: batches differ by a few per cent, so half as long again is no chance; a tight limit may allow no more.',
      zh: '推得：各 batch 相差百分之几，长出一半绝非偶然；上限较紧时也只能长这么多。',
    }),
    TRUNCATED: threshold(0.5, {
      en: 'Derived: where half of all answers are cut off, length is no longer thought.',
      zh: '推得：一半回答被截断时，长度已不是思考。',
    }),
    SCORE_LOST: threshold(0.1, {
      en: 'The score must be demonstrably worse than at the start: by a tenth, and by five standard errors. Derived.',
      zh: '得分须确实低于开始时：至少十分之一，且超过 5 个标准误。推得。',
    }),
    ERRORS: threshold(5, { en: 'See SCORE_LOST.', zh: '见 SCORE_LOST。' }),
    FEWEST_POINTS: threshold(5, { en: 'Points that it must last. Derived.', zh: '须持续这么多个点。推得。' }),
  },
  says: {
    'length-explosion': {
      en: '{metric} grew from {start} to {level} tokens while {score} fell from {scoreStart} to {scoreThen}: the length buys nothing',
      zh: '{metric} 从 {start} 增到 {level} token，而 {score} 从 {scoreStart} 降到 {scoreThen}：变长没有带来收益',
    },
    'length-explosion.truncated': {
      en: '{metric} grew from {start} to {level} tokens and {truncated} % of the answers are cut off at the limit',
      zh: '{metric} 从 {start} 增到 {level} token，{truncated}% 的回答在长度上限处被截断',
    },
  },
  remedy: {
    en: 'read the long answers: repetition or gibberish means too high a rate or entropy bonus; padding means that the reward pays for length. Penalise overlong answers only after that is fixed',
    zh: '查看这些长回答：重复或乱码说明学习率或熵正则过大；凑字数说明 reward 在奖励长度。修正后再考虑对超长回答加惩罚',
  },
  check(subject, { say, needed: [length], LONGER, FEWEST_POINTS }) {
    if (length.steps.length < FEWEST_POINTS) return tooShort(length, FEWEST_POINTS)
    const start = firstOf(length)
    const long = whereLasting(length, value => value >= LONGER * start, FEWEST_POINTS)
    if (long === undefined) return
    const price = priceOf(subject, length, long)
    if (price === undefined) return
    const level = medianOf(within(length, long))
    const figures = { metric: length.metric, start: figure(start), level: figure(level) }
    return {
      steps: [length.steps[long.from], length.steps[long.to - 1]],
      evidence: { metric: length.metric, start, level, factor: level / start, ...price },
      message:
        'truncated' in price
          ? say('length-explosion.truncated', { ...figures, truncated: percentage(price.truncated) })
          : say('length-explosion', {
              ...figures,
              score: price.score,
              scoreStart: figure(price.scoreStart),
              scoreThen: figure(price.scoreThen),
            }),
    }
  },
})

type Price =
  | { readonly truncated: number }
  | { readonly score: string; readonly scoreStart: number; readonly scoreThen: number }

/** What is wrong with the long answers: cut off, or worth less than the short ones. Undefined: nothing. */
function priceOf({ curve }: Subject, length: Curve, { from, to }: Stretch): Price | undefined {
  const { TRUNCATED, SCORE_LOST, ERRORS, FEWEST_POINTS } = lengthExplosion.limits
  const during = (other: Curve): Curve => between(other, length.steps[from], length.steps[to - 1])
  const cut = curve('len.truncated')
  if (cut !== undefined && during(cut).steps.length > 0) {
    const truncated = medianOf(during(cut))
    if (truncated >= TRUNCATED) return { truncated }
  }
  const score = curve('score.mean') ?? curve('val.score') ?? curve('reward.mean')
  if (score === undefined || during(score).steps.length < FEWEST_POINTS) return
  const { start, end, errors } = levelChange(score, during(score))
  const isWorse = errors <= -ERRORS && start - end >= SCORE_LOST * Math.abs(start)
  return isWorse ? { score: score.metric, scoreStart: start, scoreThen: end } : undefined
}
