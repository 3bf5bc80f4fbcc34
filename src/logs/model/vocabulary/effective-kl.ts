import type { Config, Message } from '../run.js'
import { type Configured, configuredSettings } from './config-lookup.js'
import { isNothing, numberOf, truthOf } from './config-value.js'
import { FRAMEWORK_NAMES, type Framework } from './framework.js'
import { note } from './notes.js'
import type { UserVocabulary } from './user.js'

/**
 * The KL penalty that really acts. Frameworks accept a coefficient and ignore it: in verl until a flag elsewhere is
 * set, in Lever-Plus after the first batch, when a controller has taken over. People then report the number they typed.
 */
export interface EffectiveKl {
  readonly inLoss: KlPath
  readonly inReward: KlPath
  /** A controller moves the coefficient; the configured one is only where it starts. */
  readonly adaptive: boolean
}

/** The settings that say how strong the penalty is. */
export const KL_COEFFICIENTS: readonly string[] = ['kl.loss.coef', 'kl.reward.coef']

/** One of the two ways in which the KL to the reference reaches the gradient. */
export interface KlPath {
  /** Null: the config cannot tell. */
  readonly on: boolean | null
  /** 0 when off; the initial value when a controller moves it; null when unknown. */
  readonly coefficient: number | null
  /** Why this is not what the config seems to say; null when it is. */
  readonly reason: Message | null
}

/**
 * With a framework and a config that speaks its language, missing keys take the framework's defaults, and the reason
 * says so. An empty or foreign config says nothing, and nothing is assumed.
 */
export function effectiveKl(config: Config, framework: Framework | null, user?: UserVocabulary): EffectiveKl {
  return klOf(klSettings(config, framework, user), framework, Object.keys(config))
}

export type KlSettings = ReadonlyMap<string, Configured>

/** The settings of a config, with a shared coefficient filed under the path on which it acts. */
export function klSettings(config: Config, framework: Framework | null, user?: UserVocabulary): KlSettings {
  const settings = configuredSettings(config, framework, user)
  if (framework === 'openrlhf' && truthOf(settings.get('kl.loss.on')?.value) === true) {
    return moved(settings, 'kl.reward.', 'kl.loss.')
  }
  if (framework === 'trl' && isRloo(Object.keys(config))) return moved(settings, 'kl.loss.', 'kl.reward.')
  return settings
}

export function klOf(settings: KlSettings, framework: Framework | null, rawKeys: readonly string[]): EffectiveKl {
  const speaksIt = [...settings.values()].some(setting => setting.own)
  switch (speaksIt ? framework : null) {
    case 'verl':
      return verlKl(settings)
    case 'trl':
      return isRloo(rawKeys) ? onlyInReward(settings, 'trl', 0.05) : trlKl(settings)
    case 'trl-ppo':
      return onlyInReward(settings, 'trl-ppo', 0.05)
    case 'openrlhf':
      return openRlhfKl(settings)
    case 'lever-plus':
      return leverPlusKl(settings)
    default:
      return plainKl(settings)
  }
}

const NOT_THERE: KlPath = { on: false, coefficient: 0, reason: null }
const UNTOLD: KlPath = { on: null, coefficient: null, reason: null }

function verlKl(settings: KlSettings): EffectiveKl {
  const inLoss = verlPath(settings, 'kl.loss.on', 'kl.loss.coef', 'use_kl_loss')
  const inReward = verlPath(settings, 'kl.reward.on', 'kl.reward.coef', 'use_kl_in_reward')
  const adaptive = inReward.on === true && settings.get('kl.controller')?.value === 'adaptive'
  const reason: Message = note('setting.kl-initial', { target: numberOf(settings.get('kl.target')?.value) ?? 0.1 })
  return { inLoss, inReward: adaptive ? { ...inReward, reason } : inReward, adaptive }
}

const FLAG_MISSING = 'setting.kl-flag-missing.'

/** Whether a path is off only because nobody switched it on. */
export function isFlagMissing(reason: Message): boolean {
  return reason.key.startsWith(FLAG_MISSING)
}

/** Both of verl's coefficients default to 0.001 and both of its flags to False, in every version that has them. */
function verlPath(
  settings: KlSettings,
  onKey: string,
  coefficientKey: string,
  flag: 'use_kl_loss' | 'use_kl_in_reward',
): KlPath {
  const flagged = settings.get(onKey)
  const on = flagged === undefined ? false : truthOf(flagged.value)
  const written = settings.get(coefficientKey)
  const coefficient = written === undefined ? 0.001 : numberOf(written.value)
  if (on === null) return { on, coefficient: null, reason: null }
  if (!on) {
    const reason = note(flagged !== undefined ? 'setting.kl-flag-off' : `${FLAG_MISSING}${flag}`, { flag })
    return { on, coefficient: 0, reason }
  }
  if (coefficient === 0) return { on: false, coefficient, reason: ZERO_IS_OFF }
  return { on, coefficient, reason: written === undefined ? byDefault('verl', 0.001) : null }
}

/** `beta` alone decides. Its default went from 0.04 to 0 in 2025 (TRL PR #3516), so a missing one stays unknown. */
function trlKl(settings: KlSettings): EffectiveKl {
  const beta = settings.get('kl.loss.coef')
  const reason: Message = note('setting.trl-beta-missing', {})
  const inLoss = beta === undefined ? { ...UNTOLD, reason } : byCoefficient(numberOf(beta.value))
  return { inLoss, inReward: NOT_THERE, adaptive: false }
}

/** TRL's RLOO and PPO subtract the KL from the reward, whatever the coefficient. */
function onlyInReward(settings: KlSettings, framework: Framework, fallback: number): EffectiveKl {
  const written = settings.get('kl.reward.coef')
  const adaptive = truthOf(settings.get('kl.controller')?.value) === true
  const path = written === undefined ? usual(framework, fallback) : byCoefficient(numberOf(written.value))
  const reason: Message = note('setting.kl-initial-untargeted', {})
  return { inLoss: NOT_THERE, inReward: adaptive ? { ...path, reason } : path, adaptive }
}

/** One coefficient, in the loss with `use_loss` and in the reward without. */
function openRlhfKl(settings: KlSettings): EffectiveKl {
  const inTheLoss = truthOf(settings.get('kl.loss.on')?.value) === true
  const written = settings.get(inTheLoss ? 'kl.loss.coef' : 'kl.reward.coef')
  const path = written === undefined ? usual('openrlhf', 0.01) : byCoefficient(numberOf(written.value))
  const target = numberOf(settings.get('kl.target')?.value)
  const adaptive = target !== null && path.on === true
  const acting: KlPath = adaptive ? { ...path, reason: note('setting.kl-initial', { target }) } : path
  return inTheLoss
    ? { inLoss: acting, inReward: NOT_THERE, adaptive }
    : { inLoss: NOT_THERE, inReward: acting, adaptive }
}

/** On unless `use_ppo_clip_only`; the controller on unless `disable_adaptive_kl`, and it moves every batch. */
function leverPlusKl(settings: KlSettings): EffectiveKl {
  if (truthOf(settings.get('kl.loss.on')?.value) === true) {
    const inLoss: KlPath = { on: false, coefficient: 0, reason: note('setting.kl-clip-only', {}) }
    return { inLoss, inReward: NOT_THERE, adaptive: false }
  }
  const written = settings.get('kl.loss.coef')
  const path = written === undefined ? usual('lever-plus', 0.1) : byCoefficient(numberOf(written.value))
  const adaptive = truthOf(settings.get('kl.controller')?.value) !== true
  if (!adaptive) return { inLoss: path, inReward: NOT_THERE, adaptive }
  // Starting from 0 the controller can only lift the coefficient to its floor; whether it does depends on the run.
  const on = path.coefficient === 0 ? null : path.on
  return {
    inLoss: { ...path, on, reason: note('setting.kl-initial-lever-plus', {}) },
    inReward: NOT_THERE,
    adaptive,
  }
}

/** What klens's own trainer, and others, call a rule that moves the coefficient by what it sees of the KL. A schedule does not look. */
const ADAPTIVE = new Set<unknown>(['adaptive', 'band', 'proportional'])

/** Nobody's trainer: the flags mean what they say, and a coefficient without a flag acts. */
function plainKl(settings: KlSettings): EffectiveKl {
  const controller = settings.get('kl.controller')?.value
  const adaptive = ADAPTIVE.has(controller) || truthOf(controller) === true
  return { inLoss: plainPath(settings, 'kl.loss'), inReward: plainPath(settings, 'kl.reward'), adaptive }
}

function plainPath(settings: KlSettings, path: 'kl.loss' | 'kl.reward'): KlPath {
  const coefficient = settings.get(`${path}.coef`)
  const flag = settings.get(`${path}.on`)
  const on = truthOf(flag?.value)
  if (flag !== undefined && on === false) {
    const reason: Message = note('setting.kl-flag-off', { flag: flag.rawKey })
    return { on, coefficient: 0, reason: isNothing(coefficient?.value) ? null : reason }
  }
  const acting = coefficient === undefined ? UNTOLD : byCoefficient(numberOf(coefficient.value))
  return on === true && acting.on === null ? { ...acting, on } : acting
}

const ZERO_IS_OFF = note('setting.zero-is-off', {})

function byCoefficient(coefficient: number | null): KlPath {
  if (coefficient === 0) return { on: false, coefficient, reason: ZERO_IS_OFF }
  return { on: coefficient === null ? null : true, coefficient, reason: null }
}

function usual(framework: Framework, coefficient: number): KlPath {
  return { on: true, coefficient, reason: byDefault(framework, coefficient) }
}

function byDefault(framework: Framework, value: number): Message {
  return note('setting.default', { framework: FRAMEWORK_NAMES[framework], value })
}

/** Only RLOO's config has these; its other names are those of GRPO. */
export function isRloo(rawKeys: readonly string[]): boolean {
  return rawKeys.some(key => /(?:^|\.)(?:normalize_advantages|reward_clip_range|rloo_k)$/.test(key))
}

function moved(settings: KlSettings, from: string, to: string): KlSettings {
  const filed = new Map(settings)
  for (const part of ['coef', 'estimator']) {
    const found = settings.get(`${from}${part}`)
    if (found === undefined) continue
    filed.delete(`${from}${part}`)
    filed.set(`${to}${part}`, found)
  }
  return filed
}
