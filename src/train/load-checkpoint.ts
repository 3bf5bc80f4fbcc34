import { isJsonObject, type Json } from '../model/json.js'
import { Problem } from '../model/problem.js'
import { message } from '../text/say.js'
import { contentHash } from '../weights/content-hash.js'
import { withWeights } from '../weights/open.js'
import { plainName } from '../weights/selector-names.js'
import { type Tensor, tensorValues } from '../weights/tensor.js'
import { readTrainConfig } from './config/read.js'
import { DEFAULT_CONFIG, type TrainConfig } from './config/schema.js'
import { DEFAULT_SHAPE, type PolicyShape, tensorsOf } from './policy/shape.js'

/** A policy from disk, klens's own or the original's: its weights, and the shape that they have. */
export interface LoadedCheckpoint {
  readonly values: ReadonlyMap<string, Float64Array>
  /** What the file says it was trained with; the defaults where it says nothing. */
  readonly config: TrainConfig
  /** Whether the file says what it was trained with, in words of this version. The original's do not. */
  readonly tellsConfig: boolean
  /** The run that wrote it, where the file tells. */
  readonly run: string | null
  /** As the file counts: klens from 1, the original from 0. */
  readonly epoch: number | null
  readonly shape: Pick<PolicyShape, 'form' | 'width' | 'hidden' | 'layers'>
  /** Which weights these are, in whatever format. */
  readonly contentHash: string
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
    const told = configIn(about.config ?? null)
    return {
      values,
      config: told ?? DEFAULT_CONFIG,
      tellsConfig: told !== null,
      run: typeof about.run === 'string' ? about.run : null,
      epoch: typeof about.epoch === 'number' ? about.epoch : null,
      shape,
      contentHash: hash,
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

function configIn(told: Json): TrainConfig | null {
  if (!isJsonObject(told)) return null
  const read = readTrainConfig({ base: told })
  return read.kind === 'config' ? read.config : null
}
