import { sentences } from '../../text/sentences.js'
import type { LaunchRule } from '../rule.js'

const say = sentences({
  'launch.no-seed': {
    en: 'no seed is set: the run cannot be repeated, and one run a side cannot tell a setting from luck',
    zh: '没有设置随机种子：run 无法重复；每边只有一个 run 时，分不清是设置还是运气',
  },
  'launch.no-seed.remedy': {
    en: 'set {key} and train each setting with several seeds (klens plan says how many)',
    zh: '设置 {key}，并为每个设置训练多个种子（klens plan 会给出数量）',
  },
})

export const noSeed: LaunchRule = {
  id: 'no-seed',
  severity: 'note',
  about: {
    en: 'No seed is written down. Not said of frameworks that set one by themselves (TRL, OpenRLHF, klens).',
    zh: '没有写明随机种子。自带默认种子的框架（TRL、OpenRLHF、klens）不提示。',
  },
  check({ launch, schema, setting }) {
    const { framework, flavour, line } = launch.program
    if (framework !== 'verl' || /sft/.test(flavour)) return
    const isSet = launch.settings.some(({ key, value }) => /(?:^|[._])seed$/.test(key) && value !== null)
    if (isSet || setting('seed').written !== null) return
    const key = schema === null || schema.settings.has('data.seed') ? 'data.seed' : '+data.seed'
    return { key: 'data.seed', line, message: say('launch.no-seed', {}), remedy: say('launch.no-seed.remedy', { key }) }
  },
}
