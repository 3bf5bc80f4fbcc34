import { FEWEST_FOR_CHANGE } from '../../../stats/change-point.js'
import { figure, percentage } from '../../../text/numbers.js'
import type { Message } from '../../../text/sentences.js'
import { cannotSay, runRule, type Symptom, threshold, tooShort } from '../run-rule.js'
import { savedUpTo } from '../signs/acting.js'
import { type Curve, longestOf } from '../signs/curve.js'
import { evaluationNoise, validationCurves } from '../signs/validation.js'
import { COLLAPSE_THRESHOLDS, type Collapse, collapsesOf } from '../signs/validation-collapse.js'
import {
  FALL_THRESHOLDS,
  type Fall,
  FEWEST_FOR_TREND,
  fallOf,
  haveFallenTogether,
  type ValidationFall,
  validationFalls,
} from '../signs/validation-fall.js'
import type { Subject } from '../subject.js'

export const validationCollapse = runRule({
  id: 'validation-collapse',
  severity: 'error',
  about: {
    en: 'Validation broke down: far below the best that it held, by more than its noise, and for long. The best is a mean of neighbours, since a single maximum is mostly sampling noise. Of several validation sets each is asked at a level that allows for their number, and one that loses less than half while their mean holds is a note.',
    zh: '验证崩塌：远低于曾经保持的最好水平，超出噪声，且持续较久。最好水平取相邻几次的均值，因为单个最大值多半是运气。有多个验证集时，用 Holm 校正；单个验证集损失不到一半而均值不降，只作提示。',
  },
  needs: ['val.score'],
  thresholds: {
    FEWEST_EVALUATIONS: threshold(3, {
      en: 'Fewer evaluations make no curve. Derived.',
      zh: '验证次数更少则谈不上走势。推得。',
    }),
    ...COLLAPSE_THRESHOLDS,
  },
  says: {
    'validation-collapse': {
      en: '{metric} collapsed at step {onset}: from {best} to {end} (−{change} %), and did not recover',
      zh: '{metric} 在 step {onset} 崩塌：从 {best} 降到 {end}（−{change}%），此后没有恢复',
    },
    'validation-collapse.undated': {
      en: '{metric} collapsed from {best} to {end} (−{change} %) and did not recover; with {n} evaluation{n||s}, it was between step {before} and step {onset}',
      zh: '{metric} 从 {best} 崩塌到 {end}（−{change}%）且没有恢复；仅 {n} 次验证，只能确定发生在 step {before} 与 step {onset} 之间',
    },
    'validation-collapse.back': {
      en: '{metric} broke down from {best} to {end} (−{change} %) in steps {onset}–{last} and recovered only in part or for a while',
      zh: '{metric} 在 step {onset}–{last} 从 {best} 崩塌到 {end}（−{change}%），之后只是部分或暂时恢复',
    },
    'validation-collapse.remedy': {
      en: 'go back to the checkpoint of step {before}; lower the learning rate or add a KL penalty before resuming, and stop on such a fall: {wasted} more step{wasted||s} {wasted|was|were} spent on it here',
      zh: '回到 step {before} 的 checkpoint；降低学习率或加 KL 约束后再继续，并在出现此类下跌时提前停止：这里又白跑了 {wasted} 步',
    },
  },
  check(subject, { FEWEST_EVALUATIONS }) {
    const curves = validationCurves(subject)
    const longest = longestOf(curves)
    if (longest.steps.length < FEWEST_EVALUATIONS) return tooShort(longest, FEWEST_EVALUATIONS)
    return collapsesOf(subject).map(({ curve, collapse }) => {
      const isAlone = !collapse.isGrave && haveFallenTogether(subject) === false
      return {
        ...collapseSymptom(curve, subject, collapse),
        severity: collapse.isGrave ? 'error' : isAlone ? 'note' : 'warning',
      }
    })
  },
})

function collapseSymptom(curve: Curve, subject: Subject, collapse: Collapse): Symptom {
  const noise = evaluationNoise(subject, curve)
  const { best, bestStep, limit, lastAbove, onset, last, end, below, change } = collapse
  return {
    steps: [onset, last],
    evidence: {
      metric: curve.metric,
      best,
      bestStep,
      limit,
      lastAbove,
      below: Array.from(below.steps),
      values: Array.from(below.values),
      after: end,
      ...(Number.isFinite(noise) && { noise }),
      ...(change !== null && { changeStep: change.step, changeP: change.p }),
    },
    message: collapseSentence(curve, collapse),
    remedy: validationCollapse.say('validation-collapse.remedy', {
      before: savedUpTo(subject, lastAbove),
      wasted: last - onset,
    }),
  }
}

/** Fewer than twelve evaluations are not dated (docs/statistics.md). */
function collapseSentence(
  { metric, values }: Curve,
  { best, end, onset, last, lastAbove, cameBack }: Collapse,
): Message {
  const n = values.length
  const figures = { metric, best: figure(best), end: figure(end), change: percentage((best - end) / Math.abs(best)) }
  if (cameBack) return validationCollapse.say('validation-collapse.back', { ...figures, onset, last })
  if (n >= FEWEST_FOR_CHANGE) return validationCollapse.say('validation-collapse', { ...figures, onset })
  return validationCollapse.say('validation-collapse.undated', { ...figures, n, before: lastAbove, onset })
}

export const validationWorsened = runRule({
  id: 'validation-worsened',
  severity: 'warning',
  about: {
    en: "Validation has come down from where it was, short of a collapse, which is another rule's. Of several validation sets each is asked at a level that allows for their number; one that falls while their mean holds is a note, and so is a fall no deeper than one from which the curve came back before. A loss that rises is milder: it need not follow the task.",
    zh: '验证比之前下降，但不到崩塌（另有规则）。有多个验证集时，用 Holm 校正；单个下降而均值不降只作提示，不深于此前已恢复的下跌也只作提示。验证 loss 上升则较轻：它未必反映任务。',
  },
  needs: [['val.score', 'val.loss']],
  thresholds: {
    SMALLEST_RISE_OF_LOSS: threshold(0.01, {
      en: 'Derived: a loss has an offset that no training removes, so a share of it says less; 1 % keeps rounding out.',
      zh: '推得：loss 有训练去不掉的底，按比例看意义较小；1% 足以排除舍入。',
    }),
    ...FALL_THRESHOLDS,
  },
  says: {
    'validation-worsened': {
      en: '{metric} has fallen from {before} (steps {from}–{to}) to {after} at the end (−{change} %)',
      zh: '{metric} 从 {before}（step {from}–{to}）降到末段的 {after}（−{change}%）',
    },
    'validation-worsened.wander': {
      en: '{metric} has fallen from {before} to {after} (−{change} %), no more than it fluctuated before: it fell by {depth} and recovered in steps {from}–{to}',
      zh: '{metric} 从 {before} 降到 {after}（−{change}%），未超出以往的游走幅度：step {from}–{to} 曾下跌 {depth} 后恢复',
    },
    'validation-worsened.alone': {
      en: '{metric} has fallen from {before} to {after} (−{change} %), while the mean over all {sets} validation sets has not',
      zh: '{metric} 从 {before} 降到 {after}（−{change}%），而 {sets} 个验证集的均值没有下降',
    },
    'validation-worsened.start': {
      en: '{metric} has fallen below its start: from {before} at step {step} to {after} at the end (−{change} %)',
      zh: '{metric} 已低于起点：从 step {step} 的 {before} 降到末段的 {after}（−{change}%）',
    },
    'validation-worsened.start.remedy': {
      en: 'the starting model was better than the trained one: check what changes around step {step} (learning rate, reward, entropy bonus, KL) before training on',
      zh: '训练后的模型不如训练前：先查明 step {step} 前后的变化（学习率、reward、熵正则、KL），再继续训练',
    },
    'validation-worsened.remedy': {
      en: 'do not ship the last checkpoint: use one from about step {step} and stop there next time; if the training reward kept rising, read its responses first',
      zh: '不要用最后的 checkpoint：改用 step {step} 附近的，下次在此停止；若训练 reward 仍在上升，先检查回答内容',
    },
    'validation-worsened.loss': {
      en: '{metric} has risen from {before} to {after} (+{change} %) while training went on',
      zh: '训练过程中 {metric} 从 {before} 升到 {after}（+{change}%）',
    },
    'validation-worsened.loss.remedy': {
      en: 'a validation loss need not track the task: evaluate the task itself at a few checkpoints before choosing one',
      zh: '验证 loss 未必反映任务效果：先对几个 checkpoint 评测任务本身，再作选择',
    },
    'validation-worsened.cannot.collapse': {
      en: 'it broke down: see validation-collapse',
      zh: '验证已崩塌：见 validation-collapse',
    },
  },
  check(subject, { say }) {
    const scores = validationCurves(subject)
    const curves = scores.length > 0 ? scores : subject.curves('val.loss').slice(0, 1)
    const longest = longestOf(curves)
    if (longest.steps.length < FEWEST_FOR_TREND) return tooShort(longest, FEWEST_FOR_TREND)
    if (scores.length === 0) return curves.flatMap(curve => lossSymptom(curve, evaluationNoise(subject, curve)))
    const falls = validationFalls(subject)
    const collapses = new Map(collapsesOf(subject).map(({ curve, collapse }) => [curve.metric, collapse]))
    const others = falls.filter(({ curve, fall }) => {
      const collapse = collapses.get(curve.metric)
      return collapse === undefined || collapse.last < fall.steps[0]
    })
    if (falls.length > 0 && others.length === 0) return cannotSay(say('validation-worsened.cannot.collapse', {}))
    return others.map(fallen => fallSymptom(fallen, subject, scores.length))
  },
})

function fallSymptom({ curve, fall, standing }: ValidationFall, subject: Subject, sets: number): Symptom {
  const { how, beforeSteps, steps, wander } = fall
  return {
    ...(standing !== 'fell' && { severity: 'note' }),
    steps,
    evidence: {
      ...evidenceOf(curve, fall, 1),
      sets,
      ...(wander !== null && { wander: wander.depth, wanderSteps: wander.steps }),
    },
    message: fallSentence({ curve, fall, standing }, sets),
    remedy:
      how === 'start'
        ? validationWorsened.say('validation-worsened.start.remedy', { step: steps[0] })
        : validationWorsened.say('validation-worsened.remedy', { step: savedUpTo(subject, beforeSteps[1]) }),
  }
}

function fallSentence({ curve, fall, standing }: ValidationFall, sets: number): Message {
  const { how, before, after, beforeSteps, wander } = fall
  const change = percentage((before - after) / Math.abs(before))
  const figures = { metric: curve.metric, before: figure(before), after: figure(after), change }
  if (wander !== null) {
    const [from, to] = wander.steps
    return validationWorsened.say('validation-worsened.wander', { ...figures, depth: figure(wander.depth), from, to })
  }
  if (standing === 'alone') return validationWorsened.say('validation-worsened.alone', { ...figures, sets })
  if (how === 'start') return validationWorsened.say('validation-worsened.start', { ...figures, step: beforeSteps[0] })
  return validationWorsened.say('validation-worsened', { ...figures, from: beforeSteps[0], to: beforeSteps[1] })
}

function lossSymptom(curve: Curve, noise: number): Symptom[] {
  const { SMALLEST_RISE_OF_LOSS } = validationWorsened.limits
  const fall = fallOf({ ...curve, values: curve.values.map(value => -value) }, noise, {
    smallest: SMALLEST_RISE_OF_LOSS,
  })
  if (fall === null) return []
  const { before, after, steps } = fall
  return [
    {
      severity: 'note',
      steps,
      evidence: evidenceOf(curve, fall, -1),
      message: validationWorsened.say('validation-worsened.loss', {
        metric: curve.metric,
        before: figure(-before),
        after: figure(-after),
        change: percentage((before - after) / Math.abs(before)),
      }),
      remedy: validationWorsened.say('validation-worsened.loss.remedy', {}),
    },
  ]
}

function evidenceOf({ metric }: Curve, { how, before, after, beforeSteps, p }: Fall, sign: number) {
  return { metric, how, before: sign * before, after: sign * after, beforeSteps, ...(p !== null && { p }) }
}
