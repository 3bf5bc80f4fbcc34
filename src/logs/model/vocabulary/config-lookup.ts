import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import type { Json } from '../json.js'
import type { Config } from '../run.js'
import { memoByText } from '../util/memo.js'
import { CONFIG_KEYS } from './config-keys.js'
import { type Framework, lineageOf, othersReadIn } from './framework.js'
import { looseName } from './names.js'
import type { UserVocabulary } from './user.js'

/**
 * Which raw config key carries a setting. Trackers cut and wrap paths: `actor_rollout_ref.actor.kl_loss_coef` arrives
 * as `actor.kl_loss_coef`, as `kl_loss_coef`, as `config.actor_rollout_ref.actor.kl_loss_coef`.
 */

export interface Configured {
  readonly rawKey: string
  readonly value: Json
  /** The key is one of the framework's own, not a word that anybody might use. */
  readonly own: boolean
}

/** The canonical settings of a config, under the raw keys that carry them best. */
export function configuredSettings(
  config: Config,
  framework: Framework | null,
  user?: UserVocabulary,
): ReadonlyMap<string, Configured> {
  const given = userKeys(user)
  const best = new Map<string, Configured & { readonly rank: number }>()
  for (const [rawKey, value] of Object.entries(config)) {
    const name = looseKey(rawKey)
    const found = given.get(name) ?? carried(name, framework)
    if (found === null) continue
    const before = best.get(found.key)
    if (before !== undefined && before.rank <= found.rank) continue
    best.set(found.key, { rawKey, value, own: framework !== null && found.rank < COLUMN_DISTANCE, rank: found.rank })
  }
  return best
}

/** The canonical setting that a raw key stands for; null where no table and no user knows it. */
export function settingNamed(rawKey: string, framework: Framework | null, user?: UserVocabulary): string | null {
  const name = looseKey(rawKey)
  return (userKeys(user).get(name) ?? carried(name, framework))?.key ?? null
}

interface Carried {
  readonly key: string
  /** Smaller carries the setting better. */
  readonly rank: number
}

/** Hydra writes `+key` and `++key`, command lines `--key`. */
function looseKey(rawKey: string): string {
  return looseName(rawKey.replace(/^[-+~]+/, ''))
}

function userKeys(user: UserVocabulary | undefined): ReadonlyMap<string, Carried> {
  const keys = new Map<string, Carried>()
  for (const [key, rawKeys] of user?.config ?? []) {
    for (const [order, rawKey] of rawKeys.entries()) keys.set(looseKey(rawKey), { key, rank: order - 1_000 })
  }
  return keys
}

/** How far a name stands behind a better one: from a further column, or short of some of its path. */
const COLUMN_DISTANCE = 1_000
const PART_DISTANCE = 100
type Column = Framework | 'any'
/** Made for the frameworks that are asked for. */
const pathsIn = memoByText((column: Column) => ({ full: fullPaths(column), short: shortPaths(column) }))

function carried(name: string, framework: Framework | null): Carried | null {
  const before = remembered.get(framework) ?? new Map<string, Carried | null>()
  if (before.size >= REMEMBERED_KEYS) before.clear()
  remembered.set(framework, before)
  const known = before.get(name)
  if (known !== undefined) return known
  const found = search(name, framework)
  before.set(name, found)
  return found
}

/** Runs share their keys, so each is searched once. */
const remembered = new Map<Framework | null, Map<string, Carried | null>>()
const REMEMBERED_KEYS = 20_000

/** Flags that say the opposite of their setting. Only their own framework's rules know to turn them round. */
const OPPOSITES = new Set([
  'use_ppo_clip_only',
  'disable_adaptive_kl',
  'algo.advantage.no_std_norm',
  'no_advantage_std_norm',
])

/** Two words that other trainers use for something else: CleanRL's `num_iterations` is the number of updates. */
const COMMON = new Set(['num_iterations', 'max_epochs', 'num_episodes', 'train_batch_size', 'response_length'])

/**
 * Own names, those of the base, nobody's, then anybody's. A plain word of somebody else's (`epsilon`, `delta`) proves
 * nothing, so there a name must have two words.
 */
function search(name: string, framework: Framework | null): Carried | null {
  if (Object.hasOwn(FRAMEWORK_DATA.find(({ id }) => id === framework)?.unknown ?? {}, name)) return null
  const near: readonly Column[] = [...lineageOf(framework), 'any']
  const isTelling = /[._]/.test(name) && !OPPOSITES.has(name) && !COMMON.has(name)
  const far = isTelling ? othersReadIn(framework).filter(other => !near.includes(other)) : []
  for (const [distance, column] of [...near, ...far].entries()) {
    const found = inColumn(name, column)
    if (found !== null) return { key: found.key, rank: found.rank + distance * COLUMN_DISTANCE }
  }
  return null
}

function inColumn(name: string, column: Column): Carried | null {
  const { full, short } = pathsIn(column)
  return full.get(name) ?? short.get(name) ?? full.get(unwrapped(name, full)) ?? null
}

/** Words that hold a whole config and say nothing themselves. */
const WRAPPERS =
  /^(?:config|cfg|args|hparams|params|parameters|hyperparameters|settings|training_args|trainer_args|script_args|grpo_config|ppo_config|grpo|ppo)\./

/** Without what was wrapped around it: any words before a path, only meaningless ones before a single word. */
function unwrapped(name: string, known: ReadonlyMap<string, Carried>): string {
  let inner = name
  while (WRAPPERS.test(inner)) inner = inner.replace(WRAPPERS, '')
  if (known.has(inner)) return inner
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const rest = name.slice(dot + 1)
    if (rest.includes('.') && known.has(rest)) return rest
  }
  return inner
}

function fullPaths(column: Column): ReadonlyMap<string, Carried> {
  const paths = new Map<string, Carried>()
  for (const { key, ...aliases } of CONFIG_KEYS) {
    for (const [rank, alias] of (aliases[column] ?? []).entries()) {
      if (!paths.has(looseKey(alias))) paths.set(looseKey(alias), { key, rank })
    }
    if (column === 'any') paths.set(key, { key, rank: 0 })
  }
  return paths
}

/** The ends of the paths, as far as they tell one setting from all others; a single plain word never does. */
function shortPaths(column: Column): ReadonlyMap<string, Carried> {
  const ends = new Map<string, Carried | null>()
  for (const { key, ...aliases } of CONFIG_KEYS) {
    for (const [rank, alias] of (aliases[column] ?? []).entries()) {
      const parts = looseKey(alias).split('.')
      for (let from = 1; from < parts.length; from += 1) {
        const end = parts.slice(from).join('.')
        if (!/[._]/.test(end)) continue
        const before = ends.get(end)
        ends.set(end, before !== undefined && before?.key !== key ? null : { key, rank: rank + PART_DISTANCE * from })
      }
    }
  }
  return new Map([...ends].flatMap(([end, found]) => (found === null ? [] : [[end, found] as const])))
}
