import { trend } from '../../stats/trend.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import { between, type Curve, inBlocks, medianOf, stepsOf } from '../signs/curve.js'
import { deadEnd, updateSize } from '../signs/dead-run.js'
import { SCORES, scoreCourse } from '../signs/score.js'
import { validationCurves } from '../signs/validation.js'
import type { Subject } from '../subject.js'

/** The last part of the run, longest first. Derived: half of the budget is worth a sentence, a tenth is not. */
const LAST_PARTS = [1, 0.75, 0.5]
/** The usual margin of docs/statistics.md, as a share of the level. */
const MARGIN = 0.05
/** In half of the run. Derived: with fewer points Sen's interval is the range of all slopes. */
const FEWEST_POINTS = 10
/** The trend test looks at every pair of points. */
const BLOCKS = 40

/**
 * Half of the run or more brought nothing: score and validation have levelled off. Not seeing a rise proves no plateau,
 * so the whole 95 % interval of the trend must lie within the margin, for every score with points enough. What falls is
 * the matter of other rules; so is a run whose gradient is dead.
 */
export const learningStalled: Rule = {
  id: 'learning-stalled',
  severity: 'note',
  needs: [['val.score', 'score.mean', 'reward.mean']],
  uses: [...SCORES, 'grad.norm', 'loss.policy', 'loss.total'],
  detect(subject) {
    const scores = scoresOf(subject)
    const curves = scores.filter(({ steps }) => steps.length >= 2 * FEWEST_POINTS)
    if (curves.length === 0) {
      const [{ metric, steps }] = scores.toSorted((a, b) => b.steps.length - a.steps.length)
      return cannotSay(message('diagnose.too-short', { n: steps.length, metric, needed: 2 * FEWEST_POINTS }))
    }
    const update = updateSize(subject)
    if (scoreCourse(subject)?.fell === true || (update !== undefined && deadEnd(update) !== undefined)) return
    for (const part of LAST_PARTS) {
      const courses = curves.map(curve => courseOf(curve, part))
      if (courses.every(({ least, most, margin }) => least >= -margin && most <= margin)) return symptomOf(courses)
    }
    return
  },
}

function symptomOf(courses: readonly Course[]): Symptom {
  const from = Math.max(...courses.map(each => each.from))
  const to = Math.min(...courses.map(each => each.to))
  return {
    steps: [from, to],
    evidence: {
      metrics: courses.map(({ metric }) => metric),
      levels: courses.map(({ level }) => level),
      least: courses.map(({ least }) => least),
      most: courses.map(({ most }) => most),
    },
    message: message('learning-stalled', {
      from,
      to,
      list: courses.map(({ metric, most }) => `${metric} +${figure(Math.max(0, most))}`).join(', '),
    }),
    remedy: message('learning-stalled.remedy', {}),
  }
}

function scoresOf(subject: Subject): readonly Curve[] {
  const batch = subject.curve('score.mean') ?? subject.curve('reward.mean')
  return [...validationCurves(subject), ...(batch === undefined ? [] : [batch])]
}

interface Course {
  readonly metric: string
  readonly from: number
  readonly to: number
  readonly level: number
  /** What the part gained: between these two with 95 % confidence. */
  readonly least: number
  readonly most: number
  readonly margin: number
}

function courseOf(curve: Curve, part: number): Course {
  const [first, to] = stepsOf(curve)
  const last = between(curve, to - part * (to - first), to)
  const { steps, values } = inBlocks(last, BLOCKS)
  const { slopeInterval } = trend(steps, values)
  const from = last.steps[0]
  const level = medianOf(last)
  return {
    metric: curve.metric,
    from,
    to,
    level,
    least: slopeInterval.low * (to - from),
    most: slopeInterval.high * (to - from),
    margin: MARGIN * Math.abs(level),
  }
}
