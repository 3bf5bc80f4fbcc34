import type { Answer, Verdict } from '../../../logs/model/verdict.js'
import { decimalsFor, figure, signed } from '../../../text/numbers.js'
import { type Message, sentences } from '../../../text/sentences.js'

/** The optimised reward beside an independent score: where the two disagree, that is the finding. */

const say = sentences({
  'optimised.overoptimised': {
    en: '{side} is overoptimised: it has the better {metric}, which was optimised ({estimate}), and the worse {score}',
    zh: '{side} 过度优化：被优化的 {metric} 更好（{estimate}），{score} 却更差',
  },
  'optimised.better-only': {
    en: '{metric}, which was optimised, is better ({estimate}); {score} does not show it',
    zh: '被优化的 {metric} 更好（{estimate}），{score} 未体现',
  },
  'optimised.worse-only': {
    en: '{metric}, which was optimised, is worse ({estimate}); {score} does not show it',
    zh: '被优化的 {metric} 更差（{estimate}），{score} 未体现',
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

/** Two verdicts on one data set: by the score that judges, and by the optimised reward. */
export interface BothVerdicts {
  readonly judged: Verdict
  readonly optimised: Verdict
}

/** The headline with what the optimised reward says; a contradiction on any data set comes first, an agreement last. */
export function withOptimised(main: Verdict, plain: Verdict, both: readonly BothVerdicts[]): Verdict {
  let { reasons, tags } = main
  for (const { judged, optimised } of both) {
    const kind = optimised.interval === null ? null : disagreement(judged.answer, optimised.answer)
    const isWeak = kind === 'agrees' || kind === 'unmoved'
    if (kind === null || (isWeak && judged !== plain)) continue
    const said = say(`optimised.${kind}`, {
      metric: optimised.metric,
      estimate: sizeOf(optimised),
      score: judged.metric,
      side: judged.answer === 'worse' ? judged.other : judged.baseline,
    })
    reasons = isWeak ? [...reasons, said] : [said, ...reasons]
    if (kind === 'overoptimised') tags = [...new Set([...tags, OVEROPTIMISED])]
  }
  return { ...main, reasons, tags }
}

type Disagreement = 'overoptimised' | 'better-only' | 'worse-only' | 'unmoved' | 'agrees'

function disagreement(main: Answer, optimised: Answer): Disagreement | null {
  const [claims, paidFor] = [isClaim(main), isClaim(optimised)]
  if (claims && paidFor) {
    return main === optimised ? 'agrees' : 'overoptimised'
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
