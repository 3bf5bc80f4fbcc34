import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../model/json.js'
import { Problem } from '../model/problem.js'
import { listed } from '../text/language.js'
import { sentences } from '../text/sentences.js'
import { parseBoundedJson } from './bounded-json.js'
import { readRanks } from './fsdp-ranks.js'
import type { Tensor } from './tensor.js'
import { type Open, together, type WeightsFile } from './weights-file.js'

/**
 * Checkpoints as trainers leave them are folders: one model in several files with an index (transformers), one file per
 * rank (verl under FSDP), an adapter with its config (PEFT), or one file beside its config. Names decide which it is; the
 * tensors of all files are then one set of weights, as if they lay in one.
 */

const say = sentences({
  'weights.folder-empty': {
    en: '{path} holds no weights that klens knows: no *.safetensors.index.json, adapter_model.safetensors, model_world_size_N_rank_i.pt, model.safetensors or pytorch_model.bin',
    zh: '{path} 里没有 klens 认识的权重：既没有 *.safetensors.index.json、adapter_model.safetensors、model_world_size_N_rank_i.pt，也没有 model.safetensors 或 pytorch_model.bin',
  },
  'weights.folder-which': {
    en: '{path} holds several weights ({names}); name the one that is meant',
    zh: '{path} 里有多份权重（{names}），请指明是哪一份',
  },
  'weights.bad-json': { en: '{path} is no valid JSON of its kind', zh: '{path} 不是合法的此类 JSON' },
  'weights.shard-missing': {
    en: '{path} names {count} {count|file that is|files that are} not there: {names}',
    zh: '{path} 列出的 {count} 个文件不存在：{names}',
  },
  'weights.shard-lacks': {
    en: '{path} says that "{tensor}" is in {file}, where it is not',
    zh: '{path} 说“{tensor}”在 {file} 里，但那里没有',
  },
})

const RANK = /^model_world_size_\d+_rank_\d+\.pt$/
const INDEX = /\.(?:safetensors|bin)\.index\.json$/
const ADAPTER = /^adapter_model\.(?:safetensors|bin)$/
/** One whole model, as transformers and diffusers name it. */
const WHOLE = ['model.safetensors', 'pytorch_model.bin', 'consolidated.safetensors', 'model.pt']
/** Where verl and other trainers put the policy's weights inside a checkpoint folder. */
const INNER = ['actor', 'huggingface']
/** A config of a model has a few kilobytes, an index of 100,000 tensors ten megabytes. */
const LARGEST_JSON_BYTES = 1 << 26

export async function readFolder(path: string, open: Open): Promise<WeightsFile> {
  const names = (await readdir(path)).sort()
  if (names.some(name => RANK.test(name))) return withConfig(path, await readRanks(path, names, open))
  const indices = names.filter(name => INDEX.test(name))
  if (indices.length > 0) return withConfig(path, await readIndex(path, oneOf(path, indices), open))
  const adapters = names.filter(name => ADAPTER.test(name))
  if (adapters.length > 0) return readAdapter(path, adapters[0], open)
  const whole = WHOLE.find(name => names.includes(name))
  if (whole !== undefined) return withConfig(path, await open(join(path, whole)))
  const lone = names.filter(name => name.endsWith('.safetensors'))
  if (lone.length > 0) return withConfig(path, await open(join(path, oneOf(path, lone))))
  for (const inner of INNER) {
    if (names.includes(inner) && (await stat(join(path, inner))).isDirectory())
      return readFolder(join(path, inner), open)
  }
  throw new Problem('not-found', say('weights.folder-empty', { path }))
}

function oneOf(path: string, names: readonly string[]): string {
  if (names.length === 1) return names[0]
  throw new Problem('ambiguous', say('weights.folder-which', { path, names: listed(names.slice(0, 6)) }))
}

const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) })

/** Tensors in the order of the index; what else lies in the files is not of this model. */
async function readIndex(path: string, name: string, open: Open): Promise<WeightsFile> {
  const index = join(path, name)
  const parsed = indexSchema.safeParse(await readJson(index))
  // A shard lies beside its index: a name that leads elsewhere is no file name.
  if (!parsed.success || Object.values(parsed.data.weight_map).some(file => file !== basename(file))) {
    throw new Problem('unreadable', say('weights.bad-json', { path: index }))
  }
  const places = Object.entries(parsed.data.weight_map)
  const names = [...new Set(places.map(([, file]) => file))].sort()
  const there = new Set(await readdir(path))
  const missing = names.filter(file => !there.has(file))
  if (missing.length > 0) {
    const blanks = { path: index, count: missing.length, names: listed(missing.slice(0, 4)) }
    throw new Problem('unreadable', say('weights.shard-missing', blanks))
  }
  const shards = new Map<string, { readonly file: WeightsFile; readonly tensors: ReadonlyMap<string, Tensor> }>()
  for (const each of names) {
    const file = await open(join(path, each))
    shards.set(each, { file, tensors: new Map(file.tensors.map(tensor => [tensor.name, tensor])) })
  }
  const tensors = places.map(([tensor, file]) => {
    const found = shards.get(file)?.tensors.get(tensor)
    if (found === undefined) throw new Problem('unreadable', say('weights.shard-lacks', { path: index, tensor, file }))
    return found
  })
  const files = [...shards.values()].map(({ file }) => file)
  return { ...together(path, files), layout: 'sharded', tensors, about: files[0]?.about ?? {} }
}

/** PEFT's own config says what the adapter is made for; without it the tensors alone do not. */
async function readAdapter(path: string, name: string, open: Open): Promise<WeightsFile> {
  const file = await open(join(path, name))
  const adapter = await readJson(join(path, 'adapter_config.json'))
  const base = isJsonObject(adapter) ? adapter.base_model_name_or_path : undefined
  return {
    ...file,
    path,
    layout: 'adapter',
    base: typeof base === 'string' ? base : null,
    about: { ...file.about, ...(isJsonObject(adapter) && { adapter }) },
  }
}

/** The architecture, from the config beside the weights or in verl's `huggingface` folder. */
async function withConfig(path: string, file: WeightsFile): Promise<WeightsFile> {
  for (const place of [join(path, 'config.json'), join(path, 'huggingface', 'config.json')]) {
    const model = await readJson(place)
    if (isJsonObject(model)) return { ...file, path, about: { ...file.about, model } satisfies JsonObject }
  }
  return { ...file, path }
}

/** Undefined where there is no such file, or none that is JSON. */
async function readJson(path: string): Promise<unknown> {
  const about = await stat(path).catch(() => null)
  if (about === null || !about.isFile() || about.size > LARGEST_JSON_BYTES) return undefined
  return parseBoundedJson(await readFile(path, 'utf8'))
}
