import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.entropy-bonus': {
    en: 'entropy bonus {coefficient}: it pulls the policy away from what it is sure of, whatever the reward says',
    zh: '熵奖励系数 {coefficient}：无论 reward 如何，都会把策略从确定的答案上拉开',
  },
  'launch.entropy-bonus.remedy': {
    en: 'nothing to do if that is meant; in a comparison of KL settings, keep it the same on both sides',
    zh: '若本意如此则无需改动；对比 KL 设置时，两边应保持一致',
  },
})

export const entropyBonus: LaunchRule = {
  id: 'entropy-bonus',
  severity: 'note',
  about: { en: 'An entropy term is in the loss.', zh: 'loss 中有熵项。' },
  check(subject) {
    const { entropy, setting } = subject
    if (entropy === null || entropy === 0) return
    return {
      ...placeOf(subject, setting('entropy.coef').written, 'entropy.coef'),
      message: say('launch.entropy-bonus', { coefficient: figure(entropy) }),
      remedy: say('launch.entropy-bonus.remedy', {}),
    }
  },
}
