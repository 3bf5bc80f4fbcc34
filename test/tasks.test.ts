import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { RunAnswer } from '../src/app/ask/run-schema.js'
import { ended, startKlens } from './cli.js'
import { jsonInside, klensInside } from './cli-inside.js'
import { type ChatReply, type ChatRequest, startChatServer } from './support/chat-server.js'
import { npyFile } from './support/npy.js'
import { temporaryFolder } from './workspace.js'

/** The tasks `lever` and `llm` as a user meets them, and checkpoints of the original evaluated on them. */

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const EXAMPLE = here('../examples/lever-digits')
const EMBEDDINGS = here('../src/lab/train/tasks/fixtures')
const WEIGHTS = here('../src/lab/weights/fixtures')
const QUICK = ['policy.hidden=8', 'epochs.rce=1', 'epochs.grpo=1']

const sets = (...words: readonly string[]): readonly string[] => words.flatMap(word => ['--set', word])

const POOL = [7, 3, 9, 5]
const scored = (pointer: readonly number[], hard: unknown, soft: unknown) => ({
  pointer,
  pointer_global: pointer.map(position => POOL[position]),
  vqa_correct: hard,
  vqa_acc_score: soft,
})
const GROUP = {
  candidate_pool_ids: POOL,
  pointer_candidates: [scored([0, 1], 1, 0.9), scored([2, 3], 0, 0.3), scored([1, 3], 0, 0.6)],
}

/** Five queries with twelve embeddings, of which record 2 can be changed. */
function leverFolder(changed: object = GROUP): string {
  const folder = temporaryFolder()
  const records = { 0: GROUP, 1: GROUP, 2: changed, 4: GROUP, 8: GROUP }
  writeFileSync(join(folder, 'rl_data.json'), JSON.stringify(records))
  copyFileSync(join(EMBEDDINGS, 'embeddings.pt'), join(folder, 'embeddings.pt'))
  return folder
}

const lever = (folder: string): readonly string[] => [
  '--task',
  'lever',
  ...sets(`data.train=${folder}/rl_data.json`, `data.query_embeddings=${folder}/embeddings.pt`, ...QUICK),
]

describe('klens train on the files of Lever-Plus', () => {
  it('needs a config whose paths are its own, wherever it is called from', async () => {
    const folder = temporaryFolder()
    const ran = await klensInside(folder, [
      'train',
      join(EXAMPLE, 'train.yaml'),
      ...sets('epochs.rce=2', 'epochs.grpo=1'),
      '--json',
    ])
    expect([ran.code, ran.error]).toEqual([0, ''])
    const [{ config, status }] = await jsonInside<RunAnswer[]>(folder, ['runs'])
    expect(status).toBe('finished')
    expect(config).toMatchObject({ task: 'lever', 'data.train': join(EXAMPLE, 'rl_data.json') })
  })

  it('needs no config, reads what torch saved, and says which groups teach nothing', async () => {
    const tied = { ...GROUP, pointer_candidates: [scored([0, 1], 1, 0.9), scored([2, 3], 1, 0.9)] }
    const folder = leverFolder(tied)
    const data = sets('data.train=rl_data.json', 'data.query_embeddings=embeddings.pt', ...QUICK)
    const ran = await klensInside(folder, ['train', '--task', 'lever', ...data, '--json'])
    expect(ran.code).toBe(0)
    expect(ran.error).toMatch(/rl_data\.json: in 1 of 5 groups all rewards are equal \(first: 2\)/)
  })

  const bad = (change: object) => leverFolder({ ...GROUP, ...change })
  const choices = (...pointer_candidates: readonly object[]) => bad({ pointer_candidates })
  const two = [scored([0, 1], 1, 1), scored([1, 2], 0, 0)]
  const text = (change: (text: string) => string): string => {
    const folder = leverFolder()
    const file = join(folder, 'rl_data.json')
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    return folder
  }
  it.each<[string, () => string, readonly string[], RegExp]>([
    [
      'rewards of another length',
      () => leverFolder({ id_list: [[7, 3, 2]], score_list: [1, 2] }),
      [],
      /rl_data\.json, record 2: 1 choice but 2 rewards/,
    ],
    ['a NaN reward', () => text(data => data.replace('0.9', 'NaN')), [], /record 0, choice 0: vqa_acc_score is NaN/],
    ['a group of one', () => choices(two[0]), [], /record 2: a group of 1 cannot be compared/],
    ['a pool smaller than the shots', () => bad({ candidate_pool_ids: [7] }), [], /record 2: a pool of 1 candidate/],
    [
      'fewer shots than were logged',
      () => leverFolder(),
      ['policy.shots=1'],
      /have 2 examples each, but policy\.shots/,
    ],
    [
      'embeddings of two widths',
      () => leverFolder(),
      [`data.candidate_embeddings=${join(WEIGHTS, 'embeddings.npy')}`],
      /embeddings\.npy has embeddings 6 wide, .*embeddings\.pt 16/,
    ],
    [
      'an item without embedding',
      () => bad({ candidate_pool_ids: [7, 3, 9, 99], pointer_candidates: two }),
      [],
      /record 2: item 99 has no embedding/,
    ],
    ['a file that was cut', () => text(data => data.slice(0, 500)), [], /rl_data\.json is not valid JSON/],
    ['a query twice', () => text(data => data.replace('"1":', '"0":')), [], /rl_data\.json: query 0 appears twice/],
    ['a file that is not there', () => leverFolder(), ['data.val=nope.json'], /nope\.json cannot be read/],
    [
      'embeddings that are none',
      () => leverFolder(),
      [`data.query_embeddings=${join(EXAMPLE, 'rl_data.json')}`],
      /rl_data\.json is not a weights file/,
    ],
  ])('refuses %s in one sentence, before there is a run', async (_, made, words, sentence) => {
    const folder = made()
    const { code, out, error } = await klensInside(folder, ['train', ...lever(folder), ...sets(...words)])
    expect([code, out]).toEqual([2, ''])
    expect(error.trim().split('\n')).toHaveLength(1)
    expect(error).toMatch(sentence)
    expect(readdirSync(folder)).not.toContain('.klens')
  })

  it('says so in Chinese too', async () => {
    const folder = choices(two[0])
    const { error } = await klensInside(folder, ['train', ...lever(folder), '--lang', 'zh'])
    expect(error).toMatch(/rl_data\.json 的记录 2：组内只有 1 个选择，无从比较/)
  })
})

describe('klens eval of checkpoints that klens did not write', () => {
  const DATA = ['--config', join(EXAMPLE, 'train.yaml')]
  const file = (name: string): string => join(WEIGHTS, name)

  it('needs to be told the task', async () => {
    const { code, error } = await klensInside(temporaryFolder(), ['eval', file('grpo_epoch2.pt')])
    expect(code).toBe(2)
    expect(error).toMatch(/grpo_epoch2\.pt does not say what it was trained on; name the task and its data/)
  })

  it('keeps one run for the same weights in any file, which a second evaluation leaves as it is', async () => {
    const folder = temporaryFolder()
    const words = ['eval', ...['grpo_epoch2.pt', 'legacy.pt', 'grpo_epoch2_v2format.ckpt'].map(file), ...DATA]
    const { out } = await klensInside(folder, [...words, '--shots', '1,2', '--json'])
    const lines = out.trim().split('\n')
    expect(lines).toHaveLength(3 * 2 + 1)
    const last = JSON.parse(lines[6])
    expect(last.agreements).toHaveLength(3 * 2)
    for (const { share, overlap, n, sameWeights } of last.agreements) {
      expect([share, overlap, n, sameWeights]).toEqual([1, 1, 8, true])
    }
    const runs = await jsonInside<RunAnswer[]>(folder, ['runs'])
    expect(runs).toMatchObject([{ id: last.run, source: 'checkpoint', evaluations: 1 }])
    const manifest = join(folder, '.klens', 'runs', last.run, 'run.json')
    const before = readFileSync(manifest, 'utf8')
    const again = await klensInside(folder, [...words, '--shots', '1,2'])
    expect(again.out).toMatch(/identical selections, in the same order, for all 8 queries at 1, 2 shots/)
    expect(again.out).toMatch(/Their weights are identical/)
    expect(readFileSync(manifest, 'utf8')).toBe(before)
  })

  it('shows scores of a run that another process is writing, and says that they were not kept', async () => {
    const words = ['eval', file('grpo_epoch2.pt'), ...DATA, '--shots', '2']
    const { run } = JSON.parse((await klensInside(temporaryFolder(), [...words, '--json'])).out.split('\n')[1])
    const folder = temporaryFolder()
    const held = join(folder, '.klens', 'runs', run)
    mkdirSync(held, { recursive: true })
    writeFileSync(join(held, 'lease.1'), JSON.stringify({ pid: process.pid, host: hostname(), purpose: 'train' }))
    const { code, out, error } = await klensInside(folder, words)
    expect([code, out.includes('grpo_epoch2')]).toEqual([0, true])
    expect(error).toContain(`the scores were not saved: run ${run} is being written by process ${process.pid}`)
  })

  it('says plainly when other weights choose the same, and where to look', async () => {
    const { out } = await klensInside(temporaryFolder(), [
      'eval',
      file('grpo_epoch1.pt'),
      file('grpo_epoch2.pt'),
      ...DATA,
    ])
    expect(out).toMatch(
      /differ in \d+ tensors \(.*\) and make identical selections on all \d+ queries: were these tensors loaded/,
    )
  })

  it('says when a file names its weights as no model of the original does, and scores what its inference runs', async () => {
    const folder = temporaryFolder()
    const words = ['eval', file('grpo_epoch2.pt'), file('grpo_epoch2_v2format.ckpt'), ...DATA, '--shots', '2']
    const whole = await klensInside(folder, [...words, '--choices', join(folder, 'whole.json')])
    expect(whole.code).toBe(1)
    expect(whole.out).toMatch(
      /names 6 tensors \(.*\) like Lever-Plus's converter, and its own model does not know them/,
    )
    const partly = await klensInside(folder, [...words, '--load', 'original', '--choices', join(folder, 'partly.json')])
    expect(partly.out).toMatch(/2 shots: identical selections on [\d.]+ % of 8 queries/)
    const chosen = (name: string): readonly (readonly number[][])[] =>
      JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')).checkpoints.map(
        (one: { readonly icd_idx_list: Readonly<Record<string, number[][]>> }) => one.icd_idx_list['shot_num=2'],
      )
    expect(chosen('whole')[0]).toEqual(chosen('whole')[1])
    expect(chosen('partly')[0]).toEqual(chosen('whole')[0])
    expect(chosen('partly')[1]).not.toEqual(chosen('whole')[1])
    expect(chosen('whole')[0]).toHaveLength(8)
  })

  it.each<[string, readonly string[], RegExp]>([
    ['embeddings of another width', ['--task', 'digits'], /takes embeddings of width 16; those of the task have 64/],
    ['more shots than the pool holds', [...DATA, '--shots', '25'], /a pool of 24 candidates cannot give 25 examples/],
    ['a split without queries', [...DATA, '--split', 'test'], /has no queries in the split "test"/],
    ['shots of which nothing was logged', [...DATA, '--shots', '3'], /none of 8 choices could be scored/],
    ['a setting that does not exist', ['--task', 'lever', '--set', 'data.trian=x'], /Did you mean "data\.train"/],
  ])('refuses %s', async (_, words, sentence) => {
    const { code, error } = await klensInside(temporaryFolder(), ['eval', file('grpo_epoch2.pt'), ...words])
    expect(code).toBe(2)
    expect(error).toMatch(sentence)
  })

  it('refuses a checkpoint that was torn', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'torn.pt'), readFileSync(file('grpo_epoch2.pt')).subarray(0, 3000))
    const { code, error } = await klensInside(folder, ['eval', join(folder, 'torn.pt'), ...DATA])
    expect([code, error.includes('torn.pt')]).toEqual([2, true])
  })
})

describe('klens train against an endpoint', () => {
  const KEY = 'sk-never-to-be-seen'
  const COUNT = 10

  function itemsFolder(url: string): string {
    const folder = temporaryFolder()
    const lines = Array.from({ length: COUNT }, (_, i) =>
      JSON.stringify({ id: i, text: `what is ${i}?`, answers: [`number ${i}`], image: 'dot.png' }),
    )
    writeFileSync(join(folder, 'items.jsonl'), lines.join('\n'))
    writeFileSync(join(folder, 'dot.png'), Buffer.from('iVBORw0KGgo=', 'base64'))
    const circle = Array.from({ length: COUNT }, (_, i) => [Math.cos(i), Math.sin(i)]).flat()
    writeFileSync(join(folder, 'items.npy'), npyFile(circle, [COUNT, 2]))
    const config = {
      task: 'llm',
      data: { train: 'items.jsonl', query_embeddings: 'items.npy', candidates: 4, test_share: 0 },
      llm: { url, model: 'tiny', key_env: 'TINY_KEY', attempts: 2 },
      group: { size: 2, proposals: { beams: 2, temperatures: [1], samples: 1, random: 1, retrieval: 1 } },
      policy: { hidden: 4 },
      epochs: { rce: 1, grpo: 1 },
    }
    writeFileSync(join(folder, 'train.yaml'), JSON.stringify(config))
    return folder
  }

  /** Right where the first example shown is even. */
  function answer(request: ChatRequest): ChatReply {
    const said = JSON.stringify(request.messages)
    const asked = [...said.matchAll(/what is (\d+)\?/g)].map(match => Number(match[1]))
    return { answer: `number ${asked[0] % 2 === 0 ? asked.at(-1) : 99}` }
  }

  const train = (folder: string, environment = { TINY_KEY: KEY }) =>
    klensInside(folder, ['train', join(folder, 'train.yaml'), '--json'], environment)

  const written = (folder: string): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .flatMap(entry => (entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : []))
      .join('\n')

  it('asks with pictures and the key, pays for nothing twice, and writes the key nowhere', async () => {
    const server = await startChatServer(answer)
    const folder = itemsFolder(server.url)
    const first = await train(folder)
    expect([first.code, first.error]).toEqual([0, ''])
    const asked = server.requests.map(request => JSON.stringify(request))
    expect(new Set(asked).size).toBe(asked.length)
    expect(asked[0]).toContain('data:image/png;base64,')
    expect(server.requests[0].authorization).toBe(`Bearer ${KEY}`)
    const second = await train(folder)
    expect(second.code).toBe(0)
    expect(server.requests).toHaveLength(asked.length)
    const steady = (text: string) => text.replace(/"volatile":.*|"run":"\w+"/g, '')
    expect(steady(second.out)).toBe(steady(first.out))
    expect(written(folder) + first.out + second.out).not.toContain(KEY)
  })

  it('goes on after a kill without asking again what was answered', async () => {
    let silent = true
    const answered = new Set<string>()
    const server = await startChatServer((request, count) => {
      if (silent && count > 12) return 'silence'
      const said = JSON.stringify(request)
      if (answered.has(said)) throw new Error(`asked twice: ${said}`)
      answered.add(said)
      return answer(request)
    })
    const folder = itemsFolder(server.url)
    const child = startKlens(folder, ['train', 'train.yaml'], { TINY_KEY: KEY })
    while (server.requests.length <= 12) await new Promise(resolve => setTimeout(resolve, 20))
    const kept = () => readdirSync(join(folder, '.klens', 'answers'), { recursive: true }).length
    // An answer is kept a moment after it was given.
    for (let last = -1; kept() !== last; ) {
      last = kept()
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    child.kill('SIGKILL')
    await ended(child)
    silent = false
    expect((await train(folder)).code).toBe(0)
  })

  it('stops with the reason when no reward can be had, and never takes that for 0', async () => {
    const server = await startChatServer(() => ({ status: 400, body: `no such model for ${KEY}` }))
    const folder = itemsFolder(server.url)
    const { code, error } = await train(folder)
    expect(code).toBe(2)
    expect(error).toMatch(/no such model for \[key\]/)
    expect(error.trim().split('\n')).toHaveLength(1)
    expect(written(folder) + error).not.toContain(KEY)
  })

  it.each<[string, ChatReply, RegExp]>([
    ['refuses the key', { status: 401, body: `wrong key ${KEY}` }, /refuses \(status 401\): wrong key \[key\]/],
    [
      'moves elsewhere',
      { status: 302, headers: { location: 'http://elsewhere.test/v1' } },
      /redirect to http:\/\/elsewhere/,
    ],
  ])('stops at once when the endpoint %s', async (_, reply, sentence) => {
    const server = await startChatServer(() => reply)
    const { code, error } = await train(itemsFolder(server.url))
    expect(code).toBe(2)
    expect(error).toMatch(sentence)
    expect(error).not.toContain(KEY)
  })

  it('needs the variable that holds the key', async () => {
    const { code, error } = await train(itemsFolder('http://127.0.0.1:9/v1'), { TINY_KEY: '' })
    expect(code).toBe(2)
    expect(error).toMatch(/the environment variable TINY_KEY, which is not set/)
  })
})
