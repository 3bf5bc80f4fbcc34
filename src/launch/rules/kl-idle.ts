import { numberOf } from '../../model/vocabulary/config-value.js'
import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import type { LaunchRule, LaunchSymptom } from '../rule.js'

const say = sentences({
  'launch.kl-idle': {
    en: '{key} is {value} and does nothing: the switch for it is off',
    zh: '{key} 是 {value}，但不起作用：对应的开关没有打开',
  },
  'launch.kl-idle.remedy': {
    en: 'set {flag}=True if the KL is meant to act; else take the coefficient out',
    zh: '若要 KL 起作用，设 {flag}=True；否则删去该系数',
  },
})

const FLAGS = {
  'kl.loss': 'actor_rollout_ref.actor.use_kl_loss',
  'kl.reward': 'algorithm.use_kl_in_reward',
} as const

export const klIdle: LaunchRule = {
  id: 'kl-idle',
  severity: 'note',
  about: {
    en: 'A KL coefficient that is written down and does nothing, because verl needs a switch besides.',
    zh: '写了 KL 系数却不起作用：verl 还需要打开开关。',
  },
  check({ launch, schema, kl, setting }) {
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
}
