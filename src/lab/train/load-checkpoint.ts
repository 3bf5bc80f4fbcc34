import { resolve } from 'node:path'
import { isJsonObject } from '../../logs/model/json.js'
import type { Checkpoint } from '../../logs/model/lineage.js'
import { Problem } from '../../logs/model/problem.js'
import type { Config } from '../../logs/model/run.js'
import { message } from '../../text/say.js'
import { isUnknownToOriginal, plainName } from '../weights/lever-plus.js'
import { withWeights } from '../weights/open.js'
import { contentHash, type Tensor, tensorValues } from '../weights/tensor.js'
import { readTrainConfig } from './config/read.js'
import type { TrainConfig } from './config/selector-settings.js'
import { DEFAULT_SHAPE, type PolicyShape, tensorsOf } from './policy/shape.js'

/** A policy from disk, klens's own or the original's: its weights, and the shape that they have. */
export interface LoadedCheckpoint extends Checkpoint {
  readonly values: ReadonlyMap<string, Float64Array>
  /** What it says that it was trained with, in words of this version; null where it does not. The original's do not. */
  readonly settings: TrainConfig | null
  /** As the file counts: klens from 1, the original from 0. */
  readonly epoch: number | null
  /**
   * Tensors under names that the original's own model does not have, so that its inference, which loads what fits and
   * only logs the rest, leaves those parts at random: all of the attention in a file of its own converter.
   */
  readonly unknownToOriginal: readonly string[]
  readonly shape: Pick<PolicyShape, 'form' | 'width' | 'hidden' | 'layers'>
}

/** Null where the file holds no selector. Of the original's, both the training checkpoint and the file for inference. */
export async function loadCheckpoint(path: string): Promise<LoadedCheckpoint | null> {
  return withWeights(path, async ({ tensors, about }) => {
    const model = new Map(
      tensors.flatMap(tensor => (tensor.part === 'model' ? [[plainName(tensor.name), tensor] as const] : [])),
    )
    const shape = shapeOf(model)
    if (shape === null) return null
    const values = new Map<string, Float64Array>()
    // A file for inference may hold the encoder too; only the selector's own tensors are read.
    for (const { name, dimensions } of tensorsOf({ ...DEFAULT_SHAPE, ...shape })) {
      const tensor = model.get(name)
      if (tensor?.shape.join() !== dimensions.join()) {
        throw new Problem(
          'unreadable',
          message('weights.misshapen', { path, tensor: name, shape: dimensions.join(' × ') }),
        )
      }
      values.set(name, await tensorValues(tensor))
    }
    const hash = await contentHash(tensors)
    if (typeof about.contentHash === 'string' && about.contentHash !== hash) {
      throw new Problem('unreadable', message('weights.damaged', { path }))
    }
    const config = isJsonObject(about.config) ? about.config : null
    const settings = config === null ? null : settingsIn(config)
    const epoch = typeof about.epoch === 'number' ? about.epoch : null
    return {
      path: resolve(path),
      contentHash: hash,
      // Epochs done: the original counts them from 0, and its files say nothing else of their training.
      step: epoch === null || settings !== null ? epoch : epoch + 1,
      run: typeof about.run === 'string' ? about.run : null,
      config,
      settings,
      epoch,
      unknownToOriginal: tensors.flatMap(({ name }) => (isUnknownToOriginal(name) ? [plainName(name)] : [])),
      shape,
      values,
    }
  })
}

function shapeOf(model: ReadonlyMap<string, Tensor>): LoadedCheckpoint['shape'] | null {
  const hidden = model.get('query_proj.weight')?.shape[0]
  if (hidden === undefined) return null
  return {
    form: model.has('query_update_gate.weight') ? 'gated' : 'static',
    width: model.get('input_proj.weight')?.shape[1] ?? hidden,
    hidden,
    layers: [...model.keys()].filter(name => /^attn_norms\.\d+\.weight$/.test(name)).length,
  }
}

function settingsIn(config: Config): TrainConfig | null {
  const read = readTrainConfig({ base: config })
  return read.kind === 'config' ? read.config : null
}
