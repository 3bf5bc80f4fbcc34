import type { JsonObject } from '../../logs/model/json.js'
import type { Tensor } from './tensor.js'

/** What every reader of weights yields, whatever the format. */

export type WeightsFormat = 'safetensors' | 'npy' | 'npz' | 'pytorch' | 'pytorch-legacy'

/**
 * How a checkpoint arranges what it holds: `v3` and `v2` are the original trainer's training checkpoint and the file that
 * its inference scripts load; `lightning` any other PyTorch Lightning file; `state-dict` a bare map of names to tensors
 * (or a tree of such); `tensor` one tensor without a name, as embeddings are kept. Folders: `sharded` is one model in
 * several files with an index, `fsdp` the ranks that verl saves, `adapter` a LoRA of PEFT's.
 */
export type Layout = 'v3' | 'v2' | 'lightning' | 'state-dict' | 'tensor' | 'sharded' | 'fsdp' | 'adapter'

export interface Contents {
  readonly layout: Layout
  readonly tensors: readonly Tensor[]
  /** Everything that is no tensor: epoch, metrics, config, seed, parents; whatever the file says of itself. */
  readonly about: JsonObject
  /** Python classes and functions that loading this file in Python would call. klens calls none of them. */
  readonly notRun: readonly string[]
}

export interface WeightsFile extends Contents {
  /** A file, or the folder that holds the files. */
  readonly path: string
  readonly format: WeightsFormat
  readonly bytes: number
  /** The files that the tensors lie in. */
  readonly files: readonly string[]
  /** Of an adapter: the model that it was trained on, as its config names it. */
  readonly base: string | null
}

/** Opens one file of weights, which stays open while it is used. */
export type Open = (path: string) => Promise<WeightsFile>

/** Several files of one checkpoint: what is said of the first holds for all of them. */
export function together(path: string, files: readonly WeightsFile[]): WeightsFile {
  return {
    ...files[0],
    path,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    files: files.map(file => file.path),
    notRun: [...new Set(files.flatMap(({ notRun }) => notRun))].sort(),
  }
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

/** JSON that cannot be trusted: it must parse, and not be so deep that a walk over it runs out of stack. */

export const DEEPEST = 100

/** Undefined when the text is no JSON or is nested too deeply. */
export function parseBoundedJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isWithin(value, DEEPEST) ? value : undefined
  } catch {
    return undefined
  }
}

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every(member => isWithin(member, depth - 1))
}
