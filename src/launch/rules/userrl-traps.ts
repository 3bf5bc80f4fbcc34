import { numberOf } from '../../model/vocabulary/config-value.js'
import { sentences } from '../../text/sentences.js'
import type { LaunchRule } from '../rule.js'

const say = sentences({
  'launch.userrl-traps': {
    en: 'what this fork’s logs hide: a failing simulator is a reward of 0 (an outage looks like a collapse); actor/kl_loss is the KL of {logged} of {answers} answers; actor/entropy counts the simulator’s tokens too; the policy sees its reward in training and not in evaluation',
    zh: '该分支的日志掩盖了：模拟器失败记为 reward 0（中断看起来像崩溃）；actor/kl_loss 只是 {answers} 个答案中 {logged} 个的 KL；actor/entropy 也计入模拟器的 token；训练时策略能看到 reward，评估时看不到',
  },
  'launch.userrl-traps.remedy': {
    en: 'watch the simulator’s own log, and compare runs by validation, not by logged KL or entropy',
    zh: '同时关注模拟器日志；比较 run 时看验证得分，不看日志中的 KL 或熵',
  },
})

export const userrlTraps: LaunchRule = {
  id: 'userrl-traps',
  severity: 'note',
  about: {
    en: 'What is known of UserRL’s fork of verl and does not show in its logs.',
    zh: 'UserRL 的 verl 分支中已知、但日志里看不出来的问题。',
  },
  check({ schema, setting, amounts, groupSize }) {
    const { value, written } = setting('algorithm')
    if (value !== 'grpo_multiturn' || written === null || schema?.version !== 'userrl') return
    const answers = amounts.promptsPerStep === null || groupSize === null ? '?' : amounts.promptsPerStep * groupSize
    return {
      key: written.key,
      line: written.line,
      message: say('launch.userrl-traps', { logged: numberOf(setting('batch.micro').value) ?? '?', answers }),
      remedy: say('launch.userrl-traps.remedy', {}),
    }
  },
}
