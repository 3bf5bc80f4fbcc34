/**
 * What a training of a language model needs beside its weights to go on bit by bit: the optimiser's moments, where the
 * generator stands, and whatever else its trainer keeps, as plain data. It lies in the model's folder, where
 * `from_pretrained` does not look; a seal tells a file that was torn or changed since.
 */
import { join } from 'node:path'
import { z } from 'zod'
import type { JsonObject } from '../../../../logs/model/json.js'
import type { RandomState } from '../../../../stats/random.js'
import { withWeights } from '../../../weights/open.js'
import { writeSafetensors } from '../../../weights/safetensors.js'
import {
  KEPT_SCHEMAS,
  momentTensors,
  movedReferenceIn,
  nullIfUnreadable,
  optimiserIn,
  referenceTensors,
  sealOf,
} from '../../checkpoint.js'
import type { Parameter } from '../../matrix/parameters.js'
import type { OptimiserState } from '../../optimiser/adamw.js'
import type { Values } from '../../training-state.js'

const FILE = 'training.safetensors'

export interface LanguageTrainingState {
  readonly optimiser: OptimiserState
  readonly random: RandomState
  /** The reference's weights, where it may have moved. */
  readonly reference: Values | null
  /** The trainer's own: steps done, controllers, what it has evaluated. */
  readonly trainer: JsonObject
}

export async function saveTrainingState(
  folder: string,
  parameters: readonly Parameter[],
  { optimiser, random, reference, trainer }: LanguageTrainingState,
): Promise<void> {
  const tensors = [...momentTensors(parameters, optimiser), ...referenceTensors(parameters, reference)]
  const about = { step: optimiser.step, random: { ...random }, trainer }
  await writeSafetensors(join(folder, FILE), tensors, { ...about, seal: await sealOf(tensors, about) })
}

const schema = z.object({
  step: z.int().min(0),
  random: KEPT_SCHEMAS.random,
  trainer: z.record(z.string(), z.json()),
  seal: z.string(),
})

/** Null where the file is not whole. */
export function loadTrainingState(folder: string): Promise<LanguageTrainingState | null> {
  const reading = withWeights(join(folder, FILE), async ({ tensors, about }) => {
    const parsed = schema.safeParse(about)
    if (!parsed.success) return null
    const { seal, ...said } = about
    if (seal !== (await sealOf(tensors, said))) return null
    const { step, random, trainer } = parsed.data
    return { optimiser: await optimiserIn(tensors, step), random, reference: await movedReferenceIn(tensors), trainer }
  })
  return nullIfUnreadable(reading)
}
