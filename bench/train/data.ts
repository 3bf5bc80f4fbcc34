import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEngine } from '../../src/lab/train/kernels/engine.js'
import { initialise } from '../../src/lab/train/policy/initialise.js'
import { createPolicy } from '../../src/lab/train/policy/policy.js'
import { DEFAULT_SHAPE } from '../../src/lab/train/policy/shape.js'
import { type Random, seededRandom } from '../../src/stats/random.js'

/**
 * One made-up data set for all contestants, written once: embeddings of unit length in clusters, queries with 64
 * candidates and 16 rewarded choices each, the policy's first parameters, and the settings. Rewards are never equal, so
 * that no group is skipped as uninformative.
 */
export interface TrainData {
  readonly width: number
  readonly hidden: number
  readonly temperature: number
  readonly settings: TrainSettings
  /** Names and dimensions, in the order in which parameters.f32 holds them. */
  readonly parameters: readonly (readonly [name: string, dimensions: readonly number[]])[]
  readonly queries: readonly DataQuery[]
}

/** `row` and `pool` are rows of embeddings.f32, which holds the queries first, then the images. */
type DataQuery = readonly [
  row: number,
  pool: readonly number[],
  beams: readonly (readonly number[])[],
  rewards: readonly number[],
]

interface TrainSettings {
  /** The generator that drew the first parameters. */
  readonly seed: number
  readonly lr: number
  readonly weightDecay: number
  readonly clip: number
  readonly klCoefficient: number
  /** Of RCE's weights. */
  readonly temperature: number
}

const SETTINGS: TrainSettings = { seed: 1, lr: 1e-4, weightDecay: 0.01, clip: 1, klCoefficient: 0.1, temperature: 1 }
const DATA_SEED = 20_261_115
const CLUSTERS = 40
const IMAGES = 2000
const CANDIDATES = 64
const BEAMS = 16

export function writeTrainData(folder: string, queryCount: number): void {
  const { width, hidden, temperature, shots } = DEFAULT_SHAPE
  const random = seededRandom(DATA_SEED)
  const centres = Array.from({ length: CLUSTERS }, () => normals(width, random))
  const embeddings = new Float32Array((queryCount + IMAGES) * width)
  for (let row = 0; row < queryCount + IMAGES; row += 1) {
    const centre = centres[random.below(CLUSTERS)]
    const vector = normals(width, random).map((value, i) => value + centre[i])
    const length = Math.hypot(...vector)
    for (let i = 0; i < width; i += 1) embeddings[row * width + i] = vector[i] / length
  }
  const queries = Array.from({ length: queryCount }, (_, row): DataQuery => {
    const pool = distinct(CANDIDATES, () => queryCount + random.below(IMAGES))
    const beams = distinct(BEAMS, () => distinct(shots, () => random.below(CANDIDATES)).join()).map(beam =>
      beam.split(',').map(Number),
    )
    return [row, pool, beams, beams.map(() => 2 * random.next())]
  })
  const { parameters } = createPolicy(createEngine('float32'), DEFAULT_SHAPE)
  initialise(parameters, seededRandom(SETTINGS.seed))
  const values = parameters.read()
  const data: TrainData = {
    ...{ width, hidden, temperature, settings: SETTINGS, queries },
    parameters: parameters.all.map(({ name, dimensions }) => [name, dimensions]),
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'embeddings.f32'), embeddings)
  writeFileSync(join(folder, 'parameters.f32'), Float32Array.from([...values.values()].flatMap(each => [...each])))
  writeFileSync(join(folder, 'data.json'), JSON.stringify(data))
}

export function readTrainData(folder: string): TrainData & { readonly embeddings: Float32Array } {
  const bytes = readFileSync(join(folder, 'embeddings.f32'))
  return {
    ...JSON.parse(readFileSync(join(folder, 'data.json'), 'utf8')),
    embeddings: new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / Float32Array.BYTES_PER_ELEMENT),
  }
}

function normals(length: number, random: Random): readonly number[] {
  return Array.from({ length }, () => random.normal())
}

function distinct<Value>(count: number, draw: () => Value): readonly Value[] {
  const drawn = new Set<Value>()
  while (drawn.size < count) drawn.add(draw())
  return [...drawn]
}
