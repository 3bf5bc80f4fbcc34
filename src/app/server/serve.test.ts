import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { leaveLease, POLITE, startProcess } from '../../../test/support/processes.js'
import { sharedWorkspace } from '../../../test/workspace.js'
import { freeze } from '../../lab/study/file/frozen.js'
import { readStudy } from '../../lab/study/file/read.js'
import { studyFolder } from '../../lab/study/ledger.js'
import { compare } from '../ask/compare.js'
import { ask } from '../ask/question.js'
import { type Serving, serve } from './serve.js'

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))

describe('the server', () => {
  const workspace = sharedWorkspace(join(EXAMPLES, 'userrl-intentiongym'))
  const [local, team] = [
    started({}),
    started({ host: '0.0.0.0', readToken: 'to-read-only', writeToken: 'to-write-too' }),
  ]

  /** One that runs for all tests of the group. */
  function started(options: object): () => Serving {
    const stop = new AbortController()
    let serving: Serving
    let ended: Promise<unknown>
    beforeAll(async () => {
      serving = await new Promise((resolve, reject) => {
        ended = ask(workspace(), serve, { port: 0, ...options }, { signal: stop.signal, onProgress: resolve })
        ended.catch(reject)
      })
    })
    afterAll(async () => {
      stop.abort()
      await ended
    })
    return () => ({ ...serving, url: serving.url.replace('0.0.0.0', '127.0.0.1') })
  }

  async function post(path: string, body: unknown, headers: { readonly [name: string]: string } = {}, from = local) {
    const response = await fetch(`${from().url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  /** fetch sets Host itself. */
  function statusFor(path: string, headers: { readonly [name: string]: string }): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      request(`${local().url}${path}`, { headers }, response => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
  }

  it('answers what the command line answers', async () => {
    const sides = { sides: ['no-kl', 'kl'], margin: '5%' }
    const { status, body } = await post('/api/compare', { ...sides, lang: 'zh' })
    const expected = await ask(workspace(), compare, { ...sides, lang: 'zh' })
    expect(status).toBe(200)
    expect(body).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  it('takes the members of a question from the address, lists by repetition', async () => {
    const response = await fetch(`${local().url}/api/series?runs=no-kl&runs=kl&metric=val.score`)
    const { series } = JSON.parse(await response.text())
    expect(series.map(({ x }: { x: readonly number[] }) => x)).toEqual([
      [5, 10, 15, 20, 25, 30, 35, 40, 45],
      [5, 10, 15, 20, 25, 30, 35, 40, 45],
    ])
  })

  it('explains what stands in the way, in the language of the reader', async () => {
    const unknown = await post('/api/show', { run: 'nope', lang: 'zh' })
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } })
    expect(unknown.body.error.message).toMatch(/[\u4e00-\u9fff]/)
    expect(await post('/api/show', '[]')).toMatchObject({ status: 400 })
    expect(await post('/api/nothing', {})).toMatchObject({ status: 404 })
    const deep = `{"runs":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    for (const [path, body] of [
      ['/api/diagnose', deep],
      ['/api/push/abcdef/plan', 'no JSON'],
      ['/api/push/abcdef/commit', deep],
      ['/api/session', 'no JSON'],
      ['/api/train', { set: 3 }],
      ['/api/study-begin', { name: 3 }],
    ] as const) {
      expect([path, await post(path, body)]).toMatchObject([
        path,
        { status: 400, body: { error: { code: 'bad-request' } } },
      ])
    }
    expect(await (await fetch(`${local().url}/api/jobs`)).json()).toEqual([])
    expect(await post('/api/show', { run: 'x'.repeat(2 << 20) })).toMatchObject({ status: 413 })
  })

  it('refuses names that were pointed here and pages of other origins', async () => {
    expect(await statusFor('/api/run-table', { host: 'evil.example' })).toBe(403)
    expect(await statusFor('/', { host: 'evil.example' })).toBe(403)
    expect(await statusFor('/api/run-table', { origin: 'http://evil.example' })).toBe(403)
    expect(await statusFor('/api/run-table', { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await statusFor('/api/run-table', { host: 'localhost:1' })).toBe(200)
    const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
    expect(await statusFor('/runs', visit)).toBe(200)
    for (const path of ['/api/upload?name=a.jsonl', '/api/tag', '/api/push/abcdef/plan']) {
      expect(await post(path, {}, visit)).toMatchObject({ status: 403 })
    }
    expect(await statusFor('/api/run-table', { origin: local().url.replace('http:', 'ftp:') })).toBe(403)
    // A form of another page cannot send JSON.
    expect(await post('/api/rename', { run: 'kl', name: 'x' }, { 'content-type': 'text/plain' })).toMatchObject({
      status: 415,
    })
  })

  it('reads and writes nothing outside the workspace', async () => {
    for (const [question, body] of [
      ['audit', { reports: ['/etc/hostname'] }],
      ['audit', { texts: [{ name: 'a', text: 'b' }], reader: 'http://127.0.0.1:1#m' }],
      ['report', { runs: ['kl'], output: '/tmp/x.md' }],
      ['train', { out: '/tmp/x' }],
      ['train', { set: ['data.train=/etc/hostname'] }],
    ] as const) {
      expect(await post(`/api/${question}`, body)).toMatchObject({ status: 403 })
    }
    expect(await post('/api/show', { run: join(EXAMPLES, 'grpo-addition') })).toMatchObject({ status: 404 })
    for (const path of ['/..%2f..%2fpackage.json', '/assets/../../package.json']) {
      expect(await (await fetch(local().url + path)).text()).not.toContain('devDependencies')
    }
  })

  it('lets nobody in without a token beyond loopback, and only the writer change anything', async () => {
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    expect(await post('/api/run-table', {}, {}, team)).toMatchObject({ status: 401 })
    expect(await post('/api/run-table', {}, bearer('to-read-onlY'), team)).toMatchObject({ status: 401 })
    expect(await post('/api/run-table', {}, bearer('to-read-only'), team)).toMatchObject({ status: 200 })
    expect(await post('/api/tag', { run: 'kl', tag: ['x'] }, bearer('to-read-only'), team)).toMatchObject({
      status: 403,
    })
    expect(await post('/api/session', { token: 'wrong' }, {}, team)).toMatchObject({ status: 401 })
    const opened = await post('/api/session', { token: 'to-write-too' }, {}, team)
    // A cookie would go to every other port of this host.
    expect(opened.headers.get('set-cookie')).toBeNull()
    const tagged = await post('/api/tag', { run: 'kl', tag: ['good'] }, bearer(opened.body.session), team)
    expect(tagged).toMatchObject({ status: 200, body: [{ tags: ['good'] }] })
    const trail = readFileSync(join(workspace().root, 'trail.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(trail).toMatchObject([{ question: 'tag', request: { run: 'kl', tag: ['good'] }, from: expect.any(String) }])
  })

  it('asks the process that works on a study to stop, and no other that has its number or group', async () => {
    const text = 'question: q?\nbase: {task: digits}\nvary: {kl.loss.coef: [0, 1]}\nseeds: 1\n'
    await freeze(workspace(), readStudy('halted.yaml', text))
    const folder = studyFolder(workspace(), 'halted')
    const halt = () => post('/api/study-halt', { name: 'halted' })
    const { child, pid, birth, isAlive } = await startProcess(POLITE)
    for (const [holder, ahead] of [
      [{ pid, birth: '1' }],
      [{ pid, birth }, 3600],
      [{ pid: -pid, birth }, -10],
    ] as const) {
      leaveLease(folder, holder, ahead)
      expect(await halt()).toMatchObject({ status: 404 })
    }
    leaveLease(folder, { pid })
    expect(await halt()).toMatchObject({ status: 409, body: { error: { code: 'busy' } } })
    expect(isAlive()).toBe(true)
    leaveLease(folder, { pid, birth })
    const ended = new Promise(resolve => child.once('exit', resolve))
    expect(await halt()).toMatchObject({ status: 200, body: { asked: true } })
    expect(await ended).toBe(0)
  })

  it('says where files lie to this machine only', async () => {
    const bearer = { authorization: 'Bearer to-write-too' }
    const folder = join(EXAMPLES, 'userrl-intentiongym')
    const shown = await post('/api/show', { run: 'kl' })
    expect(shown.body.run.files.map(({ path }: { path: string }) => path)).toContain(
      join(folder, 'kl', 'metrics.jsonl'),
    )
    const elsewhere = await post('/api/show', { run: 'kl' }, bearer, team)
    expect(elsewhere.body.run.files.map(({ path }: { path: string }) => path)).toContain('metrics.jsonl')
    expect(elsewhere.body.settings).toEqual(shown.body.settings)
    const noLog = await fetch(`${team().url}/api/upload?name=a.txt`, {
      method: 'POST',
      headers: bearer,
      body: 'no log',
    })
    const answers = [elsewhere.body, (await post('/api/run-table', {}, bearer, team)).body, await noLog.json()]
    const text = JSON.stringify(answers)
    expect(text).not.toContain(EXAMPLES)
    expect(text).not.toContain(dirname(workspace().root))
  })

  it('tells everybody who listens what has changed', async () => {
    const listening = new AbortController()
    const response = await fetch(`${local().url}/api/events`, { signal: listening.signal })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let told = ''
    const until = async (word: string): Promise<void> => {
      while (!told.includes(word)) told += (await reader?.read())?.value ?? ''
    }
    await until('event: hello')
    // Who was answered before a change and listens after it can tell by these that it missed it.
    const before = Number(/"events":(\d+)/.exec(told)?.[1])
    const answeredAt = async () => Number((await post('/api/run-table', {})).headers.get('klens-events'))
    expect(await answeredAt()).toBeGreaterThanOrEqual(before)
    await post('/api/tag', { run: 'no-kl', tag: ['seen'] })
    // What a test before this one changed may come first.
    await until('"tags":["seen"]')
    expect(await answeredAt()).toBeGreaterThan(before)
    expect(told).toContain('event: runs')
    listening.abort()
  })

  it('takes a log that is sent, once, however often it is sent', async () => {
    const log = Array.from({ length: 30 }, (_, step) => JSON.stringify({ step, reward: step / 30 })).join('\n')
    const send = () => fetch(`${local().url}/api/upload?name=../../new.jsonl`, { method: 'POST', body: log })
    const [first, second] = [JSON.parse(await (await send()).text()), JSON.parse(await (await send()).text())]
    expect(first.runs).toMatchObject([{ name: 'new', points: 30 }])
    expect(second.runs[0].id).toBe(first.runs[0].id)
    const { body } = await post('/api/run-table', { search: 'new' })
    expect(body).toMatchObject({ found: 1, runs: [{ id: first.runs[0].id }] })
  })

  it('lets a page run only its own scripts', async () => {
    const { headers } = await post('/api/run-table', {})
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})
