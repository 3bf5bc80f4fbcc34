import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { announce, isVetoed } from '../../lab/study/watch/act.js'
import { ask } from './question.js'
import { keepRunning, stops } from './stops.js'

async function announced(watcher: number) {
  const workspace = await temporaryWorkspace()
  const folder = join(temporaryFolder(), 'sick')
  mkdirSync(folder)
  writeFileSync(join(folder, 'metrics.jsonl'), '{"step":1,"reward":0}\n{"step":2,"reward":0}\n')
  const [{ id }] = (await importLogs(workspace, [folder])).runs
  const at = Date.now() / 1000 + 60
  await announce(workspace, { run: id, name: 'sick', rule: 'dead', message: 'it learns nothing', at, watcher })
  return { workspace, id }
}

describe('a stop that is announced', () => {
  it('is seen until somebody says no', async () => {
    const { workspace, id } = await announced(process.pid)
    const before = await answerTo(workspace, stops, {})
    expect(before.stops).toMatchObject([{ run: id, name: 'sick', rule: 'dead', message: 'it learns nothing' }])
    expect(before.stops[0].seconds).toBeLessThanOrEqual(60)
    expect(await answerTo(workspace, keepRunning, { runs: ['sick'] })).toEqual({ kept: [{ id, name: 'sick' }] })
    expect(await isVetoed(workspace, id)).toBe(true)
    expect(await answerTo(workspace, stops, {})).toEqual({ stops: [] })
  })

  it('is none when nobody watches any more, and a no to it is refused', async () => {
    // No process has this number: it is above what Linux gives.
    const { workspace, id } = await announced(2 ** 30)
    expect(await answerTo(workspace, stops, {})).toEqual({ stops: [] })
    await expect(ask(workspace, keepRunning, { runs: ['sick'] })).rejects.toThrow(/stops.none/)
    expect(await isVetoed(workspace, id)).toBe(false)
  })
})
