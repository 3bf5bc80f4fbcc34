import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { logFile } from '../../../test/support/log-file.js'
import { temporaryWorkspace } from '../../../test/workspace.js'
import { listRuns } from './catalogue.js'
import { changeRun, removeRun } from './manage.js'
import { RunWriter } from './run-writer.js'
import { loadVocabulary } from './vocabulary.js'
import { cacheFolder, runFolder, type Workspace, workspaceAt } from './workspace.js'

async function begin(workspace: Workspace, id: string): Promise<RunWriter> {
  const writer = await RunWriter.open(workspace, { id, name: `run ${id}`, source: 'jsonl' }, 'follow')
  const file = await writer.trackFile(null, logFile(`/${id}`))
  await writer.write([{ type: 'row', step: 1, time: null, metrics: ['m'], values: [1] }], file)
  return writer
}

async function write(workspace: Workspace, id: string): Promise<void> {
  await (await begin(workspace, id)).close()
}

async function listed(workspace: Workspace) {
  return (await listRuns(workspace)).entries.map(({ name, tags, points }) => [name, tags.join(), points])
}

describe('a workspace that stays open', () => {
  it('sees what other processes write, change and remove', async () => {
    const workspace = await temporaryWorkspace()
    const other = workspaceAt(workspace.root)
    expect(await listed(workspace)).toEqual([])
    await write(other, 'a')
    expect(await listed(workspace)).toEqual([['run a', '', 1]])
    await write(other, 'b')
    // Twice within a tick of the clock, to the same size.
    await changeRun(other, 'a', () => ({ tags: ['good'] }))
    expect(await listed(workspace)).toEqual([
      ['run a', 'good', 1],
      ['run b', '', 1],
    ])
    await changeRun(other, 'a', () => ({ tags: ['poor'] }))
    expect(await listed(workspace)).toEqual([
      ['run a', 'poor', 1],
      ['run b', '', 1],
    ])
    await removeRun(other, 'a')
    expect(await listed(workspace)).toEqual([['run b', '', 1]])
    await other.close()
  })

  it('sees a run grow in its live file, and the end of it', async () => {
    const workspace = await temporaryWorkspace()
    const writer = await begin(workspace, 'a')
    await writer.goLive()
    for (const step of [2, 3]) {
      await writer.write([{ type: 'row', step, time: null, metrics: ['m'], values: [step] }], 0)
      expect(await listed(workspace)).toEqual([['run a', '', step]])
      expect((await listRuns(workspace)).entries[0].live).toBe(true)
    }
    await writer.close()
    expect((await listRuns(workspace)).entries[0]).toMatchObject({ live: false, points: 3 })
  })

  it('needs no cache file, and believes none that does not fit', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, 'a')
    const before = await listed(workspace)
    for (const content of ['', '{}', '[{"modifiedMs":1,"size":2,"entry":{"id":"a","name":"of 0.1"}}]']) {
      writeFileSync(join(cacheFolder(workspace), 'runs.json'), content)
      expect(await listed(workspaceAt(workspace.root))).toEqual(before)
    }
    rmSync(cacheFolder(workspace), { recursive: true })
    expect(await listed(workspace)).toEqual(before)
    writeFileSync(join(runFolder(workspace, 'a'), 'run.json'), '{')
    expect(await listRuns(workspace)).toMatchObject({
      entries: [],
      damaged: [join(runFolder(workspace, 'a'), 'run.json')],
    })
  })

  it('leaves a workspace removed that was removed', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, 'a')
    await listRuns(workspace)
    rmSync(workspace.root, { recursive: true })
    expect(await listRuns(workspace)).toEqual({ entries: [], damaged: [] })
    expect(existsSync(workspace.root)).toBe(false)
  })

  it('reads the vocabulary again when it has changed', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, 'a')
    const nothing = await loadVocabulary(workspace)
    expect(nothing.user).toBeUndefined()
    expect(await loadVocabulary(workspace)).toBe(nothing)
    writeFileSync(join(workspace.root, 'vocabulary.yaml'), 'metrics: {kl.ref: [my_kl]}')
    const said = await loadVocabulary(workspace)
    expect(said.user).toBeDefined()
    expect(await loadVocabulary(workspace)).toBe(said)
  })
})
