import type { Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { CONFIG_KEYS, type ConfigRow } from '../../../logs/model/vocabulary/config-keys.js'
import { BASE_OF, FRAMEWORK_NAMES, type Framework } from '../../../logs/model/vocabulary/framework.js'
import { sentences } from '../../../text/sentences.js'
import type { Schema } from '../../launch/schema/schema.js'
import type { Settings } from '../file/schema.js'
import type { Preset, PresetSetting } from './presets.js'

/**
 * klens's names of settings in the words of a framework: `kl.loss.coef: 0.1` becomes verl's coefficient and the switch
 * without which it does nothing. What klens has no name for, and what the framework itself calls so, passes as it is.
 */
export interface Translation {
  readonly settings: ReadonlyMap<string, Json>
  /** By the name in the study file, what nothing can be made of. */
  readonly problems: readonly { readonly key: string; readonly problem: Message }[]
}

const say = sentences({
  'study.translate.none': {
    en: '{framework} has no setting for "{key}"',
    zh: '{framework} 没有与“{key}”对应的设置',
  },
  'study.translate.value': {
    en: '{framework} does not accept "{key}": {value}',
    zh: '{framework} 无法接受“{key}”：{value}',
  },
  'study.translate.both': {
    en: '{framework} has one KL coefficient, for the loss or for the reward; "kl.loss.coef" and "kl.reward.coef" are both set',
    zh: '{framework} 只有一个 KL 系数，作用于损失或奖励；而 kl.loss.coef 与 kl.reward.coef 都设了',
  },
})

export function translate(settings: Settings, { framework }: Preset, schema: Schema | null): Translation {
  const native = new Map<string, Json>()
  const problems: { key: string; problem: Message }[] = []
  const name = FRAMEWORK_NAMES[framework]
  const given = new Map(Object.entries(settings).map(([key, value]) => [canonicalOf(key, schema) ?? key, value]))
  const isGiven = (key: string): boolean =>
    given.has(key) || namesOf(rowOf(key), framework).some(each => given.has(each))
  for (const [key, value] of Object.entries(settings)) {
    const canonical = canonicalOf(key, schema) ?? (isForeign(key, framework) ? key : null)
    if (canonical === null) {
      native.set(key, value)
      continue
    }
    const special = SPECIAL[framework]?.[canonical]
    const made =
      special === undefined
        ? named(canonical, value, framework, schema)
        : special({
            value,
            isGiven,
            given,
            called: other => preferred(namesOf(rowOf(other), framework), schema) ?? other,
          })
    if (made === 'none') problems.push({ key, problem: say('study.translate.none', { framework: name, key }) })
    else if (made === 'both') problems.push({ key, problem: say('study.translate.both', { framework: name }) })
    else if (made === 'value') {
      const said = { framework: name, key, value: JSON.stringify(value) }
      problems.push({ key, problem: say('study.translate.value', said) })
    } else for (const [own, each] of made) native.set(own, each)
  }
  return { settings: native, problems }
}

/** Null for the framework's own words, and for unknown ones. */
function canonicalOf(key: string, schema: Schema | null): string | null {
  if (schema?.settings.has(key)) return null
  return rowOf(key)?.key ?? null
}

/** None of Lever-Plus's flags has a period, so such a name can only be one of klens's that it has no row for. */
function isForeign(key: string, framework: Framework): boolean {
  return framework === 'lever-plus' && key.includes('.')
}

function rowOf(key: string): ConfigRow | undefined {
  return CONFIG_KEYS.find(row => row.key === key) ?? CONFIG_KEYS.find(row => row.any?.includes(key))
}

function namesOf(row: ConfigRow | undefined, framework: Framework): readonly string[] {
  const base = BASE_OF[framework]
  return row?.[framework] ?? (base === undefined ? undefined : row?.[base]) ?? []
}

/** Of several names the first that the release has. */
function preferred(names: readonly string[], schema: Schema | null): string | undefined {
  return (schema === null ? undefined : names.find(name => schema.settings.has(name))) ?? names[0]
}

export function presetSettings(listed: readonly PresetSetting[], schema: Schema | null): readonly [string, Json][] {
  return listed.flatMap(({ names, value }): [string, Json][] => {
    const name = preferred(names, schema)
    return name === undefined ? [] : [[name, value]]
  })
}

/** All keys that take the seed. */
export function seedKeys({ seeds, hiddenSeed }: Preset, schema: Schema | null): readonly string[] {
  const known = seeds.filter(key => schema === null || schema.settings.has(key))
  return known.includes('data.seed') || hiddenSeed === null ? known : [...known, hiddenSeed]
}

type Made = readonly (readonly [string, Json])[] | 'none' | 'value' | 'both'

/** Flags that say the opposite of their setting. */
const OPPOSITES = new Set(['use_ppo_clip_only', 'algo.advantage.no_std_norm', 'no_advantage_std_norm'])

function named(canonical: string, value: Json, framework: Framework, schema: Schema | null): Made {
  const own = preferred(namesOf(rowOf(canonical), framework), schema)
  if (own === undefined) return 'none'
  return [[own, OPPOSITES.has(own) && typeof value === 'boolean' ? !value : value]]
}

interface Speaking {
  readonly value: Json
  /** By its canonical name, or by one of the framework's. */
  readonly isGiven: (key: string) => boolean
  readonly given: ReadonlyMap<string, Json>
  /** What this release calls a setting. */
  readonly called: (canonical: string) => string
}

type Special = (speaking: Speaking) => Made

const VERL_ESTIMATORS: { readonly [name: string]: string } = { k1: 'kl', k2: 'mse', k3: 'low_var_kl' }

function verlEstimator(key: string): Special {
  return ({ value, called }) => [[called(key), VERL_ESTIMATORS[String(value)] ?? value]]
}

/** A coefficient acts only with its switch. */
function switched(path: 'kl.loss' | 'kl.reward'): Special {
  return ({ value, isGiven, called }) => [
    [called(`${path}.coef`), value],
    ...(isGiven(`${path}.on`) ? [] : [[called(`${path}.on`), value !== 0] as const]),
  ]
}

const SPECIAL: { readonly [framework in Framework]?: { readonly [canonical: string]: Special } } = {
  verl: {
    'kl.loss.coef': switched('kl.loss'),
    'kl.reward.coef': switched('kl.reward'),
    'kl.loss.estimator': verlEstimator('kl.loss.estimator'),
    'kl.reward.estimator': verlEstimator('kl.reward.estimator'),
    // The two sides have defaults of their own, which come before the one for both.
    'clip.range': ({ value, isGiven, called }) => [
      [called('clip.range'), value],
      ...['clip.low', 'clip.high'].flatMap(key => (isGiven(key) ? [] : [[called(key), value] as const])),
    ],
  },
  trl: {
    'kl.loss.estimator': ({ value }) => (value === 'k3' ? [] : 'value'),
    'clip.range': ({ value, called }) => [[called('clip.low'), value]],
    'eval.every': ({ value, isGiven, called }) => [
      [called('eval.every'), value],
      ...(isGiven('eval.strategy') ? [] : [[called('eval.strategy'), 'steps'] as const]),
    ],
  },
  openrlhf: {
    'kl.loss.coef': ({ value, given, isGiven, called }) => {
      if (given.has('kl.reward.coef')) return 'both'
      return [
        [called('kl.reward.coef'), value],
        ...(isGiven('kl.loss.on') ? [] : [[called('kl.loss.on'), value !== 0] as const]),
      ]
    },
    'kl.loss.estimator': ({ value, called }) => [[called('kl.reward.estimator'), value]],
    'clip.low': sides,
    'clip.high': sides,
  },
  'lever-plus': {
    // Its controller takes over after the first batch unless it is told not to.
    'kl.loss.coef': ({ value, isGiven, called }) => [
      [called('kl.loss.coef'), value],
      ...(isGiven('kl.controller') ? [] : [[called('kl.controller'), true] as const]),
    ],
    'data.query_embeddings': ({ value }) => [['img_emb', value]],
    'kl.controller': ({ value, called }) =>
      value === 'fixed' || value === 'adaptive' ? [[called('kl.controller'), value === 'fixed']] : 'value',
  },
}

function sides({ given, called }: Speaking): Made {
  const [low, high] = [given.get('clip.low'), given.get('clip.high')]
  return low === undefined || high === undefined ? 'value' : [[called('clip.low_high'), [low, high]]]
}
