import { percentage } from '../../text/figure.js'
import { cannotSay, runRule, threshold } from '../run-rule.js'
import { medianOf, stepsOf, within } from '../signs/curve.js'
import { stretches, whereLasting } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

export const clipFraction = runRule({
  id: 'clip-fraction',
  severity: 'warning',
  about: {
    en: 'The update is so large, or the old log-probabilities so wrong, that much of the batch is clipped away.',
    zh: '更新过大，或旧的对数概率不对，使一批中的很大部分被裁剪掉。',
  },
  needs: ['clip.frac'],
  thresholds: {
    HIGH: threshold(0.15, {
      en: 'Derived: token-level clip fractions of healthy LLM runs are 0.001–0.01, those of 56 healthy small runs at most 0.1 and below 0.015 after ten steps; dropout gives 0.2–0.27 there and 0.54 in reef PR #536.',
      zh: '推得：健康的大模型 run 按 token 计的裁剪比例为 0.001–0.01，56 个健康的小模型 run 最高 0.1、10 步后低于 0.015；dropout 会到 0.2–0.27，reef PR #536 中为 0.54。',
    }),
    EXTREME: threshold(0.3, {
      en: 'Derived: nearly a third of all tokens on two steps running needs no patience.',
      zh: '推得：连续两步有近三分之一的 token 被裁剪，就不必再等。',
    }),
    EXTREME_POINTS: threshold(2, { en: 'See EXTREME.', zh: '见 EXTREME。' }),
  },
  says: {
    'clip-fraction': {
      en: '{share} % of the tokens are clipped: their gradient is thrown away',
      zh: '{share}% 的 token 被裁剪，其梯度被丢弃',
    },
    'clip-fraction.cannot.sequence': {
      en: 'this loss clips whole answers or caps weights, where large fractions are normal',
      zh: '该 loss 按整条回答裁剪或截断权重，比例高是正常的',
    },
  },
  remedy: {
    en: 'check first that the ratio is 1 before the first update (dropout off, same precision for old and new log-probabilities); then lower the learning rate or make fewer updates per batch',
    zh: '先确认首次更新前 ratio 为 1（关闭 dropout，新旧对数概率精度一致）；再降低学习率或减少每批数据的更新次数',
  },
  check(subject, { say, needed: [clipped], HIGH, EXTREME, EXTREME_POINTS }) {
    if (isWholeAnswers(clipped.metric, subject)) return cannotSay(say('clip-fraction.cannot.sequence', {}))
    const extreme = stretches(clipped, share => share > EXTREME).find(({ from, to }) => to - from >= EXTREME_POINTS)
    const found = whereLasting(clipped, share => share > HIGH) ?? extreme
    if (found === undefined) return
    const high = within(clipped, found)
    return {
      steps: stepsOf(high),
      evidence: { metric: clipped.metric, share: medianOf(high), limit: HIGH, points: high.steps.length },
      message: say('clip-fraction', { share: percentage(medianOf(high)) }),
    }
  },
})

/** GSPO and CISPO clip whole answers or cap weights; their fractions are a hundred times larger by design. */
function isWholeAnswers(metric: string, { settings, config }: Subject): boolean {
  const losses = ['loss.type', 'algorithm'].map(key => String(settings.get(key)?.configured ?? ''))
  const level = Object.entries(config).find(([key]) => key.endsWith('importance_sampling_level'))?.[1]
  return /cispo/.test(metric) || losses.some(loss => /gspo|cispo|vespo|gmpo/i.test(loss)) || level === 'sequence'
}
