import { isNothing, numberOf, plainValue } from '../../model/vocabulary/config-value.js'
import type { KlPath } from '../../model/vocabulary/effective-kl.js'
import type { Setting } from '../../model/vocabulary/settings.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { type Subject, wholeRun } from '../subject.js'

/**
 * What verl fills in by itself: a resolved config is full of such keys, and nobody meant anything by them. Both of its
 * coefficients stand at 0.001 with both flags off (verl #455, #265).
 */
const DEFAULTS: ReadonlyMap<string, string | number> = new Map<string, string | number>([
  ['kl.loss.coef', 0.001],
  ['kl.reward.coef', 0.001],
  ['kl.loss.estimator', 'low_var_kl'],
  ['kl.reward.estimator', 'kl'],
  ['kl.controller', 'fixed'],
  ['kl.target', 0.1],
  ['kl.horizon', 10_000],
])
/** Derived: a resolved verl config has over 200 keys, a launch script sets 20 to 60; what is in a short one was typed. */
const TYPED_KEYS = 100

const LOSS_KEYS = ['kl.loss.coef', 'kl.loss.estimator']
const REWARD_KEYS = ['kl.reward.coef', 'kl.controller', 'kl.target', 'kl.horizon', 'kl.reward.estimator']

/** Somebody set a KL penalty that does nothing, because the flag that switches it on is off. */
export const klSwitchedOff: Rule = {
  id: 'kl-switched-off',
  severity: 'warning',
  needs: [],
  detect(subject) {
    const { inLoss, inReward } = subject.kl
    if (inLoss.on === null && inReward.on === null) return cannotSay(message('kl-switched-off.unknown', {}))
    const idle = [...idleKeys(subject, inLoss, LOSS_KEYS), ...idleKeys(subject, inReward, REWARD_KEYS)]
    if (idle.length === 0) return
    const elsewhere = inLoss.on === true || inReward.on === true
    const keys = idle.map(({ rawKey, configured }) => `${rawKey}=${String(configured)}`)
    return {
      ...(elsewhere ? { severity: 'note' } : {}),
      steps: wholeRun(subject),
      evidence: { idle: keys, inLoss: inLoss.coefficient ?? 'unknown', inReward: inReward.coefficient ?? 'unknown' },
      message: message(elsewhere ? 'kl-switched-off.elsewhere' : 'kl-switched-off', { keys: keys.join(', ') }),
      remedy: message(elsewhere ? 'kl-switched-off.elsewhere.remedy' : 'kl-switched-off.remedy', {
        flag: flagOf(idle, subject),
      }),
    }
  },
}

/** A path that is off although it was set up. A coefficient of 0 is one that somebody switched off and meant it. */
function idleKeys({ settings, config }: Subject, path: KlPath, keys: readonly string[]): readonly Setting[] {
  if (path.on !== false || path.reason === null || path.reason.key === 'setting.zero-is-off') return []
  const typed = Object.keys(config).length < TYPED_KEYS
  const set = keys.flatMap(key => {
    const setting = settings.get(key)
    if (setting === undefined || setting.rawKey === null || isNothing(setting.configured)) return []
    const usual = plainValue(setting.configured) === DEFAULTS.get(key)
    return usual && !(typed && key.endsWith('.coef')) ? [] : [setting]
  })
  const coefficient = numberOf(settings.get(keys[0])?.configured)
  return coefficient === 0 ? [] : set
}

function flagOf(idle: readonly Setting[], { framework }: Subject): string {
  if (framework === 'lever-plus') return 'use_ppo_clip_only=False'
  return idle[0].key.startsWith('kl.loss') ? 'use_kl_loss=True' : 'use_kl_in_reward=True'
}
