import type { Json } from '../json.js'
import type { Config, Message } from '../run.js'
import { CONFIG_KEYS } from './config-keys.js'
import { type Configured, configuredSettings } from './config-lookup.js'
import { isNothing, numberOf, plainValue, truthOf } from './config-value.js'
import { type EffectiveKl, isFlagMissing, type KlPath, type KlSettings, klOf, klSettings } from './effective-kl.js'
import type { Framework } from './framework.js'
import { note } from './notes.js'
import type { UserVocabulary } from './user.js'

/** A setting as it was written and as it acts. */
export interface RunSetting {
  /** Canonical, such as `kl.loss.coef`. */
  readonly key: string
  /** Null: no key of the config says it; `effective` follows from the others or from the framework's default. */
  readonly rawKey: string | null
  readonly configured: Json
  /** Null where the setting has no effect, or none that the config can tell. */
  readonly effective: Json
  /** Why `effective` is not `configured`, or that it holds only at the start. */
  readonly reason: Message | null
}

type Effect = Pick<RunSetting, 'effective' | 'reason'>

/**
 * The canonical settings of a run in the order of the table, then those that only the user's vocabulary knows.
 * Defaults are no settings: one is told only where leaving a key out decides about the KL penalty.
 */
export function settingsOf(config: Config, framework: Framework | null, user?: UserVocabulary): readonly RunSetting[] {
  const settings = klSettings(config, framework, user)
  const kl = klOf(settings, framework, Object.keys(config))
  const known = CONFIG_KEYS.flatMap(({ key }): RunSetting[] => {
    const written = settings.get(key)
    if (written === undefined) return leftOut(key, kl)
    const { rawKey, value } = written
    const effect = klEffect(key, written, kl, framework) ?? otherEffect(key, written, settings, framework)
    return [{ key, rawKey, configured: value, ...(effect ?? asWritten(value)) }]
  })
  const table = new Set(CONFIG_KEYS.map(row => row.key))
  const own = [...settings].flatMap(([key, { rawKey, value }]): RunSetting[] => {
    return table.has(key) ? [] : [{ key, rawKey, configured: value, ...asWritten(value) }]
  })
  return [...known, ...own]
}

function asWritten(value: Json): Effect {
  return { effective: plainValue(value), reason: null }
}

/** How many prompts a validation uses, where the config says so. A limit such as `val_max_samples` does not. */
export function validationSize(config: Config, framework: Framework | null, user?: UserVocabulary): number | null {
  const size = numberOf(configuredSettings(config, framework, user).get('data.val.size')?.value)
  return size !== null && Number.isInteger(size) && size > 0 ? size : null
}

/** A key that is missing although it decides about the KL: a flag left at its default, a coefficient that acts. */
function leftOut(key: string, kl: EffectiveKl): RunSetting[] {
  const effect = pathEffect(key, kl)
  if (effect === null || effect.reason === null) return []
  const told = key.endsWith('.on') ? isFlagMissing(effect.reason) : effect.effective !== 0
  return told ? [{ key, rawKey: null, configured: null, ...effect }] : []
}

/** What acts on one of the keys that make up the two paths of the KL. */
function pathEffect(key: string, kl: EffectiveKl): Effect | null {
  switch (key) {
    case 'kl.loss.on':
      return { effective: kl.inLoss.on, reason: kl.inLoss.reason }
    case 'kl.loss.coef':
      return { effective: kl.inLoss.coefficient, reason: kl.inLoss.reason }
    case 'kl.reward.on':
      return { effective: kl.inReward.on, reason: kl.inReward.reason }
    case 'kl.reward.coef':
      return { effective: kl.inReward.coefficient, reason: kl.inReward.reason }
    case 'kl.controller':
      return kl.adaptive ? { effective: 'adaptive', reason: kl.inReward.reason ?? kl.inLoss.reason } : null
    default:
      return null
  }
}

function klEffect(key: string, written: Configured, kl: EffectiveKl, framework: Framework | null): Effect | null {
  const { value } = written
  switch (key) {
    case 'kl.loss.on':
      return framework === 'lever-plus' ? clipOnlyEffect(value, kl) : flagEffect(value, kl.inLoss)
    case 'kl.reward.on':
      return flagEffect(value, kl.inReward)
    case 'kl.loss.coef':
    case 'kl.reward.coef':
      return pathEffect(key, kl)
    case 'kl.loss.estimator':
      return idleUnless(kl.inLoss.on, value, kl.inLoss.reason)
    case 'kl.reward.estimator':
      return idleUnless(kl.inReward.on, value, kl.inReward.reason)
    case 'kl.controller':
      return controllerEffect(written, kl, framework)
    case 'kl.target':
    case 'kl.horizon':
      return idleUnless(isNothing(value) ? true : kl.adaptive, value, note('setting.kl-no-controller', {}))
    default:
      return null
  }
}

/** A flag stands as written, unless a coefficient of 0 makes it idle. */
function flagEffect(value: Json, path: KlPath): Effect {
  return truthOf(value) === true && path.on === false
    ? { effective: false, reason: path.reason }
    : { effective: path.on ?? plainValue(value), reason: null }
}

/** Lever-Plus's flag says the opposite: set, it takes the KL out of the loss. */
function clipOnlyEffect(value: Json, kl: EffectiveKl): Effect {
  if (truthOf(value) === true) return { effective: kl.inLoss.on, reason: kl.inLoss.reason }
  return { effective: kl.inLoss.on, reason: note('setting.kl-clip-only-off', {}) }
}

function idleUnless(acting: boolean | null, value: Json, reason: Message | null): Effect {
  return acting === false ? { effective: null, reason } : asWritten(value)
}

function controllerEffect({ rawKey, value }: Configured, kl: EffectiveKl, framework: Framework | null): Effect {
  // klens's own trainers write this key, whosever names they log under. Two rules that both adapt are two settings, and a schedule is a third.
  if (rawKey === 'kl.controller') return asWritten(value)
  const effective = kl.adaptive ? 'adaptive' : 'fixed'
  if (framework === 'verl' && value === 'adaptive' && !kl.adaptive) {
    return { effective, reason: note('setting.kl-controller-idle', {}) }
  }
  const said = value === effective || framework === null
  return { effective, reason: said ? null : note(`setting.kl-controller.${effective}`, {}) }
}

function otherEffect(
  key: string,
  written: Configured,
  settings: KlSettings,
  framework: Framework | null,
): Effect | null {
  const { value } = written
  const other = (name: string) => settings.get(name)
  switch (key) {
    case 'entropy.coef':
      return entropyEffect(value, settings, framework)
    case 'lr.warmup.steps':
      return warmupStepsEffect(value, settings, framework)
    case 'lr.warmup.ratio': {
      const steps = numberOf(other('lr.warmup.steps')?.value)
      const stepsWin = steps !== null && (framework === 'verl' ? steps >= 0 : steps > 0)
      return stepsWin ? { effective: null, reason: note('setting.warmup-steps-win', { steps }) } : null
    }
    case 'clip.range': {
      const sides = framework === 'verl' ? [other('clip.low'), other('clip.high')] : []
      const decided = sides.length > 0 && sides.every(side => !isNothing(side?.value))
      return decided ? { effective: null, reason: note('setting.clip-sides-win', {}) } : null
    }
    case 'clip.low':
    case 'clip.high': {
      const both = other(framework === 'verl' ? 'clip.range' : 'clip.low')
      if (!isNothing(value) || both === undefined || isNothing(both.value)) return null
      return {
        effective: plainValue(both.value),
        reason: note('setting.clip-as-other', { key: both.rawKey }),
      }
    }
    case 'batch.prompts':
      if (framework === 'trl') return answersAsPrompts(written, other('group.size')?.value)
      if (framework !== 'lever-plus' || numberOf(value) === 1) return null
      return { effective: 1, reason: note('setting.batch-forced', {}) }
    case 'adv.scale': {
      const truth = truthOf(value)
      if (framework !== 'openrlhf' || truth === null) return null
      return { effective: !truth, reason: note('setting.says-the-opposite', { key: written.rawKey }) }
    }
    case 'ref.sync.steps':
    case 'ref.sync.mixup':
      // klens's own trainers have no switch beside the steps.
      if (written.rawKey === key)
        return isNothing(other('ref.sync.steps')?.value) ? { effective: null, reason: null } : null
      return truthOf(other('ref.sync')?.value) === true
        ? null
        : { effective: null, reason: note('setting.ref-not-synced', {}) }
    default:
      return null
  }
}

/** TRL's generation_batch_size is a number of completions, num_generations of them to a prompt. */
function answersAsPrompts({ rawKey, value }: Configured, groupSize: Json | undefined): Effect | null {
  const [answers, size] = [numberOf(value), numberOf(groupSize)]
  if (answers === null || size === null || size < 1) return null
  return {
    effective: answers / size,
    reason: note('setting.batch-counts-answers', { key: rawKey, answers, size }),
  }
}

function entropyEffect(value: Json, settings: KlSettings, framework: Framework | null): Effect | null {
  if (framework === 'openrlhf' && numberOf(value) === 0) {
    return { effective: 0, reason: note('setting.entropy-only-logged', {}) }
  }
  if (truthOf(settings.get('entropy.adaptive')?.value) === true) {
    return { effective: plainValue(value), reason: note('setting.entropy-initial', {}) }
  }
  if (numberOf(value) === 0 || (framework === 'openrlhf' && isNothing(value))) {
    return { effective: 0, reason: note('setting.zero-is-off', {}) }
  }
  return null
}

/** verl counts warm-up from the ratio when the steps are negative, Hugging Face when they are 0. */
function warmupStepsEffect(value: Json, settings: KlSettings, framework: Framework | null): Effect | null {
  const steps = numberOf(value)
  if (steps === null || steps > 0 || (steps === 0 && framework === 'verl')) return null
  const written = settings.get('lr.warmup.ratio')
  const ratio = numberOf(written?.value) ?? 0
  if (steps === 0 && ratio === 0) return null
  const total = numberOf(settings.get('steps')?.value)
  const counted = ratio === 0 ? 0 : total === null || total <= 0 ? null : warmupSteps(ratio * total, framework)
  const reason =
    counted === null
      ? note('setting.warmup-share', { ratio })
      : note('setting.warmup-from-ratio', { ratio, steps: counted })
  return { effective: counted, reason }
}

function warmupSteps(share: number, framework: Framework | null): number {
  return framework === 'verl' ? Math.trunc(share) : Math.ceil(share)
}
