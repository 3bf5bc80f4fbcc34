import { sentences } from '../../text/sentences.js'
import type { LaunchRule, LaunchSymptom } from '../rule.js'
import { refusedBy } from '../schema/refused.js'
import { misspelled, newNames } from '../schema/renamed.js'
import { type Schema, schemaName } from '../schema/schema.js'

const say = sentences({
  'launch.key-unknown': { en: '{schema} has no {key}: it will refuse to start', zh: '{schema} 没有 {key}，将拒绝启动' },
  'launch.key-unknown.own': {
    en: '{schema} has no {key}; it will refuse to start unless your own config or script brings it',
    zh: '{schema} 没有 {key}；除非自己的配置或脚本定义了它，否则将拒绝启动',
  },
  'launch.key-unknown.exists': {
    en: '{schema} has {key} already: + can only add what is new, and it will refuse to start',
    zh: '{schema} 已有 {key}：“+” 只能添加新键，将拒绝启动',
  },
  'launch.key-unknown.remedy': { en: 'write {name}', zh: '改为 {name}' },
  'launch.key-unknown.remedy.remove': {
    en: 'take it out, or put + before it if your own code reads it',
    zh: '删去；若自己的代码会读取它，在前面加 “+”',
  },
  'launch.key-unknown.remedy.flag': { en: 'take it out', zh: '删去' },
  'launch.key-unknown.remedy.exists': { en: 'write it without +', zh: '去掉 “+”' },
})

export const keyUnknown: LaunchRule = {
  id: 'key-unknown',
  severity: 'error',
  about: {
    en: 'A setting that the release does not have, with its name there. A warning where only a guess tells which release it is, or where a config of the user’s own may bring the key.',
    zh: '该版本没有的参数，并给出新名称。若版本只是推断的，或用户自己的配置可能定义它，则为警告。',
  },
  check({ launch, schema }) {
    if (schema === null) return
    return refusedBy(launch, schema).flatMap(({ setting, why }): LaunchSymptom[] => {
      const { key, line } = setting
      const known = { schema: schemaName(schema), key }
      if (why === 'exists') {
        return [
          {
            ...(schema.origin === 'fitting' && { severity: 'warning' }),
            key,
            line,
            message: say('launch.key-unknown.exists', known),
            remedy: say('launch.key-unknown.remedy.exists', {}),
          },
        ]
      }
      const names = newNames(key, schema)
      const isOwn = launch.program.isOwn
      // A script or config of one's own has settings of its own; only what looks like a slip of the pen is worth a word.
      if (isMild(schema, isOwn) && misspelled(key, schema) === null) return []
      return [
        {
          ...(isMild(schema, isOwn) && { severity: 'warning' }),
          key,
          line,
          message: isOwn ? say('launch.key-unknown.own', known) : say('launch.key-unknown', known),
          remedy:
            names.length > 0
              ? say('launch.key-unknown.remedy', { name: names.join(', ') })
              : launch.program.framework === 'verl'
                ? say('launch.key-unknown.remedy.remove', {})
                : say('launch.key-unknown.remedy.flag', {}),
        },
      ]
    })
  },
}

/** Of a release that was named or found it is certain that its own tree lacks the key. */
function isMild({ origin }: Schema, isOwn: boolean): boolean {
  return origin === 'fitting' && isOwn
}
