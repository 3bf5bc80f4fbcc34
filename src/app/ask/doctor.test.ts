import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { takeLease } from '../../core/store/lease.js'
import { runFolder } from '../../core/store/workspace.js'
import { doctor } from './doctor.js'
import { show } from './show.js'

/** Three runs: a sound one, one that has lost its points but not its log, one whose manifest is torn and whose log is gone. */
async function damagedStore() {
  const workspace = await temporaryWorkspace()
  const logs = temporaryFolder()
  for (const name of ['sound', 'torn', 'lost']) {
    mkdirSync(join(logs, name))
    const lines = [1, 2, 3].map(step => `${JSON.stringify({ step, [`loss_${name}`]: step / 4 })}\n`)
    writeFileSync(join(logs, name, 'metrics.jsonl'), lines.join(''))
  }
  const { runs } = await importLogs(workspace, [logs])
  const ids = Object.fromEntries(runs.map(({ name, id }) => [name, id]))
  const points = join(runFolder(workspace, ids.torn), 'points')
  const part = join(points, readdirSync(points)[0])
  writeFileSync(part, readFileSync(part).subarray(0, 40))
  writeFileSync(join(runFolder(workspace, ids.lost), 'run.json'), '{')
  rmSync(join(logs, 'lost'), { recursive: true })
  return { workspace, ids }
}

describe('doctor', () => {
  it('says what is damaged and what a repair would do, and changes nothing', async () => {
    const { workspace, ids } = await damagedStore()
    const answer = await answerTo(workspace, doctor, {})
    expect(answer).toMatchObject({ workspace: workspace.root, checked: 3 })
    const byId = new Map(answer.damaged.map(run => [run.id, run]))
    expect([...byId.keys()].sort()).toEqual([ids.torn, ids.lost].sort())
    expect(byId.get(ids.torn)).toMatchObject({ name: 'torn', remedy: 'read-again', repair: null, failure: null })
    expect(byId.get(ids.lost)).toMatchObject({ name: null, remedy: 'move', repair: null })
    expect(await answerTo(workspace, doctor, {})).toEqual(answer)
  })

  it('repairs from the log, moves aside what has none, and leaves a sound store', async () => {
    const { workspace, ids } = await damagedStore()
    const { damaged } = await answerTo(workspace, doctor, { repair: true })
    const byId = new Map(damaged.map(run => [run.id, run.repair]))
    expect(byId.get(ids.torn)).toMatchObject({ did: 'read-again' })
    expect(byId.get(ids.lost)).toMatchObject({ did: 'moved' })
    for (const repair of byId.values()) expect(existsSync(repair?.aside ?? '')).toBe(true)
    expect((await answerTo(workspace, doctor, {})).damaged).toEqual([])
    expect((await answerTo(workspace, show, { run: ids.torn })).run.points).toBe(3)
  })

  it('checks only the runs that are named', async () => {
    const { workspace, ids } = await damagedStore()
    expect(await answerTo(workspace, doctor, { runs: [ids.sound] })).toMatchObject({ checked: 1, damaged: [] })
    const [{ remedy }] = (await answerTo(workspace, doctor, { runs: [ids.lost] })).damaged
    expect(remedy).toBe('move')
    await expect(answerTo(workspace, doctor, { runs: ['nobody'] })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('leaves a run alone that another process is writing, says so, and repairs the others', async () => {
    const { workspace, ids } = await damagedStore()
    const lease = await takeLease(runFolder(workspace, ids.torn), 'follow')
    const { damaged } = await answerTo(workspace, doctor, { repair: true })
    await lease.release()
    const byId = new Map(damaged.map(run => [run.id, run]))
    expect(byId.get(ids.torn)).toMatchObject({ repair: null, failure: expect.stringContaining('being written') })
    expect(byId.get(ids.lost)?.repair).toMatchObject({ did: 'moved' })
  })
})
