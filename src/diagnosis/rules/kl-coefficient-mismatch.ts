import type { Message } from '../../model/run.js'
import { isFlagMissing } from '../../model/vocabulary/effective-kl.js'
import { canMeet, divide, exactly } from '../../stats/rounding.js'
import { figure } from '../../text/figure.js'
import { type CannotSay, runRule, settingUnknown, threshold, type UntreatedSymptom } from '../run-rule.js'
import { klPathOf } from '../signs/acting.js'
import { type Curve, medianOf, paired, stepsOf } from '../signs/curve.js'
import { impliedCoefficients } from '../signs/loss-terms.js'
import { decimalsOf, isPrintedInFull, rangeOf } from '../signs/printed.js'
import type { Subject } from '../subject.js'

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
      en: 'the controller moved the KL coefficient to {acting}; the configured {configured} is only where it started',
      zh: '控制器已把 KL 系数调到 {acting}；配置的 {configured} 只是起点',
    },
    'kl-coefficient-mismatch.weighted': {
      en: 'weighted KL over KL gives a coefficient of {low} to {high}; the config says {configured}',
      zh: '由加权 KL 与 KL 之比算得系数为 {low} ~ {high}，配置中是 {configured}',
    },
    'kl-coefficient-mismatch.implied': {
      en: 'total loss minus policy loss over KL gives a coefficient of {low} to {high}; the config says {configured}',
      zh: '由（总 loss − 策略 loss）/ KL 算得系数为 {low} ~ {high}，配置中是 {configured}',
    },
  },
  remedy: {
    en: 'report the coefficient that acted; look for an override on the command line, and for a controller (Lever-Plus: disable_adaptive_kl)',
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
