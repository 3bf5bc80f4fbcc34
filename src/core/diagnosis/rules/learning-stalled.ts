import { trend } from '../../../stats/trend.js'
import { figure } from '../../../text/numbers.js'
import { runRule, type Symptom, threshold, tooShort } from '../run-rule.js'
import { deadEnd, updateSize } from '../signs/acting.js'
import { between, type Curve, inBlocks, longestOf, medianOf, stepsOf } from '../signs/curve.js'
import { SCORES, scoreCourse } from '../signs/score.js'
import { validationCurves } from '../signs/validation.js'
import type { Subject } from '../subject.js'

/** The last part of the run, longest first. Derived: half of the budget is worth a sentence, a tenth is not. */
const LAST_PARTS = [1, 0.75, 0.5]
/** The trend test looks at every pair of points. */
const BLOCKS = 40

export const learningStalled = runRule({
  id: 'learning-stalled',
  severity: 'note',
  about: {
    en: 'Half of the run or more brought nothing: score and validation have levelled off. Not seeing a rise proves no plateau, so the whole 95 % interval of the trend must lie within the margin, for every score with points enough; it is silent where noise leaves that open. A long run in which the batch score never moved and no validation rose is a warning. What falls is the matter of other rules; so is a run whose gradient is dead.',
    zh: '至少半程没有带来任何提高：得分与验证已经走平。没看到上升并不能证明走平，因此要求趋势的整个 95% 置信区间都在界限之内，且对每个点数足够的得分都成立；噪声不允许下结论时不作声。若 run 很长而训练得分始终不动、也没有任何验证上升，则为警告。下降由其他规则负责，梯度归零的 run 也是。',
  },
  needs: [['val.score', 'score.mean', 'reward.mean']],
  uses: [...SCORES, 'score.max', 'reward.max', 'grad.norm', 'loss.policy', 'loss.total'],
  thresholds: {
    MARGIN: threshold(0.05, {
      en: 'The usual margin of docs/statistics.md, as a share of the level.',
      zh: 'docs/statistics.md 的常用界限，按水平的比例计。',
    }),
    LONG: threshold(200, {
      en: 'Points of the batch score from which a whole run without any gain is a warning. Derived: fewer steps may be a slow start.',
      zh: '训练得分达到这么多个点而全程毫无提高时，给出警告。推得：步数更少可能只是起步慢。',
    }),
    SOLVED: threshold(0.95, {
      en: 'Unless the score stands at so much of the best reward from the start: then there is nothing to learn.',
      zh: '除非得分一开始就达到最高 reward 的这一比例：那就没有可学的了。',
    }),
    FEWEST_POINTS: threshold(10, {
      en: "In half of the run. Derived: with fewer points Sen's interval is the range of all slopes.",
      zh: '半程中的点数。推得：点更少时，Sen 区间就是所有斜率的范围。',
    }),
  },
  says: {
    'learning-stalled': {
      en: 'learning has plateaued: over steps {from}–{to} the gain, noise included, is at most {list}',
      zh: '学习已停滞：step {from}–{to} 期间的提高（已计入噪声）最多为 {list}',
    },
    'learning-stalled.never': {
      en: 'nothing was learned from step {from} to step {to}: the gain, noise included, is at most {list}, and no validation score has risen',
      zh: '从 step {from} 到 step {to} 什么也没学到：提高（已计入噪声）最多为 {list}，也没有任何验证上升',
    },
    'learning-stalled.never.remedy': {
      en: 'stop; check first that rewards differ within groups, then the learning rate and the KL coefficient, and try one step on a few prompts that are sometimes solved before starting again',
      zh: '停止训练；先看组内 reward 是否有差异，再看学习率和 KL 系数；重新开始之前，先用几个有时对有时错的 prompt 试一步',
    },
    'learning-stalled.remedy': {
      en: 'stop here and keep an earlier checkpoint, or change something before training further: harder prompts if the task is solved, a higher learning rate or less KL if the policy hardly moves, more signal if groups are tied',
      zh: '可以到此停止并采用更早的 checkpoint；若要继续，先做改变：任务已学会则换更难的 prompt，策略几乎不动则提高学习率或减小 KL，零方差组多则增加有效信号',
    },
  },
  check(subject, { FEWEST_POINTS }) {
    const scores = scoresOf(subject)
    const curves = scores.filter(({ steps }) => steps.length >= 2 * FEWEST_POINTS)
    if (curves.length === 0) return tooShort(longestOf(scores), 2 * FEWEST_POINTS)
    const update = updateSize(subject)
    if (scoreCourse(subject)?.fell === true || (update !== undefined && deadEnd(update) !== undefined)) return
    const never = neverLearned(subject)
    if (never !== undefined) return never
    for (const part of LAST_PARTS) {
      const courses = flatCourses(curves, part)
      if (courses !== null) return symptomOf(courses)
    }
    return
  },
})

/**
 * The batch score, which has a point at every step, did not move at all. Sampling that keeps only prompts which are
 * sometimes right holds it still by itself, so validation must be there and must not have risen either.
 */
function neverLearned(subject: Subject): Symptom | undefined {
  const { LONG, SOLVED, FEWEST_POINTS } = learningStalled.limits
  const batch = batchOf(subject)
  const validation = validationCurves(subject).filter(({ steps }) => steps.length >= FEWEST_POINTS)
  if (batch === undefined || batch.steps.length < LONG || validation.length === 0) return undefined
  const [course] = flatCourses([batch], 1) ?? []
  const highest = subject.curve('score.max') ?? subject.curve('reward.max')
  if (course === undefined || (highest !== undefined && course.level >= SOLVED * medianOf(highest))) return undefined
  if (validation.some(curve => hasRisen(curve, 0.05 / validation.length))) return undefined
  const symptom = symptomOf([course])
  return {
    ...symptom,
    severity: 'warning',
    message: learningStalled.say('learning-stalled.never', {
      from: course.from,
      to: course.to,
      list: `${course.metric} +${figure(Math.max(0, course.most))}`,
    }),
    remedy: learningStalled.say('learning-stalled.never.remedy', {}),
  }
}

function hasRisen(curve: Curve, level: number): boolean {
  const { steps, values } = inBlocks(curve, BLOCKS)
  const { slope, p } = trend(steps, values)
  return slope > 0 && p < level
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
    message: learningStalled.say('learning-stalled', {
      from,
      to,
      list: courses.map(({ metric, most }) => `${metric} +${figure(Math.max(0, most))}`).join(', '),
    }),
    remedy: learningStalled.say('learning-stalled.remedy', {}),
  }
}

function scoresOf(subject: Subject): readonly Curve[] {
  const batch = batchOf(subject)
  return [...validationCurves(subject), ...(batch === undefined ? [] : [batch])]
}

function batchOf({ curve }: Subject): Curve | undefined {
  return curve('score.mean') ?? curve('reward.mean')
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

/** Of every curve, or null as soon as one is not flat: the test for a trend costs most of a diagnosis. */
function flatCourses(curves: readonly Curve[], part: number): readonly Course[] | null {
  const courses: Course[] = []
  for (const curve of curves) {
    const course = courseOf(curve, part)
    if (course.least < -course.margin || course.most > course.margin) return null
    courses.push(course)
  }
  return courses
}

function courseOf(curve: Curve, part: number): Course {
  const { MARGIN } = learningStalled.limits
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
