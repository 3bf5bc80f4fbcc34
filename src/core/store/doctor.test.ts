import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
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
import { checkRun, checkStore } from './doctor.js'
import { readEvaluations } from './evaluations.js'
import { exportPoints } from './export.js'
import { importLogs } from './ingest.js'
import { changeRun, removeRun } from './manage.js'
import { repairRun } from './repair.js'
import { RunWriter } from './run-writer.js'
import { listSamples } from './samples.js'
import { readSeries } from './series.js'
import { runFolder, type Workspace, workspaceAt } from './workspace.js'

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

/** As klens before checksums left it. */
async function forgetChecksums(workspace: Workspace): Promise<void> {
  for (const run of (await listRuns(workspace)).entries) {
    await changeRun(workspace, run.id, () => ({ checksums: new Map() }))
  }
}

describe('a damaged data file', () => {
  const gone = (path: string): void => rmSync(path)
  const cut = (path: string): void => writeFileSync(path, readFileSync(path).subarray(0, 100))
  const DAMAGES: readonly (readonly [string, (path: string, other: string) => void, string, boolean])[] = [
    ['missing', gone, 'doctor.missing', true],
    ['cut', cut, 'doctor.changed', true],
    ['another run’s', (path, other) => copyFileSync(other, path), 'doctor.changed', true],
    ['flipped in one bit', flip, 'doctor.changed', true],
    ['missing and has no checksum', gone, 'doctor.missing', false],
    ['cut and has no checksum', cut, 'doctor.unreadable', false],
    ['another run’s and has no checksum', (path, other) => copyFileSync(other, path), 'doctor.other-content', false],
  ]

  it.each(DAMAGES)(
    'that is %s is found, and the run read again from its log, with the user’s words',
    async (_, harm, key, hasChecksums) => {
      const { workspace, id } = await store()
      if (!hasChecksums) await forgetChecksums(workspace)
      harm(partOf(workspace, id), partOf(workspace, 'own'))
      const check = await checkRun(workspace, id)
      expect([check.remedy, check.damage.map(({ message }) => message.key)]).toEqual(['read-again', [key]])
      expect(await repairRun(workspace, check)).toMatchObject({ did: 'read-again' })
      expect(await values(workspace, id, 'loss')).toEqual([0.25, 0.5, 0.75])
      expect((await loadRun(workspace, id))?.manifest).toMatchObject({ givenName: 'mine', tags: ['good'] })
      expect(await checkRun(workspace, id)).toEqual({ id, damage: [], remedy: null, lacksChecksums: false })
      expect(readdirSync(join(workspace.root, 'damaged', id))).toContain('run.json')
    },
  )

  it.each(DAMAGES)('that is %s leaves the rest of a run that has no log', async (_, harm, __, has) => {
    const { workspace, id } = await store()
    if (!has) await forgetChecksums(workspace)
    harm(partOf(workspace, 'own'), partOf(workspace, id))
    const check = await checkRun(workspace, 'own')
    expect(check.remedy).toBe('reduce')
    await repairRun(workspace, check)
    expect(await checkRun(workspace, 'own')).toMatchObject({ damage: [], remedy: null, lacksChecksums: !has })
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

/** One bit in the middle of what is no header: DuckDB reads another number there. */
function flip(path: string): void {
  const bytes = readFileSync(path)
  bytes[Math.floor(bytes.length / 3)] ^= 4
  writeFileSync(path, bytes)
}

describe('a single flipped bit', () => {
  it('is noticed by whatever reads the file, wherever in it that is', async () => {
    const { workspace, id } = await store()
    const path = partOf(workspace, id)
    const whole = readFileSync(path)
    for (let at = 0; at < whole.length; at += 1) {
      const bytes = Buffer.from(whole)
      bytes[at] ^= 1 << (at % 8)
      writeFileSync(path, bytes)
      expect(await refusal(values(workspace, id, 'loss'))).toContain(`${path} is damaged or missing`)
    }
    writeFileSync(path, whole)
    expect(await values(workspace, id, 'loss')).toEqual([0.25, 0.5, 0.75])
  })

  it.each(['evals.parquet', 'samples.parquet'])('in %s is noticed too', async name => {
    const { workspace } = await store()
    flip(join(runFolder(workspace, 'own'), name))
    const run = await loadRun(workspace, 'own')
    if (run === null) throw new Error('the run is gone')
    const asked = name === 'evals.parquet' ? readEvaluations(run) : listSamples(run)
    expect(await refusal(asked)).toContain(`${name} is damaged or missing`)
    expect((await checkRun(workspace, 'own')).damage.map(({ message }) => message.key)).toEqual(['doctor.changed'])
  })

  it('is no reason to doubt tables that a writer is about to commit', async () => {
    const { workspace } = await store()
    const run = await loadRun(workspace, 'own')
    if (run === null) throw new Error('the run is gone')
    const writer = await RunWriter.open(workspace, { id: 'own', name: 'own', source: 'klens' }, 'train')
    const evaluation = { metric: 'eval', step: 2, condition: {}, value: 1, n: 2, quality: 'measured' } as const
    await writer.write([{ type: 'evaluation', evaluation }], null)
    await writer.flushData()
    const other = workspaceAt(workspace.root)
    const seen = await loadRun(other, 'own')
    expect(seen === null ? [] : await readEvaluations(seen)).toHaveLength(2)
    await other.close()
    await writer.close()
    expect(await readEvaluations(run)).toHaveLength(2)
    expect((await checkRun(workspace, 'own')).damage).toEqual([])
  })
})

describe('an altered manifest', () => {
  const ALTERED: readonly (readonly [string, string, (manifest: string) => string])[] = [
    ['without its parts', 'doctor.not-listed', text => text.replace(/"parts":\[[^\]]*\]/, '"parts":[]')],
    ['with another sum', 'doctor.other-summary', text => text.replace('"sum":1.5', '"sum":1.6')],
    ['with another last value', 'doctor.other-summary', text => text.replace('"last":0.75', '"last":0.5')],
    ['with another count', 'doctor.other-content', text => text.replace('"stored":3', '"stored":4')],
  ]

  it.each(ALTERED)('%s is found, and mended from the log or from the points', async (_, key, alter) => {
    for (const hasLog of [true, false]) {
      const { workspace, log, id } = await store()
      if (!hasLog) rmSync(log)
      const path = join(runFolder(workspace, id), 'run.json')
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, alter(text))
      expect(readFileSync(path, 'utf8')).not.toBe(text)
      const check = await checkRun(workspace, id)
      expect(check.damage.map(({ message }) => message.key)).toEqual([key])
      expect(await repairRun(workspace, check)).toMatchObject({ did: hasLog ? 'read-again' : 'reduced' })
      expect(await values(workspace, id, 'loss')).toEqual([0.25, 0.5, 0.75])
      expect((await loadRun(workspace, id))?.manifest).toMatchObject({ givenName: 'mine', tags: ['good'] })
      expect((await checkRun(workspace, id)).damage).toEqual([])
    }
  })

  it('without its parts is no run of nothing', async () => {
    const { workspace, id } = await store()
    const path = join(runFolder(workspace, id), 'run.json')
    writeFileSync(path, ALTERED[0][2](readFileSync(path, 'utf8')))
    expect(await refusal(values(workspace, id, 'loss'))).toContain(`${path} is damaged or missing`)
    const run = await loadRun(workspace, id)
    const request = { format: 'csv', metrics: null, all: false } as const
    const exported = exportPoints(workspace, run === null ? [] : [run], join(temporaryFolder(), 'x.csv'), request)
    expect(await refusal(exported)).toContain(`${path} is damaged or missing`)
  })
})

it('compares rows and summaries where no checksum was kept, and the next import keeps them', async () => {
  const { workspace, log, id } = await store()
  await forgetChecksums(workspace)
  expect(await checkRun(workspace, id)).toEqual({ id, damage: [], remedy: null, lacksChecksums: true })
  expect(await values(workspace, id, 'loss')).toEqual([0.25, 0.5, 0.75])
  await importLogs(workspace, [log])
  expect(await checkRun(workspace, id)).toEqual({ id, damage: [], remedy: null, lacksChecksums: false })
  flip(partOf(workspace, id))
  expect((await checkRun(workspace, id)).remedy).toBe('read-again')
})

it('repairs a run whose project was moved under its id, with its name, tags and points', async () => {
  const before = join(temporaryFolder(), 'before')
  const lines = [1, 2, 3].map(step => `${JSON.stringify({ step, loss: step / 4 })}\n`)
  mkdirSync(join(before, 'a'), { recursive: true })
  writeFileSync(join(before, 'a', 'metrics.jsonl'), lines.join(''))
  const first = workspaceAt(join(before, '.klens'))
  const [{ id }] = (await importLogs(first, [join(before, 'a')])).runs
  await changeRun(first, id, () => ({ givenName: 'mine', tags: ['good'] }))
  await first.close()
  const after = join(before, '..', 'after')
  renameSync(before, after)
  const workspace = workspaceAt(join(after, '.klens'))
  const part = partOf(workspace, id)
  writeFileSync(part, readFileSync(part).subarray(0, 100))
  const check = await checkRun(workspace, id)
  expect(check.remedy).toBe('read-again')
  expect(await repairRun(workspace, check)).toMatchObject({ did: 'read-again' })
  const { entries } = await listRuns(workspace)
  expect(entries).toMatchObject([{ id, name: 'mine', tags: ['good'], points: 3 }])
  expect(await values(workspace, id, 'loss')).toEqual([0.25, 0.5, 0.75])
  expect((await checkStore(workspace)).flatMap(({ damage }) => damage)).toEqual([])
  await workspace.close()
})

it('leaves a run that a newer klens wrote as it is: listed as unread, neither imported nor repaired', async () => {
  const { workspace, log, id } = await store()
  const path = join(runFolder(workspace, id), 'run.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('"format":2', '"format":3'))
  const text = readFileSync(path, 'utf8')
  const { runs, skipped } = await importLogs(workspace, [log])
  expect([runs, skipped.map(({ reason }) => reason.key)]).toEqual([[], ['run.newer']])
  expect((await listRuns(workspace)).damaged).toEqual([path])
  const check = await checkRun(workspace, id)
  expect([check.remedy, check.damage.map(({ message }) => message.key)]).toEqual(['update', ['run.newer']])
  expect(await repairRun(workspace, check)).toBeNull()
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(existsSync(join(workspace.root, 'damaged'))).toBe(false)
})

it('counts a metric whose name begins with a byte order mark', async () => {
  const workspace = await temporaryWorkspace()
  const writer = await RunWriter.open(workspace, { id: 'own', name: 'own', source: 'klens' }, 'train')
  await writer.write([{ type: 'row', step: 1, time: null, metrics: ['\ufeffloss'], values: [1] }], null)
  await writer.close()
  expect((await checkRun(workspace, 'own')).damage).toEqual([])
  expect(await values(workspace, 'own', '\ufeffloss')).toEqual([1])
})

it('blames no run for a file that cannot be written', async () => {
  const { workspace, id } = await store()
  const run = await loadRun(workspace, id)
  if (run === null) throw new Error('the run is gone')
  const request = { format: 'csv', metrics: null, all: false } as const
  const error = await exportPoints(workspace, [run], '/proc/nowhere/x.csv', request).catch(caught => caught)
  expect(problemOf(error)?.code).not.toBe('damaged')
})
