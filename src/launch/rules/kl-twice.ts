import { sentences } from '../../text/sentences.js'
import { type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.kl-twice': {
    en: 'the KL to the reference acts twice, in the loss and in the reward',
    zh: '对参考策略的 KL 作用两次：既在 loss 中，又在 reward 中',
  },
  'launch.kl-twice.remedy': { en: 'switch one of them off', zh: '关掉其中之一' },
})

export const klTwice: LaunchRule = {
  id: 'kl-twice',
  severity: 'warning',
  about: { en: 'The KL is in the loss and in the reward.', zh: 'KL 同时在 loss 和 reward 中。' },
  check(subject) {
    if (subject.kl.where !== 'both') return
    return {
      ...placeOf(subject, subject.setting('kl.reward.on').written, 'algorithm.use_kl_in_reward'),
      message: say('launch.kl-twice', {}),
      remedy: say('launch.kl-twice.remedy', {}),
    }
  },
}
