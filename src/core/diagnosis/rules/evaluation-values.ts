import { meanIsPossible } from '../../../stats/rounding.js'
import { listed } from '../../../text/language.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, threshold, tooShort, type UntreatedSymptom } from '../run-rule.js'
import type { Curve } from '../signs/curve.js'
import { decimalsOf } from '../signs/printed.js'
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
      en: '{n} consecutive evaluation{n||s} {n|is|are} identical to the last digit ({list}): the same weights were evaluated, or the responses do not change',
      zh: '连续 {n} 次验证每一位都相同（{list}）：评测的是同一份权重，或策略的回答没有变化',
    },
    'evals-identical.scores': {
      en: '{n} consecutive evaluation{n||s} {n|is|are} identical on every single prompt ({list}): the same weights were evaluated, or the responses do not change',
      zh: '连续 {n} 次验证，每个样本的得分都相同（{list}）：评测的是同一份权重，或策略的回答没有变化',
    },
  },
  remedy: {
    en: 'compare the weights of two of these checkpoints: if they are equal, the evaluation loads the wrong one; if they differ, the update is too small to change a response: check learning rate and gradient',
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

/** Right or wrong, nothing between. An accuracy can be graded (VQA's is), so the word alone does not count. */
const BINARY = /(?:^|[/_.-])(?:exact|exact_match|em|pass_?1|success_rate|win_rate|solve_rate)(?:$|[/_.-])/i
/** The only folds that are plain means of single scores. */
const PLAIN_MEAN = /^(?:mean|avg)@(\d+)$/

export const meanImpossible = runRule({
  id: 'mean-impossible',
  severity: 'warning',
  about: {
    en: "A mean that no set of yes-or-no scores can have (GRIM, docs/statistics.md): n, the scoring or the number is not what it is said to be. Trainers on Hugging Face's loop average batches of unequal size, so theirs are not asked.",
    zh: '任何一组 0/1 得分都不可能有的均值（GRIM，docs/statistics.md）：样本数、计分方式或数值与所说不符。基于 Hugging Face 循环的训练器对大小不一的 batch 求平均，因此不检查它们。',
  },
  needs: ['val.score'],
  thresholds: {
    MOST_DECIMALS: threshold(6, {
      en: 'Float32 keeps seven digits of a number near 1; beyond six decimals there is only its noise.',
      zh: 'float32 在 1 附近保留七位数字；六位小数之后只剩噪声。',
    }),
  },
  says: {
    'mean-impossible': {
      en: '{wrong} of {all} value{all||s} of {metric} cannot be the mean of {n} yes-or-no scores, the first is {value} at step {step}: the number of prompts, the scoring or the value is wrong',
      zh: '{metric} 的 {all} 个值中有 {wrong} 个不可能是 {n} 个 0/1 得分的均值（首个为 step {step} 的 {value}）：样本数、计分方式或数值与所说不符',
    },
    'mean-impossible.all.remedy': {
      en: 'check whether the evaluation really has {n} prompt{n||s} and scores only 0 or 1; if not, correct data.val_size',
      zh: '确认验证集是否确为 {n} 个样本、得分是否只有 0/1；若不是，请更正 data.val_size',
    },
    'mean-impossible.cannot.unknown': {
      en: 'not a plain mean of yes-or-no scores with a known number of prompts',
      zh: '没有已知样本数的 0/1 得分均值',
    },
  },
  remedy: {
    en: 'check these evaluations in the log: some prompts failed or were scored differently, or the numbers were typed by hand',
    zh: '在日志中核对这几次验证：部分样本失败或计分方式不同，或数值为手工填写',
  },
  check(subject, { say }) {
    const curves = isAveragedByBatch(subject) ? [] : subject.curves('val.score')
    const judged = curves.flatMap(curve => {
      const n = scoresPerMean(subject, curve)
      return n === null ? [] : [{ curve, n }]
    })
    if (judged.length === 0) return cannotSay(say('mean-impossible.cannot.unknown', {}))
    return judged.flatMap(({ curve, n }) => impossible(curve, n))
  },
})

function isAveragedByBatch({ framework }: Subject): boolean {
  return framework === 'trl' || framework === 'trl-ppo' || framework === 'openrlhf'
}

function scoresPerMean(subject: Subject, { metric }: Curve): number | null {
  const prompts = promptsOf(subject, metric)
  if (prompts === null || !BINARY.test(metric)) return null
  const aggregate = subject.evaluations.find(evaluation => evaluation.metric === metric)?.condition.aggregate
  if (aggregate === undefined) return prompts
  const repeats = PLAIN_MEAN.exec(aggregate)?.[1]
  return repeats === undefined ? null : prompts * Number(repeats)
}

function impossible(curve: Curve, n: number): UntreatedSymptom[] {
  const { MOST_DECIMALS } = meanImpossible.limits
  const { metric, steps, values } = curve
  const isPercent = values.some(value => value > 1)
  const printed = decimalsOf(curve)
  const decimals = printed === 'full' ? MOST_DECIMALS : Math.min(printed, MOST_DECIMALS)
  const grain = isPercent ? 100 : 1
  const wrong = Array.from(values.keys()).filter(i => !meanIsPossible(values[i], decimals, n, { grain }))
  if (wrong.length === 0) return []
  const isAll = wrong.length > values.length / 2
  const [first] = wrong
  return [
    {
      severity: isAll ? 'note' : 'warning',
      steps: [steps[first], steps[wrong[wrong.length - 1]]],
      evidence: {
        metric,
        n,
        steps: wrong.slice(0, 20).map(i => steps[i]),
        values: wrong.slice(0, 20).map(i => values[i]),
      },
      message: meanImpossible.say('mean-impossible', {
        metric,
        wrong: wrong.length,
        all: values.length,
        n,
        value: figure(values[first]),
        step: steps[first],
      }),
      remedy: isAll ? meanImpossible.say('mean-impossible.all.remedy', { n }) : undefined,
    },
  ]
}
