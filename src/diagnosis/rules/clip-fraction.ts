import { percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { medianOf, stepsOf, within } from '../signs/curve.js'
import { stretches, whereLasting } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

/**
 * Derived: token-level clip fractions of healthy LLM runs are 0.001–0.01, those of 56 healthy small runs at most 0.1 and
 * below 0.015 after ten steps; dropout gives 0.2–0.27 there and 0.54 in reef PR #536.
 */
const HIGH = 0.15
/** Derived: nearly a third of all tokens on two steps running needs no patience. */
const EXTREME = 0.3
const EXTREME_POINTS = 2

/** The update is so large, or the old log-probabilities so wrong, that much of the batch is clipped away. */
export const clipFraction: Rule = {
  id: 'clip-fraction',
  severity: 'warning',
  needs: ['clip.frac'],
  detect(subject) {
    const clipped = subject.curve('clip.frac')
    if (clipped === undefined) return
    if (isWholeAnswers(clipped.metric, subject)) return cannotSay(message('clip-fraction.sequence', {}))
    const extreme = stretches(clipped, share => share > EXTREME).find(({ from, to }) => to - from >= EXTREME_POINTS)
    const found = whereLasting(clipped, share => share > HIGH) ?? extreme
    if (found === undefined) return
    const high = within(clipped, found)
    return {
      steps: stepsOf(high),
      evidence: { metric: clipped.metric, share: medianOf(high), limit: HIGH, points: high.steps.length },
      message: message('clip-fraction', { share: percentage(medianOf(high)) }),
      remedy: message('clip-fraction.remedy', {}),
    }
  },
}

/** GSPO and CISPO clip whole answers or cap weights; their fractions are a hundred times larger by design. */
function isWholeAnswers(metric: string, { settings, config }: Subject): boolean {
  const losses = ['loss.type', 'algorithm'].map(key => String(settings.get(key)?.configured ?? ''))
  const level = Object.entries(config).find(([key]) => key.endsWith('importance_sampling_level'))?.[1]
  return /cispo/.test(metric) || losses.some(loss => /gspo|cispo|vespo|gmpo/i.test(loss)) || level === 'sequence'
}
