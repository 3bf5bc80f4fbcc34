import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { type LaunchRule, placeOf } from '../rule.js'

const say = sentences({
  'launch.kl-acts.loss': {
    en: 'KL {coefficient} to the reference, in the loss, by {estimator}; a reference policy is loaded',
    zh: 'loss 中有对参考策略的 KL，系数 {coefficient}，估计量 {estimator}；会加载参考策略',
  },
  'launch.kl-acts.reward': {
    en: 'KL {coefficient} to the reference, taken from the reward, by {estimator}; a reference policy is loaded',
    zh: 'reward 中扣除对参考策略的 KL，系数 {coefficient}，估计量 {estimator}；会加载参考策略',
  },
  'launch.kl-acts.remedy': {
    en: 'nothing to do if that is meant; in a comparison, change it alone',
    zh: '若本意如此则无需改动；做对比时只改这一项',
  },
})

export const klActs: LaunchRule = {
  id: 'kl-acts',
  severity: 'note',
  about: {
    en: 'Which KL penalty really acts: where, with what coefficient, by which estimator.',
    zh: '真正起作用的 KL 惩罚：位置、系数、估计量。',
  },
  check(subject) {
    const { kl, setting } = subject
    if (kl.where !== 'loss' && kl.where !== 'reward') return
    const flag = setting(`kl.${kl.where}.on`).written ?? setting(`kl.${kl.where}.coef`).written
    const said = {
      coefficient: kl.coefficient === null ? '?' : figure(kl.coefficient),
      estimator: kl.estimator ?? '?',
    }
    const place = placeOf(subject, flag, 'kl')
    const remedy = say('launch.kl-acts.remedy', {})
    if (kl.where === 'loss') return { ...place, message: say('launch.kl-acts.loss', said), remedy }
    return { ...place, message: say('launch.kl-acts.reward', said), remedy }
  },
}
