import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ended, startKlens } from './cli.js'
import { startServing, stopServing } from './dashboard.js'
import { temporaryFolder } from './workspace.js'

/** The server as a process. What its pages show, in a browser: `npm run test:web`. */

describe('klens serve', () => {
  it('says its address on the first line, takes the next free port, and ends with 0 on Ctrl-C', async () => {
    const folder = temporaryFolder()
    const first = await startServing(folder)
    const second = await startServing(folder)
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(second.url).not.toBe(first.url)
    const taken = startKlens(folder, ['serve', '--no-open', '--port', new URL(first.url).port])
    expect(await ended(taken)).toBe(2)
    expect(await Promise.all([stopServing(first), stopServing(second)])).toEqual([0, 0])
    expect(existsSync(join(folder, '.klens', 'runs'))).toBe(false)
  })

  it('imports a log that is sent in a process of its own, and lists the run', async () => {
    const folder = temporaryFolder()
    const serving = await startServing(folder, ['--port', '0'])
    const log = Array.from({ length: 20 }, (_, step) => JSON.stringify({ step, reward: step / 20 })).join('\n')
    const sent = await fetch(`${serving.url}/api/upload?name=sent.jsonl`, { method: 'POST', body: log })
    expect([sent.status, await sent.json()]).toMatchObject([200, { runs: [{ name: 'sent', points: 20 }] }])
    const table = await fetch(`${serving.url}/api/run-table`)
    expect(await table.json()).toMatchObject({ runs: [{ name: 'sent' }] })
    expect(await stopServing(serving)).toBe(0)
  })
})
