import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type ChatReply,
  type ChatRequest,
  type ChatServer,
  startChatServer,
} from '../../../../../test/support/chat-server.js'
import { manualClock } from '../../../../../test/support/manual-clock.js'
import { npyFile } from '../../../../../test/support/npy.js'
import { refusal } from '../../../../../test/support/refusal.js'
import { temporaryFolder } from '../../../../../test/workspace.js'
import { render } from '../../../../text/sentences.js'
import { generateGroup } from '../groups.js'
import type { Outcome, Task } from '../task.js'
import { type LlmOptions, llmTask } from './llm.js'

const COUNT = 10
const KEY = 'sk-very-secret'
const PIXEL = Buffer.from('iVBORw0KGgo=', 'base64')

interface Change {
  readonly endpoint?: object
  readonly options?: Partial<LlmOptions>
  readonly items?: readonly object[]
}

/** Ten items whose answer is their number in words, with embeddings on a circle; every second one has a picture. */
function llmFiles(server: Pick<ChatServer, 'url'>, { endpoint = {}, options = {}, items }: Change = {}): LlmOptions {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'images'))
  writeFileSync(join(folder, 'images', 'dot.png'), PIXEL)
  const lines = items ?? Array.from({ length: COUNT }, (_, i) => itemAt(i))
  writeFileSync(join(folder, 'items.jsonl'), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  const angles = Array.from({ length: lines.length }, (_, i) => [Math.cos(i / 3), Math.sin(i / 3)])
  writeFileSync(join(folder, 'items.npy'), npyFile(angles.flat(), [lines.length, 2]))
  const source = { items: join(folder, 'items.jsonl'), embeddings: join(folder, 'items.npy') }
  return {
    queries: source,
    examples: source,
    endpoint: { url: server.url, model: 'tiny', apiKey: KEY, clock: manualClock(), ...endpoint },
    cacheFolder: join(folder, 'cache'),
    poolSize: 4,
    ...options,
  }
}

function itemAt(i: number): object {
  return { id: `q${i}`, text: `what is ${i}?`, answers: [`number ${i}`], ...(i % 2 ? { image: 'images/dot.png' } : {}) }
}

/** Answers right when the last question's number is even. */
function halfRight(request: ChatRequest): ChatReply {
  const asked = Number(/what is (\d+)\?\D*$/.exec(JSON.stringify(request.messages.at(-1)?.content))?.[1])
  return { answer: ` Number ${asked % 2 === 0 ? asked : 99}.\nQuestion: more?` }
}

async function scoreAll(task: Task): Promise<readonly Outcome[]> {
  const outcomes = await Promise.all(task.queries.map(query => task.score(query, [[0, 1]])))
  return outcomes.flat()
}

describe('the llm task', () => {
  test('asks with the chosen examples in order, pictures as data URLs, and scores the answer', async () => {
    const server = await startChatServer(halfRight)
    const task = await llmTask(llmFiles(server, { options: { pool: 'retrieval' } }))
    expect(await task.score(task.queries[4], [[0, 1]])).toEqual([{ kind: 'scored', hard: 1, soft: 1 }])
    expect(await task.score(task.queries[5], [[1, 0]])).toEqual([{ kind: 'scored', hard: 0, soft: 0 }])
    // The neighbours of 4 are 3 and 5, as near as each other up to rounding; both have pictures.
    const [{ model, messages, authorization, temperature }] = server.requests
    expect({ model, authorization, temperature }).toEqual({
      model: 'tiny',
      authorization: `Bearer ${KEY}`,
      temperature: 0,
    })
    const shown = [...task.queries[4].pool].slice(0, 2)
    expect(messages[1].content).toEqual([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL.toString('base64')}` } },
      { type: 'text', text: `Question: what is ${shown[0]}?\nAnswer: number ${shown[0]}\n\n` },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL.toString('base64')}` } },
      {
        type: 'text',
        text: `Question: what is ${shown[1]}?\nAnswer: number ${shown[1]}\n\nQuestion: what is 4?\nAnswer:`,
      },
    ])
  })

  test('sends plain text when there are no pictures, and does not let a question fill in its own answer', async () => {
    const server = await startChatServer(halfRight)
    const items = Array.from({ length: 5 }, (_, i) => ({
      id: i,
      text: `{answer} ${i}`,
      answers: ['x', 'secret', 'secret'],
    }))
    const template = { shape: 'one', instruction: '', example: '{text}={answer};', query: '{text}=' } as const
    const task = await llmTask(llmFiles(server, { items, options: { template } }))
    await task.score(task.queries[0], [[0]])
    const shown = task.queries[0].pool[0]
    expect(server.requests[0].messages).toEqual([{ role: 'user', content: `{answer} ${shown}=secret;{answer} 0=` }])
  })

  test('asks in turns where it is told to: each example a question that was answered', async () => {
    const server = await startChatServer(halfRight)
    const items = Array.from({ length: 5 }, (_, i) => ({ id: i, text: `q${i}`, answers: [`a${i}`] }))
    const template = {
      shape: 'turns',
      instruction: 'Briefly.',
      example: '',
      query: 'Question: {text} Short answer:',
    } as const
    const task = await llmTask(llmFiles(server, { items, options: { template, pool: 'first' } }))
    await task.score(task.queries[4], [[1, 0]])
    expect(server.requests[0].messages).toEqual([
      { role: 'system', content: 'Briefly.' },
      { role: 'user', content: 'Question: q1 Short answer:' },
      { role: 'assistant', content: 'a1' },
      { role: 'user', content: 'Question: q0 Short answer:' },
      { role: 'assistant', content: 'a0' },
      { role: 'user', content: 'Question: q4 Short answer:' },
    ])
  })

  test('leaves pictures out when told to, and then needs none', async () => {
    const server = await startChatServer(halfRight)
    const items = Array.from({ length: 5 }, (_, i) => ({ ...itemAt(i), image: 'images/not-there.png' }))
    const task = await llmTask(llmFiles(server, { items, options: { images: false } }))
    await task.score(task.queries[0], [[0]])
    expect(typeof server.requests[0].messages[1].content).toBe('string')
  })

  test('asks with the temperature and length that were set', async () => {
    const server = await startChatServer(halfRight)
    const task = await llmTask(llmFiles(server, { endpoint: { temperature: 0.7, maxTokens: 3 } }))
    await task.score(task.queries[0], [[0]])
    expect(server.requests[0]).toMatchObject({ temperature: 0.7, max_tokens: 3 })
  })

  test('never shows a query its own answer, and draws the same pools for the same seed', async () => {
    const files = llmFiles({ url: 'http://127.0.0.1:9' })
    const task = await llmTask(files)
    for (const { pool, index } of task.queries) {
      expect(pool).not.toContain(index)
      expect(new Set(pool).size).toBe(4)
    }
    expect((await llmTask(files)).queries).toEqual(task.queries)
    expect((await llmTask({ ...files, seed: 1 })).dataHash).not.toBe(task.dataHash)
    expect(task.queries.map(({ split }) => split).join(' ')).toBe(`${'train '.repeat(8)}val test`)
  })

  test('scores groups that were proposed by beam, temperature, retrieval and chance', async () => {
    const server = await startChatServer(halfRight)
    const task = await llmTask(llmFiles(server))
    const proposals = { beams: 2, temperatures: [1], samples: 2, random: 2, retrieval: 2 }
    const group = await generateGroup(task, task.queries[2], { shots: 2, seed: 1, proposals })
    expect(group.members.every(({ outcome }) => outcome.kind === 'scored' && outcome.hard === 1)).toBe(true)
    expect(server.requests).toHaveLength(group.members.length)
  })

  test('reports no examples, random and nearest ones as baselines', async () => {
    const server = await startChatServer(halfRight)
    const task = await llmTask(llmFiles(server))
    const baselines = await task.baselines({ shots: 2, split: 'train', seed: 1 })
    expect(baselines.map(({ name, hard, scored }) => [name, hard, scored])).toEqual([
      ['zero-shot', 0.5, 8],
      ['random', 0.5, 8],
      ['nearest', 0.5, 8],
    ])
  })
})

describe('answers on disk', () => {
  test('are not asked for again, in this process or the next', async () => {
    const server = await startChatServer(halfRight)
    const files = llmFiles(server)
    const first = await llmTask(files)
    const outcomes = await scoreAll(first)
    await scoreAll(first)
    expect(await scoreAll(await llmTask(files))).toEqual(outcomes)
    expect(server.requests).toHaveLength(COUNT)
  })

  test('of one question asked twice at once are asked for once', async () => {
    const server = await startChatServer(halfRight)
    const task = await llmTask(llmFiles(server))
    await task.score(task.queries[0], [
      [0, 1],
      [0, 1],
      [1, 0],
    ])
    expect(server.requests).toHaveLength(2)
  })

  test('let an interrupted run go on where it stopped', async () => {
    let broken = true
    const server = await startChatServer((request, count) =>
      broken && count > 4 ? { status: 400 } : halfRight(request),
    )
    const files = llmFiles(server)
    const interrupted = await scoreAll(await llmTask(files))
    expect(interrupted.filter(({ kind }) => kind === 'missing')).toHaveLength(COUNT - 4)
    broken = false
    const resumed = await scoreAll(await llmTask(files))
    expect(resumed.filter(({ kind }) => kind === 'missing')).toHaveLength(0)
    expect(server.requests).toHaveLength(COUNT + COUNT - 4)
  })

  test('that are damaged are asked for again, and none holds the key', async () => {
    const server = await startChatServer(halfRight)
    const files = llmFiles(server)
    const task = await llmTask(files)
    await task.score(task.queries[0], [[0, 1]])
    const [entry] = readdirSync(files.cacheFolder, { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.json'),
    )
    const path = join(files.cacheFolder, entry)
    expect(readFileSync(path, 'utf8')).not.toContain(KEY)
    writeFileSync(path, '{"version":1,"requ')
    await task.score(task.queries[0], [[0, 1]])
    expect(server.requests).toHaveLength(2)
  })
})

describe('a server that fails', () => {
  test.each([
    ['is busy', { status: 429, headers: { 'retry-after': '7' } }],
    ['breaks', { status: 503 }],
    ['hangs up', 'hang-up'],
    ['answers with something else', { status: 200, body: '<html>starting</html>' }],
  ] as const)('and %s is asked again, ever later, and answers in the end', async (_, failure) => {
    const server = await startChatServer((request, count) => (count <= 3 ? failure : halfRight(request)))
    const clock = manualClock()
    const task = await llmTask(llmFiles(server, { endpoint: { clock } }))
    expect(await task.score(task.queries[0], [[0, 1]])).toEqual([{ kind: 'scored', hard: 1, soft: 1 }])
    expect(server.requests).toHaveLength(4)
    const pauses = clock.slept.filter(pause => pause > 0)
    if (failure !== 'hang-up' && 'headers' in failure) expect(Math.min(...pauses)).toBeGreaterThanOrEqual(7000)
    else expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses)
  })

  test('and goes on failing leaves the reward missing, never 0', async () => {
    const server = await startChatServer(() => ({ status: 500, body: 'out of memory' }))
    const task = await llmTask(llmFiles(server, { endpoint: { attempts: 3 } }))
    const [outcome] = await task.score(task.queries[0], [[0, 1]])
    expect(server.requests).toHaveLength(3)
    if (outcome.kind !== 'missing') throw new Error('must be missing')
    expect(render(outcome.reason, 'en')).toBe('no answer after 3 attempts: status 500: out of memory')
  })

  test('and never answers runs into the time limit', async () => {
    const server = await startChatServer(() => 'silence')
    const task = await llmTask(llmFiles(server, { endpoint: { attempts: 2, timeoutSeconds: 0.05 } }))
    const [outcome] = await task.score(task.queries[0], [[0, 1]])
    if (outcome.kind !== 'missing') throw new Error('must be missing')
    expect(render(outcome.reason, 'en')).toMatch(/^no answer after 2 attempts: .*timeout/)
  })

  test('and will not take one request is not asked it again, but other requests are scored', async () => {
    const server = await startChatServer(request =>
      JSON.stringify(request).includes('what is 3?\\nAnswer:"')
        ? { status: 400, body: 'too long' }
        : halfRight(request),
    )
    const task = await llmTask(llmFiles(server, { options: { template: plain } }))
    const outcomes = await scoreAll(task)
    expect(outcomes.map(({ kind }) => kind).filter(kind => kind === 'missing')).toHaveLength(1)
    expect(server.requests).toHaveLength(COUNT)
  })

  test('and answers without text leaves the reward missing', async () => {
    const server = await startChatServer(() => ({ answer: null, finishReason: 'content_filter' }))
    const task = await llmTask(llmFiles(server))
    const [outcome] = await task.score(task.queries[0], [[0, 1]])
    if (outcome.kind !== 'missing') throw new Error('must be missing')
    expect(render(outcome.reason, 'en')).toContain('content_filter')
  })

  test('and whose model declines leaves the reward missing, with what it said', async () => {
    const server = await startChatServer(() => ({ answer: null, refusal: 'I cannot help with that' }))
    const task = await llmTask(llmFiles(server))
    const [outcome] = await task.score(task.queries[0], [[0, 1]])
    if (outcome.kind !== 'missing') throw new Error('must be missing')
    expect(render(outcome.reason, 'en')).toBe('the model declined to answer: I cannot help with that')
  })

  test('and never answers anything stops the run after some questions, with the last reason', async () => {
    const server = await startChatServer(() => ({ status: 500, body: 'no model loaded' }))
    const task = await llmTask(llmFiles(server, { endpoint: { attempts: 1 } }))
    const choices = [0, 1, 2, 3].map(first => [first, (first + 1) % 4])
    const asking = Promise.all(task.queries.map(query => task.score(query, choices)))
    expect(await refusal(asking)).toMatch(/answered none of the first 16 requests: status 500: no model loaded/)
  })

  test('and has answered before may fail for as long as it likes: rewards are missing, nothing stops', async () => {
    const server = await startChatServer((request, count) => (count === 1 ? halfRight(request) : { status: 500 }))
    const task = await llmTask(llmFiles(server, { endpoint: { attempts: 1, concurrency: 1 } }))
    const choices = [0, 1, 2, 3].map(first => [first, (first + 1) % 4])
    const outcomes = (await Promise.all(task.queries.map(query => task.score(query, choices)))).flat()
    expect(outcomes.filter(({ kind }) => kind === 'missing')).toHaveLength(39)
  })

  test('and sends without end is cut off', async () => {
    const server = await startChatServer(() => ({ status: 200, body: `{"choices": "${'x'.repeat(5 << 20)}` }))
    const task = await llmTask(llmFiles(server, { endpoint: { attempts: 1 } }))
    expect((await task.score(task.queries[0], [[0, 1]]))[0].kind).toBe('missing')
  })

  test.each([401, 403, 404])('and refuses all with %d stops the run with a clear error', async status => {
    const server = await startChatServer(() => ({ status, body: 'bad key' }))
    const task = await llmTask(llmFiles(server, { endpoint: { concurrency: 1 } }))
    expect(await refusal(scoreAll(task))).toMatch(`refuses (status ${status}): bad key`)
    expect(await refusal(scoreAll(task))).toMatch('check the address, the model and the key')
    expect(server.requests.length).toBeLessThanOrEqual(2)
  })

  test('and is not there at all leaves rewards missing', async () => {
    // Port 9 is one that fetch will not even try; a name may stand for several addresses.
    for (const [host, why] of [
      ['127.0.0.1:9', 'bad port'],
      ['127.0.0.1:59999', 'ECONNREFUSED'],
      ['localhost:59999', 'ECONNREFUSED'],
    ]) {
      const task = await llmTask(llmFiles({ url: `http://${host}/v1` }, { endpoint: { attempts: 2 } }))
      const [outcome] = await task.score(task.queries[0], [[0, 1]])
      if (outcome.kind !== 'missing') throw new Error('must be missing')
      expect(render(outcome.reason, 'en')).toMatch(why)
    }
  })
})

describe('the key', () => {
  test('does not follow a redirect to another host', async () => {
    const thief = await startChatServer(halfRight)
    const location = `${thief.url}/chat/completions?token=t`
    const server = await startChatServer(() => ({ status: 307, headers: { location } }))
    const task = await llmTask(llmFiles(server))
    const [target] = location.split('?')
    expect(await refusal(task.score(task.queries[0], [[0, 1]]))).toMatch(`(status 307): redirect to ${target};`)
    expect(thief.requests).toHaveLength(0)
  })

  test('is taken out of what the server says back: errors, and answers before they are kept', async () => {
    const echo: ChatReply[] = [{ status: 400, body: `bad key ${KEY}` }, { answer: `my key is ${KEY}` }]
    const server = await startChatServer((_, count) => echo[count - 1])
    const files = llmFiles(server)
    const task = await llmTask(files)
    const [failed] = await task.score(task.queries[0], [[0, 1]])
    if (failed.kind !== 'missing') throw new Error('must be missing')
    expect(render(failed.reason, 'en')).toContain('bad key [key]')
    await task.score(task.queries[0], [[0, 1]])
    const kept = readdirSync(files.cacheFolder, { recursive: true, encoding: 'utf8' }).filter(name =>
      /json$/.test(name),
    )
    expect(kept.map(name => readFileSync(join(files.cacheFolder, name), 'utf8')).join()).toContain('my key is [key]')
  })
})

const plain = { shape: 'one', instruction: '', example: '', query: 'what: {text}\nAnswer:' } as const

describe('bad items are refused, naming file and line', () => {
  const good = (i: number) => ({ id: i, text: 't', answers: ['x'] })
  const five = [0, 1, 2, 3, 4].map(good)
  test.each([
    ['no answers', [...five, { id: 9, text: 't', answers: [] }], /items\.jsonl, line 6: answers is missing/],
    ['an id twice', [...five, good(2)], /items\.jsonl, line 6: item 2 was already given/],
    ['a picture of an unknown type', [{ ...good(0), image: 'x.tiff' }], /line 1: images of type \.tiff/],
    ['a picture that is not there', [{ ...good(0), image: 'x.png' }], /x\.png cannot be read/],
    ['no items', [], /items\.jsonl contains no items/],
    ['too few for a pool', five.slice(0, 4), /has 3 examples for query 0; a pool of 4 cannot be filled/],
  ])('%s', async (_, items, complaint) => {
    expect(await refusal(llmTask(llmFiles({ url: 'http://127.0.0.1:9' }, { items })))).toMatch(complaint)
  })

  test('embeddings for another number of items', async () => {
    const files = llmFiles({ url: 'http://127.0.0.1:9' })
    writeFileSync(files.queries.embeddings, npyFile([1, 2, 3, 4], [2, 2]))
    expect(await refusal(llmTask(files))).toMatch(/items\.jsonl has 10 items, but .*items\.npy has 2 rows/)
  })
})
