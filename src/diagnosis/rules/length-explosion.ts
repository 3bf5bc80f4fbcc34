import { figure, percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { between, type Curve, firstOf, medianOf, type Stretch, within } from '../signs/curve.js'
import { whereLasting } from '../signs/lasting.js'
import { levelChange } from '../signs/score.js'
import type { Subject } from '../subject.js'

/** Derived: batches differ by a few per cent, so half as long again is no chance; a tight limit may allow no more. */
const LONGER = 1.5
/** Derived: where half of all answers are cut off, length is no longer thought. */
const TRUNCATED = 0.5
/** The score must be demonstrably worse than at the start: by a tenth, and by five standard errors. Derived. */
const SCORE_LOST = 0.1
const ERRORS = 5
const FEWEST_POINTS = 5

/**
 * Answers grow and the task gains nothing (length pegged at its maximum, valid actions fall).
 * Growth alone is no fault: policies that learn to reason write more and score more.
 */
export const lengthExplosion: Rule = {
  id: 'length-explosion',
  severity: 'warning',
  needs: ['len.response'],
  uses: ['len.truncated', 'score.mean', 'reward.mean', 'val.score'],
  detect(subject) {
    const length = subject.curve('len.response')
    if (length === undefined) return
    if (length.steps.length < FEWEST_POINTS) {
      const params = { n: length.steps.length, metric: length.metric, needed: FEWEST_POINTS }
      return cannotSay(message('diagnose.too-short', params))
    }
    const start = firstOf(length)
    const long = whereLasting(length, value => value >= LONGER * start, FEWEST_POINTS)
    if (long === undefined) return
    const price = priceOf(subject, length, long)
    if (price === undefined) return
    const level = medianOf(within(length, long))
    const figures = { metric: length.metric, start: figure(start), level: figure(level) }
    return {
      steps: [length.steps[long.from], length.steps[long.to - 1]],
      evidence: { metric: length.metric, start, level, factor: level / start, ...price },
      message:
        'truncated' in price
          ? message('length-explosion.truncated', { ...figures, truncated: percentage(price.truncated) })
          : message('length-explosion', {
              ...figures,
              score: price.score,
              scoreStart: figure(price.scoreStart),
              scoreThen: figure(price.scoreThen),
            }),
      remedy: message('length-explosion.remedy', {}),
    }
  },
}

type Price =
  | { readonly truncated: number }
  | { readonly score: string; readonly scoreStart: number; readonly scoreThen: number }

/** What is wrong with the long answers: cut off, or worth less than the short ones. Undefined: nothing. */
function priceOf({ curve }: Subject, length: Curve, { from, to }: Stretch): Price | undefined {
  const during = (other: Curve): Curve => between(other, length.steps[from], length.steps[to - 1])
  const cut = curve('len.truncated')
  if (cut !== undefined && during(cut).steps.length > 0) {
    const truncated = medianOf(during(cut))
    if (truncated >= TRUNCATED) return { truncated }
  }
  const score = curve('score.mean') ?? curve('val.score') ?? curve('reward.mean')
  if (score === undefined || during(score).steps.length < FEWEST_POINTS) return
  const { start, end, errors } = levelChange(score, during(score))
  const isWorse = errors <= -ERRORS && start - end >= SCORE_LOST * Math.abs(start)
  return isWorse ? { score: score.metric, scoreStart: start, scoreThen: end } : undefined
}
