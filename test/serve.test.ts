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
})
