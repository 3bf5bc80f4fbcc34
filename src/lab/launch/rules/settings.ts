import type { Json } from '../../../logs/model/json.js'
import { isNothing, numberOf, truthOf } from '../../../logs/model/vocabulary/config-value.js'
import { closestWord } from '../../../logs/model/vocabulary/suggest.js'
import { readTrainConfig } from '../../train/config/read.js'
import { configOf, settingsByKey } from '../launch.js'
import { type LaunchSymptom, launchRule, type UntreatedLaunchSymptom } from '../rule.js'
import { misspelled, newNames } from '../schema/renamed.js'
import { type DeclaredSetting, refusedBy, type Schema, schemaName } from '../schema/schema.js'

export const klensConfig = launchRule({
  id: 'klens-config',
  severity: 'error',
  about: { en: 'What `klens train` itself would refuse.', zh: '`klens train` 会拒绝的设置。' },
  says: {},
  remedy: {
    en: 'docs/train-settings.md lists every setting with its values',
    zh: '所有设置及取值见 docs/train-settings.md',
  },
  check({ launch }) {
    if (launch.program.framework !== 'klens') return
    const reading = readTrainConfig({ base: configOf(launch) })
    if (reading.kind === 'config') return
    const written = settingsByKey(launch)
    return reading.problems.map((message): UntreatedLaunchSymptom => {
      const key = typeof message.params.key === 'string' ? message.params.key : null
      const line = (key === null ? undefined : written.get(key)?.line) ?? launch.program.line
      return { key, line, message }
    })
  },
})

export const keyUnknown = launchRule({
  id: 'key-unknown',
  severity: 'error',
  about: {
    en: 'A setting that the release does not have, with its name there. A warning where only a guess tells which release it is, or where a config of the user’s own may bring the key.',
    zh: '该版本没有的参数，并给出新名称。若版本只是推断的，或用户自己的配置可能定义它，则为警告。',
  },
  says: {
    'launch.key-unknown': {
      en: '{schema} has no {key}: it will refuse to start',
      zh: '{schema} 没有 {key}，将拒绝启动',
    },
    'launch.key-unknown.own': {
      en: '{schema} has no {key}; it will refuse to start unless your own config or script defines it',
      zh: '{schema} 没有 {key}；除非自己的配置或脚本定义了它，否则将拒绝启动',
    },
    'launch.key-unknown.exists': {
      en: '{schema} already has {key}: + can only add new keys, and it will refuse to start',
      zh: '{schema} 已有 {key}：“+” 只能添加新键，将拒绝启动',
    },
    'launch.key-unknown.remedy': { en: 'write {name}', zh: '改为 {name}' },
    'launch.key-unknown.remedy.remove': {
      en: 'remove it, or put + before it if your own code reads it',
      zh: '删去；若自己的代码会读取它，在前面加 “+”',
    },
    'launch.key-unknown.remedy.flag': { en: 'remove it', zh: '删去' },
    'launch.key-unknown.remedy.exists': { en: 'write it without +', zh: '去掉 “+”' },
  },
  check({ launch, schema }, { say }) {
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
})

/** Of a release that was named or found it is certain that its own tree lacks the key. */
function isMild({ origin }: Schema, isOwn: boolean): boolean {
  return origin === 'fitting' && isOwn
}

export const estimatorUnknown = launchRule({
  id: 'estimator-unknown',
  severity: 'error',
  about: { en: 'An advantage estimator that the release does not register.', zh: '该版本没有注册的优势估计器。' },
  says: {
    'launch.estimator-unknown': {
      en: '{schema} has no advantage estimator {name}; it knows {known}',
      zh: '{schema} 没有优势估计器 {name}；已有 {known}',
    },
    'launch.estimator-unknown.remedy': {
      en: 'use one of them, or register {name} with register_adv_est before the trainer starts',
      zh: '改用其中之一，或在训练开始前用 register_adv_est 注册 {name}',
    },
    'launch.estimator-unknown.remedy.near': { en: 'write {guess}', zh: '改为 {guess}' },
  },
  check({ schema, setting }, { say }) {
    const { value, written } = setting('algorithm')
    if (schema?.framework !== 'verl' || schema.estimators === null || written === null) return
    if (typeof value !== 'string' || schema.estimators.includes(value)) return
    const guess = closestWord(value, schema.estimators)
    return {
      key: written.key,
      line: written.line,
      message: say('launch.estimator-unknown', {
        schema: schemaName(schema),
        name: value,
        known: schema.estimators.join(', '),
      }),
      remedy:
        guess === null
          ? say('launch.estimator-unknown.remedy', { name: value })
          : say('launch.estimator-unknown.remedy.near', { guess }),
    }
  },
})

export const valueType = launchRule({
  id: 'value-type',
  severity: 'warning',
  about: {
    en: 'A word where a truth or a number belongs. What is nothing by default, or a text, may be anything.',
    zh: '应为真假值或数值处写了别的词。默认为空或文本的参数不检查。',
  },
  says: {
    'launch.value-type.truth': {
      en: '{key} is {value}; it must be True or False',
      zh: '{key} 是 {value}，应为 True 或 False',
    },
    'launch.value-type.number': { en: '{key} is {value}; it must be a number', zh: '{key} 是 {value}，应为数值' },
    'launch.value-type.remedy': {
      en: 'write a value of that kind (by default {usual})',
      zh: '改为该类型的值（默认 {usual}）',
    },
  },
  check({ launch, schema }, { say }) {
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
})

function kindOf({ value, type }: DeclaredSetting): 'truth' | 'number' | null {
  if (type === 'bool' || (type === null && typeof value === 'boolean')) return 'truth'
  return type === 'int' || type === 'float' || (type === null && typeof value === 'number') ? 'number' : null
}

function shown(value: Json): string {
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
}

/** Releases in which synchronous rollouts are gone. */
const ONLY_ASYNC = new Set(['0.7.1', '0.8.0', '0.9.0', '0.9.1'])

export const keySuperseded = launchRule({
  id: 'key-superseded',
  severity: 'note',
  about: {
    en: 'A setting that the release still takes under another name, or takes and then stops at.',
    zh: '该版本仍接受、但已有新名称，或接受后会报错退出的参数。',
  },
  says: {
    'launch.key-superseded.warmup': {
      en: '{schema} still takes {key}, but it is superseded',
      zh: '{schema} 仍接受 {key}，但它已被取代',
    },
    'launch.key-superseded.sync': {
      en: '{schema} no longer has synchronous rollouts: it accepts {key}=sync and stops when its workers start',
      zh: '{schema} 已没有同步 rollout：它接受 {key}=sync，但 worker 启动时会报错退出',
    },
    'launch.key-superseded.remedy': { en: 'write {name}', zh: '改为 {name}' },
  },
  check({ launch, schema }, { say }) {
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
})
