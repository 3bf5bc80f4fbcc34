import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { figure } from '../../../text/numbers.js'
import { type LaunchSymptom, launchRule, placeOf } from '../rule.js'

export const klActs = launchRule({
  id: 'kl-acts',
  severity: 'note',
  about: {
    en: 'Which KL penalty really acts: where, with what coefficient, by which estimator.',
    zh: '真正起作用的 KL 惩罚：位置、系数、估计量。',
  },
  says: {
    'launch.kl-acts.loss': {
      en: 'KL {coefficient} to the reference, in the loss, by {estimator}; a reference policy is loaded',
      zh: 'loss 中有对参考策略的 KL，系数 {coefficient}，估计量 {estimator}；会加载参考策略',
    },
    'launch.kl-acts.reward': {
      en: 'KL {coefficient} to the reference, subtracted from the reward, by {estimator}; a reference policy is loaded',
      zh: 'reward 中扣除对参考策略的 KL，系数 {coefficient}，估计量 {estimator}；会加载参考策略',
    },
  },
  remedy: {
    en: 'nothing to do if that is intended; in a comparison, change only this',
    zh: '若本意如此则无需改动；做对比时只改这一项',
  },
  check(subject, { say }) {
    const { kl, setting } = subject
    if (kl.where !== 'loss' && kl.where !== 'reward') return
    const flag = setting(`kl.${kl.where}.on`).written ?? setting(`kl.${kl.where}.coef`).written
    const said = {
      coefficient: kl.coefficient === null ? '?' : figure(kl.coefficient),
      estimator: kl.estimator ?? '?',
    }
    const key = kl.where === 'loss' ? 'launch.kl-acts.loss' : 'launch.kl-acts.reward'
    return { ...placeOf(subject, flag, 'kl'), message: say(key, said) }
  },
})

export const klTwice = launchRule({
  id: 'kl-twice',
  severity: 'warning',
  about: { en: 'The KL is in the loss and in the reward.', zh: 'KL 同时在 loss 和 reward 中。' },
  says: {
    'launch.kl-twice': {
      en: 'the KL to the reference counts twice, in the loss and in the reward',
      zh: '对参考策略的 KL 作用两次：既在 loss 中，又在 reward 中',
    },
  },
  remedy: { en: 'switch one of them off', zh: '关掉其中之一' },
  check(subject, { say }) {
    if (subject.kl.where !== 'both') return
    return {
      ...placeOf(subject, subject.setting('kl.reward.on').written, 'algorithm.use_kl_in_reward'),
      message: say('launch.kl-twice', {}),
    }
  },
})

const FLAGS = {
  'kl.loss': 'actor_rollout_ref.actor.use_kl_loss',
  'kl.reward': 'algorithm.use_kl_in_reward',
} as const

export const klIdle = launchRule({
  id: 'kl-idle',
  severity: 'note',
  about: {
    en: 'A KL coefficient that is written down and does nothing, because verl needs a switch besides.',
    zh: '写了 KL 系数却不起作用：verl 还需要打开开关。',
  },
  says: {
    'launch.kl-idle': {
      en: '{key} is {value} and has no effect: its switch is off',
      zh: '{key} 是 {value}，但不起作用：对应的开关没有打开',
    },
    'launch.kl-idle.remedy': {
      en: 'set {flag}=True to use the KL; otherwise remove the coefficient',
      zh: '若要 KL 起作用，设 {flag}=True；否则删去该系数',
    },
  },
  check({ launch, schema, kl, setting }, { say }) {
    if (launch.program.framework !== 'verl' || kl.where === null || kl.where === 'both') return
    const idle = (['kl.loss', 'kl.reward'] as const).filter(path => path !== `kl.${kl.where}`)
    return idle.flatMap((path): LaunchSymptom[] => {
      const { value, written } = setting(`${path}.coef`)
      const coefficient = numberOf(value)
      if (written === null || coefficient === null || coefficient === 0) return []
      // A whole config repeats the defaults, and nobody meant anything by that.
      if (written.from !== 'command' && schema?.settings.get(written.key)?.value === coefficient) return []
      return [
        {
          key: written.key,
          line: written.line,
          message: say('launch.kl-idle', { key: written.key, value: figure(coefficient) }),
          remedy: say('launch.kl-idle.remedy', { flag: FLAGS[path] }),
        },
      ]
    })
  },
})

export const entropyBonus = launchRule({
  id: 'entropy-bonus',
  severity: 'note',
  about: { en: 'An entropy term is in the loss.', zh: 'loss 中有熵项。' },
  says: {
    'launch.entropy-bonus': {
      en: 'entropy bonus {coefficient}: it makes the policy less certain, independent of the reward',
      zh: '熵奖励系数 {coefficient}：无论 reward 如何，都会把策略从确定的答案上拉开',
    },
  },
  remedy: {
    en: 'nothing to do if that is intended; in a comparison of KL settings, keep it the same in both',
    zh: '若本意如此则无需改动；对比 KL 设置时，两边应保持一致',
  },
  check(subject, { say }) {
    const { entropy, setting } = subject
    if (entropy === null || entropy === 0) return
    return {
      ...placeOf(subject, setting('entropy.coef').written, 'entropy.coef'),
      message: say('launch.entropy-bonus', { coefficient: figure(entropy) }),
    }
  },
})
