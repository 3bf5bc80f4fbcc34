import { createHash } from 'node:crypto'
import type { JsonObject } from '../model/json.js'
import { writeSafetensors } from '../weights/safetensors.js'
import { contentHash, type Tensor } from '../weights/tensor.js'
import { canonicalJson } from './config/hash.js'
import type { Parameter } from './matrix/parameters.js'
import type { GrpoState, TrainingState, Values } from './training-state.js'

/**
 * A policy on disk: its weights under the original's names, what it says of itself (config, data, epoch, parent), and
 * all that its training needs to go on: the optimiser's moments as tensors beside the model, the rest as plain data.
 * `contentHash` tells which weights these are, in any format; `seal` tells a file that was damaged since.
 */
export interface SavedCheckpoint {
  readonly contentHash: string
}

export async function saveCheckpoint(
  path: string,
  parameters: readonly Parameter[],
  state: TrainingState,
  about: JsonObject,
): Promise<SavedCheckpoint> {
  const { optimiser, epoch, phase, phaseEpoch, random, grpo } = state
  const moments = parameters.filter(({ name }) => optimiser.first.has(name))
  const tensors = [
    ...parameters.map(each => tensorOf(each.name, 'model', each, state.parameters)),
    ...moments.flatMap(each => [
      tensorOf(`${FIRST_MOMENT}${each.name}`, 'state', each, optimiser.first),
      tensorOf(`${SECOND_MOMENT}${each.name}`, 'state', each, optimiser.second),
    ]),
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

export const FIRST_MOMENT = 'optimiser.m.'
export const SECOND_MOMENT = 'optimiser.v.'

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
