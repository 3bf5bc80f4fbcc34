import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/support/refusal.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import type { RunEvent } from '../../logs/model/events.js'
import { listRuns, loadRun } from './catalogue.js'
import { problemOf } from './disk-problem.js'
import { checkRun, checkStore, repairRun } from './doctor.js'
import { readEvaluations } from './evaluations.js'
import { exportPoints } from './export.js'
import { importLogs } from './ingest.js'
import { changeRun, removeRun } from './manage.js'
import { RunWriter } from './run-writer.js'
import { listSamples } from './samples.js'
import { readSeries } from './series.js'
import { runFolder, type Workspace } from './workspace.js'

/** A store with a run of a log, and one that klens wrote itself, of which there is no log. */
async function store() {
  const workspace = await temporaryWorkspace()
  const log = join(temporaryFolder(), 'metrics.jsonl')
  writeFileSync(log, [1, 2, 3].map(step => `${JSON.stringify({ step, loss: step / 4 })}\n`).join(''))
  const [{ id }] = (await importLogs(workspace, [log])).runs
  await changeRun(workspace, id, () => ({ givenName: 'mine', tags: ['good'] }))
  const writer = await RunWriter.open(workspace, { id: 'own', name: 'own', source: 'klens' }, 'train')
  const row = (step: number): RunEvent => ({ type: 'row', step, time: null, metrics: ['m'], values: [step] })
  const condition = { shots: 1 }
  await writer.write(
    [
      row(1),
      { type: 'evaluation', evaluation: { metric: 'eval', step: 1, condition, value: 1, n: 2, quality: 'measured' } },
      { type: 'samples', samples: { metric: 'eval', step: 1, condition, ids: ['a', 'b'], scores: [1, 1] } },
    ],
    null,
  )
  await writer.close()
  return { workspace, log, id }
}

async function values(workspace: Workspace, id: string, metric: string): Promise<readonly number[]> {
  const run = await loadRun(workspace, id)
  return run === null ? [] : [...((await readSeries(run, [metric])).get(metric)?.values ?? [])]
}

function partOf(workspace: Workspace, id: string): string {
  const folder = join(runFolder(workspace, id), 'points')
  return join(folder, readdirSync(folder)[0])
}

describe('a sound store', () => {
  it('is found sound, while a run is being written too', async () => {
    const { workspace } = await store()
    const writer = await RunWriter.open(workspace, { id: 'grows', name: 'grows', source: 'klens' }, 'train')
    expect((await checkStore(workspace)).flatMap(({ damage }) => damage)).toEqual([])
    await writer.goLive()
    await writer.write([{ type: 'row', step: 1, time: null, metrics: ['m'], values: [1] }], null)
    expect((await checkStore(workspace)).flatMap(({ damage }) => damage)).toEqual([])
    await writer.close()
  })

  it('stays so when a run is tagged whose writer was killed, and has all that was said', async () => {
    const { workspace } = await store()
    const writer = await RunWriter.open(workspace, { id: 'killed', name: 'killed', source: 'klens' }, 'train')
    await writer.goLive()
    const evaluation = { metric: 'eval', condition: {}, value: 1, n: 2, quality: 'measured' } as const
    await writer.write([{ type: 'evaluation', evaluation: { ...evaluation, step: 1 } }], null)
    await writer.abandon()
    await changeRun(workspace, 'killed', () => ({ tags: ['good'] }))
    const run = await loadRun(workspace, 'killed')
    expect(run?.manifest).toMatchObject({ tags: ['good'], liveFolded: null, evaluations: 1 })
    expect(run === null ? [] : await readEvaluations(run)).toEqual([{ ...evaluation, step: 1 }])
    expect((await checkStore(workspace)).flatMap(({ damage }) => damage)).toEqual([])
  })
})

describe('a damaged manifest', () => {
  const DAMAGES: readonly (readonly [string, (path: string) => void])[] = [
    ['torn', path => writeFileSync(path, readFileSync(path, 'utf8').slice(0, 200))],
    ['empty', path => writeFileSync(path, '')],
    [
      'of another run',
      path => writeFileSync(path, readFileSync(path, 'utf8').replace(/"id":"[^"]+"/, '"id":"../../x"')),
    ],
    [
      'a folder',
      path => {
        rmSync(path)
        mkdirSync(path)
      },
    ],
  ]

  it.each(DAMAGES)(
    'that is %s blocks no other run, and importing the log moves it aside and reads it anew',
    async (_, harm) => {
      const { workspace, log, id } = await store()
      const path = join(runFolder(workspace, id), 'run.json')
      harm(path)
      const { entries, damaged } = await listRuns(workspace)
      expect([entries.map(entry => entry.id), damaged]).toEqual([['own'], [path]])
      const { runs, skipped } = await importLogs(workspace, [log])
      expect(skipped).toEqual([])
      expect(runs[0].warnings.map(({ key }) => key)).toEqual(['import.moved-aside'])
      expect(await values(workspace, id, 'loss')).toEqual([0.25, 0.5, 0.75])
      expect(existsSync(join(workspace.root, 'damaged', id, 'run.json'))).toBe(true)
    },
  )

  it('cannot make anybody remove a folder that is not the run', async () => {
    const { workspace, id } = await store()
    const victim = join(workspace.root, '..', 'victim')
    mkdirSync(victim)
    const path = join(runFolder(workspace, id), 'run.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace(`"id":"${id}"`, '"id":"../../victim"'))
    expect((await listRuns(workspace)).entries.map(entry => entry.id)).toEqual(['own'])
    expect(await loadRun(workspace, '../../victim')).toBeNull()
    await removeRun(workspace, id)
    expect(existsSync(victim)).toBe(true)
  })

  it.skipIf(process.getuid?.() === 0)('that may not be read is said, and blocks no other run', async () => {
    const { workspace, id } = await store()
    chmodSync(join(runFolder(workspace, id), 'run.json'), 0)
    expect((await listRuns(workspace)).damaged).toHaveLength(1)
  })

  it('is moved aside by the doctor, as is a folder without any', async () => {
    const { workspace, id } = await store()
    rmSync(join(runFolder(workspace, id), 'run.json'))
    writeFileSync(join(runFolder(workspace, 'own'), 'run.json'), '{')
    const checks = await checkStore(workspace)
    expect(checks.map(({ remedy }) => remedy)).toEqual(['move', 'move'])
    const repairs = []
    for (const check of checks) repairs.push(await repairRun(workspace, check))
    expect(repairs.map(repair => repair?.did)).toEqual(['moved', 'moved'])
    expect(readdirSync(join(workspace.root, 'damaged')).sort()).toEqual([id, 'own'].sort())
    expect(await checkStore(workspace)).toEqual([])
  })
})

describe('a damaged data file', () => {
  const DAMAGES: readonly (readonly [string, (path: string, other: string) => void, string])[] = [
    ['missing', path => rmSync(path), 'doctor.missing'],
    ['cut', path => writeFileSync(path, readFileSync(path).subarray(0, 100)), 'doctor.unreadable'],
    ['another run’s', (path, other) => copyFileSync(other, path), 'doctor.other-content'],
  ]

  it.each(DAMAGES)(
    'that is %s is found, and the run read again from its log, with the user’s words',
    async (_, harm, key) => {
      const { workspace, id } = await store()
      harm(partOf(workspace, id), partOf(workspace, 'own'))
      const check = await checkRun(workspace, id)
      expect([check.remedy, check.damage.map(({ message }) => message.key)]).toEqual(['read-again', [key]])
      expect(await repairRun(workspace, check)).toMatchObject({ did: 'read-again' })
      expect(await values(workspace, id, 'loss')).toEqual([0.25, 0.5, 0.75])
      expect((await loadRun(workspace, id))?.manifest).toMatchObject({ givenName: 'mine', tags: ['good'] })
      expect(await checkRun(workspace, id)).toEqual({ id, damage: [], remedy: null })
    },
  )

  it.each(DAMAGES)('that is %s leaves the rest of a run that has no log', async (_, harm) => {
    const { workspace, id } = await store()
    harm(partOf(workspace, 'own'), partOf(workspace, id))
    const check = await checkRun(workspace, 'own')
    expect(check.remedy).toBe('reduce')
    await repairRun(workspace, check)
    expect(await checkRun(workspace, 'own')).toEqual({ id: 'own', damage: [], remedy: null })
    const run = await loadRun(workspace, 'own')
    if (run === null) throw new Error('the run is gone')
    expect(run.manifest.metrics.get('m')).toMatchObject({ n: 0, stored: 0 })
    expect(await readEvaluations(run)).toHaveLength(1)
  })

  it.each(['evals.parquet', 'samples.parquet'])('%s that is missing does not go unnoticed', async name => {
    const { workspace } = await store()
    rmSync(join(runFolder(workspace, 'own'), name))
    const run = await loadRun(workspace, 'own')
    if (run === null) throw new Error('the run is gone')
    const asked = (name === 'evals.parquet' ? readEvaluations(run) : listSamples(run)).catch(error => {
      throw problemOf(error)
    })
    expect(await refusal(asked)).toContain(`${name} is damaged or missing`)
    const check = await checkRun(workspace, 'own')
    expect(check.damage.map(({ message }) => message.key)).toEqual(['doctor.missing'])
    await repairRun(workspace, check)
    expect((await checkRun(workspace, 'own')).damage).toEqual([])
    expect(await values(workspace, 'own', 'm')).toEqual([1])
  })
})

it('blames no run for a file that cannot be written', async () => {
  const { workspace, id } = await store()
  const run = await loadRun(workspace, id)
  if (run === null) throw new Error('the run is gone')
  const request = { format: 'csv', metrics: null, all: false } as const
  const error = await exportPoints(workspace, [run], '/proc/nowhere/x.csv', request).catch(caught => caught)
  expect(problemOf(error)?.code).not.toBe('damaged')
})
