import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { logFile } from '../../../test/support/log-file.js'
import { temporaryWorkspace } from '../../../test/workspace.js'
import { listRuns, type RunEntry } from './catalogue.js'
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

function entryMembers(run: RunEntry) {
  const { id, name, source, status, steps, metrics, points, tags, note, samples, loggedAt } = run
  const { startedAt, endedAt, scores, live, lineage } = run
  const told = { id, name, source, status, steps, metrics, points, tags, note, samples, loggedAt }
  return { ...told, startedAt, endedAt, scores, live, lineage }
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

  it('says the same from an index that is stale, cut or of another time as from none', async () => {
    const workspace = await temporaryWorkspace()
    const path = join(cacheFolder(workspace), 'runs.json')
    const indexes: string[] = []
    const keep = async (): Promise<void> => {
      await listed(workspaceAt(workspace.root))
      indexes.push(readFileSync(path, 'utf8'))
    }
    for (const id of ['c', 'a10', 'a9']) await write(workspace, id)
    await keep()
    await changeRun(workspace, 'a9', () => ({ givenName: 'z' }))
    await removeRun(workspace, 'c')
    await keep()
    await write(workspace, 'b')
    rmSync(path)
    const right = JSON.stringify(await listRuns(workspaceAt(workspace.root)))
    await keep()
    expect(JSON.parse(right).byName.map(({ name }: { name: string }) => name)).toEqual(['run a10', 'run b', 'z'])
    const [last] = indexes.slice(-1)
    const cut = Array.from({ length: 40 }, (_, i) => last.slice(0, Math.floor((i * last.length) / 40)))
    const short = last.replaceAll(/\[(?!")[^\][]*,/g, '[')
    for (const index of [...indexes, ...cut, short, last.replace('"columns"', '"other"')]) {
      writeFileSync(path, index)
      const { entries, byName, damaged } = await listRuns(workspaceAt(workspace.root))
      // Rows of an index are views: what they say counts.
      const said = (runs: typeof entries) => runs.map(run => JSON.parse(JSON.stringify(entryMembers(run))))
      expect({ entries: said(entries), byName: said(byName), damaged }).toEqual(JSON.parse(right))
    }
  })

  it('leaves a workspace removed that was removed', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, 'a')
    await listRuns(workspace)
    rmSync(workspace.root, { recursive: true })
    expect(await listRuns(workspace)).toEqual({ entries: [], byName: [], damaged: [] })
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
