import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import type { Curve } from '../signs/curve.js'
import { afterStart, validationCurves } from '../signs/validation.js'
import type { Subject } from '../subject.js'

/** A rate that is logged less often may have peaked unseen. Derived. */
const FEWEST_RATES = 3

/**
 * Every evaluation was made while the learning rate was still rising: the run has not yet trained as it was meant to.
 * The logged rate is believed before the config; it is silent where it prints as 0.000.
 */
export const evalsInWarmup: Rule = {
  id: 'evals-in-warmup',
  severity: 'warning',
  needs: ['val.score'],
  uses: ['lr'],
  detect(subject) {
    const evaluated = validationCurves(subject).map(afterStart)
    const steps = [...new Set(evaluated.flatMap(curve => Array.from(curve.steps)))].sort((a, b) => a - b)
    if (steps.length === 0) return cannotSay(message('evals-in-warmup.none', {}))
    const warmup = warmupOf(subject)
    if (warmup === null) return cannotSay(message('diagnose.setting-unknown', { key: 'lr.warmup.steps' }))
    const last = steps[steps.length - 1]
    if (last > warmup.end || warmup.end <= 0) return
    const share = { n: steps.length, first: steps[0], last, end: warmup.end }
    return {
      steps: [steps[0], last],
      evidence: { evaluations: steps.length, warmupEnd: warmup.end, from: warmup.from, lastEvaluation: last },
      message: warmup.isOver
        ? message('evals-in-warmup', share)
        : message('evals-in-warmup.rising', { n: steps.length, first: steps[0], last }),
      remedy: message('evals-in-warmup.remedy', {}),
    }
  },
}

interface Warmup {
  /** The step at which the rate is, or was last seen, at its highest. */
  readonly end: number
  /** False: the log ends while the rate rises, so the warm-up goes on for longer. */
  readonly isOver: boolean
  readonly from: 'log' | 'config'
}

function warmupOf({ curve, settings }: Subject): Warmup | null {
  const rate = curve('lr')
  const logged = rate === undefined ? null : loggedWarmup(rate)
  if (logged !== null) return logged
  const steps = settings.get('lr.warmup.steps')?.effective
  if (typeof steps === 'number' && steps >= 0) return { end: steps, isOver: true, from: 'config' }
  const ratio = settings.get('lr.warmup.ratio')?.effective
  if (ratio === 0) return { end: 0, isOver: true, from: 'config' }
  const total = settings.get('steps')?.effective
  if (typeof ratio !== 'number' || typeof total !== 'number' || total <= 0) return null
  return { end: Math.floor(ratio * total), isOver: true, from: 'config' }
}

function loggedWarmup({ steps, values }: Curve): Warmup | null {
  if (values.length < FEWEST_RATES) return null
  const highest = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY)
  const peak = values.indexOf(highest)
  if (values[values.length - 1] === values[0] && values.every(value => value === values[0])) {
    return highest > 0 ? { end: 0, isOver: true, from: 'log' } : null
  }
  return { end: steps[peak], isOver: peak < values.length - 1, from: 'log' }
}
