import { isJsonObject, type Json } from '../model/json.js'
import { withWeights } from '../weights/open.js'
import { tensorValues } from '../weights/tensor.js'
import { readTrainConfig } from './config/read.js'
import { DEFAULT_CONFIG, type TrainConfig } from './config/schema.js'
import type { PolicyShape } from './policy/shape.js'

/** A policy from disk, klens's own or the original's: its weights, and the shape that they have. */
export interface LoadedCheckpoint {
  readonly values: ReadonlyMap<string, Float64Array>
  /** What the file says it was trained with; the defaults where it says nothing. */
  readonly config: TrainConfig
  /** The run that wrote it, where the file tells. */
  readonly run: string | null
  readonly epoch: number | null
  readonly shape: Pick<PolicyShape, 'form' | 'width' | 'hidden' | 'layers'>
}

/** Null where the file holds no selector. */
export async function loadCheckpoint(path: string): Promise<LoadedCheckpoint | null> {
  return withWeights(path, async ({ tensors, about }) => {
    const model = tensors.filter(({ part }) => part === 'model')
    const shapes = new Map(model.map(({ name, shape }) => [name, shape]))
    const projection = shapes.get('query_proj.weight')
    if (projection === undefined) return null
    const [hidden] = projection
    const values = new Map<string, Float64Array>()
    for (const tensor of model) values.set(tensor.name, await tensorValues(tensor))
    return {
      values,
      config: configIn(about.config ?? null),
      run: typeof about.run === 'string' ? about.run : null,
      epoch: typeof about.epoch === 'number' ? about.epoch : null,
      shape: {
        form: shapes.has('query_update_gate.weight') ? 'gated' : 'static',
        width: shapes.get('input_proj.weight')?.[1] ?? hidden,
        hidden,
        layers: [...shapes.keys()].filter(name => /^attn_norms\.\d+\.weight$/.test(name)).length,
      },
    }
  })
}

function configIn(told: Json): TrainConfig {
  if (!isJsonObject(told)) return DEFAULT_CONFIG
  const read = readTrainConfig({ sets: Object.entries(told).map(([key, value]) => `${key}=${JSON.stringify(value)}`) })
  return read.kind === 'config' ? read.config : DEFAULT_CONFIG
}
