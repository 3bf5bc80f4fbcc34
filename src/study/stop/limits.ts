import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { downward, type Look, type StopDecision, type StopRule, upward } from './look.js'

/** Limits that a person sets. They are habits and not tests: how often they stop a healthy run depends on its noise. */

const say = sentences({
  'stop.patience': {
    en: 'no evaluation of {metric} since step {best} ({value}) was better: {count} in a row',
    zh: '自 step {best}（{value}）以来，{metric} 连续 {count} 次验证没有更好',
  },
  'stop.drop': {
    en: '{metric} is at {now}, {drop} below its best ({value} at step {best})',
    zh: '{metric} 现为 {now}，比最好的一次（step {best} 的 {value}）低 {drop}',
  },
  'stop.steps': { en: 'step {step}: the budget of {limit} steps is spent', zh: 'step {step}：{limit} 步的预算已用完' },
  'stop.hours': {
    en: '{hours} hours: the budget of {limit} is spent',
    zh: '已用 {hours} 小时：{limit} 小时的预算已用完',
  },
  'stop.budget.false': { en: 'a budget: not a judgement of the run', zh: '这是预算，不是对该 run 的判断' },
  'stop.habit.false': {
    en: 'a habit, not a test: patience of 10 would have stopped {patience} % of the healthy runs of two labs, a drop of 10 % {drop} % (docs/verbs/watch.md)',
    zh: '这是习惯做法，不是检验：在两个实验室的健康 run 中，耐心 10 次会误停 {patience}%，下降 10% 会误停 {drop}%（docs/verbs/watch.zh.md）',
  },
})

/** Measured by `npm run bench -- stops`. */
const HABIT = { patience: 82, drop: 20 }

export function patience(evaluations: number): StopRule {
  return {
    id: 'patience',
    decide(look) {
      const best = bestOf(look)
      if (best === null || best.score.values.length - 1 - best.at < evaluations) return null
      const { metric, steps, values } = best.score
      const count = values.length - 1 - best.at
      const params = { metric, best: steps[best.at], value: figure(values[best.at]), count }
      return {
        rule: 'patience',
        step: look.step,
        message: say('stop.patience', params),
        evidence: { metric, best: values[best.at], bestStep: steps[best.at], count },
        falseStops: say('stop.habit.false', HABIT),
      }
    },
  }
}

/** By a share of the best, or by so much. */
export function drop(size: { readonly share: number } | { readonly absolute: number }): StopRule {
  return {
    id: 'drop',
    decide(look) {
      const best = bestOf(look)
      if (best === null) return null
      const { metric, steps, values } = best.score
      const [highest, last] = [values[best.at], values[values.length - 1]]
      const limit = 'share' in size ? size.share * Math.abs(highest) : size.absolute
      const fallen = Math.abs(highest - last)
      if (fallen < limit || limit === 0) return null
      return {
        rule: 'drop',
        step: look.step,
        message: say('stop.drop', {
          metric,
          now: figure(last),
          drop: figure(fallen),
          value: figure(highest),
          best: steps[best.at],
        }),
        evidence: { metric, best: highest, bestStep: steps[best.at], last },
        falseStops: say('stop.habit.false', HABIT),
      }
    },
  }
}

export function budget(limit: { readonly steps: number } | { readonly hours: number }): StopRule {
  return {
    id: 'budget',
    decide({ step, hours }): StopDecision | null {
      const falseStops = say('stop.budget.false', {})
      if ('steps' in limit) {
        if (step < limit.steps) return null
        const message = say('stop.steps', { step, limit: limit.steps })
        return { rule: 'budget', step, message, evidence: { step, limit: limit.steps }, falseStops }
      }
      if (hours === null || hours < limit.hours) return null
      const message = say('stop.hours', { hours: figure(hours), limit: figure(limit.hours) })
      return { rule: 'budget', step, message, evidence: { hours, limit: limit.hours }, falseStops }
    },
  }
}

function bestOf({ score }: Look) {
  if (score === null || score.values.length === 0) return null
  const values = upward(score)
  const at = values.indexOf(Math.max(...values))
  return at < 0 ? null : { score, at, value: downward(score, values[at]) }
}
