import type { Verdict } from '../../../logs/model/verdict.js'
import { variance } from '../../../stats/descriptive.js'
import { guardedMean, PROMPTS_FOR_T, promptDifference } from '../../../stats/prompt-difference.js'
import { newcombe } from '../../../stats/proportion.js'
import { pairedPrompts } from '../../../stats/sample-size.js'
import type { StudentEstimate } from '../../../stats/student-estimate.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { answerFor, judge, undetermined } from './judge.js'
import type { QuestionSpec } from './specification.js'

/**
 * One checkpoint against another, by a single evaluation of each. With per-prompt scores the difference is taken prompt
 * by prompt; with only the number of prompts the two shares are compared as if they had asked different ones, which is
 * up to three times too wide; with neither there is no error bar, and nothing is said.
 */
export interface CheckpointScore {
  readonly value: number
  /** Prompts behind the value; null where nothing tells. */
  readonly n: number | null
  /** By prompt, in the same order on both sides; null where a side has none. */
  readonly scores: ArrayLike<number> | null
}

export function compareCheckpoint(asked: QuestionSpec, baseline: CheckpointScore, other: CheckpointScore): Verdict {
  if (baseline.scores !== null && other.scores !== null && baseline.scores.length > 1) {
    return pairedVerdict(asked, Array.from(baseline.scores), Array.from(other.scores))
  }
  const difference = other.value - baseline.value
  if (baseline.n === null || other.n === null) {
    return undetermined(asked, { scope: 'checkpoints', reasons: [message('compare.no-n', {})] }, difference)
  }
  if (![baseline.value, other.value].every(value => value >= 0 && value <= 1)) {
    return undetermined(asked, { scope: 'checkpoints', reasons: [message('compare.no-share', {})] }, difference)
  }
  return unpairedVerdict(asked, baseline.value, baseline.n, other.value, other.n)
}

function pairedVerdict(asked: QuestionSpec, first: readonly number[], second: readonly number[]): Verdict {
  const prompts = first.length
  const estimate = pairedEstimate(first, second)
  const few = prompts < PROMPTS_FOR_T
  const [better, worse] = [1, -1].map(sign => second.filter((score, i) => sign * (score - first[i]) > 0).length)
  const scatter = variance(second.map((score, i) => score - first[i]))
  const wanted = asked.margin ?? Math.abs(estimate.mean)
  // A loss on one prompt in twenty is easily missed by few, so these are never called the same, nor a difference small.
  const verdict = judge(few ? { ...asked, margin: null } : asked, estimate, {
    scope: 'checkpoints',
    reasons: [
      message('compare.prompt-pairs', { prompts, better, worse }),
      ...(few && asked.margin !== null ? [message('compare.few-prompts', { prompts, needed: PROMPTS_FOR_T })] : []),
      message('compare.one-evaluation', {}),
    ],
    toSettle: wanted > 0 && scatter > 0 ? { prompts: pairedPrompts(scatter, { difference: wanted }) } : {},
    method: { id: 'paired-prompts', numbers: { prompts, ...estimate, better, worse } },
  })
  return few ? { ...verdict, margin: asked.margin, smallestMargin: null } : verdict
}

/** Plain t is too sure of itself with few prompts, and with few flips between right and wrong. */
export function pairedEstimate(first: readonly number[], second: readonly number[]): StudentEstimate {
  const isBinary = new Set([...first, ...second]).size <= 2
  if (isBinary || first.length < PROMPTS_FOR_T) return guardedMean(second.map((score, i) => score - first[i]))
  const wrapped = (scores: readonly number[]): number[][] => scores.map(score => [score])
  const { mean, standardError, degreesOfFreedom } = promptDifference(wrapped(first), wrapped(second))
  return { mean, standardError, degreesOfFreedom }
}

function unpairedVerdict(asked: QuestionSpec, first: number, firstN: number, second: number, secondN: number): Verdict {
  const between = (level?: number) => newcombe({ share: first, n: firstN }, { share: second, n: secondN }, level)
  const { low, high } = between()
  const narrower = between(0.9)
  const smallestMargin = Math.max(Math.abs(narrower.low), Math.abs(narrower.high))
  const same = asked.margin !== null && smallestMargin < asked.margin
  const estimate = second - first
  const verdict = undetermined(
    asked,
    {
      scope: 'checkpoints',
      reasons: [
        message('compare.pairing-unknown', { first: firstN, second: secondN }),
        message('compare.one-evaluation', {}),
      ],
      method: { id: 'unpaired-shares', numbers: { first, firstN, second, secondN } },
    },
    estimate,
  )
  const answer = answerFor(estimate, low > 0 || high < 0, same, asked.goal)
  return { ...verdict, interval: [low, high], smallestMargin, answer }
}
