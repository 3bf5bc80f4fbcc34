import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sharedWorkspace, temporaryWorkspace } from '../../../test/workspace.js'
import { listRuns } from '../../core/store/catalogue.js'
import { checkStore } from '../../core/store/doctor.js'
import { importLogs } from '../../core/store/ingest.js'
import { manifestPath } from '../../core/store/manifest-file.js'
import { runFolder, type Workspace } from '../../core/store/workspace.js'
import { sha256 } from '../../logs/model/id.js'
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
    expect((await send('abcdef/commit', { files: [{ path: 'run.json', size: 1, hash }] })).status).toBe(409)
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
    expect((await put(`abcdef/${files[0].hash}?from=0`, 'abc')).status).toBe(409)
    expect(await (await plan('plan')).json()).toEqual({ wanted: [{ hash: files[0].hash, from: 0 }] })
    await put(`abcdef/${files[0].hash}?from=0`, 'abc')
    expect(await (await plan('plan')).json()).toEqual({ wanted: [{ hash: files[0].hash, from: 3 }] })
    expect(await (await put(`abcdef/${files[0].hash}?from=0`, 'abc')).json()).toEqual({ size: 3 })
    expect((await put(`abcdef/${files[0].hash}?from=3`, 'more than was announced')).status).toBe(400)
    await put(`abcdef/${files[0].hash}?from=3`, 'def')
    const committed = await plan('commit')
    expect(committed.status).toBe(400)
    expect((await ask(there, runTable, {})).total).toBe(0)
  })

  it('of several that send the same run at once none fails, and it is there once', async () => {
    const there = await temporaryWorkspace()
    const to = await teamServer(there)
    const push = () => ask(here(), pushRuns, { runs: ['kl', 'no-kl'], to, token: 'bobs-token' })
    for (const { runs } of await Promise.all([push(), push(), push()])) expect(runs).toHaveLength(2)
    expect((await ask(there, runTable, {})).total).toBe(2)
    expect((await checkStore(there)).flatMap(({ damage }) => damage)).toEqual([])
  })

  it('are not taken with a part that is no Parquet, nor without the points that they count', async () => {
    const there = await temporaryWorkspace()
    const to = await teamServer(there)
    const [{ id }] = (await listRuns(here())).entries
    const manifest = JSON.parse(readFileSync(manifestPath(here(), id), 'utf8'))
    const sent = async (parts: readonly string[], content: string) => {
      const text = JSON.stringify({ ...manifest, parts, evaluations: 0, samples: 0, texts: [], checksums: {} })
      const bodies = [text, ...parts.map(() => content)]
      const files = bodies.map((body, i) => ({
        path: i === 0 ? 'run.json' : parts[i - 1],
        size: Buffer.byteLength(body),
        hash: sha256(body),
      }))
      const headers = { 'content-type': 'application/json', authorization: 'Bearer bobs-token' }
      const step = (method: string, what: string, body: string) =>
        fetch(`${to}/api/push/${id}/${what}`, { method, headers, body })
      await step('POST', 'plan', JSON.stringify({ files }))
      for (const [i, { hash }] of files.entries()) await step('PUT', `${hash}?from=0`, bodies[i])
      const committed = await step('POST', 'commit', JSON.stringify({ files }))
      return [committed.status, await committed.text()]
    }
    expect(await sent(['points/0.parquet'], 'no Parquet at all')).toEqual([
      400,
      expect.stringContaining('cannot be read'),
    ])
    expect(await sent([], '')).toEqual([400, expect.stringContaining('points, but the files have 0')])
    expect((await ask(there, runTable, {})).total).toBe(0)
  })

  it('are not sent where a file is not as it was written', async () => {
    const from = await temporaryWorkspace()
    const [{ id, parts }] = (await importLogs(from, [join(LOGS, 'kl')])).runs
    const path = join(runFolder(from, id), parts[0])
    const bytes = readFileSync(path)
    bytes[bytes.length >> 1] ^= 1
    writeFileSync(path, bytes)
    const to = await teamServer(await temporaryWorkspace())
    await expect(ask(from, pushRuns, { runs: [id], to, token: 'bobs-token' })).rejects.toMatchObject({
      code: 'damaged',
    })
  })
})
