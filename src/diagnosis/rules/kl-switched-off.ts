import { isNothing, numberOf, plainValue } from '../../model/vocabulary/config-value.js'
import { isFlagMissing, type KlPath } from '../../model/vocabulary/effective-kl.js'
import type { RunSetting } from '../../model/vocabulary/settings.js'
import { sentences } from '../../text/sentences.js'
import { cannotSay, type Rule } from '../rule.js'
import { type Subject, wholeRun } from '../subject.js'
import { type Thresholds, valuesOf } from '../threshold.js'

const say = sentences({
  'kl-switched-off': {
    en: '{keys} has no effect: the KL penalty is switched off and the run trains without one',
    zh: '{keys} 不起作用：KL 惩罚处于关闭状态，该 run 没有 KL 约束',
  },
  'kl-switched-off.elsewhere': {
    en: '{keys} has no effect: the KL acts in the {where} only',
    zh: '{keys} 不起作用：KL 只在 {where} 中生效',
  },
  'kl-switched-off.remedy': {
    en: 'set {flag} if you want the penalty; else remove the key, so that nobody reports it as active',
    zh: '需要 KL 惩罚就设置 {flag}；不需要就删掉该配置，以免被当成已生效',
  },
  'kl-switched-off.elsewhere.remedy': {
    en: 'remove the key, or set {flag} if you want both penalties',
    zh: '删掉该配置；若确实要两处都惩罚，再设置 {flag}',
  },
  'kl-switched-off.cannot.unknown': {
    en: 'no config tells whether a KL penalty is on',
    zh: '配置没有说明是否启用 KL 惩罚',
  },
})

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

const LOSS_KEYS = ['kl.loss.coef', 'kl.loss.estimator']
const REWARD_KEYS = ['kl.reward.coef', 'kl.controller', 'kl.target', 'kl.horizon', 'kl.reward.estimator']

const THRESHOLDS = {
  TYPED_KEYS: {
    value: 100,
    en: 'Derived: a resolved verl config has over 200 keys, a launch script sets 20 to 60; what is in a short one was typed.',
    zh: '推得：verl 展开后的配置有 200 多个键，启动脚本只写 20 ~ 60 个；短配置里的键是人手写的。',
  },
} as const satisfies Thresholds
const { TYPED_KEYS } = valuesOf(THRESHOLDS)

export const klSwitchedOff: Rule = {
  id: 'kl-switched-off',
  severity: 'warning',
  about: {
    en: 'Somebody set a KL penalty that does nothing, because the flag that switches it on is off.',
    zh: '设置了 KL 惩罚，但启用它的开关没有打开，因此不起作用。',
  },
  thresholds: THRESHOLDS,
  needs: [],
  detect(subject) {
    const { inLoss, inReward } = subject.kl
    if (inLoss.on === null && inReward.on === null) return cannotSay(say('kl-switched-off.cannot.unknown', {}))
    const idle = [...idleKeys(subject, inLoss, LOSS_KEYS), ...idleKeys(subject, inReward, REWARD_KEYS)]
    if (idle.length === 0) return
    const elsewhere = inLoss.on === true || inReward.on === true
    const keys = idle.map(({ rawKey, configured }) => `${rawKey}=${String(configured)}`)
    return {
      ...(elsewhere ? { severity: 'note' } : {}),
      steps: wholeRun(subject),
      evidence: { idle: keys, inLoss: inLoss.coefficient ?? 'unknown', inReward: inReward.coefficient ?? 'unknown' },
      message: elsewhere
        ? say('kl-switched-off.elsewhere', { keys: keys.join(', '), where: inLoss.on === true ? 'loss' : 'reward' })
        : say('kl-switched-off', { keys: keys.join(', ') }),
      remedy: say(elsewhere ? 'kl-switched-off.elsewhere.remedy' : 'kl-switched-off.remedy', {
        flag: flagOf(idle, subject),
      }),
    }
  },
}

/** A path that is off although it was set up. A coefficient of 0 is one that somebody switched off and meant it. */
function idleKeys(subject: Subject, path: KlPath, keys: readonly string[]): readonly RunSetting[] {
  if (path.on !== false || path.reason === null || path.reason.key === ZERO_IS_OFF) return []
  const written = keys.flatMap(key => {
    const setting = subject.settings.get(key)
    return setting === undefined || setting.rawKey === null || isNothing(setting.configured) ? [] : [setting]
  })
  const [coefficient] = written
  if (coefficient?.key === keys[0] && numberOf(coefficient.configured) === 0) return []
  const own = written.filter(setting => !isDefault(setting))
  return own.length === 0 && isTyped(subject, path, written) ? written : own
}

const ZERO_IS_OFF = 'setting.zero-is-off'

function isDefault({ key, configured }: RunSetting): boolean {
  return plainValue(configured) === DEFAULTS.get(key)
}

/**
 * Whether somebody typed a default. A coefficient that stands alone in a short config was, as in verl's quickstart; with
 * its flag or another default beside it, the config was filled in, and who set another penalty, or set one to 0, did not
 * think of this one.
 */
function isTyped({ config, kl }: Subject, { reason }: KlPath, written: readonly RunSetting[]): boolean {
  const isShort = Object.keys(config).length < TYPED_KEYS
  const isAlone = written.length === 1 && written[0].key.endsWith('.coef')
  const isOtherMeant = [kl.inLoss, kl.inReward].some(path => path.on === true || path.reason?.key === ZERO_IS_OFF)
  return isShort && isAlone && reason !== null && isFlagMissing(reason) && !isOtherMeant
}

function flagOf(idle: readonly RunSetting[], { framework }: Subject): string {
  if (framework === 'lever-plus') return 'use_ppo_clip_only=False'
  return idle[0].key.startsWith('kl.loss') ? 'use_kl_loss=True' : 'use_kl_in_reward=True'
}
