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
    en: '{schema} takes {key}=sync, but only knows async: it rolls out asynchronously whatever stands here',
    zh: '{schema} 接受 {key}=sync，但只有 async：无论写什么都会异步采样',
  },
  'launch.key-superseded.remedy': { en: 'write {name}', zh: '改为 {name}' },
})

/** The first release in which synchronous rollouts are gone. */
const ONLY_ASYNC = new Set(['0.8.0', '0.9.0', '0.9.1'])

export const keySuperseded: LaunchRule = {
  id: 'key-superseded',
  severity: 'note',
  about: {
    en: 'A setting that the release still takes and no longer means what it says.',
    zh: '该版本仍接受、但含义已变的参数。',
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
      return [{ key, line, message: say('launch.key-superseded.sync', { schema: name, key }), remedy }]
    })
  },
}
