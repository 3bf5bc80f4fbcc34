import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import { listed } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import type { Tensor } from './tensor.js'
import { type Open, parseBoundedJson, together, type WeightsFile } from './weights-file.js'

/**
 * Checkpoints as trainers leave them are folders: one model in several files with an index (transformers), one file per
 * rank (verl under FSDP), an adapter with its config (PEFT), or one file beside its config. Names decide which it is; the
 * tensors of all files are then one set of weights, as if they lay in one.
 */

const say = sentences({
  'weights.folder-empty': {
    en: '{path} has no weights that klens knows: no *.safetensors.index.json, adapter_model.safetensors, model_world_size_N_rank_i.pt, model.safetensors or pytorch_model.bin',
    zh: '{path} 里没有 klens 认识的权重：既没有 *.safetensors.index.json、adapter_model.safetensors、model_world_size_N_rank_i.pt，也没有 model.safetensors 或 pytorch_model.bin',
  },
  'weights.folder-which': {
    en: '{path} has several weights files ({names}); name one of them',
    zh: '{path} 里有多份权重（{names}），请指明是哪一份',
  },
  'weights.bad-json': { en: '{path} is not valid JSON of its kind', zh: '{path} 不是合法的此类 JSON' },
  'weights.shard-missing': {
    en: '{path} names {count} {count|file that is|files that are} not there: {names}',
    zh: '{path} 列出的 {count} 个文件不存在：{names}',
  },
  'weights.shard-lacks': {
    en: '{path} says that "{tensor}" is in {file}, where it is not',
    zh: '{path} 说“{tensor}”在 {file} 里，但那里没有',
  },
  'weights.worlds': {
    en: '{path} has ranks of several world sizes ({sizes}): two checkpoints in one folder',
    zh: '{path} 里有多种 world size 的 rank 文件（{sizes}）：一个文件夹里混了两个 checkpoint',
  },
  'weights.ranks-missing': {
    en: '{path}: "{tensor}" is incomplete without rank {ranks} of {world}',
    zh: '{path}：缺少 rank {ranks}（共 {world} 个），“{tensor}”不完整',
  },
  'weights.ranks-disagree': {
    en: '{path}: the ranks disagree about "{tensor}"',
    zh: '{path}：各 rank 对“{tensor}”的记录不一致',
  },
  'weights.cut-otherwise': {
    en: '{path}: "{tensor}" is split along dimension {dimension}; klens merges only splits along the first, as verl makes them',
    zh: '{path}：“{tensor}”沿第 {dimension} 维切分；klens 只能拼接沿第 0 维切分的张量（verl 即如此）',
  },
})

/** What rank i of N holds, as verl names it. */
const RANK = /^model_world_size_(\d+)_rank_(\d+)\.pt$/
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

/**
 * What verl saves under FSDP: `model_world_size_8_rank_3.pt` is what rank 3 of 8 holds, every tensor cut along its first
 * dimension. Put end to end they are the model. With replicas (`ddp` × `fsdp`) the first ranks hold all of it and the others
 * hold it again. verl's own merger casts to bfloat16 on the way; here every number stays as it was saved.
 */

async function readRanks(path: string, names: readonly string[], open: Open): Promise<WeightsFile> {
  const found = names.flatMap(name => {
    const parts = RANK.exec(name)
    return parts === null ? [] : [{ name, world: Number(parts[1]), rank: Number(parts[2]) }]
  })
  const worlds = [...new Set(found.map(({ world }) => world))].sort((a, b) => a - b)
  if (worlds.length > 1) throw new Problem('unreadable', say('weights.worlds', { path, sizes: worlds.join(', ') }))
  const ranks = new Map<number, WeightsFile>()
  for (const { name, rank } of found.toSorted((a, b) => a.rank - b.rank)) ranks.set(rank, await open(join(path, name)))
  const files = [...ranks.values()]
  const byRank = new Map(
    [...ranks].map(([rank, { tensors }]) => [rank, new Map(tensors.map(tensor => [tensor.name, tensor]))] as const),
  )
  const tensors = files[0].tensors.map(tensor => whole(path, tensor.name, byRank, worlds[0]))
  return { ...together(path, files), layout: 'fsdp', tensors, about: { ...files[0].about, worldSize: worlds[0] } }
}

/** One tensor from the ranks on, until it is whole. */
function whole(
  path: string,
  name: string,
  byRank: ReadonlyMap<number, ReadonlyMap<string, Tensor>>,
  world: number,
): Tensor {
  const [first] = [...byRank.values()].flatMap(tensors => tensors.get(name) ?? [])
  const { shard, ...described } = first
  if (shard === undefined || shard.dimension === null) return described
  const { shape, dimension } = shard
  if (dimension !== 0) throw new Problem('unreadable', say('weights.cut-otherwise', { path, tensor: name, dimension }))
  const rest = shape.slice(1).join()
  const parts: Tensor[] = []
  const missing: number[] = []
  let rows = 0
  for (let rank = 0; rank < world && rows < shape[0]; rank += 1) {
    const part = byRank.get(rank)?.get(name)
    if (part === undefined) {
      missing.push(rank)
      continue
    }
    const agrees =
      part.shape.slice(1).join() === rest && part.dtype === first.dtype && part.shard?.shape.join() === shape.join()
    if (!agrees) throw new Problem('unreadable', say('weights.ranks-disagree', { path, tensor: name }))
    parts.push(part)
    rows += part.shape[0]
  }
  if (missing.length > 0 || rows < shape[0]) {
    const ranks = missing.length === 0 ? '–' : listed(missing.slice(0, 8).map(String))
    throw new Problem('unreadable', say('weights.ranks-missing', { path, tensor: name, ranks, world }))
  }
  if (rows > shape[0]) throw new Problem('unreadable', say('weights.ranks-disagree', { path, tensor: name }))
  return {
    ...described,
    shape,
    async *bytes() {
      for (const part of parts) yield* part.bytes()
    },
  }
}
