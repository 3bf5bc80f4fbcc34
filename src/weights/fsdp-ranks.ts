import { join } from 'node:path'
import { Problem } from '../model/problem.js'
import { listed } from '../text/language.js'
import { sentences } from '../text/sentences.js'
import type { Tensor } from './tensor.js'
import { type Open, together, type WeightsFile } from './weights-file.js'

/**
 * What verl saves under FSDP: `model_world_size_8_rank_3.pt` is what rank 3 of 8 holds, every tensor cut along its first
 * dimension. Put end to end they are the model. With replicas (`ddp` × `fsdp`) the first ranks hold all of it and the others
 * hold it again. verl's own merger casts to bfloat16 on the way; here every number stays as it was saved.
 */

const RANK = /^model_world_size_(\d+)_rank_(\d+)\.pt$/

const say = sentences({
  'weights.worlds': {
    en: '{path} holds ranks of several world sizes ({sizes}): two checkpoints in one folder',
    zh: '{path} 里有多种 world size 的 rank 文件（{sizes}）：一个文件夹里混了两个 checkpoint',
  },
  'weights.ranks-missing': {
    en: '{path}: "{tensor}" is not whole without rank {ranks} of {world}',
    zh: '{path}：缺少 rank {ranks}（共 {world} 个），“{tensor}”不完整',
  },
  'weights.ranks-disagree': {
    en: '{path}: the ranks do not agree about "{tensor}"',
    zh: '{path}：各 rank 对“{tensor}”的记录不一致',
  },
  'weights.cut-otherwise': {
    en: '{path}: "{tensor}" is cut along dimension {dimension}; klens puts together what is cut along the first, as verl does',
    zh: '{path}：“{tensor}”沿第 {dimension} 维切分；klens 只能拼接沿第 0 维切分的张量（verl 即如此）',
  },
})

export async function readRanks(path: string, names: readonly string[], open: Open): Promise<WeightsFile> {
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
