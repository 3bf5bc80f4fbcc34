import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { discover } from '../../logs/sources/discover.js'
import { loadRun } from './catalogue.js'
import { readEvaluations } from './evaluations.js'
import { importLogs, readNew } from './ingest.js'
import { type Manifest, wholeConfig } from './manifest.js'
import { manifestPath } from './manifest-file.js'
import { RunWriter } from './run-writer.js'
import { readSamples } from './samples.js'
import { readSeries } from './series.js'
import type { Workspace } from './workspace.js'

function verlLines(from: number, to: number): string {
  const lines: string[] = []
  for (let step = from; step <= to; step += 1) {
    const validation = step % 5 === 0 ? { 'val-core/gsm8k/acc/mean@1': step / 100 } : {}
    lines.push(JSON.stringify({ step, data: { 'actor/entropy': 1 / (step + 1), ...validation } }))
  }
  return `${lines.join('\n')}\n`
}

async function importOne(workspace: Workspace, path: string): Promise<Manifest> {
  const { runs, skipped } = await importLogs(workspace, [path])
  expect(skipped).toEqual([])
  expect(runs).toHaveLength(1)
  return runs[0]
}

async function values(workspace: Workspace, id: string, metric: string): Promise<number[]> {
  const run = await loadRun(workspace, id)
  return run === null ? [] : [...((await readSeries(run, [metric])).get(metric)?.values ?? [])]
}

describe('importing', () => {
  it('makes one run of a folder: log, config, samples, and other tables under their own name', async () => {
    const workspace = await temporaryWorkspace()
    const folder = join(temporaryFolder(), 'kl-0.1', 'seed3')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'metrics.jsonl'), verlLines(0, 10))
    writeFileSync(
      join(folder, 'config.json'),
      '{"actor_rollout_ref":{"actor":{"use_kl_loss":true}},"data.val_size":40}',
    )
    writeFileSync(join(folder, 'truth.csv'), 'step,exact\n0,0.5\n10,0.75\n')
    const ids = Array.from({ length: 20 }, (_, i) => `p${i}`)
    writeFileSync(join(folder, 'val_exact.csv'), `step,${ids}\n5,${ids.map((_, i) => i % 2)}\n`)

    const { id, name, metrics, evaluations, samples, ...manifest } = await importOne(workspace, folder)
    expect(name).toBe('kl-0.1/seed3')
    expect([...metrics.keys()].sort()).toEqual(['actor/entropy', 'truth/exact', 'val-core/gsm8k/acc/mean@1'])
    expect(wholeConfig({ id, name, metrics, evaluations, samples, ...manifest })).toEqual({
      'actor_rollout_ref.actor.use_kl_loss': true,
      'data.val_size': 40,
    })
    expect(samples).toBe(20)
    expect(await values(workspace, id, 'truth/exact')).toEqual([0.5, 0.75])

    const run = await loadRun(workspace, id)
    if (run === null) throw new Error('the run that was just imported is not there')
    const kept = await readEvaluations(run)
    expect(kept).toHaveLength(evaluations)
    expect(kept.find(({ metric, step }) => metric === 'val-core/gsm8k/acc/mean@1' && step === 5)).toEqual({
      metric: 'val-core/gsm8k/acc/mean@1',
      step: 5,
      condition: { dataset: 'gsm8k', aggregate: 'mean@1' },
      value: 0.05,
      n: 40,
      quality: 'measured',
    })
    expect(kept.find(({ metric }) => metric === 'val_exact')).toMatchObject({ step: 5, value: 0.5, n: 20 })
    const [scores] = await readSamples(run, { metric: 'val_exact' })
    expect(scores.ids).toHaveLength(20)
    expect(scores.scores[scores.ids.indexOf('p1')]).toBe(1)
  })

  it('changes nothing when it is done twice, not even a file', async () => {
    const workspace = await temporaryWorkspace()
    const log = join(temporaryFolder(), 'run.jsonl')
    writeFileSync(log, verlLines(0, 20))
    const { id } = await importOne(workspace, log)
    const before = { ...statSync(manifestPath(workspace, id)), atime: 0, atimeMs: 0 }
    const content = readFileSync(manifestPath(workspace, id), 'utf8')
    await importOne(workspace, log)
    const after = { ...statSync(manifestPath(workspace, id)), atime: 0, atimeMs: 0 }
    expect(after).toEqual(before)
    expect(readFileSync(manifestPath(workspace, id), 'utf8')).toBe(content)
  })

  it('adds to a grown file only what is new', async () => {
    const workspace = await temporaryWorkspace()
    const log = join(temporaryFolder(), 'run.jsonl')
    writeFileSync(log, verlLines(0, 20))
    const { id } = await importOne(workspace, log)
    appendFileSync(log, verlLines(21, 30))
    const grown = await importOne(workspace, log)
    expect(grown.id).toBe(id)
    expect(grown.metrics.get('actor/entropy')).toMatchObject({ n: 31, stored: 31, lastStep: 30, repeated: 0 })
    expect(grown.segments).toHaveLength(1)
    expect(grown.evaluations).toBe(7)
  })

  it('reads a file anew that was changed in another way than by growing', async () => {
    const workspace = await temporaryWorkspace()
    const table = join(temporaryFolder(), 'table.json')
    writeFileSync(table, '[{"step":1,"a":1},{"step":2,"a":2},{"step":3,"a":3}]')
    const { id } = await importOne(workspace, table)
    writeFileSync(table, '[{"step":1,"a":1},{"step":2,"a":9}]')
    const changed = await importOne(workspace, table)
    expect(changed.id).toBe(id)
    expect(await values(workspace, id, 'a')).toEqual([1, 9])
    expect(changed.metrics.get('a')).toMatchObject({ n: 2, stored: 2 })
  })

  it('takes a copied folder for a second run, and says which run it duplicates', async () => {
    const workspace = await temporaryWorkspace()
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'a'))
    writeFileSync(join(folder, 'a', 'metrics.jsonl'), verlLines(0, 20))
    const original = await importOne(workspace, join(folder, 'a'))
    cpSync(join(folder, 'a'), join(folder, 'b'), { recursive: true })
    const copy = await importOne(workspace, join(folder, 'b'))
    expect(copy.id).not.toBe(original.id)
    expect(copy.duplicateOf).toBe(original.id)
    appendFileSync(join(folder, 'b', 'metrics.jsonl'), verlLines(21, 22))
    expect((await importOne(workspace, join(folder, 'b'))).duplicateOf).toBeNull()
  })

  it('knows a run by the path of its log as well as by the path of its folder', async () => {
    const workspace = await temporaryWorkspace()
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'metrics.jsonl'), verlLines(0, 5))
    writeFileSync(join(folder, 'config.json'), '{"a":1}')
    const byFolder = await importOne(workspace, folder)
    const byFile = await importOne(workspace, join(folder, 'metrics.jsonl'))
    expect(byFile).toEqual(byFolder)
  })

  it('keeps tables apart when a folder has no log', async () => {
    const workspace = await temporaryWorkspace()
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.csv'), 'step,x\n1,1\n2,2\n')
    writeFileSync(join(folder, 'b.csv'), 'step,x\n1,3\n2,4\n')
    const { runs } = await importLogs(workspace, [folder])
    expect(runs.map(({ name }) => name).sort()).toEqual(['a', 'b'])
  })

  it('takes a config that changed later into account', async () => {
    const workspace = await temporaryWorkspace()
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'metrics.jsonl'), verlLines(0, 5))
    writeFileSync(join(folder, 'config.yaml'), 'lr: 1.0e-6\n')
    await importOne(workspace, folder)
    writeFileSync(join(folder, 'config.yaml'), 'lr: 1.0e-5\n')
    utimesSync(join(folder, 'config.yaml'), 1, 1)
    expect(wholeConfig(await importOne(workspace, folder))).toEqual({ lr: 1e-5 })
  })

  it('goes on with the rest of a folder when one file is broken', async () => {
    const workspace = await temporaryWorkspace()
    const folder = temporaryFolder()
    for (const name of ['a', 'b', 'c']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'a', 'metrics.jsonl'), verlLines(0, 5))
    writeFileSync(join(folder, 'b', 'metrics.jsonl'), '')
    writeFileSync(join(folder, 'c', 'metrics.jsonl'), verlLines(0, 5))
    renameSync(join(folder, 'c', 'metrics.jsonl'), join(folder, 'c', 'no-extension'))
    const { runs, skipped } = await importLogs(workspace, [folder, join(folder, 'missing')])
    expect(runs).toHaveLength(2)
    expect(skipped.map(({ reason }) => reason.key).sort()).toEqual(['skip.empty', 'skip.missing'])
  })
})

describe('a table beside a log', () => {
  it('that cannot be read costs the run nothing but the table, and is tried again', async () => {
    const workspace = await temporaryWorkspace()
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'metrics.jsonl'), verlLines(0, 10))
    const table = join(folder, 'truth.csv')
    writeFileSync(table, 'step,exact\n0,0.5\n10,0.75\n')
    const { runs: found } = await discover([folder])
    // Gone between being found and being read.
    rmSync(table)
    const writer = await RunWriter.open(workspace, { id: found[0].id, name: 'x', source: 'verl' }, 'import')
    await readNew(writer, found[0], { hints: {}, report: () => {}, signal: undefined })
    const { metrics, files } = await writer.close()
    expect([...metrics.keys()]).toContain('actor/entropy')
    expect(files.map(({ complete }) => complete)).toEqual([true, false])
    expect(files[1].warnings.map(({ key }) => key)).toEqual(['source.unreadable'])
    writeFileSync(table, 'step,exact\n0,0.5\n10,0.75\n')
    expect([...(await importOne(workspace, folder)).metrics.keys()]).toContain('truth/exact')
  })
})
