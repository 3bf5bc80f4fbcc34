import { mean } from '../../../stats/descriptive.js'
import { jitter } from '../../../stats/trend.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort } from '../run-rule.js'
import { between, type Curve, ends, longestOf, stepsOf } from '../signs/curve.js'
import { levelError } from '../signs/score.js'
import { likeScored } from '../signs/validation.js'

/** Compared are the last fifth of the run, and the first training steps with the first evaluation. */
const END = 0.2
const FIRST_STEPS = 5

export const generalisationGap = runRule({
  id: 'generalisation-gap',
  severity: 'note',
  about: {
    en: 'Training gains more than validation: the policy learns its prompts by heart. Validation need not fall for that. Training and validation prompts may differ in difficulty from the start, so what counts is how the gap has grown, on metrics of one scale, averaged over all validation sets.',
    zh: '训练的提高大于验证：策略在背题。此时验证未必下降。训练与验证 prompt 的难度本来可能就不同，因此看的是差距如何扩大；只比较同一尺度的指标，并对所有验证集取平均。',
  },
  needs: [['score.mean', 'reward.mean'], 'val.score'],
  uses: ['score.max', 'reward.max'],
  thresholds: {
    WIDER: threshold(0.05, {
      en: 'By so much of the training score the gap must have grown since the start. Derived: training and validation prompts differ in difficulty, so only a change counts; in 24 healthy runs of lab 2 the gap shrank, with 96 prompts seen over and over it grew by 0.07 to 0.1.',
      zh: '差距自开始以来至少要扩大训练得分的这一比例。推得：训练与验证 prompt 难度不同，因此只看变化；实验二的 24 个健康 run 中差距缩小，反复使用 96 个 prompt 时扩大 0.07 ~ 0.1。',
    }),
    LARGE: threshold(0.1, {
      en: 'And so large it must be at the end, as a share of the training score. Derived.',
      zh: '且末段的差距至少为训练得分的这一比例。推得。',
    }),
    ERRORS: threshold(4, {
      en: 'And by so many standard errors. Derived: the first evaluation is a single one.',
      zh: '且超过这么多个标准误。推得：首次验证只有一次。',
    }),
    FEWEST: threshold(10, { en: 'Evaluations that are needed. Derived.', zh: '至少需要的验证次数。推得。' }),
  },
  says: {
    'generalisation-gap': {
      en: 'training improves more than validation: {training} went from {trainStart} to {trainEnd}, validation on the same scale from {validStart} to {validEnd}, so the gap grew from {before} to {after}',
      zh: '训练的提高大于验证：{training} 从 {trainStart} 到 {trainEnd}，同一尺度的验证从 {validStart} 到 {validEnd}，两者的差距由 {before} 扩大到 {after}',
    },
    'generalisation-gap.cannot.scale': {
      en: 'no validation metric is on the scale of the training score, neither by name nor as a share of 1',
      zh: '没有与训练得分同一尺度的验证指标：名称不同，也不都是 0~1 之间的比例',
    },
    'generalisation-gap.cannot.start': {
      en: 'no evaluation near the start of training to measure the initial gap',
      zh: '训练开始时没有验证，无从得知原来的差距',
    },
  },
  remedy: {
    en: 'use more prompts, or fewer epochs over these; choose the checkpoint by validation. A larger KL coefficient seldom helps: the policy memorises prompts',
    zh: '增加 prompt，或减少在这批 prompt 上的遍数；按验证选 checkpoint。加大 KL 系数通常无济于事：学会的是这批 prompt，而不是任务',
  },
  check(subject, { say, needed: [training], WIDER, LARGE, ERRORS, FEWEST }) {
    const sets = likeScored(subject, training)
    if (sets.length === 0) return cannotSay(say('generalisation-gap.cannot.scale', {}))
    const longest = longestOf(sets)
    if (longest.steps.length < FEWEST) return tooShort(longest, FEWEST)
    const [first, last] = stepsOf(training)
    const beginning = between(training, first, first + FIRST_STEPS - 1)
    if (sets.some(({ steps }) => steps[0] > first + FIRST_STEPS)) {
      return cannotSay(say('generalisation-gap.cannot.start', {}))
    }
    const ending = between(training, last - END * (last - first), last)
    const valid = { start: mean(sets.map(({ values }) => values[0])), end: mean(sets.map(endOf)) }
    const train = { start: mean(beginning.values), end: mean(ending.values) }
    const [before, after] = [train.start - valid.start, train.end - valid.end]
    const error = Math.hypot(
      levelError(training, beginning),
      levelError(training, ending),
      ...sets.map(curve => validationError(curve) / sets.length),
    )
    const scale = Math.abs(train.end)
    if (!(train.end > train.start && after >= LARGE * scale && after - before >= WIDER * scale)) return
    if (!(after - before >= ERRORS * error)) return
    return {
      steps: [ending.steps[0], last],
      evidence: {
        training: training.metric,
        validation: sets.map(({ metric }) => metric),
        before,
        after,
        trainStart: train.start,
        trainEnd: train.end,
        validationStart: valid.start,
        validationEnd: valid.end,
        error,
      },
      message: say('generalisation-gap', {
        training: training.metric,
        trainStart: figure(train.start),
        trainEnd: figure(train.end),
        validStart: figure(valid.start),
        validEnd: figure(valid.end),
        before: figure(before),
        after: figure(after),
      }),
    }
  },
})

function endOf(curve: Curve): number {
  return mean(ends(curve, END).end.values)
}

/**
 * Of the first evaluation and of the mean of the last ones. Both are of the same prompts, so the luck of drawing those is
 * in both and only the jitter between evaluations counts.
 */
function validationError(curve: Curve): number {
  return jitter(curve.steps, curve.values) * Math.sqrt(1 + 1 / ends(curve, END).end.values.length)
}
