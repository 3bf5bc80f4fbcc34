import { sentences } from '../../text/sentences.js'
import type { LaunchRule } from '../rule.js'

const say = sentences({
  'launch.sum-is-mean': {
    en: '"Sum" is a mean: the score that is optimised is the turn rewards divided by the number of turns, while the validation logs their sum. A shorter dialogue can raise the one and lower the other',
    zh: '“Sum” 其实是平均值：优化的是各轮 reward 之和除以轮数，而验证记录的是总和。对话变短可能使前者升高、后者降低',
  },
  'launch.sum-is-mean.remedy': {
    en: 'take R2G (discounted sum) if the sum is meant, or watch the number of turns beside the score',
    zh: '若要总和，用 R2G（折扣和）；否则同时关注轮数',
  },
})

export const sumIsMean: LaunchRule = {
  id: 'sum-is-mean',
  severity: 'warning',
  about: {
    en: 'UserRL’s trajectory score "Sum" divides by the number of turns.',
    zh: 'UserRL 的轨迹得分 “Sum” 会除以轮数。',
  },
  check({ launch }) {
    const written = launch.settings.findLast(({ key }) => key.endsWith('.trajectory_score_method'))
    if (written === undefined || written.value !== 'Sum') return
    return {
      key: written.key,
      line: written.line,
      message: say('launch.sum-is-mean', {}),
      remedy: say('launch.sum-is-mean.remedy', {}),
    }
  },
}
