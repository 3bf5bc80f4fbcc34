import { isNothing } from '../../model/vocabulary/config-value.js'
import { sentences } from '../../text/sentences.js'
import { settingsByKey } from '../launch.js'
import type { LaunchRule, LaunchSymptom } from '../rule.js'
import { schemaName } from '../schema/schema.js'

const say = sentences({
  'launch.key-superseded.warmup': {
    en: '{schema} still takes {key}, but it is superseded',
    zh: '{schema} 仍接受 {key}，但它已被取代',
  },
  'launch.key-superseded.sync': {
    en: '{schema} has no synchronous rollouts any more: it accepts {key}=sync and stops when its workers start',
    zh: '{schema} 已没有同步 rollout：它接受 {key}=sync，但 worker 启动时会报错退出',
  },
  'launch.key-superseded.remedy': { en: 'write {name}', zh: '改为 {name}' },
})

/** Releases in which synchronous rollouts are gone. */
const ONLY_ASYNC = new Set(['0.7.1', '0.8.0', '0.9.0', '0.9.1'])

export const keySuperseded: LaunchRule = {
  id: 'key-superseded',
  severity: 'note',
  about: {
    en: 'A setting that the release still takes under another name, or takes and then stops at.',
    zh: '该版本仍接受、但已有新名称，或接受后会报错退出的参数。',
  },
  check({ launch, schema }) {
    if (schema?.framework !== 'verl') return
    const name = schemaName(schema)
    return [...settingsByKey(launch)].flatMap(([key, { value, line }]): LaunchSymptom[] => {
      const next = key.replace(/warmup_style$/, 'lr_scheduler_type')
      const isSuperseded = next !== key && schema.settings.has(key) && schema.settings.has(next) && !isNothing(value)
      if (isSuperseded) {
        const remedy = say('launch.key-superseded.remedy', { name: next })
        return [{ key, line, message: say('launch.key-superseded.warmup', { schema: name, key }), remedy }]
      }
      if (!key.endsWith('rollout.mode') || value !== 'sync' || !ONLY_ASYNC.has(schema.version)) return []
      const remedy = say('launch.key-superseded.remedy', { name: `${key}=async` })
      const severity = schema.origin === 'fitting' ? 'note' : 'error'
      return [{ severity, key, line, message: say('launch.key-superseded.sync', { schema: name, key }), remedy }]
    })
  },
}
