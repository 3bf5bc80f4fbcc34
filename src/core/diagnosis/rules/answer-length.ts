import { mean, median } from '../../../stats/descriptive.js'
import { figure, percentage } from '../../../text/numbers.js'
import { runRule, type Symptom, threshold, tooShort } from '../run-rule.js'
import { between, type Curve, firstOf, lastOf, medianOf, type Stretch, within } from '../signs/curve.js'
import { lastingShare, lastingToTheEnd, whereLasting } from '../signs/lasting.js'
import { hasScoreRisen, levelChange, SCORE_THRESHOLDS, SCORES, scoreCourse } from '../signs/score.js'
import type { Subject } from '../subject.js'

export const lengthCollapse = runRule({
  id: 'length-collapse',
  severity: 'warning',
  about: {
    en: 'Answers shrink to a fraction: within a few steps, or slowly without gain. Where rows lie further apart than 20 steps, it says between which of them; that is a note when the score rose meanwhile. More severe when the score demonstrably falls with them.',
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
      en: '{metric} fell from {before} to {after} token{after||s}, more than halved within 20 steps from step {from}',
      zh: '{metric} 从 {before} 降到 {after} token：自 step {from} 起 20 步内减少一半以上',
    },
    'length-collapse.score': {
      en: '{metric} fell from {before} to {after} token{after||s}, more than halved within 20 steps from step {from}, and the score went from {best} to {end} with it',
      zh: '{metric} 从 {before} 降到 {after} token（自 step {from} 起 20 步内减少一半以上），得分也从 {best} 降到 {end}',
    },
    'length-collapse.between': {
      en: '{metric} fell from {before} to {after} token{after||s} between steps {from} and {to} of the log',
      zh: '{metric} 在日志的 step {from} 与 step {to} 之间从 {before} 降到 {after} token',
    },
    'length-collapse.between.score': {
      en: '{metric} fell from {before} to {after} token{after||s} between steps {from} and {to} of the log, and the score went from {best} to {end} with it',
      zh: '{metric} 在日志的 step {from} 与 step {to} 之间从 {before} 降到 {after} token，得分也从 {best} 降到 {end}',
    },
    'length-collapse.remedy': {
      en: 'read responses from before and after step {from}; look for a length penalty that outweighs the task reward, an early end token or a parser that rewards empty responses',
      zh: '对比 step {from} 前后的回答；检查长度惩罚是否压过任务 reward、是否过早输出结束符、解析器是否给空回答加分',
    },
  },
  check(subject, { needed: [length], FEWEST_POINTS }) {
    if (length.steps.length < 2 * FEWEST_POINTS) return tooShort(length, 2 * FEWEST_POINTS)
    const fall = sharpFall(length) ?? slowFall(length)
    if (fall === undefined) return
    const rose = hasScoreRisen(subject, length.steps[fall.still], length.steps[fall.short])
    if (fall.pace === 'slow' && rose !== false) return
    return fallSymptom(length, fall, rose === true, subject)
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

function fallSymptom(length: Curve, fall: LengthFall, rose: boolean, subject: Subject): Symptom {
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

export const lengthExplosion = runRule({
  id: 'length-explosion',
  severity: 'warning',
  about: {
    en: 'Answers grow and the task gains nothing (length pegged at its maximum, valid actions fall). Growth alone is no fault: policies that learn to reason write more and score more.',
    zh: '回答变长而任务没有收益（长度顶到上限、有效动作减少）。变长本身不是问题：学会推理的策略写得更多、得分也更高。',
  },
  needs: ['len.response'],
  uses: ['len.truncated', 'score.mean', 'reward.mean', 'val.score'],
  thresholds: {
    LONGER: threshold(1.5, {
      en: 'Derived: batches differ by a few per cent, so half as long again is no chance; a tight limit may allow no more.',
      zh: '推得：各 batch 相差百分之几，长出一半绝非偶然；上限较紧时也只能长这么多。',
    }),
    TRUNCATED: threshold(0.5, {
      en: 'Derived: where half of all answers are cut off, length is no longer thought.',
      zh: '推得：一半回答被截断时，长度已不是思考。',
    }),
    SCORE_LOST: threshold(0.1, {
      en: 'The score must be demonstrably worse than at the start: by a tenth, and by five standard errors. Derived.',
      zh: '得分须确实低于开始时：至少十分之一，且超过 5 个标准误。推得。',
    }),
    ERRORS: threshold(5, { en: 'See SCORE_LOST.', zh: '见 SCORE_LOST。' }),
    MUCH_LONGER: threshold(4, {
      en: 'Times as long for no demonstrable gain, by two standard errors, is a finding too. Derived: reasoning that pays grows three- to tenfold and its score with it.',
      zh: '长到这么多倍而得分没有超过两个标准误的提高，也算问题。推得：有用的推理会变长 3 到 10 倍，得分也随之上升。',
    }),
    FEWEST_POINTS: threshold(5, { en: 'Points that it must last. Derived.', zh: '须持续这么多个点。推得。' }),
  },
  says: {
    'length-explosion': {
      en: '{metric} grew from {start} to {level} token{level||s} while {score} fell from {scoreStart} to {scoreThen}: the extra length gains nothing',
      zh: '{metric} 从 {start} 增到 {level} token，而 {score} 从 {scoreStart} 降到 {scoreThen}：变长没有带来收益',
    },
    'length-explosion.truncated': {
      en: '{metric} grew from {start} to {level} token{level||s} and {truncated} % of the responses are truncated',
      zh: '{metric} 从 {start} 增到 {level} token，{truncated}% 的回答在长度上限处被截断',
    },
    'length-explosion.nothing': {
      en: '{metric} grew from {start} to {level} token{level||s} and {score} did not rise with it ({scoreStart} before, {scoreThen} then): the extra length gains nothing',
      zh: '{metric} 从 {start} 增到 {level} token，{score} 却没有随之上升（之前 {scoreStart}，此时 {scoreThen}）：变长没有带来收益',
    },
  },
  remedy: {
    en: 'read the long responses: repetition or gibberish means too high a learning rate or entropy bonus; padding means that the reward pays for length. Penalise overlong responses only after that is fixed',
    zh: '查看这些长回答：重复或乱码说明学习率或熵正则过大；凑字数说明 reward 在奖励长度。修正后再考虑对超长回答加惩罚',
  },
  check(subject, { say, needed: [length], LONGER, MUCH_LONGER, FEWEST_POINTS }) {
    if (length.steps.length < FEWEST_POINTS) return tooShort(length, FEWEST_POINTS)
    const start = firstOf(length)
    const longer = whereLasting(length, value => value >= LONGER * start, FEWEST_POINTS)
    const much = lastingToTheEnd(length, value => value >= MUCH_LONGER * start, FEWEST_POINTS)
    const costly = longer === undefined ? undefined : priceOf(subject, length, longer)
    const price = costly ?? (much === undefined ? undefined : nothingGained(subject, length, much))
    const long = costly === undefined ? much : longer
    if (price === undefined || long === undefined) return
    const level = medianOf(within(length, long))
    const figures = { metric: length.metric, start: figure(start), level: figure(level) }
    return {
      steps: [length.steps[long.from], length.steps[long.to - 1]],
      evidence: { metric: length.metric, start, level, factor: level / start, ...price },
      message:
        'truncated' in price
          ? say('length-explosion.truncated', { ...figures, truncated: percentage(price.truncated) })
          : say(costly === undefined ? 'length-explosion.nothing' : 'length-explosion', {
              ...figures,
              score: price.score,
              scoreStart: figure(price.scoreStart),
              scoreThen: figure(price.scoreThen),
            }),
    }
  },
})

type Price =
  | { readonly truncated: number }
  | { readonly score: string; readonly scoreStart: number; readonly scoreThen: number }

/** What is wrong with the long answers: cut off, or worth less than the short ones. Undefined: nothing. */
function priceOf({ curve }: Subject, length: Curve, { from, to }: Stretch): Price | undefined {
  const { TRUNCATED, SCORE_LOST, ERRORS, FEWEST_POINTS } = lengthExplosion.limits
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

/** Undefined where a score rose, or none is known. */
function nothingGained({ curve }: Subject, length: Curve, { from, to }: Stretch): Price | undefined {
  const { FEWEST_POINTS } = lengthExplosion.limits
  const changes = ['score.mean', 'val.score', 'reward.mean'].flatMap(meaning => {
    const score = curve(meaning)
    const later = score === undefined ? undefined : between(score, length.steps[from], length.steps[to - 1])
    return score === undefined || later === undefined || later.steps.length < FEWEST_POINTS
      ? []
      : [{ score: score.metric, ...levelChange(score, later) }]
  })
  const [first] = changes
  if (first === undefined || changes.some(({ errors }) => !(errors < 2))) return undefined
  return { score: first.score, scoreStart: first.start, scoreThen: first.end }
}

export const truncation = runRule({
  id: 'truncation',
  severity: 'warning',
  about: {
    en: 'Too many answers run into the length limit. Where that is over, it is only worth knowing.',
    zh: '过多回答触及长度上限。若已结束，则只作提示。',
  },
  needs: ['len.truncated'],
  thresholds: {
    TOO_MANY: threshold(0.1, {
      en: '"Above 0.1 = truncating too much" (verl docs/perf/best_practices).',
      zh: '“高于 0.1 即截断过多”（verl docs/perf/best_practices）。',
    }),
    FEWEST_POINTS: threshold(5, { en: 'Points that it must last. Derived.', zh: '须持续这么多个点。推得。' }),
    END: threshold(0.1, {
      en: 'Whether it still goes on: seen within the last tenth of the points.',
      zh: '是否仍在持续：看最后十分之一的点。',
    }),
  },
  says: {
    truncation: {
      en: '{share} % of the responses are truncated on average since step {from}; above 10 % too much of the batch is graded unfinished',
      zh: '自 step {from} 起 平均 {share}% 的回答被长度上限截断；超过 10% 时，过多样本在未写完的情况下被打分',
    },
    'truncation.over': {
      en: '{share} % of the responses were truncated in steps {from}–{to}; it is over',
      zh: 'step {from}–{to} 有 {share}% 的回答被长度上限截断，之后恢复正常',
    },
    'truncation.remedy.limit': {
      en: 'raise the limit of {limit} tokens if the responses are sound, or mask truncated responses in the loss; if they are padding, fix the reward first',
      zh: '若回答本身正常，提高 {limit} token 的上限，或在 loss 中屏蔽被截断的回答；若是凑字数，先修正 reward',
    },
  },
  remedy: {
    en: 'raise the response length limit if the responses are sound, or mask truncated responses in the loss; if they are padding, fix the reward first',
    zh: '若回答本身正常，提高回答长度上限，或在 loss 中屏蔽被截断的回答；若是凑字数，先修正 reward',
  },
  check({ settings }, { say, needed: [cut], TOO_MANY, FEWEST_POINTS, END }) {
    const n = cut.steps.length
    const found = lastingShare(cut, TOO_MANY, Math.min(FEWEST_POINTS, n)).at(-1)
    if (found === undefined) return
    const isOver = found.to < n - END * n
    const steps = [cut.steps[found.from], cut.steps[found.to - 1]] as const
    const share = mean(within(cut, found).values)
    const limit = settings.get('len.response.max')?.effective
    return {
      severity: isOver ? 'note' : 'warning',
      steps,
      evidence: {
        metric: cut.metric,
        share,
        last: lastOf(cut),
        threshold: TOO_MANY,
        ...(typeof limit === 'number' && { limit }),
      },
      message: isOver
        ? say('truncation.over', { share: percentage(share), from: steps[0], to: steps[1] })
        : say('truncation', { share: percentage(share), from: steps[0] }),
      remedy: typeof limit === 'number' ? say('truncation.remedy.limit', { limit }) : undefined,
    }
  },
})
