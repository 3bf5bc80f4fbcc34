import { trend } from '../../stats/trend.js'
import { figure } from '../../text/figure.js'
import { sentences } from '../../text/sentences.js'
import { type Rule, type Symptom, tooShort } from '../rule.js'
import { between, type Curve, inBlocks, longestOf, medianOf, stepsOf } from '../signs/curve.js'
import { deadEnd, updateSize } from '../signs/dead-run.js'
import { SCORES, scoreCourse } from '../signs/score.js'
import { validationCurves } from '../signs/validation.js'
import type { Subject } from '../subject.js'
import { type Thresholds, valuesOf } from '../threshold.js'

const say = sentences({
  'learning-stalled': {
    en: 'learning has levelled off: over steps {from}–{to} the gain, noise included, is at most {list}',
    zh: '学习已停滞：step {from}–{to} 期间的提高（已计入噪声）最多为 {list}',
  },
  'learning-stalled.remedy': {
    en: 'stop here and keep an earlier checkpoint, or change something before spending more: harder prompts where the task is solved, a higher rate or less KL where the policy hardly moves, more signal where groups are tied',
    zh: '可以到此停止并采用更早的 checkpoint；若要继续，先做改变：任务已学会则换更难的 prompt，策略几乎不动则提高学习率或减小 KL，零方差组多则增加有效信号',
  },
})

/** The last part of the run, longest first. Derived: half of the budget is worth a sentence, a tenth is not. */
const LAST_PARTS = [1, 0.75, 0.5]
/** The trend test looks at every pair of points. */
const BLOCKS = 40

const THRESHOLDS = {
  MARGIN: {
    value: 0.05,
    en: 'The usual margin of docs/statistics.md, as a share of the level.',
    zh: 'docs/statistics.md 的常用界限，按水平的比例计。',
  },
  FEWEST_POINTS: {
    value: 10,
    en: "In half of the run. Derived: with fewer points Sen's interval is the range of all slopes.",
    zh: '半程中的点数。推得：点更少时，Sen 区间就是所有斜率的范围。',
  },
} as const satisfies Thresholds
const { MARGIN, FEWEST_POINTS } = valuesOf(THRESHOLDS)

export const learningStalled: Rule = {
  id: 'learning-stalled',
  severity: 'note',
  about: {
    en: 'Half of the run or more brought nothing: score and validation have levelled off. Not seeing a rise proves no plateau, so the whole 95 % interval of the trend must lie within the margin, for every score with points enough; it is silent where noise leaves that open. What falls is the matter of other rules; so is a run whose gradient is dead.',
    zh: '至少半程没有带来任何提高：得分与验证已经走平。没看到上升并不能证明走平，因此要求趋势的整个 95% 置信区间都在界限之内，且对每个点数足够的得分都成立；噪声不允许下结论时不作声。下降由其他规则负责，梯度归零的 run 也是。',
  },
  thresholds: THRESHOLDS,
  needs: [['val.score', 'score.mean', 'reward.mean']],
  uses: [...SCORES, 'grad.norm', 'loss.policy', 'loss.total'],
  detect(subject) {
    const scores = scoresOf(subject)
    const curves = scores.filter(({ steps }) => steps.length >= 2 * FEWEST_POINTS)
    if (curves.length === 0) return tooShort(longestOf(scores), 2 * FEWEST_POINTS)
    const update = updateSize(subject)
    if (scoreCourse(subject)?.fell === true || (update !== undefined && deadEnd(update) !== undefined)) return
    for (const part of LAST_PARTS) {
      const courses = flatCourses(curves, part)
      if (courses !== null) return symptomOf(courses)
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
    message: say('learning-stalled', {
      from,
      to,
      list: courses.map(({ metric, most }) => `${metric} +${figure(Math.max(0, most))}`).join(', '),
    }),
    remedy: say('learning-stalled.remedy', {}),
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
