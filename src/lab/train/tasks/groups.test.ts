import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../stats/random.js'
import { digitsTask } from './digits/digits.js'
import { generateGroup, nearestChoice, type PointerLogits, randomChoice, scoredGroup } from './groups.js'

const task = digitsTask({ poolSize: 12, width: 16 })
const [query] = task.queries
const everything = { beams: 4, temperatures: [1, 2], samples: 3, random: 3, retrieval: 3 }

describe('groups made offline', () => {
  test('hold distinct choices of distinct candidates, each scored', async () => {
    const group = await generateGroup(task, query, { shots: 2, seed: 5, proposals: everything })
    const sets = group.members.map(({ choice }) => choice.toSorted().join(' '))
    expect(new Set(sets).size).toBe(sets.length)
    for (const { choice, outcome } of group.members) {
      expect(new Set(choice).size).toBe(2)
      expect(outcome.kind).toBe('scored')
    }
    expect(new Set(group.members.map(({ method }) => method))).toContain('beam')
  })

  test('are the same for the same seed, whatever was drawn for other queries before', async () => {
    const alone = await generateGroup(task, query, { shots: 2, seed: 5, proposals: everything })
    await generateGroup(task, task.queries[1], { shots: 2, seed: 5, proposals: everything })
    expect(await generateGroup(task, query, { shots: 2, seed: 5, proposals: everything })).toEqual(alone)
    const other = await generateGroup(task, query, { shots: 2, seed: 6, proposals: everything })
    expect(other).not.toEqual(alone)
  })

  test('have as beams the most probable choices, with their log-probabilities', async () => {
    const weights = [5, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    const logits: PointerLogits = () => weights.map(Math.log)
    const proposals = { beams: 2, temperatures: [], random: 0 }
    const group = await generateGroup(task, query, { shots: 2, seed: 1, logits, proposals })
    // Both orders of {0, 2} are the two best beams; only one of a set is kept.
    expect(group.members.map(({ choice }) => choice)).toEqual([[0, 2]])
    expect(group.members[0].logProbability).toBeCloseTo(Math.log((5 / 18) * (3 / 13)), 12)
  })

  test('have as retrieval the most similar pair first, then windows further down', async () => {
    const proposals = { beams: 0, temperatures: [], random: 0, retrieval: 3 }
    const { members } = await generateGroup(task, query, { shots: 2, seed: 1, proposals })
    expect(members.map(({ method }) => method)).toEqual(['retrieval', 'retrieval', 'retrieval'])
    expect(members[0].choice).toEqual(nearestChoice(task, query, 2))
    expect(members[1].choice[0]).toBe(members[0].choice[1])
  })

  test('take the whole pool when all of it is asked for', async () => {
    const { members } = await generateGroup(task, query, { shots: 12, seed: 1, proposals: everything })
    expect(members).toHaveLength(1)
    expect(members[0].choice.toSorted((a, b) => a - b)).toEqual([...Array(12).keys()])
  })
})

test('temperature samples follow the proposer: at temperature 1 a candidate is drawn as often as its share', async () => {
  const logits: PointerLogits = () => [Math.log(9), 0, ...Array(10).fill(Math.log(0.25))]
  const proposals = { beams: 0, temperatures: [1], samples: 1, random: 0 }
  const groups = await Promise.all(
    task.queries.slice(0, 1000).map(one => generateGroup(task, one, { shots: 1, seed: 2, logits, proposals })),
  )
  const first = groups.filter(({ members }) => members[0].choice[0] === 0).length
  // Share 9 / 12.5 = 0.72; four standard errors at 1,000 draws are 0.057.
  expect(Math.abs(first / 1000 - 0.72)).toBeLessThan(0.057)
})

test('a group sampled online has the asked size, keeps repeats, and scores what the sampler chose', async () => {
  const proposed = Array.from({ length: 8 }, () => ({ choice: [3, 1], logProbability: -1.5, method: 'policy' }))
  const group = await scoredGroup(task, query, proposed)
  expect(group.members).toHaveLength(8)
  const [outcome] = await task.score(query, [[3, 1]])
  expect(group.members[7]).toEqual({ choice: [3, 1], logProbability: -1.5, method: 'policy', outcome })
})

test('random choices have no favourite', () => {
  const counts = new Array<number>(12).fill(0)
  const random = seededRandom(3)
  for (let i = 0; i < 6000; i += 1) for (const position of randomChoice(query, 2, random)) counts[position] += 1
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(130)
})
