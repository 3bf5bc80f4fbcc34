import { isNothing, numberOf, plainValue } from '../../../logs/model/vocabulary/config-value.js'
import { isFlagMissing, type KlPath } from '../../../logs/model/vocabulary/effective-kl.js'
import type { RunSetting } from '../../../logs/model/vocabulary/settings.js'
import { canMeet, divide, exactly } from '../../../stats/rounding.js'
import { figure } from '../../../text/numbers.js'
import type { Message } from '../../../text/sentences.js'
import { type CannotSay, cannotSay, runRule, settingUnknown, threshold, type UntreatedSymptom } from '../run-rule.js'
import { impliedCoefficients, klPathOf } from '../signs/acting.js'
import { type Curve, medianOf, paired, stepsOf } from '../signs/curve.js'
import { decimalsOf, isPrintedInFull, rangeOf } from '../signs/printed.js'
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

const LOSS_KEYS = ['kl.loss.coef', 'kl.loss.estimator']
const REWARD_KEYS = ['kl.reward.coef', 'kl.controller', 'kl.target', 'kl.horizon', 'kl.reward.estimator']

export const klSwitchedOff = runRule({
  id: 'kl-switched-off',
  severity: 'warning',
  about: {
    en: 'Somebody set a KL penalty that does nothing, because the flag that switches it on is off.',
    zh: '设置了 KL 惩罚，但启用它的开关没有打开，因此不起作用。',
  },
  needs: [],
  thresholds: {
    TYPED_KEYS: threshold(100, {
      en: 'Derived: a resolved verl config has over 200 keys, a launch script sets 20 to 60; what is in a short one was typed.',
      zh: '推得：verl 展开后的配置有 200 多个键，启动脚本只写 20 ~ 60 个；短配置里的键是人手写的。',
    }),
  },
  says: {
    'kl-switched-off': {
      en: '{keys} has no effect: the KL penalty is switched off and the run trains without one',
      zh: '{keys} 不起作用：KL 惩罚处于关闭状态，该 run 没有 KL 约束',
    },
    'kl-switched-off.elsewhere': {
      en: '{keys} has no effect: the KL acts in the {where} only',
      zh: '{keys} 不起作用：KL 只在 {where} 中生效',
    },
    'kl-switched-off.remedy': {
      en: 'set {flag} if you want the penalty; otherwise remove the key, or a report may call it active',
      zh: '需要 KL 惩罚就设置 {flag}；不需要就删掉该配置，以免被当成已生效',
    },
    'kl-switched-off.elsewhere.remedy': {
      en: 'remove the key, or set {flag} if you want both penalties',
      zh: '删掉该配置；若确实要两处都惩罚，再设置 {flag}',
    },
    'kl-switched-off.cannot.unknown': {
      en: 'no config says whether a KL penalty is on',
      zh: '配置没有说明是否启用 KL 惩罚',
    },
  },
  check(subject, { say }) {
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
})

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
  const { TYPED_KEYS } = klSwitchedOff.limits
  const isShort = Object.keys(config).length < TYPED_KEYS
  const isAlone = written.length === 1 && written[0].key.endsWith('.coef')
  const isOtherMeant = [kl.inLoss, kl.inReward].some(path => path.on === true || path.reason?.key === ZERO_IS_OFF)
  return isShort && isAlone && reason !== null && isFlagMissing(reason) && !isOtherMeant
}

function flagOf(idle: readonly RunSetting[], { framework }: Subject): string {
  if (framework === 'lever-plus') return 'use_ppo_clip_only=False'
  return idle[0].key.startsWith('kl.loss') ? 'use_kl_loss=True' : 'use_kl_in_reward=True'
}

export const klCoefficientMismatch = runRule({
  id: 'kl-coefficient-mismatch',
  severity: 'warning',
  about: {
    en: 'The coefficient that acts is not the one in the config, which is the one that people quote.',
    zh: '实际生效的系数不是配置里的那个，而大家引用的往往是配置里的。',
  },
  needs: [['kl.coef', 'kl.weighted', 'loss.total']],
  uses: ['kl.ref', 'loss.policy'],
  thresholds: {
    MOVED: threshold(2, {
      en: 'Derived: a controller is meant to move the coefficient, so only a factor of two makes the configured one misleading.',
      zh: '推得：控制器本来就会调整系数，偏离到两倍以上，配置值才算误导。',
    }),
  },
  says: {
    'kl-coefficient-mismatch': {
      en: 'the KL coefficient in the log is {acting}, in the config {configured}',
      zh: '日志中的 KL 系数是 {acting}，配置中是 {configured}',
    },
    'kl-coefficient-mismatch.controller': {
      en: 'the controller moved the KL coefficient to {acting}; the configured {configured} is only its initial value',
      zh: '控制器已把 KL 系数调到 {acting}；配置的 {configured} 只是起点',
    },
    'kl-coefficient-mismatch.weighted': {
      en: 'weighted KL / KL gives a coefficient of {low} to {high}; the config says {configured}',
      zh: '由加权 KL 与 KL 之比算得系数为 {low} ~ {high}，配置中是 {configured}',
    },
    'kl-coefficient-mismatch.implied': {
      en: '(total loss − policy loss) / KL gives a coefficient of {low} to {high}; the config says {configured}',
      zh: '由（总 loss − 策略 loss）/ KL 算得系数为 {low} ~ {high}，配置中是 {configured}',
    },
  },
  remedy: {
    en: 'report the effective coefficient; look for an override on the command line, and for a controller (Lever-Plus: disable_adaptive_kl)',
    zh: '报告中请写实际生效的系数；检查命令行覆盖，以及是否开着控制器（Lever-Plus：disable_adaptive_kl）',
  },
  check(subject) {
    const logged = subject.curve('kl.coef')
    if (logged !== undefined) return ofLogged(logged, subject)
    const { inLoss, inReward } = subject.kl
    const configured = (subject.framework === 'trl-ppo' ? inReward : inLoss).coefficient
    if (configured === null) return settingUnknown('kl.loss.coef')
    return ofWeighted(configured, subject) ?? ofLosses(configured, subject)
  },
})

function ofLogged(logged: Curve, subject: Subject): UntreatedSymptom | CannotSay | undefined {
  const { MOVED } = klCoefficientMismatch.limits
  const { coefficient: configured, on, reason } = klPathOf(logged, subject)
  if (configured === null || isAssumed(reason)) return settingUnknown('kl.loss.coef')
  // A schedule that was asked for starts at the configured value and leaves it, as told.
  if (subject.config['kl.controller'] === 'scheduled') return undefined
  const acting = medianOf(logged)
  const decimals = isPrintedInFull(subject.manifest) ? 'full' : decimalsOf(logged)
  if (canMeet(rangeOf(acting, decimals), exactly(configured))) return undefined
  if (subject.kl.adaptive && Math.max(acting / configured, configured / acting) < MOVED) return undefined
  return {
    // What the config switches off and the log switches on is not a matter of degree.
    ...(on === false ? { severity: 'error' } : {}),
    steps: stepsOf(logged),
    evidence: { metric: logged.metric, configured, acting },
    message: klCoefficientMismatch.say(
      subject.kl.adaptive ? 'kl-coefficient-mismatch.controller' : 'kl-coefficient-mismatch',
      {
        configured: figure(configured),
        acting: figure(acting),
      },
    ),
  }
}

/** A partial config that leaves the key out says nothing: what klens assumes there contradicts no log. */
function isAssumed(reason: Message | null): boolean {
  return reason !== null && (isFlagMissing(reason) || reason.key === 'setting.default')
}

/** The weighted term over the KL: Lever-Plus logs both, TRL's PPO the first with a minus sign. */
function ofWeighted(configured: number, subject: Subject): UntreatedSymptom | undefined {
  const [weighted, kl] = [subject.curve('kl.weighted'), subject.curve('kl.ref')]
  if (weighted === undefined || kl === undefined) return undefined
  const [top, bottom] = [decimalsOf(weighted), decimalsOf(kl)]
  const implied = paired(weighted, kl).flatMap(({ step, first, second }) => {
    const range = divide(rangeOf(Math.abs(first), top), rangeOf(Math.abs(second), bottom))
    return range === null ? [] : [{ step, value: Math.abs(first / second), range }]
  })
  return ofImplied(implied, configured, subject, 'kl-coefficient-mismatch.weighted')
}

/** Total = policy + coefficient × KL. Only where every row says so; one bad row is a bad row (loss-identity). */
function ofLosses(configured: number, subject: Subject): UntreatedSymptom | undefined {
  return ofImplied(impliedCoefficients(subject), configured, subject, 'kl-coefficient-mismatch.implied')
}

function ofImplied(
  implied: ReturnType<typeof impliedCoefficients>,
  configured: number,
  { kl }: Subject,
  key: 'kl-coefficient-mismatch.weighted' | 'kl-coefficient-mismatch.implied',
): UntreatedSymptom | undefined {
  const { MOVED } = klCoefficientMismatch.limits
  const [first] = implied
  if (first === undefined || implied.some(({ range }) => canMeet(range, exactly(configured)))) return undefined
  const low = Math.max(...implied.map(({ range }) => range.low))
  const high = Math.min(...implied.map(({ range }) => range.high))
  if (low > high) return undefined
  if (kl.adaptive && high > configured / MOVED && low < configured * MOVED) return undefined
  return {
    steps: [first.step, implied[implied.length - 1].step],
    evidence: { configured, impliedLow: low, impliedHigh: high, rows: implied.length },
    message: klCoefficientMismatch.say(key, { configured: figure(configured), low: figure(low), high: figure(high) }),
  }
}
