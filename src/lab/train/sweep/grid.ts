import type { Message } from '../../../logs/model/run.js'
import { message } from '../../../text/say.js'
import { type AnyTrainConfig, readAnyConfig } from '../config/any.js'
import { flatConfig } from '../config/hash.js'
import type { ConfigSources } from '../config/read.js'

/**
 * Which trainings a command asks for: one for each combination of the values that `--over` and `--seed` list. A name may
 * hold `{key}` for the value of a setting; without that, a grid's names say what differs: `NAME/kl.loss.coef=0.1/seed1`.
 */
export interface PlannedTraining {
  readonly config: AnyTrainConfig
  /** What this one is called; null for a single training without a name. */
  readonly name: string | null
  /** The epoch after which it is to pause, to go on another time; left out, it goes to its end. */
  readonly pauseAfter?: number
  /** Path of a checkpoint to start from. */
  readonly from: string | null
}

export interface GridRequest extends ConfigSources {
  /** As typed: `1` or `1,2,3`. */
  readonly seed?: string
  /** `key=value,value`, as typed. */
  readonly over?: readonly string[]
  /** Path of a checkpoint that all of them start from. */
  readonly from?: string
}

type Grid =
  | { readonly kind: 'trials'; readonly trials: readonly PlannedTraining[] }
  | { readonly kind: 'problems'; readonly problems: readonly Message[] }

interface Axis {
  readonly key: string
  readonly values: readonly string[]
}

export function gridOf({ base = {}, file, sets = [], seed, over = [], from }: GridRequest): Grid {
  const axes: Axis[] = []
  for (const given of over) {
    const axis = axisIn(given)
    if (axis === null) return problem(message('train.no-over', { given }))
    axes.push(axis)
  }
  if (seed !== undefined) axes.push({ key: 'seed', values: seed.split(',').map(part => part.trim()) })
  const trials: PlannedTraining[] = []
  for (const point of combinations(axes)) {
    const read = readAnyConfig({ base, ...(file !== undefined && { file }), sets: [...sets, ...point] })
    if (read.kind === 'problems') return read
    const named = nameOf(
      read.config,
      axes.filter(({ values }) => values.length > 1 || over.length > 0).map(({ key }) => key),
    )
    if (typeof named === 'object' && named !== null) return problem(named)
    trials.push({ config: { ...read.config, name: named }, name: named, from: from ?? null })
  }
  const twice = trials.find(({ name }, i) => name !== null && trials.findIndex(other => other.name === name) < i)
  if (twice === undefined || twice.name === null) return { kind: 'trials', trials }
  const placeholders = axes.map(({ key }) => `{${key}}`).join(', ')
  return problem(message('train.same-names', { name: twice.name, placeholders }))
}

function problem(said: Message): Grid {
  return { kind: 'problems', problems: [said] }
}

function axisIn(given: string): Axis | null {
  const at = given.indexOf('=')
  const values = given
    .slice(at + 1)
    .split(',')
    .map(value => value.trim())
  return at < 1 || values.includes('') ? null : { key: given.slice(0, at).trim(), values }
}

/** Each as `key=value` words; one empty combination where nothing varies. */
function combinations(axes: readonly Axis[]): readonly (readonly string[])[] {
  return axes.reduce<readonly (readonly string[])[]>(
    (points, { key, values }) => points.flatMap(point => values.map(value => [...point, `${key}=${value}`])),
    [[]],
  )
}

/** A message where the name asks for a setting that there is none of. */
function nameOf(config: AnyTrainConfig, varied: readonly string[]): string | Message | null {
  const settings = flatConfig(config)
  const { name, task } = config
  const placeholders = name?.match(/\{[^{}]*\}/g) ?? []
  const unknown = placeholders.find(each => !Object.hasOwn(settings, each.slice(1, -1)))
  if (unknown !== undefined) return message('train.no-placeholder', { placeholder: unknown })
  if (name !== null && placeholders.length > 0) {
    return name.replace(/\{([^{}]*)\}/g, (_, key: string) => String(settings[key]))
  }
  if (varied.length === 0) return name
  const parts = varied.map(key => (key === 'seed' ? `seed${settings.seed}` : `${key}=${settings[key] ?? 'none'}`))
  return [name ?? task, ...parts].join('/')
}
