import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectGradient } from '../../../../test/support/finite-differences.js'
import { mean } from '../../../stats/descriptive.js'
import { type Random, seededRandom } from '../../../stats/random.js'
import { exactAlongPointers, exactSlope, type StepShape } from './exact.js'
import { KL_ESTIMATORS, klEstimate, klSlope } from './kl-estimators.js'

/**
 * KL and entropy over every sequence of distinct picks, none sampled. The last step needs no enumeration, its whole
 * distribution is known; so all prefixes of shots − 1 picks suffice: 64 evaluations for two shots of 64 candidates,
 * where all sequences would be 4,032.
 */

/** beams × shots pointers that hold every ordered prefix of shots − 1 distinct picks once, each ended by any pick left. */
function allPrefixes({ shots, candidates }: StepShape): Int32Array {
  let prefixes: readonly (readonly number[])[] = [[]]
  for (let step = 1; step < shots; step += 1) {
    prefixes = prefixes.flatMap(prefix => unused(prefix, candidates).map(pick => [...prefix, pick]))
  }
  return Int32Array.from(prefixes.flatMap(prefix => [...prefix, unused(prefix, candidates)[0]]))
}

function unused(prefix: readonly number[], candidates: number): number[] {
  return Array.from({ length: candidates }, (_, pick) => pick).filter(pick => !prefix.includes(pick))
}

/**
 * From the step log-probs of policy and reference on `allPrefixes`: each prefix counts with its probability,
 * W = Π_{t < shots − 1} π_t(pick), and the W of all prefixes add up to 1.
 */
function exactOverAllSequences(
  policy: Float64Array,
  reference: Float64Array,
  shape: StepShape,
): { readonly kl: number; readonly entropy: number } {
  const { shots, candidates } = shape
  const pointers = allPrefixes(shape)
  const perBeam = exactAlongPointers(policy, reference, shape)
  let kl = 0
  let entropy = 0
  for (let beam = 0; beam < perBeam.kl.length; beam += 1) {
    let logWeight = 0
    for (let step = 0; step < shots - 1; step += 1) {
      const row = (beam * shots + step) * candidates
      logWeight += policy[row + pointers[beam * shots + step]]
    }
    kl += Math.exp(logWeight) * perBeam.kl[beam]
    entropy += Math.exp(logWeight) * perBeam.entropy[beam]
  }
  return { kl, entropy }
}

/** A policy for tests: any distribution over the candidates left, different after every prefix. */
function randomPolicy(random: Random, candidates: number, spread: number): (prefix: readonly number[]) => Float64Array {
  const known = new Map<string, Float64Array>()
  return prefix => {
    const before = known.get(prefix.join())
    if (before !== undefined) return before
    const logits = Float64Array.from({ length: candidates }, (_, pick) =>
      prefix.includes(pick) ? -100 : spread * random.normal(),
    )
    const logTotal = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0))
    const logProbs = logits.map(logit => logit - logTotal)
    known.set(prefix.join(), logProbs)
    return logProbs
  }
}

type Policy = ReturnType<typeof randomPolicy>

function stepLogProbs(policy: Policy, pointers: Int32Array, { shots, candidates }: StepShape): Float64Array {
  const rows = Array.from({ length: pointers.length }, (_, i) => {
    const start = i - (i % shots)
    return policy([...pointers.slice(start, i)])
  })
  return Float64Array.from(
    { length: rows.length * candidates },
    (_, i) => rows[Math.floor(i / candidates)][i % candidates],
  )
}

/** KL and entropy by the definition: a sum over every ordered sequence of distinct picks. */
function byEnumeration(policy: Policy, reference: Policy, { shots, candidates }: StepShape) {
  let [kl, entropy] = [0, 0]
  const visit = (prefix: readonly number[], logProb: number, referenceLogProb: number): void => {
    if (prefix.length === shots) {
      kl += Math.exp(logProb) * (logProb - referenceLogProb)
      entropy -= Math.exp(logProb) * logProb
      return
    }
    for (let pick = 0; pick < candidates; pick += 1) {
      if (prefix.includes(pick)) continue
      visit([...prefix, pick], logProb + policy(prefix)[pick], referenceLogProb + reference(prefix)[pick])
    }
  }
  visit([], 0, 0)
  return { kl, entropy }
}

/** Two policies with all their beams drawn from the first. */
function drawn(seed: number, shape: StepShape, beams: number) {
  const random = seededRandom(seed)
  const policy = randomPolicy(random, shape.candidates, 1)
  const reference = randomPolicy(random, shape.candidates, 1)
  const pointers = Int32Array.from(
    Array.from({ length: beams }, () => {
      const picks: number[] = []
      while (picks.length < shape.shots) picks.push(pickFrom(policy(picks), random))
      return picks
    }).flat(),
  )
  return { policy, reference, pointers }
}

function pickFrom(logProbs: Float64Array, random: Random): number {
  let left = random.next()
  const pick = logProbs.findIndex(logProb => {
    left -= Math.exp(logProb)
    return left < 0
  })
  return pick < 0 ? logProbs.length - 1 : pick
}

const difference = fc.double({ min: -30, max: 30, noNaN: true })
const smallShape = fc.record({ shots: fc.integer({ min: 1, max: 3 }), candidates: fc.integer({ min: 3, max: 6 }) })

describe('KL estimators', () => {
  it('k2 and k3 are never negative, and zero only where the two policies agree', () => {
    fc.assert(
      fc.property(difference, d => {
        for (const estimator of ['k2', 'k3', 'k3-inverse'] as const) {
          expect(klEstimate(d, estimator)).toBeGreaterThanOrEqual(0)
          expect(klEstimate(0, estimator)).toBe(0)
          if (Math.abs(d) > 1e-6) expect(klEstimate(d, estimator)).toBeGreaterThan(0)
        }
      }),
    )
  })

  it('agree for small differences, where all are d²/2 but k1', () => {
    for (const d of [1e-3, -1e-3]) {
      for (const estimator of ['k3', 'k3-inverse'] as const) expect(klEstimate(d, estimator)).toBeCloseTo(d ** 2 / 2, 9)
    }
  })

  it('have the slopes of their values', () => {
    for (const estimator of KL_ESTIMATORS) {
      for (const d of [-2, -0.3, 0, 0.4, 1.7]) {
        expectGradient(([at]) => klEstimate(at, estimator), Float64Array.of(d), Float64Array.of(klSlope(d, estimator)))
      }
    }
  })

  it('k1 and k3 average to the KL by enumeration on samples of the policy, k3-inverse does not', () => {
    const shape = { shots: 2, candidates: 4 }
    const beams = 40_000
    const { policy, reference, pointers } = drawn(7, shape, beams)
    const logProb = (of: Policy, beam: number): number => {
      const [first, second] = pointers.subarray(2 * beam, 2 * beam + 2)
      return of([])[first] + of([first])[second]
    }
    const differences = Float64Array.from(
      { length: beams },
      (_, beam) => logProb(policy, beam) - logProb(reference, beam),
    )
    const { kl } = byEnumeration(policy, reference, shape)
    expect(mean(differences.map(d => klEstimate(d, 'k1'))) / kl).toBeCloseTo(1, 1)
    expect(mean(differences.map(d => klEstimate(d, 'k3'))) / kl).toBeCloseTo(1, 1)
    expect(Math.abs(mean(differences.map(d => klEstimate(d, 'k3-inverse'))) / kl - 1)).toBeGreaterThan(0.5)
    // The exact KL along the same pointers is nearer, having summed where they sampled.
    const along = exactAlongPointers(
      stepLogProbs(policy, pointers, shape),
      stepLogProbs(reference, pointers, shape),
      shape,
    )
    expect(mean(along.kl) / kl).toBeCloseTo(1, 2)
  })
})

describe('exact KL and entropy', () => {
  it('are what a sum over all sequences gives, for policies that look at what was picked before', () => {
    fc.assert(
      fc.property(smallShape, fc.nat(), (shape, seed) => {
        const random = seededRandom(seed)
        const [policy, reference] = [
          randomPolicy(random, shape.candidates, 2),
          randomPolicy(random, shape.candidates, 2),
        ]
        const pointers = allPrefixes(shape)
        const found = exactOverAllSequences(
          stepLogProbs(policy, pointers, shape),
          stepLogProbs(reference, pointers, shape),
          shape,
        )
        const expected = byEnumeration(policy, reference, shape)
        expect(found.kl).toBeCloseTo(expected.kl, 10)
        expect(found.entropy).toBeCloseTo(expected.entropy, 10)
      }),
      { numRuns: 60 },
    )
  })

  it('need as many evaluations as there are prefixes, each ending in a pick that is left', () => {
    expect([...allPrefixes({ shots: 1, candidates: 5 })]).toEqual([0])
    expect([...allPrefixes({ shots: 2, candidates: 3 })]).toEqual([0, 1, 1, 0, 2, 0])
    expect(allPrefixes({ shots: 2, candidates: 64 })).toHaveLength(2 * 64)
  })

  it('the KL is never negative, and zero if and only if the policies agree', () => {
    fc.assert(
      fc.property(smallShape, fc.nat(), fc.double({ min: 0.01, max: 3, noNaN: true }), (shape, seed, move) => {
        const { policy, pointers } = drawn(seed, shape, 3)
        const steps = stepLogProbs(policy, pointers, shape)
        expect([...exactAlongPointers(steps, steps, shape).kl]).toEqual([0, 0, 0])
        const moved = stepLogProbs(prefix => tilted(policy(prefix), move), pointers, shape)
        for (const kl of exactAlongPointers(steps, moved, shape).kl) expect(kl).toBeGreaterThan(0)
      }),
    )
  })

  it('the entropy lies between zero and that of a uniform choice without replacement', () => {
    fc.assert(
      fc.property(smallShape, fc.nat(), (shape, seed) => {
        const { policy, pointers } = drawn(seed, shape, 4)
        const steps = stepLogProbs(policy, pointers, shape)
        let most = 0
        for (let step = 0; step < shape.shots; step += 1) most += Math.log(shape.candidates - step)
        for (const entropy of exactAlongPointers(steps, steps, shape).entropy) {
          expect(entropy).toBeGreaterThan(0)
          expect(entropy).toBeLessThanOrEqual(most + 1e-9)
        }
      }),
    )
  })

  it('count a candidate that cannot be picked as nothing', () => {
    const certain = Float64Array.of(0, Number.NEGATIVE_INFINITY)
    const shape = { shots: 1, candidates: 2 }
    expect(exactAlongPointers(certain, Float64Array.of(-0.5, -0.9), shape)).toEqual({
      kl: Float64Array.of(0.5),
      forward: Float64Array.of(Number.POSITIVE_INFINITY),
      entropy: Float64Array.of(0),
    })
    expect([...exactSlope(certain, certain, shape, { kl: 1, entropy: 1 })]).toEqual([0, 0])
  })

  it('have the slopes of their values', () => {
    const shape = { shots: 2, candidates: 5 }
    const { policy, reference, pointers } = drawn(3, shape, 3)
    const at = stepLogProbs(policy, pointers, shape)
    const fixed = stepLogProbs(reference, pointers, shape)
    for (const factors of [
      { kl: 1, entropy: 0 },
      { kl: 0, entropy: 1 },
      { kl: 0.3, forward: 0, entropy: -0.7 },
      { kl: 0.3, forward: 0.8, entropy: 0.1 },
    ]) {
      const value = (steps: Float64Array): number => {
        const { kl, forward, entropy } = exactAlongPointers(steps, fixed, shape)
        return factors.kl * mean(kl) + (factors.forward ?? 0) * mean(forward) + factors.entropy * mean(entropy)
      }
      expectGradient(value, at, exactSlope(at, fixed, shape, factors))
    }
  })
})

/** Another distribution over the same candidates: the first one's share changed. */
function tilted(logProbs: Float64Array, move: number): Float64Array {
  const open = logProbs.findIndex(logProb => logProb > -50)
  const logits = logProbs.with(open, logProbs[open] + move)
  const logTotal = Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit), 0))
  return logits.map(logit => logit - logTotal)
}
