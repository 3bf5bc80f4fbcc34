import { meanIsPossible } from '../../stats/rounding.js'
import { figure } from '../../text/figure.js'
import { sentences } from '../../text/sentences.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import type { Curve } from '../signs/curve.js'
import { decimalsOf } from '../signs/printed.js'
import { promptsOf } from '../signs/validation.js'
import type { Subject } from '../subject.js'
import { type Thresholds, valuesOf } from '../threshold.js'

const say = sentences({
  'mean-impossible': {
    en: '{wrong} of {all} values of {metric} cannot be the mean of {n} yes-or-no scores, the first is {value} at step {step}: the number of prompts, the scoring or the value is not what it is said to be',
    zh: '{metric} 的 {all} 个值中有 {wrong} 个不可能是 {n} 个 0/1 得分的均值（首个为 step {step} 的 {value}）：样本数、计分方式或数值与所说不符',
  },
  'mean-impossible.remedy': {
    en: 'look up these evaluations in the log: some prompts failed or were scored otherwise, or the numbers were typed by hand',
    zh: '在日志中核对这几次验证：部分样本失败或计分方式不同，或数值为手工填写',
  },
  'mean-impossible.all.remedy': {
    en: 'check whether the evaluation really has {n} prompts and scores only 0 or 1; if not, correct data.val_size',
    zh: '确认验证集是否确为 {n} 个样本、得分是否只有 0/1；若不是，请更正 data.val_size',
  },
  'mean-impossible.cannot.unknown': {
    en: 'no plain mean of yes-or-no scores with a known number of prompts',
    zh: '没有已知样本数的 0/1 得分均值',
  },
})

/** Right or wrong, nothing between. An accuracy can be graded (VQA's is), so the word alone does not count. */
const BINARY = /(?:^|[/_.-])(?:exact|exact_match|em|pass_?1|success_rate|win_rate|solve_rate)(?:$|[/_.-])/i
/** The only folds that are plain means of single scores. */
const PLAIN_MEAN = /^(?:mean|avg)@(\d+)$/

const THRESHOLDS = {
  MOST_DECIMALS: {
    value: 6,
    en: 'Float32 keeps seven digits of a number near 1; beyond six decimals there is only its noise.',
    zh: 'float32 在 1 附近保留七位数字；六位小数之后只剩噪声。',
  },
} as const satisfies Thresholds
const { MOST_DECIMALS } = valuesOf(THRESHOLDS)

export const meanImpossible: Rule = {
  id: 'mean-impossible',
  severity: 'warning',
  about: {
    en: "A mean that no set of yes-or-no scores can have (GRIM, docs/statistics.md): n, the scoring or the number is not what it is said to be. Trainers on Hugging Face's loop average batches of unequal size, so theirs are not asked.",
    zh: '任何一组 0/1 得分都不可能有的均值（GRIM，docs/statistics.md）：样本数、计分方式或数值与所说不符。基于 Hugging Face 循环的训练器对大小不一的 batch 求平均，因此不检查它们。',
  },
  thresholds: THRESHOLDS,
  needs: ['val.score'],
  detect(subject) {
    const curves = isAveragedByBatch(subject) ? [] : subject.curves('val.score')
    const judged = curves.flatMap(curve => {
      const n = scoresPerMean(subject, curve)
      return n === null ? [] : [{ curve, n }]
    })
    if (judged.length === 0) return cannotSay(say('mean-impossible.cannot.unknown', {}))
    return judged.flatMap(({ curve, n }) => impossible(curve, n))
  },
}

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

function impossible(curve: Curve, n: number): Symptom[] {
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
      message: say('mean-impossible', {
        metric,
        wrong: wrong.length,
        all: values.length,
        n,
        value: figure(values[first]),
        step: steps[first],
      }),
      remedy: isAll ? say('mean-impossible.all.remedy', { n }) : say('mean-impossible.remedy', {}),
    },
  ]
}
