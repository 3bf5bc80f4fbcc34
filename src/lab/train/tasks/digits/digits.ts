import { createHash } from 'node:crypto'
import { Problem } from '../../../../logs/model/problem.js'
import { type Random, seededRandom } from '../../../../stats/random.js'
import { message } from '../../../../text/say.js'
import { scoredBaselines } from '../baselines.js'
import { type Embeddings, rowOf } from '../embeddings.js'
import type { Choice, Outcome, Query, Split, Task } from '../task.js'
import { type Digits, embedDigits, readDigits } from './images.js'
import { answer, attention, bestExamples, type Example, LEARNER } from './learner.js'

/**
 * The task that ships with klens: which labelled digits should an in-context learner be shown, so that it reads
 * another one right? Real handwriting, a real learner (learner.ts), embeddings in which the nearest neighbour is not
 * the answer (embed.ts). Everything is decided by `seed`, which belongs to the task; a training seed does not change it.
 */
interface DigitsOptions {
  readonly poolSize?: number
  readonly width?: number
  readonly seed?: number
}

/** Images that can be shown, and those that are asked about. The rest of the 1,797, 147, are for validation. */
const CANDIDATES = 700
const TRAIN = 650
const TEST = 300

export function digitsTask({ poolSize = 64, width = 64, seed = 0 }: DigitsOptions = {}): Task {
  if (poolSize > CANDIDATES) {
    throw new Problem('bad-request', message('digits.pool-too-large', { size: poolSize, most: CANDIDATES }))
  }
  const digits = readDigits()
  const random = seededRandom(seed)
  const order = drawn(digits.count, digits.count, random)
  const candidates = order.subarray(0, CANDIDATES)
  const asked = order.subarray(CANDIDATES)
  const embeddings = embedDigits(digits, width, seed)
  const queries = Array.from(
    asked,
    (image, index): Query => ({
      index,
      id: `digit ${image}`,
      split: splitOf(index),
      row: index,
      pool: drawn(CANDIDATES, poolSize, random),
    }),
  )
  const shown = queries.map(query => examplesFor(digits, asked[query.index], candidates, query.pool))
  const labelOf = (query: Query) => digits.labels[asked[query.index]]
  const scoreOne = (query: Query, choice: Choice): Outcome => {
    const label = labelOf(query)
    const probabilities = answer(choice.map(position => shown[query.index][position]))
    return { kind: 'scored', hard: firstLargest(probabilities) === label ? 1 : 0, soft: probabilities[label] }
  }
  const task: Task = {
    name: 'digits',
    headline: 'hard',
    dataHash: hashOf(digits, embeddings, [order, ...queries.map(({ pool }) => pool)]),
    queryEmbeddings: pick(embeddings, asked),
    candidateEmbeddings: pick(embeddings, candidates),
    queries,
    logged: [],
    remarks: [],
    score: async (query, choices) => choices.map(choice => scoreOne(query, choice)),
    baselines: options =>
      scoredBaselines(task, options, (query, shots) => bestExamples(shown[query.index], labelOf(query), shots)),
  }
  return task
}

function splitOf(index: number): Split {
  if (index < TRAIN) return 'train'
  return index < TRAIN + TEST ? 'test' : 'val'
}

function examplesFor(digits: Digits, asked: number, candidates: Int32Array, pool: Int32Array): readonly Example[] {
  return Array.from(pool, row => ({
    label: digits.labels[candidates[row]],
    attention: attention(digits, asked, candidates[row]),
  }))
}

/** With equal votes the smaller label wins, so a learner without a preference answers 0. */
function firstLargest(values: Float64Array): number {
  return values.reduce((best, value, label) => (value > values[best] ? label : best), 0)
}

function pick(embeddings: Embeddings, images: Int32Array): Embeddings {
  const values = new Float32Array(images.length * embeddings.width)
  for (const [row, image] of images.entries()) values.set(rowOf(embeddings, image), row * embeddings.width)
  return { rows: images.length, width: embeddings.width, values }
}

/** Over what came out, not only what was asked for: another way of drawing pools is another task. */
function hashOf(digits: Digits, embeddings: Embeddings, drawings: readonly Int32Array[]): string {
  const hash = createHash('sha256').update(JSON.stringify({ learner: LEARNER, split: [CANDIDATES, TRAIN, TEST] }))
  hash.update(digits.bytes).update(new Uint8Array(embeddings.values.buffer))
  for (const drawing of drawings) hash.update(drawing.join(' '))
  return hash.digest('hex')
}

/** The first so many of 0 … count − 1 in random order (Fisher and Yates, who may stop early). */
function drawn(count: number, wanted: number, random: Random): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i)
  for (let i = 0; i < wanted; i += 1) {
    const other = i + random.below(count - i)
    const kept = order[i]
    order[i] = order[other]
    order[other] = kept
  }
  return order.slice(0, wanted)
}
