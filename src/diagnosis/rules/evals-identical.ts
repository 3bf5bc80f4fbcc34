import { figure, listed } from '../../text/figure.js'
import { runRule, threshold, tooShort } from '../run-rule.js'
import type { Curve } from '../signs/curve.js'
import { promptsOf, scoresBehind, validationCurves } from '../signs/validation.js'
import type { Subject } from '../subject.js'

const FINEST = 10_000
const DIGITS = 1e-6

export const evalsIdentical = runRule({
  id: 'evals-identical',
  severity: 'warning',
  about: {
    en: "Consecutive evaluations equal to the last digit while training went on: the same checkpoint was evaluated, or the policy's answers do not change (Lever-Plus: identical argmax for two coefficients).",
    zh: '训练在继续，连续几次验证却每一位都相同：评测的是同一个 checkpoint，或策略的回答没有变化（Lever-Plus：两个系数下 argmax 完全相同）。',
  },
  needs: ['val.score'],
  thresholds: {
    BY_CHANCE: threshold(0.001, {
      en: 'Expected number of such repetitions by chance in a run. Derived.',
      zh: '一个 run 中此类重复偶然出现的期望次数。推得。',
    }),
    MOST: threshold(0.5, {
      en: "Identical for so much of the run, it is the run's main fact; for less, worth knowing. Derived.",
      zh: '占 run 的这一比例时是该 run 的主要事实；更少则值得一提。推得。',
    }),
    PAIRED: threshold(0.5, {
      en: 'Not all evaluations that a policy which moves a little makes are independent. Derived: paired noise is halved.',
      zh: '策略变化很小时，各次验证并不独立。推得：配对后的噪声减半。',
    }),
  },
  says: {
    'evals-identical': {
      en: '{n} evaluations in a row are equal to the last digit ({list}): the same weights were evaluated, or the answers do not change',
      zh: '连续 {n} 次验证每一位都相同（{list}）：评测的是同一份权重，或策略的回答没有变化',
    },
    'evals-identical.scores': {
      en: '{n} evaluations in a row are equal on every single prompt ({list}): the same weights were evaluated, or the answers do not change',
      zh: '连续 {n} 次验证，每个样本的得分都相同（{list}）：评测的是同一份权重，或策略的回答没有变化',
    },
  },
  remedy: {
    en: 'compare the weights of two of these checkpoints: if they are equal, the evaluation loads the wrong one; if they differ, the update is too small to change an answer: look at learning rate and gradient',
    zh: '比较其中两个 checkpoint 的权重：若相同，说明评测加载错了；若不同，说明更新太小、改变不了回答，检查学习率与梯度',
  },
  check(subject, { say, BY_CHANCE, MOST }) {
    const curves = validationCurves(subject)
    const [curve, ...others] = curves
    if (curve.steps.length < 2) return tooShort(curve, 2)
    const alongside = others.filter(other => other.steps.join() === curve.steps.join())
    const { from, to } = longestRepetition([curve, ...alongside])
    const repeated = to - from
    if (repeated < 2 || [curve, ...alongside].every(({ values }) => values[from] === 0 || values[from] === 1)) return
    const perEvaluation = [curve, ...alongside].reduce((chance, each) => chance * chanceOf(subject, each, from), 1)
    const same = sameScores(subject, curve, from, to)
    const expected = curve.values.length * perEvaluation ** (repeated - 1)
    if (!(expected < BY_CHANCE || (same && repeated > 2))) return
    const steps = [curve.steps[from], curve.steps[to - 1]] as const
    const list = listed([curve, ...alongside].map(({ metric, values }) => `${metric} = ${figure(values[from])}`))
    return {
      severity: repeated >= MOST * curve.values.length ? 'warning' : 'note',
      steps,
      evidence: {
        metrics: [curve, ...alongside].map(({ metric }) => metric),
        values: [curve, ...alongside].map(({ values }) => values[from]),
        evaluations: repeated,
        of: curve.values.length,
      },
      message: say(same ? 'evals-identical.scores' : 'evals-identical', { n: repeated, list }),
    }
  },
})

function longestRepetition(curves: readonly Curve[]): { readonly from: number; readonly to: number } {
  const n = curves[0].values.length
  let longest = { from: 0, to: 1 }
  let from = 0
  for (let i = 1; i < n; i += 1) {
    if (curves.some(({ values }) => values[i] !== values[i - 1])) from = i
    else if (i + 1 - from > longest.to - longest.from) longest = { from, to: i + 1 }
  }
  return longest
}

/**
 * How likely the next evaluation repeats this one by chance: a normal density of the noise times the grain of the score.
 * The grain is 1/n, n being the prompts or, where nobody tells them, the smallest number of which the value is a share.
 */
function chanceOf(subject: Subject, { metric, values }: Curve, index: number): number {
  const { PAIRED } = evalsIdentical.limits
  const value = values[index]
  const prompts = promptsOf(subject, metric) ?? fewestPrompts(value)
  const spread = value > 0 && value < 1 ? Math.sqrt(value * (1 - value)) : 0.3
  return Math.min(1, 1 / (2 * Math.sqrt(Math.PI) * PAIRED * spread * Math.sqrt(prompts)))
}

function fewestPrompts(value: number): number {
  for (let n = 1; n < FINEST; n += 1) {
    if (Math.abs(value * n - Math.round(value * n)) < DIGITS * n) return n
  }
  return FINEST
}

/** Whether the single prompts' scores repeat as well, where they are known. */
function sameScores(subject: Subject, curve: Curve, from: number, to: number): boolean {
  const scores = subject
    .curves('val.score')
    .map(each => scoresBehind(subject, each))
    .find(found => found.size > 0)
  if (scores === undefined) return false
  const within = Array.from(curve.steps.subarray(from, to), step => scores.get(step)?.join())
  return within[0] !== undefined && within.every(text => text === within[0])
}
