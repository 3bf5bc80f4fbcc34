import { median } from '../../stats/descriptive.js'
import { figure } from '../../text/figure.js'
import { runRule, type Symptom, threshold, tooShort } from '../run-rule.js'
import { type Curve, lastOf } from '../signs/curve.js'
import { lastingToTheEnd, whereLasting } from '../signs/lasting.js'
import { hasScoreRisen, SCORE_THRESHOLDS, SCORES, scoreCourse } from '../signs/score.js'
import type { Subject } from '../subject.js'

export const lengthCollapse = runRule({
  id: 'length-collapse',
  severity: 'warning',
  about: {
    en: 'Answers shrink to a fraction: within a few steps, or slowly without gain. Where rows lie further apart than 20 steps, it says between which of them; that is a note when the score rose meanwhile. Graver when the score demonstrably falls with them.',
    zh: '回答缩短到几分之一：几步之内骤降，或缓慢缩短而无收益。若日志行距超过 20 步，则说明在哪两行之间；此间得分上升则只是提示。得分也确有下降时更严重。',
  },
  needs: ['len.response'],
  uses: SCORES,
  thresholds: {
    SHORTER: threshold(0.5, { en: '"Length halving within 20 steps".', zh: '“20 步内长度减半”。' }),
    WITHIN_STEPS: threshold(20, { en: 'See SHORTER.', zh: '见 SHORTER。' }),
    MUCH_SHORTER: threshold(1 / 3, {
      en: 'However long it takes, when a score is known and does not rise meanwhile. Derived: policies that learn to be brief lose a half; at a third, with nothing gained by it, the reasoning is gone.',
      zh: '无论用时多久，只要得分已知且没有上升。推得：学会简洁的策略会减少一半；降到三分之一且无收益，推理过程就没了。',
    }),
    FEWEST_POINTS: threshold(3, {
      en: 'In a log with fewer rows than that: at least so many on each side. Derived: two odd batches are not a level.',
      zh: '日志行数更少时，每侧至少这么多。推得：两个偶然的 batch 不成水平。',
    }),
    FEWEST_SHORT: threshold(5, {
      en: 'It must stay short for so many points. Derived.',
      zh: '须保持较短这么多个点。推得。',
    }),
    STILL: threshold(0.9, {
      en: 'Still at its earlier length: within a tenth. Derived: batch means of length differ by a few per cent.',
      zh: '仍处于原来的长度：相差十分之一以内。推得：各 batch 的平均长度相差百分之几。',
    }),
    ...SCORE_THRESHOLDS,
  },
  says: {
    'length-collapse': {
      en: '{metric} fell from {before} to {after} tokens, more than halved within 20 steps from step {from}',
      zh: '{metric} 从 {before} 降到 {after} token：自 step {from} 起 20 步内减少一半以上',
    },
    'length-collapse.score': {
      en: '{metric} fell from {before} to {after} tokens, more than halved within 20 steps from step {from}, and the score went from {best} to {end} with it',
      zh: '{metric} 从 {before} 降到 {after} token（自 step {from} 起 20 步内减少一半以上），得分也从 {best} 降到 {end}',
    },
    'length-collapse.between': {
      en: '{metric} fell from {before} to {after} tokens between steps {from} and {to} of the log',
      zh: '{metric} 在日志的 step {from} 与 step {to} 之间从 {before} 降到 {after} token',
    },
    'length-collapse.between.score': {
      en: '{metric} fell from {before} to {after} tokens between steps {from} and {to} of the log, and the score went from {best} to {end} with it',
      zh: '{metric} 在日志的 step {from} 与 step {to} 之间从 {before} 降到 {after} token，得分也从 {best} 降到 {end}',
    },
    'length-collapse.remedy': {
      en: 'read answers from before and after step {from}; look for a length penalty that outweighs the task reward, an early end token or a parser that rewards empty answers',
      zh: '对比 step {from} 前后的回答；检查长度惩罚是否压过任务 reward、是否过早输出结束符、解析器是否给空回答加分',
    },
  },
  check(subject, { needed: [length], FEWEST_POINTS }) {
    if (length.steps.length < 2 * FEWEST_POINTS) return tooShort(length, 2 * FEWEST_POINTS)
    const fall = sharpFall(length) ?? slowFall(length)
    if (fall === undefined) return
    const rose = hasScoreRisen(subject, length.steps[fall.still], length.steps[fall.short])
    if (fall.pace === 'slow' && rose !== false) return
    return symptomOf(length, fall, rose === true, subject)
  },
})

interface LengthFall {
  /** `sharp`: known to have halved within 20 steps. `unknown`: halved between rows that lie further apart. */
  readonly pace: 'sharp' | 'unknown' | 'slow'
  readonly before: number
  /** Index of the last point at the earlier length, of the first short one, and after the last short one. */
  readonly still: number
  readonly short: number
  readonly to: number
}

function symptomOf(length: Curve, fall: LengthFall, rose: boolean, subject: Subject): Symptom {
  const { pace, before, still, short, to } = fall
  const steps = [length.steps[still + 1], length.steps[to - 1]] as const
  const score = scoreCourse(subject)
  const fell = score?.fell === true
  const figures = { metric: length.metric, before: figure(before), after: figure(lastOf(length)) }
  const sharp = { ...figures, from: steps[0] }
  const between = { ...figures, from: length.steps[still], to: length.steps[short] }
  const withIt = { best: figure(score?.best ?? Number.NaN), end: figure(score?.end ?? Number.NaN) }
  return {
    severity: fell ? 'error' : rose && pace === 'unknown' ? 'note' : 'warning',
    steps,
    evidence: {
      metric: length.metric,
      before,
      half: length.steps[short],
      after: lastOf(length),
      ...(score !== undefined && { score: score.metric, scoreBest: score.best, scoreEnd: score.end }),
    },
    message:
      pace === 'sharp'
        ? fell
          ? lengthCollapse.say('length-collapse.score', { ...sharp, ...withIt })
          : lengthCollapse.say('length-collapse', sharp)
        : fell
          ? lengthCollapse.say('length-collapse.between.score', { ...between, ...withIt })
          : lengthCollapse.say('length-collapse.between', between),
    remedy: lengthCollapse.say('length-collapse.remedy', { from: steps[0] }),
  }
}

function sharpFall(length: Curve): LengthFall | undefined {
  const { SHORTER, WITHIN_STEPS, FEWEST_SHORT } = lengthCollapse.limits
  const { index, before, ratio, span } = sharpest(length)
  if (!(ratio <= SHORTER)) return undefined
  const still = lastStill(length, index, before)
  const rest = after(length, still)
  const short = whereLasting(rest, value => value <= SHORTER * before, Math.min(FEWEST_SHORT, rest.steps.length))
  if (short === undefined) return undefined
  const [from, to] = [still + 1 + short.from, still + 1 + short.to]
  if (span <= WITHIN_STEPS) return { pace: 'sharp', before, still, short: from, to }
  return { pace: 'unknown', before: Math.max(before, length.values[still]), still, short: from, to }
}

/** To below a third of the first tenth of the run, up to the end. */
function slowFall(length: Curve): LengthFall | undefined {
  const { MUCH_SHORTER, FEWEST_POINTS } = lengthCollapse.limits
  const early = Math.max(FEWEST_POINTS, Math.round(length.steps.length / 10))
  const before = median(length.values.subarray(0, early))
  const found = lastingToTheEnd(length, value => value <= MUCH_SHORTER * before)
  if (found === undefined || found.from < early) return undefined
  return { pace: 'slow', before, still: lastStill(length, found.from, before), short: found.from, to: found.to }
}

/** Going back from a point of the fall: where the earlier length was last held. */
function lastStill({ values }: Curve, index: number, before: number): number {
  const { STILL } = lengthCollapse.limits
  let still = index
  while (still > 0 && values[still] < STILL * before) still -= 1
  return Math.min(still, values.length - 2)
}

function after({ metric, steps, values }: Curve, index: number): Curve {
  return { metric, steps: steps.subarray(index + 1), values: values.subarray(index + 1) }
}

/**
 * Between the mean over 20 steps up to a point and the mean over the 20 steps after it. The sharpest point of a fall
 * lies in its middle, so the level before it is that of 20 steps earlier where that is higher. `span`: how many steps
 * the wider of the two means really is over, the step from one to the other included.
 */
function sharpest({ steps, values }: Curve) {
  const { WITHIN_STEPS, FEWEST_POINTS } = lengthCollapse.limits
  const n = values.length
  const sums = new Float64Array(n + 1)
  for (let i = 0; i < n; i += 1) sums[i + 1] = sums[i] + values[i]
  const meanOf = (from: number, to: number): number => (sums[to] - sums[from]) / (to - from)
  const levels = new Float64Array(n)
  let found = { index: 0, before: values[0], ratio: Number.POSITIVE_INFINITY, span: 0 }
  let [low, high] = [0, 0]
  for (let i = FEWEST_POINTS - 1; i + FEWEST_POINTS < n; i += 1) {
    while (steps[low] <= steps[i] - WITHIN_STEPS) low += 1
    while (high < n && steps[high] <= steps[i] + WITHIN_STEPS) high += 1
    const from = Math.min(low, i - FEWEST_POINTS + 1)
    const to = Math.max(high, i + 1 + FEWEST_POINTS)
    levels[i] = meanOf(from, i + 1)
    const ratio = meanOf(i + 1, to) / levels[i]
    if (ratio >= found.ratio) continue
    const before = Math.max(levels[i], levels[Math.max(0, low - 1)])
    found = { index: i, before, ratio, span: Math.max(steps[i] - steps[from], steps[to - 1] - steps[i]) }
  }
  return found
}
