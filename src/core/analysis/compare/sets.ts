import type { Message } from '../../../logs/model/run.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import { decimalsFor, figure, signed } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'

/** Several validation sets, one question: none speaks for all, and where they disagree the headline says so. */

const say = sentences({
  'sets.agree': { en: 'all {count} validation sets agree: {metrics}', zh: '{count} 个验证集结论一致：{metrics}' },
  'sets.differ': {
    en: 'this is by {metric}; the {count} validation sets disagree',
    zh: '以上针对 {metric}；{count} 个验证集结论不一致',
  },
  'sets.better': { en: 'on {metric} better, {estimate}', zh: '在 {metric} 上更好，{estimate}' },
  'sets.worse': { en: 'on {metric} worse, {estimate}', zh: '在 {metric} 上更差，{estimate}' },
  'sets.higher': { en: 'on {metric} higher, {estimate}', zh: '在 {metric} 上更高，{estimate}' },
  'sets.lower': { en: 'on {metric} lower, {estimate}', zh: '在 {metric} 上更低，{estimate}' },
  'sets.same': { en: 'on {metric} about the same, {estimate}', zh: '在 {metric} 上相当，{estimate}' },
  'sets.different-but-small': {
    en: 'on {metric} different but small, {estimate}',
    zh: '在 {metric} 上有差异，但小于等效界限，{estimate}',
  },
  'sets.undetermined': { en: 'on {metric} undetermined, {estimate}', zh: '在 {metric} 上无法判定，{estimate}' },
})

/** The question's verdicts on every set, that of the headline among them. */
export function answersOnSets(main: Verdict, verdicts: readonly Verdict[]): readonly Verdict[] {
  return verdicts.filter(({ question }) => question === main.question)
}

/** The headline with what the other sets say. */
export function withSets(main: Verdict, verdicts: readonly Verdict[]): Verdict {
  const sets = answersOnSets(main, verdicts)
  if (sets.length < 2) return main
  const count = sets.length
  if (sets.every(({ answer }) => answer === main.answer)) {
    return {
      ...main,
      reasons: [say('sets.agree', { count, metrics: sets.map(({ metric }) => metric).join(', ') }), ...main.reasons],
    }
  }
  const others = sets.filter(({ metric }) => metric !== main.metric).map(onSet)
  return { ...main, reasons: [say('sets.differ', { count, metric: main.metric }), ...others, ...main.reasons] }
}

function onSet({ metric, answer, estimate, interval }: Verdict): Message {
  const size = estimate === null ? '–' : interval === null ? figure(estimate) : signed(estimate, decimalsFor(interval))
  return say(`sets.${answer}`, { metric, estimate: size })
}
