import type { KlForm, KlPlacement } from '../src/core/analysis/objective/kl-gradient.js'
import type { Random } from '../src/stats/random.js'

/**
 * A policy so small that every expectation is a sum over all its answers: three tokens of four words, logits linear in the
 * word before and the position, so that prefixes share parameters. What automatic differentiation does to a batch is
 * done here to the expected batch: samples and whatever is detached stay as they are, the rest is differentiated, by
 * central differences of the loss itself and not by any formula for its slope.
 */

const WORDS = 4
const LENGTH = 3
const PARAMETERS = (WORDS + LENGTH) * WORDS

type Parameters = Float64Array

export interface ExactCase {
  readonly policy: Parameters
  readonly reference: Parameters
  /** Who wrote the answers; on-policy the policy itself. */
  readonly sampler: Parameters
}

/** `spread`: how far the policy is from the reference, `stale`: how far from the sampler, as deviations of their parameters. */
export function drawCase(spread: number, stale: number, random: Random): ExactCase {
  const reference = Float64Array.from({ length: PARAMETERS }, () => random.normal())
  const policy = reference.map(value => value + spread * random.normal())
  return { policy, reference, sampler: policy.map(value => value + stale * random.normal()) }
}

const ANSWERS: readonly (readonly number[])[] = Array.from({ length: WORDS ** LENGTH }, (_, i) =>
  Array.from({ length: LENGTH }, (_, t) => Math.floor(i / WORDS ** t) % WORDS),
)

/** log π of every word behind every word at every position. */
type LogProbs = readonly (readonly Float64Array[])[]

function logProbsOf(parameters: Parameters): LogProbs {
  return Array.from({ length: LENGTH }, (_, t) =>
    Array.from({ length: WORDS }, (_, before) => {
      const logits = Float64Array.from({ length: WORDS }, (_, word) => {
        const byPosition = parameters[(WORDS + t) * WORDS + word]
        return t === 0 ? byPosition : byPosition + parameters[before * WORDS + word]
      })
      const largest = Math.max(...logits)
      const total = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0)) + largest
      return logits.map(logit => logit - total)
    }),
  )
}

function along(logProbs: LogProbs, answer: readonly number[]): readonly number[] {
  return answer.map((word, t) => logProbs[t][answer[t - 1] ?? 0][word])
}

function probability(logProbs: LogProbs, answer: readonly number[]): number {
  return Math.exp(along(logProbs, answer).reduce((sum, value) => sum + value, 0))
}

function gradient(value: (parameters: Parameters) => number, at: Parameters): Float64Array {
  const step = 1e-5
  return at.map((_, i) => {
    const moved = (by: number): Parameters => at.map((each, k) => (k === i ? each + by : each))
    return (value(moved(step)) - value(moved(-step))) / (2 * step)
  })
}

function stateDivergence(policy: LogProbs, reference: LogProbs, t: number, before: number): number {
  const [own, other] = [policy[t][before], reference[t][before]]
  return own.reduce((sum, value, word) => sum + Math.exp(value) * (value - other[word]), 0)
}

/** ∇KL at the prefixes that the sampler visits, the prefixes held fixed; `reversed`: of KL(reference ‖ policy). */
export function tokenGradient(given: ExactCase, { reversed = false } = {}): Float64Array {
  const sampler = logProbsOf(given.sampler)
  const reference = logProbsOf(given.reference)
  return gradient(parameters => {
    const policy = logProbsOf(parameters)
    const [first, second] = reversed ? [reference, policy] : [policy, reference]
    return expected(sampler, answer =>
      answer.reduce((sum, _, t) => sum + stateDivergence(first, second, t, answer[t - 1] ?? 0), 0),
    )
  }, given.policy)
}

/** ∇KL(π ‖ reference) of whole answers: early tokens answer for the prefixes that they lead to. */
export function answerGradient({ policy, reference }: ExactCase): Float64Array {
  const other = logProbsOf(reference)
  return gradient(parameters => {
    const own = logProbsOf(parameters)
    return expected(own, answer => total(along(own, answer)) - total(along(other, answer)))
  }, policy)
}

function expected(sampler: LogProbs, value: (answer: readonly number[]) => number): number {
  return ANSWERS.reduce((sum, answer) => sum + probability(sampler, answer) * value(answer), 0)
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The expected gradient of a KL term as a framework has it. */
export function termGradient(given: ExactCase, placement: KlPlacement): Float64Array {
  const [now, sampler, reference] = [given.policy, given.sampler, given.reference].map(logProbsOf)
  return gradient(parameters => {
    const policy = logProbsOf(parameters)
    return expected(sampler, answer => {
      const [own, held, old, other] = [policy, now, sampler, reference].map(each => along(each, answer))
      if (placement.place === 'reward') {
        // −ratio · return, of rewards −k that were taken when the answer was sampled.
        const rewards = old.map((value, t) => -estimate(placement.form, value - other[t], value - other[t]))
        return total(own.map((value, t) => -Math.exp(value - old[t]) * total(rewards.slice(t))))
      }
      return total(
        own.map((value, t) => {
          const weight = weightOf(placement, { own, held, old }, t)
          if (placement.form === 'exact') return weight * stateDivergence(policy, reference, t, answer[t - 1] ?? 0)
          if (placement.form === 'forward') return weight * stateDivergence(reference, policy, t, answer[t - 1] ?? 0)
          return weight * estimate(placement.form, value - other[t], held[t] - other[t])
        }),
      )
    })
  }, given.policy)
}

interface AlongAnswer {
  readonly own: readonly number[]
  readonly held: readonly number[]
  readonly old: readonly number[]
}

function weightOf({ weight }: KlPlacement, { own, held, old }: AlongAnswer, t: number): number {
  switch (weight) {
    case 'none':
      return 1
    case 'detached':
      return Math.exp(held[t] - old[t])
    case 'score':
      return Math.exp(own[t] - held[t])
    case 'ratio':
      return Math.exp(own[t] - old[t])
    case 'sequence':
      return Math.exp((total(own) - total(old)) / LENGTH)
  }
}

/** `held`: the same difference, detached. */
function estimate(form: KlForm, d: number, held: number): number {
  switch (form) {
    case 'k1':
    case 'exact':
    case 'forward':
      return d
    case 'abs':
      return Math.abs(d)
    case 'k2':
      return d ** 2 / 2
    case 'k3':
      return Math.expm1(-d) + d
    case 'k3-inverse':
      return Math.expm1(d) - d
    case 'k1+':
      return (d ** 2 - held ** 2) / 2 + held
    case 'k3+':
      return (d ** 2 - held ** 2) / 2 + Math.expm1(-held) + held
    case 'abs+':
      return (d ** 2 - held ** 2) / 2 + Math.abs(held)
  }
}

export interface GradientFit {
  /** NaN where there is no gradient to point anywhere. */
  readonly cosine: number
  /** ‖g − truth‖ / ‖truth‖ */
  readonly error: number
  /** ‖g‖ / ‖truth‖ */
  readonly size: number
}

const NOTHING = 1e-6

export function fitOf(found: Float64Array, truth: Float64Array): GradientFit {
  const length = (vector: Float64Array): number => Math.hypot(...vector)
  const size = length(found) / length(truth)
  const dot = found.reduce((sum, value, i) => sum + value * truth[i], 0)
  return {
    cosine: size < NOTHING ? Number.NaN : dot / (length(found) * length(truth)),
    error: length(found.map((value, i) => value - truth[i])) / length(truth),
    size,
  }
}
