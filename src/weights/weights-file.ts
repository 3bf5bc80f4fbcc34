import type { JsonObject } from '../model/json.js'
import type { Tensor } from './tensor.js'

/** What every reader of weights yields, whatever the format. */

export type WeightsFormat = 'safetensors' | 'npy' | 'pytorch' | 'pytorch-legacy'

/**
 * How a checkpoint arranges what it holds: `v3` and `v2` are the original trainer's training checkpoint and the file that
 * its inference scripts load; `lightning` any other PyTorch Lightning file; `state-dict` a bare map of names to tensors
 * (or a tree of such); `tensor` one tensor without a name, as embeddings are kept.
 */
export type Layout = 'v3' | 'v2' | 'lightning' | 'state-dict' | 'tensor'

export interface Contents {
  readonly layout: Layout
  readonly tensors: readonly Tensor[]
  /** Everything that is no tensor: epoch, metrics, config, seed, parents; whatever the file says of itself. */
  readonly about: JsonObject
  /** Python classes and functions that loading this file in Python would call. klens calls none of them. */
  readonly notRun: readonly string[]
}

export interface WeightsFile extends Contents {
  readonly path: string
  readonly format: WeightsFormat
  readonly bytes: number
}

/** The name of a tensor that has none: a `.npy` file, or a `.pt` file that is one tensor. */
export const NAMELESS = 'data'

/** In safetensors, which knows no parts, names that begin so are state beside the model: `state:optimiser.m.query_proj.weight`. */
export const STATE_PREFIX = 'state:'

/**
 * A file may show the same bytes as many tensors, or a few as very many. Tied weights do so a few times; beyond this
 * the file is built to keep its reader busy.
 */
const MOST_REPEATED = 16
const ALWAYS_ALLOWED_BYTES = 1 << 30

export function isPlausibleSize(tensorBytes: number, fileBytes: number): boolean {
  return tensorBytes <= ALWAYS_ALLOWED_BYTES + MOST_REPEATED * fileBytes
}
