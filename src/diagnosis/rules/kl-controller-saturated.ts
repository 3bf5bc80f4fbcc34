import { canMeet, exactly } from '../../stats/rounding.js'
import { figure } from '../../text/figure.js'
import { runRule, threshold, type UntreatedSymptom } from '../run-rule.js'
import { klPathOf } from '../signs/acting.js'
import { type Curve, firstOf, lastOf, within } from '../signs/curve.js'
import { stretches } from '../signs/lasting.js'
import { decimalsOf, rangeOf } from '../signs/printed.js'
import type { Subject } from '../subject.js'

/** Lever-Plus keeps its coefficient within these. verl and TRL have no bounds of their own. */
const LEVER_PLUS_BOUNDS = [0.001, 10]

export const klControllerSaturated = runRule({
  id: 'kl-controller-saturated',
  severity: 'warning',
  about: {
    en: 'The controller has reached the end of its range: the KL is no longer steered.',
    zh: '控制器已到调节范围的边界，KL 不再受控。',
  },
  needs: ['kl.coef'],
  uses: ['kl.ref'],
  thresholds: {
    STILL_POINTS: threshold(10, {
      en: 'Derived: a working controller moves at every step, since the KL is never exactly on target.',
      zh: '推得：KL 不会恰好等于目标值，正常的控制器每一步都在动。',
    }),
    STILL_SHARE: threshold(0.25, { en: 'And for so much of the log. Derived.', zh: '且占日志的这一比例。推得。' }),
  },
  says: {
    'kl-controller-saturated': {
      en: 'the KL controller stands at its limit, coefficient {coefficient}, since step {step}: it no longer steers',
      zh: '从 step {step} 起 KL 控制器停在边界，系数 {coefficient}：已不再起调节作用',
    },
  },
  remedy: {
    en: 'fix the coefficient (Lever-Plus: disable_adaptive_kl), or choose a target that the KL of this task can reach',
    zh: '固定系数（Lever-Plus：disable_adaptive_kl），或换一个该任务的 KL 能达到的目标值',
  },
  check(subject, { needed: [coefficient] }) {
    if (subject.framework === 'lever-plus' && subject.kl.adaptive) return atKnownBound(coefficient, subject)
    return atOwnBound(coefficient, subject)
  },
})

function atKnownBound(coefficient: Curve, subject: Subject): UntreatedSymptom | undefined {
  const decimals = decimalsOf(coefficient)
  const configured = klPathOf(coefficient, subject).coefficient
  for (const bound of LEVER_PLUS_BOUNDS) {
    if (configured === bound) continue
    const isThere = (value: number): boolean => canMeet(rangeOf(value, decimals), exactly(bound))
    const last = stretches(coefficient, isThere).at(-1)
    if (last !== undefined && last.to === coefficient.values.length) return symptom(within(coefficient, last), subject)
  }
  return undefined
}

/** Without known bounds: it moved, and then stood still at its lowest or its highest. */
function atOwnBound(coefficient: Curve, subject: Subject): UntreatedSymptom | undefined {
  const { STILL_POINTS, STILL_SHARE } = klControllerSaturated.limits
  const { values } = coefficient
  const final = lastOf(coefficient)
  const still = stretches(coefficient, value => value === final).at(-1)
  if (still === undefined || still.from === 0) return undefined
  const long = still.to - still.from >= Math.max(STILL_POINTS, STILL_SHARE * values.length)
  const extreme = values.every(value => value >= final) || values.every(value => value <= final)
  return long && extreme ? symptom(within(coefficient, still), subject) : undefined
}

function symptom(still: Curve, { curve, ...subject }: Subject): UntreatedSymptom {
  const kl = curve('kl.ref')
  const configured = klPathOf(still, { curve, ...subject }).coefficient
  return {
    steps: [still.steps[0], still.steps[still.steps.length - 1]],
    evidence: {
      metric: still.metric,
      coefficient: firstOf(still),
      ...(configured === null ? {} : { configured }),
      ...(kl === undefined ? {} : { kl: lastOf(kl) }),
    },
    message: klControllerSaturated.say('kl-controller-saturated', {
      coefficient: figure(firstOf(still)),
      step: still.steps[0],
    }),
  }
}
