import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { createEngine } from '../kernels/engine.js'
import { drawDropout } from './dropout.js'
import { createEmbeddings } from './embeddings.js'
import { initialise } from './initialise.js'
import { createPolicy, type Policy } from './policy.js'
import { BACKBONE, DEFAULT_SHAPE, type PolicyForm } from './shape.js'

const WIDTH = 12
const ROWS = 30
const QUERY = { query: 0, candidates: [5, 6, 7, 8, 9] }

function policyOf(
  form: PolicyForm,
  precision: 'float32' | 'float64' = 'float32',
  frozen: readonly string[] = [],
): Policy {
  const random = seededRandom(11)
  const engine = createEngine(precision)
  const values = Float32Array.from({ length: ROWS * WIDTH }, () => random.normal())
  const shape = { ...DEFAULT_SHAPE, form, width: WIDTH, hidden: 8, temperature: 1 }
  const policy = createPolicy(engine, shape, { frozen, embeddings: createEmbeddings(engine, values, WIDTH) })
  initialise(policy.parameters, random)
  return policy
}

describe('the policy', () => {
  it('has the numbers of parameters of the original, frozen and not', () => {
    const count = (form: PolicyForm): readonly number[] => {
      const { parameters } = createPolicy(createEngine('float32'), { ...DEFAULT_SHAPE, form }, { frozen: BACKBONE })
      return [parameters.trainableCount, parameters.count]
    }
    expect(count('static')).toEqual([263_680, 525_824])
    expect(count('gated')).toEqual([395_008, 657_152])
  })

  it.each(['static', 'gated'] as const)('gives a probability to every ordered choice, one in all (%s)', form => {
    const policy = policyOf(form)
    const beams = [0, 1, 2, 3, 4].flatMap(a => [0, 1, 2, 3, 4].filter(b => b !== a).map(b => [a, b]))
    const { logProbs, nodeOf, nodeLogProbs } = policy.evaluate(QUERY, beams)
    expect(logProbs.reduce((sum, value) => sum + Math.exp(value), 0)).toBeCloseTo(1, 10)
    beams.forEach(([first, second], beam) => {
      const [before, after] = [nodeOf[2 * beam] * 5, nodeOf[2 * beam + 1] * 5]
      expect(nodeLogProbs[before + first] + nodeLogProbs[after + second]).toBeCloseTo(logProbs[beam], 12)
      expect(nodeLogProbs[after + first]).toBe(Number.NEGATIVE_INFINITY)
    })
  })

  it.each(['static', 'gated'] as const)('draws choices as often as it says (%s)', form => {
    const policy = policyOf(form)
    const draws = 20_000
    const { beams, logProbs } = policy.sample(QUERY, seededRandom(2), draws)
    const times = new Map<string, { readonly probability: number; seen: number }>()
    beams.forEach((beam, i) => {
      const entry = times.get(beam.join()) ?? { probability: Math.exp(logProbs[i]), seen: 0 }
      entry.seen++
      times.set(beam.join(), entry)
    })
    expect(times.size).toBe(20)
    const distance = [...times.values()].reduce((sum, { probability, seen }) => {
      const expected = probability * draws
      return sum + (seen - expected) ** 2 / expected
    }, 0)
    // Chi-squared with 19 degrees of freedom: 43.8 is its 99.9 % point.
    expect(distance).toBeLessThan(43.8)
  })

  it('picks greedily, for as many shots as asked', () => {
    const policy = policyOf('gated')
    const picks = policy.greedy(QUERY, { shots: 5 })
    expect([...picks].sort()).toEqual([0, 1, 2, 3, 4])
    expect(policy.greedy(QUERY)).toEqual(picks.slice(0, 2))
    const { nodeLogProbs } = policy.evaluate(QUERY, [picks])
    expect(nodeLogProbs[picks[0]]).toBe(Math.max(...nodeLogProbs.subarray(0, 5)))
  })

  it('gives the same numbers for the same seed', () => {
    const [a, b] = [policyOf('gated'), policyOf('gated')].map(policy => policy.sample(QUERY, seededRandom(4), 6))
    expect(a).toEqual(b)
  })

  it('differs from its own copy only when the two get different dropout', () => {
    const [policy, reference] = [policyOf('static'), policyOf('static')]
    const dropout = drawDropout(policy.shape, 5, { hidden: 0.5, attention: 0.1 }, seededRandom(9))
    const beams = [
      [0, 1],
      [4, 2],
    ]
    const logProbs = policy.evaluate(QUERY, beams, { dropout }).logProbs
    expect(reference.evaluate(QUERY, beams, { dropout }).logProbs).toEqual(logProbs)
    expect(reference.evaluate(QUERY, beams).logProbs).not.toEqual(logProbs)
  })

  it.each(['static', 'gated'] as const)('answers alike when it is asked again and has nothing to train (%s)', form => {
    const [trained, fixed] = [policyOf(form), policyOf(form, 'float32', [''])]
    const others = { query: 0, candidates: [5, 6, 7, 9, 8] }
    const beams = [
      [0, 3],
      [4, 2],
    ]
    const dropout = drawDropout(fixed.shape, 5, { hidden: 0.5, attention: 0.1 }, seededRandom(9))
    const far = (a: Float64Array, b: Float64Array): number => Math.max(...a.map((value, i) => Math.abs(value - b[i])))
    const expectLikeTrained = (): void => {
      for (const query of [QUERY, QUERY, others, QUERY]) {
        expect(far(fixed.evaluate(query, beams).logProbs, trained.evaluate(query, beams).logProbs)).toBeLessThan(1e-5)
      }
      const dropped = fixed.evaluate(QUERY, beams, { dropout }).logProbs
      expect(far(dropped, trained.evaluate(QUERY, beams, { dropout }).logProbs)).toBeLessThan(1e-5)
    }
    expectLikeTrained()
    for (const { parameters } of [trained, fixed]) initialise(parameters, seededRandom(12))
    expectLikeTrained()
    const again = fixed.evaluate(QUERY, beams)
    expect(() => fixed.backward(again, { logProbs: new Float64Array(2) })).not.toThrow()
  })

  it('takes queries of any number of candidates in turn', () => {
    const policy = policyOf('gated')
    const alone = policyOf('gated').evaluate(QUERY, [[1, 3]]).logProbs
    policy.evaluate({ query: 1, candidates: Array.from({ length: 29 }, (_, i) => i + 1) }, [[28, 3, 4]])
    policy.evaluate({ query: 1, candidates: [3, 4] }, [[1, 0]])
    expect(policy.evaluate(QUERY, [[1, 3]]).logProbs).toEqual(alone)
  })

  it('says what is wrong with beams, rows and the order of calls', () => {
    const policy = policyOf('static')
    expect(() => policy.evaluate(QUERY, [[1, 1]])).toThrow('pick 2 of beam 1 takes candidate 1 a second time')
    expect(() => policy.evaluate(QUERY, [[1, 5]])).toThrow('candidate 5; there are 5, counted from 0')
    expect(() => policy.evaluate(QUERY, [[1, 2], [3]])).toThrow('beam 2 has 1 picks, the first one 2')
    expect(() => policy.evaluate(QUERY, [])).toThrow('no beam to evaluate')
    expect(() => policy.greedy(QUERY, { shots: 6 })).toThrow('6 picks without replacement')
    expect(() => policy.greedy({ query: 30, candidates: [1, 2] })).toThrow('there is no embedding 30; the table has 30')
    expect(() => policy.greedy({ query: new Float32Array(3), candidates: [1, 2] })).toThrow('a query of 3 numbers')
    const first = policy.evaluate(QUERY, [[0, 1]])
    expect(() => policy.backward(first, { logProbs: new Float64Array(2) })).toThrow('2 gradients for 1 log-prob')
    policy.greedy(QUERY)
    expect(() => policy.backward(first, { logProbs: new Float64Array(1) })).toThrow('must follow its own evaluation')
  })

  it('refuses parameters of other names or sizes, and to freeze what is not there', () => {
    const policy = policyOf('static')
    const values = policy.parameters.read()
    values.delete('query_proj.weight')
    expect(() => policy.parameters.load(values)).toThrow('lack "query_proj.weight"')
    values.set('query_proj.weight', new Float32Array(3))
    expect(() => policy.parameters.load(values)).toThrow('has 3 numbers where this policy needs 64')
    const frozen = ['querry_proj']
    expect(() => createPolicy(createEngine('float64'), DEFAULT_SHAPE, { frozen })).toThrow('starts with "querry_proj"')
  })
})
