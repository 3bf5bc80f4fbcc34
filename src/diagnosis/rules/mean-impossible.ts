import { meanIsPossible } from '../../stats/grim.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import type { Curve } from '../signs/curve.js'
import { decimalsOf } from '../signs/printed.js'
import { promptsOf } from '../signs/validation.js'
import type { Subject } from '../subject.js'

/** Right or wrong, nothing between. An accuracy can be graded (VQA's is), so the word alone does not count. */
const BINARY = /(?:^|[/_.-])(?:exact|exact_match|em|pass_?1|success_rate|win_rate|solve_rate)(?:$|[/_.-])/i
/** The only folds that are plain means of single scores. */
const PLAIN_MEAN = /^(?:mean|avg)@(\d+)$/
/** Float32 keeps seven digits of a number near 1; beyond six decimals there is only its noise. */
const MOST_DECIMALS = 6

/**
 * A mean that no set of yes-or-no scores can have (GRIM, docs/statistics.md): n, the scoring or the number is not what
 * it is said to be. Trainers on Hugging Face's loop average batches of unequal size, so theirs are not asked.
 */
export const meanImpossible: Rule = {
  id: 'mean-impossible',
  severity: 'warning',
  needs: ['val.score'],
  detect(subject) {
    const curves = isAveragedByBatch(subject) ? [] : subject.curves('val.score')
    const judged = curves.flatMap(curve => {
      const n = scoresPerMean(subject, curve)
      return n === null ? [] : [{ curve, n }]
    })
    if (judged.length === 0) return cannotSay(message('mean-impossible.unknown', {}))
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
      message: message('mean-impossible', {
        metric,
        wrong: wrong.length,
        all: values.length,
        n,
        value: figure(values[first]),
        step: steps[first],
      }),
      remedy: isAll ? message('mean-impossible.all.remedy', { n }) : message('mean-impossible.remedy', {}),
    },
  ]
}
