import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { madeTraining, writeTraining } from '../../../test/support/one-training.js'
import { fixture } from '../../../test/support/reading.js'
import { temporaryFolder } from '../../../test/workspace.js'
import { listRuns } from './catalogue.js'
import { checkStore } from './doctor.js'
import { importLogs } from './ingest.js'
import { changeRun } from './manage.js'
import { manifestPath, readManifest } from './manifest-file.js'
import { openWorkspace, type Workspace } from './workspace.js'

/** A project with its store inside: `logs/` with two runs, one of them with settings beside the log. */
function project(folder: string): string {
  const root = join(folder, 'project')
  for (const [name, rate] of [
    ['calm', 0.1],
    ['wild', 0.9],
  ] as const) {
    mkdirSync(join(root, 'logs', name), { recursive: true })
    const lines = [1, 2, 3].map(step => `${JSON.stringify({ step, loss: rate * step })}\n`)
    writeFileSync(join(root, 'logs', name, 'metrics.jsonl'), lines.join(''))
    writeFileSync(join(root, 'logs', name, 'config.json'), JSON.stringify({ rate }))
  }
  mkdirSync(join(root, '.klens'))
  return root
}

async function opened(root: string): Promise<Workspace> {
  const workspace = await openWorkspace(root, {})
  onTestFinished(() => workspace.close())
  return workspace
}

async function outline(workspace: Workspace) {
  const { entries } = await listRuns(workspace)
  return entries.map(({ id, name, points }) => ({ id, name, points })).sort((a, b) => (a.id < b.id ? -1 : 1))
}

describe('a store that moves', () => {
  it('knows its runs again when the project was moved', async () => {
    const folder = temporaryFolder()
    const before = project(folder)
    const old = await opened(before)
    await importLogs(old, [join(before, 'logs')])
    const known = await outline(old)
    renameSync(before, join(folder, 'elsewhere'))
    const moved = await opened(join(folder, 'elsewhere'))
    await importLogs(moved, [join(folder, 'elsewhere', 'logs')])
    expect(await outline(moved)).toEqual(known)
    const { files } = (await readManifest(moved, known[0].id)) ?? { files: [] }
    for (const { path } of files) expect(path.startsWith(join(folder, 'elsewhere'))).toBe(true)
  })

  it('knows a training of two logs again, and reads neither as another run', async () => {
    const folder = temporaryFolder()
    const before = join(folder, 'project')
    mkdirSync(join(before, '.klens'), { recursive: true })
    for (const format of ['tensorboard', 'console'] as const) {
      writeTraining(format, join(before, 'logs'), madeTraining({ seed: 1 }))
    }
    const old = await opened(before)
    await importLogs(old, [join(before, 'logs')])
    const known = await outline(old)
    expect(known).toHaveLength(1)
    renameSync(before, join(folder, 'elsewhere'))
    const moved = await opened(join(folder, 'elsewhere'))
    await importLogs(moved, [join(folder, 'elsewhere', 'logs')])
    expect(await outline(moved)).toEqual(known)
  })

  it('knows them in a copy too, while the first project is still there', async () => {
    const folder = temporaryFolder()
    const before = project(folder)
    const old = await opened(before)
    await importLogs(old, [join(before, 'logs')])
    const copy = join(folder, 'copy')
    cpSync(before, copy, { recursive: true })
    const workspace = await opened(copy)
    writeFileSync(join(copy, 'logs', 'calm', 'metrics.jsonl'), `${JSON.stringify({ step: 4, loss: 4 })}\n`, {
      flag: 'a',
    })
    await importLogs(workspace, [join(copy, 'logs')])
    const points = (await outline(workspace)).map(run => run.points).sort()
    expect(points).toEqual([3, 4])
    expect((await outline(old)).map(run => run.points)).toEqual([3, 3])
    expect((await checkStore(workspace)).flatMap(({ damage }) => damage)).toEqual([])
  })

  it('knows a log that moved within the project, and keeps what was said of it', async () => {
    const root = project(temporaryFolder())
    const workspace = await opened(root)
    const { runs } = await importLogs(workspace, [join(root, 'logs')])
    await changeRun(workspace, runs[0].id, () => ({ givenName: 'mine', tags: ['good'] }))
    renameSync(join(root, 'logs'), join(root, 'archive'))
    await importLogs(workspace, [join(root, 'archive')])
    const known = await outline(workspace)
    expect(known).toHaveLength(2)
    expect(known.map(({ name }) => name)).toContain('mine')
    const { files } = (await readManifest(workspace, runs[0].id)) ?? { files: [] }
    expect(files.map(({ role }) => role).sort()).toEqual(['config', 'log'])
    for (const { path } of files) expect(path).toContain(join(root, 'archive'))
  })

  it('keeps a copy apart from a run that is still there, and says that it is one', async () => {
    const root = project(temporaryFolder())
    const workspace = await opened(root)
    await importLogs(workspace, [join(root, 'logs')])
    cpSync(join(root, 'logs', 'calm'), join(root, 'logs', 'again'), { recursive: true })
    const { runs } = await importLogs(workspace, [join(root, 'logs')])
    expect(runs).toHaveLength(3)
    expect(runs.filter(({ duplicateOf }) => duplicateOf !== null)).toHaveLength(1)
  })

  it('knows the runs that klens 0.1 kept, with absolute paths and without an identity', async () => {
    const folder = temporaryFolder()
    const before = project(folder)
    const old = await opened(before)
    const { runs } = await importLogs(old, [join(before, 'logs')])
    for (const { id } of runs) {
      const path = manifestPath(old, id)
      const { identity: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
      const files = manifest.files.map((file: { path: string }) => ({ ...file, path: join(before, file.path) }))
      writeFileSync(path, JSON.stringify({ ...manifest, files }))
    }
    renameSync(before, join(folder, 'elsewhere'))
    const moved = await opened(join(folder, 'elsewhere'))
    await importLogs(moved, [join(folder, 'elsewhere', 'logs')])
    expect((await outline(moved)).map(({ id }) => id)).toEqual(runs.map(({ id }) => id).sort())
  })

  it('takes another log of the same beginning for another run when it is shorter', async () => {
    const root = project(temporaryFolder())
    const workspace = await opened(root)
    await importLogs(workspace, [join(root, 'logs', 'calm')])
    renameSync(join(root, 'logs', 'calm'), join(root, 'logs', 'short'))
    const log = join(root, 'logs', 'short', 'metrics.jsonl')
    writeFileSync(log, readFileSync(log, 'utf8').split('\n').slice(0, 2).join('\n'))
    await importLogs(workspace, [join(root, 'logs', 'short')])
    expect(await outline(workspace)).toHaveLength(2)
  })
})

describe('two W&B projects that chose the same id for a run', () => {
  const at = (name: string) => fixture(`wandb/projects/${name}`)
  const names = async (workspace: Workspace) =>
    (await outline(workspace)).map(({ name, points }) => `${name}: ${points > 0}`).sort()

  it.each([
    ['in one import', [['one', 'two']]],
    ['one after the other', [['one'], ['two'], ['one', 'two']]],
    ['the second first, then both', [['two'], ['one'], ['one', 'two'], ['two']]],
  ])('stay two runs, however they come: %s', async (_, imports) => {
    const workspace = await opened(temporaryFolder())
    for (const paths of imports) await importLogs(workspace, paths.map(at))
    expect(await names(workspace)).toEqual(['one-seed1: true', 'two-seed1: true'])
  })
})
