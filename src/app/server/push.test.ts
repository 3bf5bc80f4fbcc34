import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sharedWorkspace, temporaryWorkspace } from '../../../test/workspace.js'
import type { Workspace } from '../../core/store/workspace.js'
import { tag } from '../ask/manage.js'
import { ask } from '../ask/question.js'
import { runTable } from '../ask/runs.js'
import { series } from '../ask/series.js'
import { pushRuns } from './push.js'
import { serve } from './serve.js'

const LOGS = fileURLToPath(new URL('../../../examples/userrl-intentiongym', import.meta.url))

describe('runs for a team', () => {
  const here = sharedWorkspace(LOGS)

  async function teamServer(workspace: Workspace): Promise<string> {
    const stop = new AbortController()
    const tokens = { readToken: 'reading-only', writeToken: 'alice=alices-token,bob=bobs-token' }
    let ended: Promise<unknown> = Promise.resolve()
    const url = await new Promise<string>((resolve, reject) => {
      ended = ask(
        workspace,
        serve,
        { port: 0, host: '0.0.0.0', ...tokens },
        { signal: stop.signal, onProgress: serving => resolve(serving.url.replace('0.0.0.0', '127.0.0.1')) },
      )
      ended.catch(reject)
    })
    onTestFinished(async () => {
      stop.abort()
      await ended
    })
    return url
  }

  it('arrive whole and once, keep what the team gave them, and are noted by the name of the token', async () => {
    const there = await temporaryWorkspace()
    const to = await teamServer(there)
    const pushed = await ask(here(), pushRuns, { runs: ['no-kl', 'kl'], to, token: 'bobs-token' })
    expect(pushed.runs.map(({ changed, sent, bytes }) => [changed, sent === bytes])).toEqual([
      [true, true],
      [true, true],
    ])
    const asked = { runs: ['kl'], metric: ['val.score'] }
    expect((await ask(there, series, asked)).series).toEqual((await ask(here(), series, asked)).series)

    await ask(there, tag, { run: 'kl', tag: ['team'] })
    const again = await ask(here(), pushRuns, { runs: ['kl'], to, token: 'alices-token' })
    expect(again.runs[0]).toMatchObject({ changed: false })
    const { runs } = await ask(there, runTable, { search: 'kl' })
    expect(runs.find(({ name }) => name === 'kl')?.tags).toEqual(['team'])

    const trail = readFileSync(join(there.root, 'trail.jsonl'), 'utf8').trim().split('\n')
    expect(trail.map(line => JSON.parse(line)).map(({ by, question }) => [by, question])).toEqual([
      ['bob', 'push'],
      ['bob', 'push'],
    ])
  })

  it('need the write token, and cannot be put anywhere but among the runs', async () => {
    const there = await temporaryWorkspace()
    const to = await teamServer(there)
    await expect(ask(here(), pushRuns, { runs: ['kl'], to, token: 'reading-only' })).rejects.toMatchObject({
      sentence: { key: 'push.needs-token' },
    })
    const send = (path: string, body: unknown) =>
      fetch(`${to}/api/push/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer bobs-token' },
        body: JSON.stringify(body),
      })
    const hash = 'a'.repeat(64)
    expect((await send('abcdef/plan', { files: [{ path: '../../x', size: 1, hash }] })).status).toBe(400)
    expect((await send('..%2f..%2fx/plan', { files: [{ path: 'run.json', size: 1, hash }] })).status).toBe(400)
    expect((await send('abcdef/commit', { files: [{ path: 'run.json', size: 1, hash }] })).status).toBe(400)
  })

  it('go on where they were cut off, and are not taken where a file is not what its hash says', async () => {
    const there = await temporaryWorkspace()
    const to = await teamServer(there)
    const put = (path: string, body: string) =>
      fetch(`${to}/api/push/${path}`, { method: 'PUT', headers: { authorization: 'Bearer bobs-token' }, body })
    const files = [{ path: 'run.json', size: 6, hash: 'b'.repeat(64) }]
    const plan = (what: string) =>
      fetch(`${to}/api/push/abcdef/${what}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer bobs-token' },
        body: JSON.stringify({ files }),
      })
    await put(`abcdef/${files[0].hash}?from=0`, 'abc')
    expect(await (await plan('plan')).json()).toEqual({ wanted: [{ hash: files[0].hash, from: 3 }] })
    expect(await (await put(`abcdef/${files[0].hash}?from=0`, 'abc')).json()).toEqual({ size: 3 })
    await put(`abcdef/${files[0].hash}?from=3`, 'def')
    const committed = await plan('commit')
    expect(committed.status).toBe(400)
    expect((await ask(there, runTable, {})).total).toBe(0)
  })
})
