/** Every gradient against central differences, where the original's numbers do not reach: heads, layers, steps, dropout. */
import { describe, expect, it } from 'vitest'
import { type Random, seededRandom } from '../../../stats/random.js'
import { createEngine } from '../kernels/engine.js'
import { drawDropout } from './dropout.js'
import { createEmbeddings, type PolicyQuery } from './embeddings.js'
import { initialise } from './initialise.js'
import { createPolicy, type Evaluation, type Policy } from './policy.js'
import { DEFAULT_SHAPE, type PolicyShape } from './shape.js'

const COUNT = 7
const BEAMS = [
  [3, 1, 5],
  [3, 1, 0],
  [3, 6, 1],
  [2, 0, 6],
  [3, 1, 5],
]

const small = (change: Partial<PolicyShape>): PolicyShape => ({
  ...DEFAULT_SHAPE,
  width: 10,
  hidden: 8,
  temperature: 0.5,
  ...change,
})

const normals = (random: Random, length: number): Float64Array => Float64Array.from({ length }, () => random.normal())

function queryOf(random: Random, { width }: PolicyShape): PolicyQuery {
  return { query: normals(random, width), candidates: normals(random, COUNT * width) }
}

/** Fresh parameters, all of them away from zero and one, so that no gradient is trivial. */
function policyOf(shape: PolicyShape, random: Random, frozen: readonly string[] = []): Policy {
  const policy = createPolicy(createEngine('float64'), shape, { frozen })
  initialise(policy.parameters, random)
  const values = new Map(
    [...policy.parameters.read()].map(([name, list]) => [name, list.map(x => x + 0.2 * random.normal())]),
  )
  policy.parameters.load(values)
  return policy
}

/** A loss that uses everything an evaluation holds. */
function lossOf({ logProbs, nodeLogProbs }: Evaluation, weights: Float64Array, nodeWeights: Float64Array): number {
  const ofBeams = logProbs.reduce((sum, value, i) => sum + weights[i] * value, 0)
  return nodeLogProbs.reduce((sum, value, i) => (Number.isFinite(value) ? sum + nodeWeights[i] * value : sum), ofBeams)
}

function worstError(shape: PolicyShape, dropoutRate: number, frozen: readonly string[] = []): number {
  const random = seededRandom(7)
  const policy = policyOf(shape, random, frozen)
  const query = queryOf(random, shape)
  const rates = { hidden: dropoutRate, attention: dropoutRate }
  const options = dropoutRate > 0 ? { dropout: drawDropout(shape, COUNT, rates, random) } : {}
  const weights = normals(random, BEAMS.length)
  const nodeWeights = normals(random, policy.evaluate(query, BEAMS, options).nodeLogProbs.length)
  const loss = (): number => lossOf(policy.evaluate(query, BEAMS, options), weights, nodeWeights)
  policy.backward(policy.evaluate(query, BEAMS, options), { logProbs: weights, nodeLogProbs: nodeWeights })
  const numbers = policy.parameters.engine.numbers()
  const step = 1e-5
  let worst = 0
  for (const { name, start, length } of policy.parameters.trainable) {
    const gradient = policy.parameters.readGradient(name)
    for (let i = 0; i < length; i++) {
      const value = numbers[start + i]
      numbers[start + i] = value + step
      const above = loss()
      numbers[start + i] = value - step
      const below = loss()
      numbers[start + i] = value
      const expected = (above - below) / (2 * step)
      worst = Math.max(worst, Math.abs(gradient[i] - expected) / Math.max(1, Math.abs(expected)))
    }
  }
  return worst
}

describe('the hand-derived backward pass agrees with finite differences', () => {
  const shapes: readonly (Partial<PolicyShape> & { readonly title: string })[] = [
    { title: 'static', form: 'static' },
    { title: 'gated over three picks', form: 'gated' },
    { title: 'static, two heads, three layers', form: 'static', heads: 2, layers: 3 },
    { title: 'gated, four heads, two layers', form: 'gated', heads: 4, layers: 2 },
    { title: 'static without input projection', form: 'static', width: 8 },
  ]
  it.each(shapes)('$title', ({ title: _, ...change }) => {
    expect(worstError(small(change), 0)).toBeLessThan(1e-7)
  })
  it.each(shapes)('$title, with dropout', ({ title: _, ...change }) => {
    expect(worstError(small(change), 0.3)).toBeLessThan(1e-7)
  })
  it.each([
    [['input_proj']],
    [['cand_proj', 'input_proj']],
    [['cross_attn_layers.0', 'attn_norms.0']],
    [['cross_attn_layers', 'attn_norms', 'input_proj']],
    [['query_update_gate', 'query_proj']],
  ])('with %j frozen', frozen => {
    expect(worstError(small({ form: 'gated', layers: 2 }), 0.2, frozen)).toBeLessThan(1e-7)
  })
})

describe('gradients', () => {
  it.each(['static', 'gated'] as const)('add up over queries until they are zeroed (%s)', form => {
    const random = seededRandom(3)
    const shape = small({ form, heads: 2 })
    const policy = policyOf(shape, random)
    const queries = [queryOf(random, shape), queryOf(random, shape), queryOf(random, shape)]
    const weights = normals(random, BEAMS.length)
    const add = (query: PolicyQuery): void => policy.backward(policy.evaluate(query, BEAMS), { logProbs: weights })
    const read = (): number[][] => policy.parameters.all.map(({ name }) => [...policy.parameters.readGradient(name)])
    const alone = queries.map(query => {
      policy.zeroGradients()
      add(query)
      return read()
    })
    policy.zeroGradients()
    for (const query of queries) add(query)
    read().forEach((together, parameter) => {
      together.forEach((value, i) => {
        expect(value).toBeCloseTo(alone[0][parameter][i] + alone[1][parameter][i] + alone[2][parameter][i], 10)
      })
    })
  })

  it.each(['static', 'gated'] as const)('are the same when frozen projections come from the cache (%s)', form => {
    const random = seededRandom(5)
    const shape = small({ form })
    const frozen = ['input_proj', 'cand_proj', 'query_proj']
    const table = normals(random, 20 * shape.width)
    const rows = [4, 9, 0, 19, 7, 12, 3]
    const vector = (row: number): Float64Array => table.slice(row * shape.width, (row + 1) * shape.width)
    const given = { query: vector(8), candidates: Float64Array.from(rows.flatMap(row => [...vector(row)])) }
    const engine = createEngine('float64')
    const embeddings = createEmbeddings(engine, table, shape.width)
    const policies = [createPolicy(engine, shape, { frozen }), createPolicy(engine, shape, { frozen, embeddings })]
    initialise(policies[0].parameters, random)
    for (const rate of [0, 0.4]) {
      const values = policies[0].parameters.read()
      values.set('cand_proj.weight', normals(random, shape.hidden ** 2))
      for (const policy of policies) policy.parameters.load(values)
      const options = rate > 0 ? { dropout: drawDropout(shape, COUNT, { hidden: rate, attention: rate }, random) } : {}
      const logProbs = normals(random, BEAMS.length)
      const [plain, cached] = policies.map((policy, i) => {
        policy.zeroGradients()
        const evaluation = policy.evaluate(i === 0 ? given : { query: 8, candidates: rows }, BEAMS, options)
        policy.backward(evaluation, { logProbs })
        const gradients = policy.parameters.trainable.flatMap(({ name }) => [...policy.parameters.readGradient(name)])
        return [...evaluation.logProbs, ...gradients]
      })
      expect(cached.length).toBe(plain.length)
      for (const [i, value] of plain.entries()) expect(cached[i]).toBeCloseTo(value, 10)
    }
  })
})
