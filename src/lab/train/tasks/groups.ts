import { type Random, seededRandom } from '../../../stats/random.js'
import { positionsFromLargest, rowOf, similarities } from './embeddings.js'
import type { Choice, Group, Query, Task } from './task.js'

/** Unnormalised scores over the pool for the next pick, after some picks were made. Picked positions are masked by the caller. */
export type PointerLogits = (query: Query, picked: Choice) => ArrayLike<number>

/** As in the original's generator: 5 beams, two samples at each of two temperatures, one random choice. */
interface Proposals {
  readonly beams?: number
  readonly temperatures?: readonly number[]
  readonly samples?: number
  readonly random?: number
  readonly retrieval?: number
}

interface GenerateOptions {
  readonly shots: number
  readonly seed: number
  readonly logits?: PointerLogits
  readonly proposals?: Proposals
}

/** Proposes choices for a query and has the task score them. Depends on the seed and the query alone, not on other queries. */
export async function generateGroup(
  task: Task,
  query: Query,
  { shots, seed, logits = similarityLogits(task), proposals = {} }: GenerateOptions,
): Promise<Group> {
  const { beams = 5, temperatures = [1, 1.3], samples = 2, random = 1, retrieval = 0 } = proposals
  const generator = randomForQuery(seed, query)
  const proposed: Proposal[] = [
    ...beamSearch(query, logits, shots, beams),
    ...retrieved(task, query, shots, retrieval),
    ...temperatures.flatMap(temperature =>
      Array.from({ length: samples }, () => sampleByTemperature(query, logits, shots, temperature, generator)),
    ),
    ...Array.from({ length: random }, () => ({
      choice: randomChoice(query, shots, generator),
      method: 'random',
      logProbability: null,
    })),
  ]
  return scoredGroup(task, query, withoutRepeats(proposed))
}

/** A generator of a query's own, so that neither order nor concurrency of queries changes a draw. */
export function randomForQuery(seed: number, query: Query): Random {
  return seededRandom(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(query.index + 1, 0x85ebca6b))
}

export function randomChoice(query: Query, shots: number, random: Random): Choice {
  const picked: number[] = []
  while (picked.length < shots) {
    const position = random.below(query.pool.length)
    if (!picked.includes(position)) picked.push(position)
  }
  return picked
}

/** The S most similar candidates, most similar first. */
export function nearestChoice(task: Task, query: Query, shots: number): Choice {
  return positionsFromLargest(similaritiesOf(task, query)).slice(0, shots)
}

/** Cosine over 0.1, the original's pointer temperature: a proposer for when there is no policy yet. */
function similarityLogits(task: Task): PointerLogits {
  const kept = new Map<number, Float64Array>()
  return query => {
    const known = kept.get(query.index)
    if (known !== undefined) return known
    const logits = similaritiesOf(task, query).map(value => value / 0.1)
    kept.set(query.index, logits)
    return logits
  }
}

interface Proposal {
  readonly choice: Choice
  readonly method: string
  readonly logProbability: number | null
}

/** Repeats stay: of samples of a policy its own frequencies are what GRPO averages over. */
export async function scoredGroup(task: Task, query: Query, proposed: readonly Proposal[]): Promise<Group> {
  const outcomes = await task.score(
    query,
    proposed.map(({ choice }) => choice),
  )
  return { query: query.index, members: proposed.map((proposal, i) => ({ ...proposal, outcome: outcomes[i] })) }
}

function beamSearch(query: Query, logits: PointerLogits, shots: number, width: number): Proposal[] {
  let beams: { readonly choice: Choice; readonly logProbability: number }[] = [{ choice: [], logProbability: 0 }]
  for (let step = 0; step < shots; step += 1) {
    const longer = beams.flatMap(beam => {
      const next = logProbabilities(logits(query, beam.choice), beam.choice, 1)
      return positionsFromLargest(next)
        .slice(0, Math.min(width, query.pool.length - step))
        .map(position => ({
          choice: [...beam.choice, position],
          logProbability: beam.logProbability + next[position],
        }))
    })
    beams = longer.sort((a, b) => b.logProbability - a.logProbability).slice(0, width)
  }
  return beams.map(beam => ({ ...beam, method: 'beam' }))
}

function sampleByTemperature(
  query: Query,
  logits: PointerLogits,
  shots: number,
  temperature: number,
  random: Random,
): Proposal {
  const choice: number[] = []
  let total = 0
  for (let step = 0; step < shots; step += 1) {
    const next = logProbabilities(logits(query, choice), choice, temperature)
    const position = draw(next, random)
    total += next[position]
    choice.push(position)
  }
  return { choice, method: 'sample', logProbability: total }
}

/** The first takes the most similar at each pick; the i-th takes the i-th most similar of those left, as the original does. */
function retrieved(task: Task, query: Query, shots: number, count: number): Proposal[] {
  const order = positionsFromLargest(similaritiesOf(task, query))
  const windows = Math.min(count, order.length - shots + 1)
  return Array.from({ length: Math.max(0, windows) }, (_, skip) => ({
    choice: order.slice(skip, skip + shots),
    method: 'retrieval',
    logProbability: null,
  }))
}

/** The first proposal of a set of candidates stays; the order of proposers above is the original's order of preference. */
function withoutRepeats(proposals: readonly Proposal[]): Proposal[] {
  const kept = new Map<string, Proposal>()
  for (const proposal of proposals) {
    const key = proposal.choice.toSorted((a, b) => a - b).join(' ')
    if (!kept.has(key)) kept.set(key, proposal)
  }
  return [...kept.values()]
}

function similaritiesOf(task: Task, query: Query): Float64Array {
  return similarities(rowOf(task.queryEmbeddings, query.row), task.candidateEmbeddings, query.pool)
}

function logProbabilities(logits: ArrayLike<number>, picked: Choice, temperature: number): Float64Array {
  const scaled = Float64Array.from(logits, value => value / temperature)
  for (const position of picked) scaled[position] = Number.NEGATIVE_INFINITY
  const largest = scaled.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const logSum = largest + Math.log(scaled.reduce((sum, value) => sum + Math.exp(value - largest), 0))
  return scaled.map(value => value - logSum)
}

function draw(logged: Float64Array, random: Random): number {
  let left = random.next()
  let last = 0
  for (let position = 0; position < logged.length; position += 1) {
    const probability = Math.exp(logged[position])
    if (probability === 0) continue
    last = position
    left -= probability
    if (left < 0) return position
  }
  return last
}
