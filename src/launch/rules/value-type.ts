import type { Json } from '../../model/json.js'
import { numberOf, truthOf } from '../../model/vocabulary/config-value.js'
import { sentences } from '../../text/sentences.js'
import { settingsByKey } from '../launch.js'
import type { LaunchRule, LaunchSymptom } from '../rule.js'
import type { DeclaredSetting } from '../schema/schema.js'

const say = sentences({
  'launch.value-type.truth': {
    en: '{key} is {value}; it must be True or False',
    zh: '{key} 是 {value}，应为 True 或 False',
  },
  'launch.value-type.number': { en: '{key} is {value}; it must be a number', zh: '{key} 是 {value}，应为数值' },
  'launch.value-type.remedy': {
    en: 'write a value of that kind (by default {usual})',
    zh: '改为该类型的值（默认 {usual}）',
  },
})

export const valueType: LaunchRule = {
  id: 'value-type',
  severity: 'warning',
  about: {
    en: 'A word where a truth or a number belongs. What is nothing by default, or a text, may be anything.',
    zh: '应为真假值或数值处写了别的词。默认为空或文本的参数不检查。',
  },
  check({ launch, schema }) {
    if (schema === null) return
    return [...settingsByKey(launch)].flatMap(([key, { value, line }]): LaunchSymptom[] => {
      const declared = schema.settings.get(key)
      if (declared === undefined || value === undefined || value === null || typeof value === 'object') return []
      const kind = kindOf(declared)
      const fits = kind === 'truth' ? truthOf(value) !== null : kind === 'number' ? numberOf(value) !== null : true
      if (fits || kind === null) return []
      const said = { key, value: String(value).slice(0, 60) }
      const message = kind === 'truth' ? say('launch.value-type.truth', said) : say('launch.value-type.number', said)
      return [{ key, line, message, remedy: say('launch.value-type.remedy', { usual: shown(declared.value) }) }]
    })
  },
}

function kindOf({ value, type }: DeclaredSetting): 'truth' | 'number' | null {
  if (type === 'bool' || (type === null && typeof value === 'boolean')) return 'truth'
  return type === 'int' || type === 'float' || (type === null && typeof value === 'number') ? 'number' : null
}

function shown(value: Json): string {
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
}
