import type { Answer, Verdict } from '../../../logs/model/verdict.js'
import { decimalsFor, figure, signed } from '../../../text/numbers.js'
import { type Message, sentences } from '../../../text/sentences.js'

/** The optimised reward beside an independent score: where the two disagree, that is the finding. */

const say = sentences({
  'optimised.overoptimised': {
    en: 'overoptimised: {metric}, which was optimised, is better ({estimate}), and the independent score is worse',
    zh: '过度优化：被优化的 {metric} 更好（{estimate}），独立得分却更差',
  },
  'optimised.underrated': {
    en: '{metric}, which was optimised, is worse ({estimate}), although the independent score is better',
    zh: '被优化的 {metric} 更差（{estimate}），独立得分却更好',
  },
  'optimised.better-only': {
    en: '{metric}, which was optimised, is better ({estimate}); the independent score does not show it',
    zh: '被优化的 {metric} 更好（{estimate}），独立得分未体现',
  },
  'optimised.worse-only': {
    en: '{metric}, which was optimised, is worse ({estimate}); the independent score does not show it',
    zh: '被优化的 {metric} 更差（{estimate}），独立得分未体现',
  },
  'optimised.unmoved': {
    en: '{metric}, which was optimised, shows no such difference ({estimate})',
    zh: '被优化的 {metric} 没有显示这一差异（{estimate}）',
  },
  'optimised.agrees': {
    en: '{metric}, which was optimised, agrees ({estimate})',
    zh: '被优化的 {metric} 结论一致（{estimate}）',
  },
})

/** The tag of a headline that the optimised reward contradicts. */
export const OVEROPTIMISED = 'overoptimised'

/** The headline with what the optimised reward says; a contradiction comes first, an agreement last. */
export function withOptimised(main: Verdict, optimised: readonly Verdict[]): Verdict {
  let { reasons, tags } = main
  for (const verdict of optimised.filter(({ question, interval }) => question === main.question && interval !== null)) {
    const kind = disagreement(main.answer, verdict.answer)
    if (kind === null) continue
    const said = say(`optimised.${kind}`, { metric: verdict.metric, estimate: sizeOf(verdict) })
    reasons = kind === 'agrees' || kind === 'unmoved' ? [...reasons, said] : [said, ...reasons]
    if (kind === 'overoptimised') tags = [...new Set([...tags, OVEROPTIMISED])]
  }
  return { ...main, reasons, tags }
}

type Disagreement = 'overoptimised' | 'underrated' | 'better-only' | 'worse-only' | 'unmoved' | 'agrees'

function disagreement(main: Answer, optimised: Answer): Disagreement | null {
  const [claims, paidFor] = [isClaim(main), isClaim(optimised)]
  if (claims && paidFor) {
    if (main === optimised) return 'agrees'
    return main === 'worse' ? 'overoptimised' : 'underrated'
  }
  if (paidFor) return optimised === 'better' ? 'better-only' : 'worse-only'
  return claims ? 'unmoved' : null
}

function isClaim(answer: Answer): boolean {
  return answer === 'better' || answer === 'worse'
}

function sizeOf({ estimate, interval }: Verdict): string {
  if (estimate === null) return '–'
  return interval === null ? figure(estimate) : signed(estimate, decimalsFor(interval))
}

/** A verdict on sums of different things: none, and why. */
export function withoutVerdict(verdict: Verdict, reason: Message): Verdict {
  return {
    ...verdict,
    answer: 'undetermined',
    estimate: null,
    interval: null,
    p: null,
    smallestMargin: null,
    tags: [],
    reasons: [reason],
    toSettle: {},
    method: null,
  }
}
