import { z } from 'zod'
import { isAsynchronous, takesOldFromSampler } from '../../core/analysis/objective/updates.js'
import { isJsonObject, type Json } from '../../logs/model/json.js'
import type { Config } from '../../logs/model/run.js'
import { type Configured, configuredSettings } from '../../logs/model/vocabulary/config-lookup.js'
import { numberOf } from '../../logs/model/vocabulary/config-value.js'
import { effectiveKl, klSettings } from '../../logs/model/vocabulary/effective-kl.js'
import { flatten } from '../../logs/sources/python-json.js'
import type { readAnyConfig } from '../train/config/any.js'
import { readTrainConfig } from '../train/config/read.js'
import { type Amounts, amountsOf } from './amounts.js'
import { configOf, type ExperimentSetting, type Launch, type LaunchSetting, settingsByKey } from './launch.js'
import type { LaunchData } from './launch-data.js'
import { type PlannedRate, plannedRate } from './rate.js'
import type { Schema } from './schema/schema.js'

/**
 * What a launch really is, once defaults, switches and data are put together: where the KL acts, how often the policy is
 * updated, at which rate each evaluation will be made. Everything that cannot be known is null, never guessed.
 */
export interface Experiment {
  readonly launch: Launch
  /** Null where no list of settings is known, as for klens's own configs. */
  readonly schema: Schema | null
  /** What acts, by raw key: the framework's defaults under what the launch sets. */
  readonly config: Config
  /** A setting by its canonical name. */
  readonly setting: (canonical: string) => ExperimentSetting
  readonly kl: KlTerm
  readonly entropy: number | null
  readonly clip: ClipRange
  readonly groupSize: number | null
  readonly amounts: Amounts
  readonly rate: PlannedRate | null
  readonly data: LaunchData
  /** Answers that one validation asks for, prompts times samples of each. */
  readonly evaluationPrompts: number | null
  readonly evaluationSamples: number | null
  readonly seed: number | null
}

export interface KlTerm {
  readonly where: 'loss' | 'reward' | 'both' | 'none' | null
  readonly coefficient: number | null
  /** k1, k2, k3 and so on, whatever the framework calls it. */
  readonly estimator: string | null
  readonly adaptive: boolean
  /** Whether a reference policy is held in memory for it. */
  readonly reference: boolean | null
}

export interface ClipRange {
  readonly low: number | null
  readonly high: number | null
  /** With one update on what the policy itself has just written the ratio is 1, and no clip acts. */
  readonly inert: boolean | null
}

export function effectiveExperiment(launch: Launch, schema: Schema | null, data: LaunchData): Experiment {
  const written = settingsByKey(launch)
  const config = wholeConfig(launch, schema, written)
  const settings = configuredSettings(config, launch.program.framework)
  const unknown = unknownKeys(launch, written)
  const setting = (canonical: string): ExperimentSetting => {
    const found = settings.get(canonical)
    const own = unknown.get(canonical) ?? (found === undefined ? undefined : written.get(found.rawKey))
    return { value: unknown.has(canonical) ? undefined : found?.value, written: own ?? null }
  }
  const number = (canonical: string): number | null => numberOf(setting(canonical).value)
  const amounts = amountsOf({ program: launch.program, number, setting, config, data })
  const range = number('clip.range')
  return {
    launch,
    schema,
    config,
    setting,
    kl: klTerm(config, launch, klSettings(config, launch.program.framework), unknown),
    entropy: number('entropy.coef'),
    clip: {
      low: number('clip.low') ?? range,
      high: number('clip.high') ?? number('clip.low') ?? range,
      inert:
        !launch.program.isOnPolicy || takesOldFromSampler(config) || isAsynchronous(config)
          ? false
          : amounts.updatesPerStep === null
            ? null
            : amounts.updatesPerStep === 1,
    },
    groupSize: number('group.size'),
    amounts,
    rate: plannedRate(launch.program.framework, schema?.version ?? null, number, setting, config, amounts),
    data,
    evaluationPrompts: limited(data.validation?.rows ?? null, numberOf(config['data.val_max_samples'])),
    evaluationSamples: number('eval.samples') ?? (launch.program.framework === 'verl' ? 1 : null),
    seed: number('seed'),
  }
}

/** Defaults of the release below what is written; what is written but not known hides its default. */
function wholeConfig(launch: Launch, schema: Schema | null, written: ReadonlyMap<string, LaunchSetting>): Config {
  if (launch.program.framework === 'klens') return klensConfig(launch)
  const defaults = [...(schema?.settings ?? [])].flatMap(([key, { value }]): [string, Json][] =>
    value === '…' || isJsonObject(value) || written.has(key) ? [] : [[key, value]],
  )
  return { ...Object.fromEntries(defaults), ...configOf(launch) }
}

/** With all defaults of klens's own trainer. */
export function klensConfig(
  launch: Launch,
  read: typeof readTrainConfig | typeof readAnyConfig = readTrainConfig,
): Config {
  const reading = read({ base: configOf(launch) })
  if (reading.kind === 'problems') return configOf(launch)
  return Object.fromEntries(flatten(z.json().parse(reading.config)).leaves)
}

/** Canonical settings whose value only running would tell. */
function unknownKeys(launch: Launch, written: ReadonlyMap<string, LaunchSetting>): ReadonlyMap<string, LaunchSetting> {
  const named = [...written].flatMap(([key, { value }]) => (value === undefined ? [[key, 'unknown'] as const] : []))
  const settings = configuredSettings(Object.fromEntries(named), launch.program.framework)
  return new Map(
    [...settings].flatMap(([canonical, { rawKey }]) => {
      const found = written.get(rawKey)
      return found === undefined ? [] : [[canonical, found] as const]
    }),
  )
}

const ESTIMATORS: { readonly [name: string]: string } = {
  kl: 'k1',
  k1: 'k1',
  mse: 'k2',
  k2: 'k2',
  low_var_kl: 'k3',
  k3: 'k3',
}

function klTerm(
  config: Config,
  launch: Launch,
  settings: ReadonlyMap<string, Configured>,
  unknown: ReadonlyMap<string, LaunchSetting>,
): KlTerm {
  const { inLoss, inReward, adaptive } = effectiveKl(config, launch.program.framework)
  const isOpen = ['kl.loss.on', 'kl.reward.on'].some(key => unknown.has(key))
  const where =
    isOpen || inLoss.on === null ? null : inLoss.on ? (inReward.on ? 'both' : 'loss') : inReward.on ? 'reward' : 'none'
  const path = where === 'reward' ? inReward : inLoss
  const isCoefficientOpen = unknown.has(where === 'reward' ? 'kl.reward.coef' : 'kl.loss.coef')
  const named = String(settings.get(where === 'reward' ? 'kl.reward.estimator' : 'kl.loss.estimator')?.value ?? '')
  const bare = named.replace(/\+$/, '')
  const isFixed = launch.program.framework === 'trl'
  return {
    where,
    coefficient: isCoefficientOpen ? null : path.coefficient,
    estimator:
      where === 'none' || where === null ? null : isFixed ? 'k3' : (ESTIMATORS[bare] ?? (bare === '' ? null : bare)),
    adaptive,
    reference: where === null ? null : where !== 'none',
  }
}

function limited(rows: number | null, most: number | null): number | null {
  return rows === null || most === null || most <= 0 ? rows : Math.min(rows, most)
}
