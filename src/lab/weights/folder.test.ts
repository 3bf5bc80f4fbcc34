import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/workspace.js'
import { convertWeights } from './convert.js'
import { withWeights } from './open.js'
import { contentHash } from './tensor.js'

const FOLDERS = fileURLToPath(new URL('fixtures/folders', import.meta.url))
const at = (...names: readonly string[]): string => join(FOLDERS, ...names)
const hashOf = (path: string): Promise<string> => withWeights(path, ({ tensors }) => contentHash(tensors))

/** A copy to spoil. */
function copied(name: string): string {
  const folder = join(temporaryFolder(), name)
  cpSync(at(name), folder, { recursive: true })
  return folder
}

describe('a folder of weights', () => {
  it.each([
    ['shards with an index, by transformers', 'sharded', { layout: 'sharded', files: { length: 2 } }],
    ['the ranks of verl', 'verl-3', { layout: 'fsdp', files: { length: 3 }, about: { worldSize: 3 } }],
    ['the ranks of verl with replicas', 'verl-2x2', { layout: 'fsdp', files: { length: 4 } }],
  ])('holds the very weights of the whole file: %s', async (_, name, expected) => {
    await withWeights(at(name), async file => {
      expect(file).toMatchObject({ ...expected, notRun: [], about: { model: { model_type: 'qwen2' } } })
      expect(file.tensors.find(tensor => tensor.name === 'model.embed_tokens.weight')?.shape).toEqual([21, 8])
    })
    expect(await hashOf(at(name))).toBe(await hashOf(at('whole.safetensors')))
  })

  it('tells which model an adapter belongs to', async () => {
    await withWeights(at('adapter'), async ({ layout, base, about, tensors }) => {
      expect({ layout, base }).toEqual({ layout: 'adapter', base: 'example/tiny-qwen2' })
      expect(about.adapter).toMatchObject({ r: 2, lora_alpha: 4, peft_type: 'LORA' })
      expect(tensors.map(({ shape }) => Math.min(...shape))).toEqual([2, 2, 2, 2])
    })
  })

  it('is found in the checkpoint folder of verl, one level up', async () => {
    const checkpoint = temporaryFolder()
    cpSync(at('verl-3'), join(checkpoint, 'actor'), { recursive: true })
    expect(await hashOf(checkpoint)).toBe(await hashOf(at('whole.safetensors')))
  })

  it('becomes one file, number by number', async () => {
    const path = join(temporaryFolder(), 'merged.safetensors')
    await withWeights(at('verl-3'), file => convertWeights(file, path))
    expect(await hashOf(path)).toBe(await hashOf(at('whole.safetensors')))
  })
})

describe("one rank's file", () => {
  it('says that its tensors are parts, and of what', async () => {
    await withWeights(at('verl-3', 'model_world_size_3_rank_1.pt'), async ({ tensors, notRun }) => {
      const [embeddings] = tensors.filter(({ name }) => name === 'model.embed_tokens.weight')
      expect(embeddings).toMatchObject({ shape: [7, 8], shard: { shape: [21, 8], dimension: 0 } })
      expect(notRun).toEqual([])
    })
  })
})

describe('a folder that is not whole', () => {
  it('names the rank that is missing', async () => {
    const folder = copied('verl-3')
    rmSync(join(folder, 'model_world_size_3_rank_1.pt'))
    await expect(hashOf(folder)).rejects.toMatchObject({
      sentence: { key: 'weights.ranks-missing', params: { ranks: '1', world: 3 } },
    })
  })

  it('does without ranks that only repeat others', async () => {
    const folder = copied('verl-2x2')
    rmSync(join(folder, 'model_world_size_4_rank_3.pt'))
    expect(await hashOf(folder)).toBe(await hashOf(at('whole.safetensors')))
  })

  it('names the shard that is missing', async () => {
    const folder = copied('sharded')
    rmSync(join(folder, 'model-00002-of-00002.safetensors'))
    await expect(hashOf(folder)).rejects.toMatchObject({
      sentence: { key: 'weights.shard-missing', params: { names: 'model-00002-of-00002.safetensors' } },
    })
  })

  it('never follows an index out of the folder', async () => {
    const folder = copied('sharded')
    const index = join(folder, 'model.safetensors.index.json')
    writeFileSync(index, readFileSync(index, 'utf8').replaceAll('model-00001', '../model-00001'))
    await expect(hashOf(folder)).rejects.toMatchObject({ sentence: { key: 'weights.bad-json' } })
  })

  it('says what it looked for where there is nothing, and asks where there is too much', async () => {
    await expect(hashOf(temporaryFolder())).rejects.toMatchObject({ sentence: { key: 'weights.folder-empty' } })
    const folder = temporaryFolder()
    for (const name of ['a', 'b']) cpSync(at('whole.safetensors'), join(folder, `${name}.safetensors`))
    await expect(hashOf(folder)).rejects.toMatchObject({ sentence: { key: 'weights.folder-which' } })
  })

  it('tells two checkpoints in one folder apart', async () => {
    const folder = copied('verl-3')
    cpSync(at('verl-2x2', 'model_world_size_4_rank_0.pt'), join(folder, 'model_world_size_4_rank_0.pt'))
    await expect(hashOf(folder)).rejects.toMatchObject({ sentence: { key: 'weights.worlds' } })
  })
})
