import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { render } from '../../text/sentences.js'
import { importLogs } from './ingest.js'
import type { Manifest } from './manifest.js'
import type { Workspace } from './workspace.js'

const HOUR_AGO = Date.now() / 1000 - 3600

function steps(last: number): string {
  return Array.from({ length: last }, (_, i) => `step:${i + 1} - actor/pg_loss:${(0.1 * i).toFixed(3)}`).join('\n')
}

async function imported(workspace: Workspace, path: string): Promise<Manifest & { readonly said: string[] }> {
  const { runs } = await importLogs(workspace, [path])
  return { ...runs[0], said: runs[0].ending.map(message => render(message, 'en')) }
}

/** A log that fell silent an hour ago. */
function silent(name: string, text: string): string {
  const path = join(temporaryFolder(), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  utimesSync(path, HOUR_AGO, HOUR_AGO)
  return path
}

/** As a log that was begun a second before its last line was written. */
function writtenSince(path: string): void {
  const later = Date.now() / 1000 + 1
  utimesSync(path, later, later)
}

describe('a verl console', () => {
  const console = `Total training steps: 400\n${steps(83)}\n`

  it('that ends in an out-of-memory error after 83 of 400 steps has failed, and both are said', async () => {
    const path = silent('train.log', `${console}torch.OutOfMemoryError: CUDA out of memory.\n`)
    const { status, said } = await imported(await temporaryWorkspace(), path)
    expect(status).toBe('failed')
    expect(said).toEqual([
      'it ran out of memory: torch.OutOfMemoryError: CUDA out of memory.',
      '83 of 400 steps were logged',
    ])
  })

  it('that only fell silent was killed, and is running again when more comes', async () => {
    const workspace = await temporaryWorkspace()
    const path = silent('train.log', console)
    expect(await imported(workspace, path)).toMatchObject({ status: 'killed', said: ['83 of 400 steps were logged'] })
    appendFileSync(path, 'step:84 - actor/pg_loss:0.100\n')
    writtenSince(path)
    expect(await imported(workspace, path)).toMatchObject({ status: 'running', said: [] })
    utimesSync(path, HOUR_AGO, HOUR_AGO)
    expect(await imported(workspace, path)).toMatchObject({ status: 'killed', said: ['84 of 400 steps were logged'] })
  })

  it('that reached its last step is finished', async () => {
    const path = silent('train.log', `Total training steps: 83\n${steps(83)}\n`)
    expect(await imported(await temporaryWorkspace(), path)).toMatchObject({ status: 'finished', said: [] })
  })
})

describe('a JSONL log', () => {
  const rows = `${Array.from({ length: 20 }, (_, step) => JSON.stringify({ step, loss: 1 / (step + 1) })).join('\n')}\n`

  it('is running while it is young', async () => {
    const path = join(temporaryFolder(), 'loop.jsonl')
    writeFileSync(path, rows)
    writtenSince(path)
    expect((await imported(await temporaryWorkspace(), path)).status).toBe('running')
  })

  it('that a clone or a copy has just laid down is not', async () => {
    const path = join(temporaryFolder(), 'loop.jsonl')
    writeFileSync(path, rows)
    expect((await imported(await temporaryWorkspace(), path)).status).toBe('unknown')
  })

  it('without a number of steps is neither finished nor killed when it falls silent', async () => {
    expect(await imported(await temporaryWorkspace(), silent('loop.jsonl', rows))).toMatchObject({
      status: 'unknown',
      said: [],
    })
  })

  it('is measured by the steps that its config promises', async () => {
    const path = silent('run/loop.jsonl', rows)
    writeFileSync(join(dirname(path), 'config.json'), '{"max_steps": 50, "learning_rate": 1e-6}')
    expect(await imported(await temporaryWorkspace(), dirname(path))).toMatchObject({
      status: 'killed',
      said: ['19 of 50 steps were logged'],
    })
  })
})
