import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeZip } from '../src/lab/weights/zip-write.js'
import { klensInside } from './cli-inside.js'
import { npyFile } from './support/npy.js'
import { startSeeingServer } from './support/seeing-server.js'
import { temporaryFolder } from './workspace.js'

/** From the two files of the VQA challenge and COCO's images to a selector trained on InfoScore, through a real server. */

const COUNT = 16

function challenge(): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'coco/train2014'), { recursive: true })
  const numbers = Array.from({ length: COUNT }, (_, i) => i)
  const ids = (i: number) => ({ question_id: 100 + i, image_id: 40 + i })
  const json = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value))
  const questions = numbers.map(i => ({ ...ids(i), question: `what is ${i}?` }))
  json('questions.json', { data_subtype: 'train2014', questions })
  const answers = (i: number) => Array.from({ length: 10 }, () => ({ answer: `n${i}`, answer_confidence: 'yes' }))
  json('annotations.json', { annotations: numbers.slice(1).map(i => ({ ...ids(i), answers: answers(i) })) })
  for (const i of numbers.slice(0, -1)) {
    const name = `COCO_train2014_${String(40 + i).padStart(12, '0')}.jpg`
    writeFileSync(join(folder, 'coco/train2014', name), Buffer.from([0xff, 0xd8, i, 20 - i]))
  }
  return folder
}

async function itemsOf(folder: string): Promise<void> {
  const words = ['data', 'vqa', join(folder, 'questions.json'), '--annotations', join(folder, 'annotations.json')]
  const made = await klensInside(folder, [
    ...words,
    '--images',
    join(folder, 'coco'),
    '-o',
    join(folder, 'okvqa.jsonl'),
  ])
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('wrote 14 items') })
  expect(made.error).toMatch(/1 question without answers left out\n.*1 question without an image left out/)
}

describe('files of the VQA challenge', () => {
  it('become items, embeddings of their pictures, beams by InfoScore, and a trained selector', async () => {
    const folder = challenge()
    const at = (name: string): string => join(folder, name)
    await itemsOf(folder)
    const [first] = readFileSync(at('okvqa.jsonl'), 'utf8').split('\n')
    expect(JSON.parse(first)).toMatchObject({
      ...{ id: '101', text: 'what is 1?', image: 'train2014/COCO_train2014_000000000041.jpg' },
      answers: Array.from({ length: 10 }, () => 'n1'),
    })

    const server = await startSeeingServer()
    const endpoint = ['--url', server.url, '--model', 'seeing']
    const embed = ['data', 'embed', at('okvqa.jsonl'), '--part', 'image', '--images', at('coco')]
    server.broken = Buffer.from([0xff, 0xd8, 5, 15]).toString('base64')
    expect(await klensInside(folder, [...embed, '-o', at('q.safetensors'), ...endpoint])).toMatchObject({
      code: 2,
      error: expect.stringContaining('1 of 14 items have no embedding yet'),
    })
    server.broken = null
    const before = server.bodies.length
    expect(await klensInside(folder, [...embed, '-o', at('q.safetensors'), ...endpoint])).toMatchObject({ code: 0 })
    expect(server.bodies.slice(before)).toHaveLength(1)

    const config = at('config.yaml')
    const data = {
      train: 'okvqa.jsonl',
      query_embeddings: 'q.safetensors',
      images: 'coco',
      candidates: 4,
      test_share: 0,
    }
    writeFileSync(config, JSON.stringify({ task: 'llm', data, llm: { url: server.url, model: 'seeing' } }))
    const beams = ['data', 'beams', config, '--json', '-o']
    const made = await klensInside(folder, [...beams, at('beams.json')])
    expect(JSON.parse(made.out)).toMatchObject({ queries: 12, leftOut: 0, missing: 0, scored: 12 * (4 + 4 * 3) })
    const { _meta, ...records } = JSON.parse(readFileSync(at('beams.json'), 'utf8'))
    for (const { id_list, score_list, candidate_pool_ids: pool } of Object.values<Beams>(records)) {
      const best = pool.toSorted((a, b) => b - a).slice(0, 2)
      expect(id_list[0].slice(0, 2).toSorted((a, b) => b - a)).toEqual(best)
      // Row i of the items is number i + 1.
      expect(score_list[0]).toBeCloseTo(
        best.reduce((sum, row) => sum + (row + 1) / 10, 0),
        10,
      )
    }
    const asked = server.bodies.length
    const text = ['--set', 'llm.images=false', '--api', 'completions']
    const echoed = await klensInside(folder, [...beams, at('echo.json'), ...text, '--samples', '3'])
    expect(JSON.parse(echoed.out)).toMatchObject({ queries: 3, missing: 0 })
    expect(server.bodies.slice(asked).every(body => body.includes('"echo":true'))).toBe(true)
    expect(JSON.parse(readFileSync(at('echo.json'), 'utf8'))['0'].score_list).toEqual(records['0'].score_list)

    const small = ['policy.hidden=4', 'epochs.rce=1', 'epochs.grpo=1', 'reward.mode=soft']
    const sets = [`data.train=${at('beams.json')}`, `data.query_embeddings=${at('q.safetensors')}`, ...small]
    const words = ['train', '--task', 'lever', ...sets.flatMap(set => ['--set', set]), '--json']
    expect((await klensInside(folder, words)).code).toBe(0)
  })

  it('send no picture from outside the folder, whether by name or by link', async () => {
    const folder = challenge()
    const at = (name: string): string => join(folder, name)
    writeFileSync(at('secret.jpg'), 'secret')
    symlinkSync(at('secret.jpg'), at('coco/link.jpg'))
    const server = await startSeeingServer()
    for (const image of ['../secret.jpg', 'link.jpg', at('secret.jpg')]) {
      writeFileSync(at('bad.jsonl'), JSON.stringify({ id: 1, text: 't', image, answers: ['a'] }))
      const words = ['data', 'embed', at('bad.jsonl'), '--part', 'image', '--images', at('coco'), '-o', at('b.pt')]
      const asked = await klensInside(folder, [...words, '--url', server.url, '--model', 'm'])
      expect(asked).toMatchObject({ code: 2, error: expect.stringContaining('is not inside') })
    }
    expect(server.bodies).toEqual([])
  })

  it('take embeddings that exist already from a file, by the number of the image', async () => {
    const folder = challenge()
    const at = (name: string): string => join(folder, name)
    await itemsOf(folder)
    const rows = Array.from({ length: COUNT }, (_, i) => [i, i / 2])
    const ids = rows.map((_, i) => 40 + i)
    const arrays = { embeddings: npyFile(rows.flat(), [COUNT, 2]), image_ids: npyFile(ids, [COUNT], { type: '<i8' }) }
    const entries = Object.entries(arrays).map(([name, bytes]) => ({
      name: `${name}.npy`,
      size: bytes.length,
      async *bytes() {
        yield bytes
      },
    }))
    await writeZip(at('clip.npz'), entries)
    const words = ['data', 'embed', at('okvqa.jsonl'), '--vectors', at('clip.npz'), '-o', at('q.safetensors'), '--json']
    expect(JSON.parse((await klensInside(folder, words)).out)).toMatchObject({ rows: 14, width: 2 })
  })
})

interface Beams {
  readonly id_list: readonly (readonly number[])[]
  readonly score_list: readonly number[]
  readonly candidate_pool_ids: readonly number[]
}
