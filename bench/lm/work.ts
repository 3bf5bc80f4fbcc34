import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEngine } from '../../src/lab/train/kernels/engine.js'
import { createLanguageModel } from '../../src/lab/train/lm/language-model.js'
import { DEFAULT_DECODER, type DecoderShape, initialiseDecoder } from '../../src/lab/train/lm/shape.js'
import { type Random, seededRandom } from '../../src/stats/random.js'

/**
 * The work of one training step, the same for all contestants and written down once: 6 prompts × 8 rollouts of 120 to 160
 * tokens, whose turns have given lengths and whose replies are given tokens, so that nobody wins by saying less; 40 further
 * prompts to be answered greedily; first parameters; and one batch with every token given, whose losses must agree.
 */
export interface Work {
  readonly shape: DecoderShape
  readonly prompts: readonly (readonly number[])[]
  /** For each rollout of each prompt its turns. The last one has no reply. */
  readonly plans: readonly (readonly PlannedTurn[])[]
  readonly evaluationPrompts: readonly (readonly number[])[]
  readonly evaluationPlans: readonly (readonly PlannedTurn[])[]
  readonly given: readonly GivenRollout[]
  /** Names and dimensions, in the order in which parameters.f32 holds them. */
  readonly parameters: readonly (readonly [name: string, dimensions: readonly number[]])[]
  readonly settings: WorkSettings
}

export interface PlannedTurn {
  readonly own: number
  readonly reply: readonly number[]
}

interface GivenRollout {
  readonly tokens: readonly number[]
  readonly scored: readonly number[]
  readonly advantage: number
  /** Of each scored token, what is added to its log-probability to make the old one. */
  readonly moved: readonly number[]
}

interface WorkSettings {
  readonly learningRate: number
  readonly weightDecay: number
  readonly clip: number
  readonly clipRatio: number
  readonly dualClip: number
  readonly klCoefficient: number
  readonly entropyCoefficient: number
}

export const GROUP = 8
const PROMPTS = 6
const EVALUATED = 40
/** All prompts are equally long, which spares a loop over padded tensors its padding. */
const PROMPT_TOKENS = 45
const SEED = 20_261_115

export function writeWork(folder: string, vocabulary: number): void {
  const shape = { ...DEFAULT_DECODER, vocabulary }
  const random = seededRandom(SEED)
  const drawn = (count: number): readonly number[] => Array.from({ length: count }, () => random.below(vocabulary))
  const prompts = Array.from({ length: PROMPTS }, () => drawn(PROMPT_TOKENS))
  const plans = Array.from({ length: PROMPTS * GROUP }, () => plan(random, drawn))
  const { parameters } = createLanguageModel(createEngine('float32'), shape)
  initialiseDecoder(parameters, shape, random)
  const work: Work = {
    ...{ shape, prompts, plans },
    evaluationPrompts: Array.from({ length: EVALUATED }, () => drawn(PROMPT_TOKENS)),
    evaluationPlans: Array.from({ length: EVALUATED }, () => plan(random, drawn)),
    given: plans.map((turns, i) => given(prompts[Math.floor(i / GROUP)], turns, random, drawn)),
    parameters: parameters.all.map(({ name, dimensions }) => [name, dimensions]),
    settings: {
      ...{ learningRate: 1e-3, weightDecay: 0.01, clip: 1, clipRatio: 0.2, dualClip: 3 },
      ...{ klCoefficient: 0.01, entropyCoefficient: 0.001 },
    },
  }
  mkdirSync(folder, { recursive: true })
  const values = [...parameters.read().values()]
  writeFileSync(join(folder, 'parameters.f32'), Float32Array.from(values.flatMap(each => [...each])))
  writeFileSync(join(folder, 'work.json'), JSON.stringify(work))
}

export interface ReadWork extends Work {
  readonly values: ReadonlyMap<string, Float32Array>
}

export function readWork(folder: string): ReadWork {
  const work: Work = JSON.parse(readFileSync(join(folder, 'work.json'), 'utf8'))
  const bytes = readFileSync(join(folder, 'parameters.f32'))
  const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / Float32Array.BYTES_PER_ELEMENT)
  let at = 0
  const values = new Map(
    work.parameters.map(([name, dimensions]) => {
      const length = dimensions.reduce((product, size) => product * size, 1)
      at += length
      return [name, numbers.subarray(at - length, at)]
    }),
  )
  return { ...work, values }
}

/** Turns of 10 to 26 tokens with replies of 6 to 18 between them, until there are 120 to 160 tokens with the prompt. */
function plan(random: Random, drawn: (count: number) => readonly number[]): readonly PlannedTurn[] {
  let left = 120 + random.below(41) - PROMPT_TOKENS
  const turns: PlannedTurn[] = []
  for (;;) {
    const own = Math.min(left, 10 + random.below(17))
    const reply = Math.min(left - own, 6 + random.below(13))
    left -= own + reply
    turns.push({ own, reply: left > 0 ? drawn(reply) : [] })
    if (left <= 0) return turns
  }
}

function given(
  prompt: readonly number[],
  turns: readonly PlannedTurn[],
  random: Random,
  drawn: (count: number) => readonly number[],
): GivenRollout {
  const tokens = [...prompt]
  const scored = prompt.map(() => 0)
  const moved: number[] = []
  for (const { own, reply } of turns) {
    tokens.push(...drawn(own), ...reply)
    scored.push(...new Array<number>(own).fill(1), ...reply.map(() => 0))
    for (let i = 0; i < own; i++) moved.push(0.15 * random.normal())
  }
  return { tokens, scored, advantage: random.normal(), moved }
}
