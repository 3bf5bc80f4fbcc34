import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type JsonObject, jsonNumber } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import { writeSafetensors } from '../weights/safetensors.js'
import { contentHash, type Tensor, tensorValues } from '../weights/tensor.js'
import { canonicalJson } from './config/hash.js'
import type { Parameter } from './matrix/parameters.js'
import type { OptimiserState } from './optimiser/adamw.js'
import type { GrpoState, TrainingState, Values } from './training-state.js'

/**
 * A policy on disk: its weights under the original's names, what it says of itself (config, data, epoch, parent), and
 * all that its training needs to go on: the optimiser's moments as tensors beside the model, the rest as plain data.
 * `contentHash` tells which weights these are, in any format; `seal` tells a file that was damaged since.
 */
interface SavedCheckpoint {
  readonly contentHash: string
}

export async function saveCheckpoint(
  path: string,
  parameters: readonly Parameter[],
  state: TrainingState,
  about: JsonObject,
): Promise<SavedCheckpoint> {
  const { optimiser, epoch, phase, phaseEpoch, random, grpo } = state
  const tensors = [
    ...parameters.map(each => tensorOf(each.name, 'model', each, state.parameters)),
    ...momentTensors(parameters, optimiser),
    ...referenceTensors(parameters, state.movedReference),
  ]
  const hash = await contentHash(tensors)
  const whole = {
    epoch,
    phase,
    step: optimiser.step,
    contentHash: hash,
    ...about,
    training: { phaseEpoch, random: { ...random }, grpo: grpo === null ? null : plain(grpo) },
  }
  await writeSafetensors(path, tensors, { ...whole, seal: await sealOf(tensors, whole) })
  return { contentHash: hash }
}

/** Weights alone: where a training without a warm-up starts, which is the reference of its KL. */
export async function saveWeights(
  path: string,
  parameters: readonly Parameter[],
  values: Values,
  about: JsonObject,
): Promise<SavedCheckpoint> {
  const tensors = parameters.map(each => tensorOf(each.name, 'model', each, values))
  const hash = await contentHash(tensors)
  await writeSafetensors(path, tensors, { ...about, contentHash: hash })
  return { contentHash: hash }
}

const FIRST_MOMENT = 'optimiser.m.'
const SECOND_MOMENT = 'optimiser.v.'

/** Frozen parameters have none. */
export function momentTensors(parameters: readonly Parameter[], { first, second }: OptimiserState): readonly Tensor[] {
  return parameters
    .filter(({ name }) => first.has(name))
    .flatMap(each => [
      tensorOf(`${FIRST_MOMENT}${each.name}`, 'state', each, first),
      tensorOf(`${SECOND_MOMENT}${each.name}`, 'state', each, second),
    ])
}

const REFERENCE = 'reference.'

/** A reference that has moved is nowhere else. */
export function referenceTensors(parameters: readonly Parameter[], moved: Values | null): readonly Tensor[] {
  return moved === null ? [] : parameters.map(each => tensorOf(`${REFERENCE}${each.name}`, 'state', each, moved))
}

export async function movedReferenceIn(tensors: readonly Tensor[]): Promise<Values | null> {
  const values = await valuesOf(tensors, 'state', REFERENCE)
  return values.size === 0 ? null : values
}

export async function optimiserIn(tensors: readonly Tensor[], step: number): Promise<OptimiserState> {
  const first = await valuesOf(tensors, 'state', FIRST_MOMENT)
  return { step, first, second: await valuesOf(tensors, 'state', SECOND_MOMENT) }
}

const whole = z.int().min(0)

/** What both trainers keep in their checkpoints, as it is read back. */
export const KEPT_SCHEMAS = {
  random: z.object({
    words: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    spare: z.number().nullable(),
  }),
  coefficient: z.object({ step: whole, effective: z.number() }),
  evaluations: z.array(z.object({ epoch: whole, metrics: z.record(z.string(), z.union([z.number(), z.string()])) })),
  changes: z.array(z.string()),
}

/** Metrics as JSON has them: what is not finite as a word. */
export function metricsInJson(metrics: { readonly [name: string]: number }) {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([name, value]): [string, number | string][] => {
      const written = jsonNumber(value)
      return written === null ? [] : [[name, written]]
    }),
  )
}

/** Null for a file that cannot be read: then an earlier checkpoint must do. */
export async function nullIfUnreadable<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** Over what the file says and the state that it holds; the weights count through their hash, which it says. */
export async function sealOf(tensors: readonly Tensor[], about: JsonObject): Promise<string> {
  const whole = createHash('sha256').update(canonicalJson(about))
  const state = tensors.filter(({ part }) => part === 'state')
  for (const tensor of state.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    whole.update(tensor.name)
    for await (const piece of tensor.bytes()) whole.update(piece)
  }
  return whole.digest('hex')
}

function plain({ referenceEpoch, kl, stopping }: GrpoState): JsonObject {
  return { referenceEpoch, kl: { ...kl }, stopping: { ...stopping } }
}

/** The numbers of a parameter, as they are now, as a tensor to write. */
export function tensorOf(
  name: string,
  part: Tensor['part'],
  { name: parameter, dimensions }: Parameter,
  from: Values,
): Tensor {
  const floats = Float32Array.from(from.get(parameter) ?? [])
  return {
    name,
    dtype: 'F32',
    shape: dimensions,
    part,
    async *bytes() {
      yield Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength)
    },
  }
}

export async function valuesOf(
  tensors: readonly Tensor[],
  part: Tensor['part'],
  prefix: string,
): Promise<Map<string, Float64Array>> {
  const values = new Map<string, Float64Array>()
  for (const tensor of tensors) {
    if (tensor.part !== part || !tensor.name.startsWith(prefix)) continue
    values.set(tensor.name.slice(prefix.length), await tensorValues(tensor))
  }
  return values
}
