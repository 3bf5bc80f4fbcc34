/**
 * Credits, advantages and losses against the numbers of UserRL's fork and of verl 0.9.1 (fixtures/credits.json: computed by
 * their own unmodified functions).
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  roundedAsInPython,
  sharedAdvantages,
  type TrajectoryScore,
  type TurnCredit,
  trajectoryScore,
  turnCredits,
} from '../../../logs/model/dialogue.js'
import { createEngine } from '../kernels/engine.js'
import { verlAdvantages } from './advantages.js'
import { klEstimate, klSlope, type TOKEN_KL_ESTIMATORS, VERL_KL_LIMITS } from './kl-estimators.js'
import { AGGREGATIONS, type Aggregation, type TokenGrpoOptions, tokenGrpo, tokenWeights } from './token-grpo.js'

type Rows = readonly (readonly number[])[]

interface Credits {
  readonly rounding: readonly (readonly [number, number])[]
  readonly turn_credits: readonly {
    readonly kind: string
    readonly rollouts: readonly { readonly rewards: readonly number[]; readonly lengths: readonly number[] }[]
    readonly cases: readonly {
      readonly turn_credit: 'Equalized' | 'R2G' | 'EM'
      readonly trajectory_score: 'Sum' | 'R2G'
      readonly gamma: number
      readonly norm_by_std: boolean
      readonly scores: readonly number[]
      readonly credits: Rows
      readonly advantages: Rows
    }[]
  }[]
  readonly outcome_advantage: readonly {
    readonly scores: readonly number[]
    readonly groups: readonly string[]
    readonly norm_by_std: boolean
    readonly advantages: readonly number[]
  }[]
  readonly objective: readonly Batch[]
  readonly entropy: readonly {
    readonly logits: readonly Rows[]
    readonly mask: Rows
    readonly token: Rows
    readonly aggregated: Readonly<Record<Aggregation, number>>
  }[]
}

interface Batch {
  readonly name: string
  readonly log_prob: Rows
  readonly old_log_prob: Rows
  readonly ref_log_prob: Rows
  readonly advantages: Rows
  readonly mask: Rows
  readonly policy: readonly {
    readonly clip_ratio_low: number
    readonly clip_ratio_high: number
    readonly clip_ratio_c: number
    readonly aggregation: Aggregation
    readonly loss: number
    readonly clip_fraction: number
    readonly clip_fraction_lower: number
    readonly ppo_kl: number
    readonly gradient?: Rows
  }[]
  readonly kl: readonly {
    readonly estimator: (typeof TOKEN_KL_ESTIMATORS)[number]
    readonly token: Rows
    readonly aggregated: Readonly<Record<Aggregation, number>>
    readonly gradient_token_mean: Rows
  }[]
}

const credits: Credits = JSON.parse(readFileSync(new URL('fixtures/credits.json', import.meta.url), 'utf8'))

const SCORES: Readonly<Record<string, TrajectoryScore>> = { Sum: 'mean', R2G: 'discounted' }
const CREDITS: Readonly<Record<string, TurnCredit>> = { Equalized: 'equal', R2G: 'return', EM: 'exponential' }

function expectClose(found: ArrayLike<number>, expected: readonly number[], about: string): void {
  expect(found.length, about).toBe(expected.length)
  for (const [i, value] of expected.entries()) {
    expect(Math.abs(found[i] - value), `${about}, ${i}: ${found[i]}, not ${value}`).toBeLessThan(
      1e-6 * Math.max(1, Math.abs(value)),
    )
  }
}

describe("UserRL's turn credits", () => {
  it("round as Python's round(x, 4) does", () => {
    for (const [x, expected] of credits.rounding) {
      expect(roundedAsInPython(x)).toBe(expected)
      expect(roundedAsInPython(-x)).toBe(-expected)
    }
  })

  it.each(credits.turn_credits.map((group, i) => ({ group, title: `group ${i} (${group.kind})` })))(
    'are the same for $title',
    ({ group }) => {
      for (const { turn_credit, trajectory_score, gamma, norm_by_std, ...expected } of group.cases) {
        const about = `${turn_credit}/${trajectory_score}, ${gamma}`
        const rewards = group.rollouts.map(rollout => rollout.rewards)
        const scores = rewards.map(each => trajectoryScore(each, SCORES[trajectory_score], gamma))
        const advantages = verlAdvantages(scores, norm_by_std)
        expectClose(scores, expected.scores, `${about} scores`)
        group.rollouts.forEach(({ lengths }, i) => {
          const ofTurns = turnCredits(rewards[i], CREDITS[turn_credit], gamma)
          expectClose(ofTurns, expected.credits[i], `${about} credits`)
          expectClose(sharedAdvantages(advantages[i], ofTurns, lengths), expected.advantages[i], `${about} advantages`)
        })
      }
    },
  )

  it('agree with plain GRPO on whole answers', () => {
    for (const { scores, groups, norm_by_std, advantages } of credits.outcome_advantage) {
      const found = [...new Set(groups)].flatMap(group => [
        ...verlAdvantages(
          scores.filter((_, i) => groups[i] === group),
          norm_by_std,
        ),
      ])
      expectClose(found, advantages, 'outcome advantages')
    }
  })
})

/** Row by row, the entries whose mask is 1. */
const masked = (rows: Rows, mask: Rows): Float64Array =>
  Float64Array.from(rows.flatMap((row, r) => row.filter((_, i) => mask[r][i] === 1)))

function countsOf(mask: Rows): readonly number[] {
  return mask.map(row => row.reduce((sum, value) => sum + value, 0))
}

function boundariesOf(mask: Rows): readonly number[] {
  const boundaries = [0]
  for (const count of countsOf(mask)) boundaries.push(boundaries[boundaries.length - 1] + count)
  return boundaries
}

describe.each(credits.objective.map(batch => ({ batch, title: batch.name })))("verl's losses, $title", ({ batch }) => {
  const { mask } = batch
  const longest = mask[0].length
  const logProbs = masked(batch.log_prob, mask)
  const reference = masked(batch.ref_log_prob, mask)
  const zeros = logProbs.map(() => 0)
  const scores = {
    logProbs,
    entropies: zeros,
    reference: { logProbs: reference, divergences: zeros },
    boundaries: boundariesOf(mask),
  }
  const targets = (aggregation: Aggregation) => ({
    oldLogProbs: masked(batch.old_log_prob, mask),
    advantages: masked(batch.advantages, mask),
    weights: tokenWeights(countsOf(mask), aggregation, longest),
  })
  const plain: TokenGrpoOptions = {
    clip: { low: 0.2, high: 0.2, dual: 3 },
    ratio: 'token',
    klCoefficient: 0,
    klEstimator: 'k3',
    entropyCoefficient: 0,
  }

  it('has the same clipped loss, clip fractions and gradients', () => {
    for (const expected of batch.policy) {
      const { aggregation, clip_ratio_low: low, clip_ratio_high: high, clip_ratio_c: dual } = expected
      const { slopes, sums } = tokenGrpo(scores, targets(aggregation), { ...plain, clip: { low, high, dual } })
      const perToken = [sums.clipped, sums.clippedDual, sums.movedByK1].map(sum => sum / sums.tokens)
      expectClose([sums.policy], [expected.loss], `${aggregation} loss`)
      expectClose(
        perToken,
        [expected.clip_fraction, expected.clip_fraction_lower, expected.ppo_kl],
        `${aggregation} metrics`,
      )
      if (expected.gradient !== undefined) {
        expectClose(slopes.logProbs, [...masked(expected.gradient, mask)], `${aggregation} gradient`)
      }
    }
  })

  it('has the same KL by token and aggregated, and its gradient', () => {
    for (const { estimator, token, aggregated, gradient_token_mean } of batch.kl) {
      const differences = logProbs.map((value, i) => value - reference[i])
      expectClose(
        differences.map(value => klEstimate(value, estimator, VERL_KL_LIMITS)),
        [...masked(token, mask)],
        estimator,
      )
      for (const aggregation of AGGREGATIONS) {
        const { sums } = tokenGrpo(scores, targets(aggregation), { ...plain, klEstimator: estimator })
        expectClose([sums.kl], [aggregated[aggregation]], `${estimator} ${aggregation}`)
      }
      const weight = 1 / logProbs.length
      expectClose(
        differences.map(value => weight * klSlope(value, estimator, VERL_KL_LIMITS)),
        [...masked(gradient_token_mean, mask)],
        `${estimator} gradient`,
      )
    }
  })
})

describe("verl's entropy", () => {
  it('is the same by token and aggregated', () => {
    for (const { logits, mask, token, aggregated } of credits.entropy) {
      const rows = logits.flatMap((row, r) => row.filter((_, i) => mask[r][i] === 1))
      const engine = createEngine('float64')
      const columns = rows[0].length
      const [z, p] = [engine.allocate(rows.length * columns), engine.allocate(rows.length * columns)]
      const [n, h] = [engine.allocate(rows.length), engine.allocate(rows.length)]
      engine.numbers().set(rows.flat(), z)
      engine.kernels.softmaxRows(p, n, z, rows.length, columns, 1)
      engine.kernels.entropyRows(h, p, n, z, rows.length, columns, 1)
      const entropies = Float64Array.from(engine.numbers().subarray(h, h + rows.length))
      expectClose(entropies, [...masked(token, mask)], 'entropy')
      const zeros = entropies.map(() => 0)
      for (const aggregation of AGGREGATIONS) {
        const { sums } = tokenGrpo(
          { logProbs: zeros, entropies, reference: null, boundaries: boundariesOf(mask) },
          {
            oldLogProbs: zeros,
            advantages: zeros,
            weights: tokenWeights(countsOf(mask), aggregation, mask[0].length),
          },
          {
            ...{ clip: { low: 0.2, high: 0.2, dual: 3 }, ratio: 'token', klCoefficient: 0 },
            ...{ klEstimator: 'k3', entropyCoefficient: 0 },
          },
        )
        expectClose([sums.entropy], [aggregated[aggregation]], aggregation)
      }
    }
  })
})
