import { extname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { inOriginalTerms, LIGHTNING, plainName, V3_KEYS, v2Name } from './lever-plus.js'
import { writeSafetensors } from './safetensors.js'
import type { Tensor } from './tensor.js'
import { OWN_KEY } from './torch-contents.js'
import { type Picklable, picklable, writeTorch } from './torch-write.js'
import type { WeightsFile } from './weights-file.js'

/**
 * The same weights in another file. What a layout has no place for goes under `klens` in it and comes back from there,
 * so that a way there and back loses nothing.
 */

type Target = 'safetensors' | 'v3' | 'v2' | 'tensor'

export interface Converted {
  readonly target: Target
  readonly tensors: number
  /** State beside the model, which the original's files do not hold. */
  readonly leftOut: readonly string[]
}

export async function convertWeights(file: WeightsFile, path: string): Promise<Converted> {
  const target = targetOf(file, path)
  const about = Object.fromEntries(
    Object.entries(file.about).filter(([key, value]) => !isDeepStrictEqual(value, LIGHTNING[key])),
  )
  const model = file.tensors.filter(({ part }) => part === 'model').map(renamed)
  const state = file.tensors.filter(({ part }) => part === 'state')
  if (target === 'safetensors') {
    await writeSafetensors(path, [...model, ...state], about)
    return { target, tensors: file.tensors.length, leftOut: [] }
  }
  await writeTorch(path, rootOf(target, file.path, model, about))
  return { target, tensors: model.length, leftOut: state.map(({ name }) => name) }
}

/** The ending of the new file decides, as in the original's scripts: `.pt` to train on, `.ckpt` for inference. */
function targetOf({ layout, path: from }: WeightsFile, path: string): Target {
  switch (extname(path).toLowerCase()) {
    case '.safetensors':
      return 'safetensors'
    case '.pt':
    case '.pth':
      return layout === 'tensor' ? 'tensor' : 'v3'
    case '.ckpt':
      if (layout === 'tensor') throw new Problem('not-enough', message('weights.no-checkpoint', { path: from }))
      return 'v2'
    default:
      throw new Problem('bad-request', message('weights.unknown-target', { path }))
  }
}

function renamed(tensor: Tensor): Tensor {
  return { ...tensor, name: plainName(tensor.name) }
}

function rootOf(
  target: Exclude<Target, 'safetensors'>,
  path: string,
  model: readonly Tensor[],
  about: JsonObject,
): Picklable {
  if (target === 'tensor') return { tensor: model[0] }
  const names = target === 'v3' ? model.map(({ name }) => name) : model.map(tensor => v2NameOf(path, tensor))
  const weights: Picklable = { dict: model.map((tensor, i) => [names[i], { tensor }]) }
  const own = target === 'v3' ? V3_KEYS : ['epoch']
  const theirs: JsonObject = { ...about, ...inOriginalTerms(about) }
  const isSaid = (key: string): boolean => own.includes(key) && isDeepStrictEqual(theirs[key], about[key])
  const others = Object.fromEntries(Object.entries(about).filter(([key]) => !isSaid(key)))
  const said = (keys: readonly string[]): [string, Picklable][] =>
    keys.flatMap(key => (Object.hasOwn(theirs, key) ? [[key, pythonic(key, theirs[key])]] : []))
  const kept: [string, Picklable][] = Object.keys(others).length === 0 ? [] : [[OWN_KEY, picklable(others)]]
  if (target === 'v3') {
    return {
      dict: [...said(['epoch', 'phase']), ['model_state_dict', weights], ...said(['kl_beta', 'metrics']), ...kept],
    }
  }
  const lightning = Object.entries(LIGHTNING).map(([key, value]): [string, Picklable] => [key, picklable(value)])
  return { dict: [...said(own), ...lightning, ['state_dict', weights], ...kept] }
}

/** Metrics and the coefficient are floats in Python, also when they happen to be whole, and NaN is no text there. */
function pythonic(key: string, value: Json): Picklable {
  if (key !== 'kl_beta' && key !== 'metrics') return picklable(value)
  const number = numberFromJson(value)
  if (number !== undefined) return { float: number }
  if (!isJsonObject(value)) return picklable(value)
  return { dict: Object.entries(value).map(([name, member]) => [name, pythonic(key, member)]) }
}

function v2NameOf(path: string, { name }: Tensor): string {
  const there = v2Name(name)
  if (there === null) throw new Problem('not-enough', message('weights.too-many-layers', { path, tensor: name }))
  return there
}
