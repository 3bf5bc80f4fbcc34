import { percentage } from '../../text/figure.js'
import { runRule, threshold } from '../run-rule.js'
import { lastOf, medianOf, within } from '../signs/curve.js'
import { whereLasting } from '../signs/lasting.js'

export const truncation = runRule({
  id: 'truncation',
  severity: 'warning',
  about: {
    en: 'Too many answers run into the length limit. Where that is over, it is only worth knowing.',
    zh: '过多回答触及长度上限。若已结束，则只作提示。',
  },
  needs: ['len.truncated'],
  thresholds: {
    TOO_MANY: threshold(0.1, {
      en: '"Above 0.1 = truncating too much" (verl docs/perf/best_practices).',
      zh: '“高于 0.1 即截断过多”（verl docs/perf/best_practices）。',
    }),
    FEWEST_POINTS: threshold(5, { en: 'Points that it must last. Derived.', zh: '须持续这么多个点。推得。' }),
    END: threshold(0.1, {
      en: 'Whether it still goes on: seen within the last tenth of the points.',
      zh: '是否仍在持续：看最后十分之一的点。',
    }),
  },
  says: {
    truncation: {
      en: '{share} % of the answers are cut off at the length limit since step {from}; above 10 % too much of the batch is graded unfinished',
      zh: '自 step {from} 起 {share}% 的回答被长度上限截断；超过 10% 时，过多样本在未写完的情况下被打分',
    },
    'truncation.over': {
      en: '{share} % of the answers were cut off at the length limit in steps {from}–{to}; it is over',
      zh: 'step {from}–{to} 有 {share}% 的回答被长度上限截断，之后恢复正常',
    },
    'truncation.remedy.limit': {
      en: 'raise the limit of {limit} tokens if the answers are sound, or mask truncated answers in the loss; if they are padding, see to the reward first',
      zh: '若回答本身正常，提高 {limit} token 的上限，或在 loss 中屏蔽被截断的回答；若是凑字数，先修正 reward',
    },
  },
  remedy: {
    en: 'raise the limit on the response length if the answers are sound, or mask truncated answers in the loss; if they are padding, see to the reward first',
    zh: '若回答本身正常，提高回答长度上限，或在 loss 中屏蔽被截断的回答；若是凑字数，先修正 reward',
  },
  check({ settings }, { say, needed: [cut], TOO_MANY, FEWEST_POINTS, END }) {
    const n = cut.steps.length
    const found = whereLasting(cut, share => share > TOO_MANY, Math.min(FEWEST_POINTS, n))
    if (found === undefined) return
    const isOver = found.to < n - END * n
    const steps = [cut.steps[found.from], cut.steps[found.to - 1]] as const
    const share = medianOf(within(cut, found))
    const limit = settings.get('len.response.max')?.effective
    return {
      severity: isOver ? 'note' : 'warning',
      steps,
      evidence: {
        metric: cut.metric,
        share,
        last: lastOf(cut),
        threshold: TOO_MANY,
        ...(typeof limit === 'number' && { limit }),
      },
      message: isOver
        ? say('truncation.over', { share: percentage(share), from: steps[0], to: steps[1] })
        : say('truncation', { share: percentage(share), from: steps[0] }),
      remedy: typeof limit === 'number' ? say('truncation.remedy.limit', { limit }) : undefined,
    }
  },
})
