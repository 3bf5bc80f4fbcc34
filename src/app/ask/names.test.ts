import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedFolder, sharedWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { RunWriter } from '../../core/store/run-writer.js'
import type { Message } from '../../logs/model/run.js'
import { resolveAll, resolveOne, resolveSides } from './names.js'

describe('a name', () => {
  const workspace = sharedWorkspace()
  const folder = sharedFolder()
  const log = (name: string, config: object = {}): string => {
    const path = join(folder, name, 'metrics.jsonl')
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${JSON.stringify({ step: 1, data: { [`of ${name}`]: 1 } })}\n`)
    writeFileSync(join(folder, name, 'config.json'), JSON.stringify(config))
    return path
  }
  beforeAll(async () => {
    for (const [name, lr, seed] of [
      ['a/seed1', 1, 1],
      ['a/seed2', 1, 2],
      ['b/seed1', 2, 1],
      ['c@7', 1, 1],
    ] as const) {
      log(name, { lr, seed })
    }
    await importLogs(workspace(), [folder])
    const evaluation = { id: 'evaluated', name: 'a/seed2@80', source: 'gym' }
    const writer = await RunWriter.open(workspace(), evaluation, 'evaluate')
    await writer.write([{ type: 'config', config: { lr: 3 } }], null)
    await writer.close()
  })
  const labels = async (...names: string[]) => {
    const sides = await resolveSides(workspace(), names, {})
    return sides.map(({ label, runs, checkpoint }) => [label, runs.length, checkpoint])
  }

  it('of several replicates is one side, called by what they share; evaluations of their checkpoints are none', async () => {
    expect(await labels('a/*', 'b/seed1')).toEqual([
      ['a', 2, null],
      ['b/seed1', 1, null],
    ])
  })

  it('may end in a step, unless a run is called just so', async () => {
    expect(await labels('a/seed1@40', 'c@7', 'c@7@0.5')).toEqual([
      ['a/seed1@40', 1, 40],
      ['c@7', 1, null],
      ['c@7@0.5', 1, 0.5],
    ])
  })

  it('that reads like another keeps what was typed', async () => {
    const { manifest } = await resolveOne(workspace(), 'a/seed1', {})
    expect(await labels('a/seed1', manifest.id)).toEqual([
      ['a/seed1', 1, null],
      [manifest.id, 1, null],
    ])
  })

  it('of runs that differ in more than seeds is refused as a side, and taken for many', async () => {
    await expect(labels('*/seed1')).rejects.toMatchObject({
      code: 'bad-request',
      sentence: { key: 'compare.not-replicates', params: { side: '*/seed1', keys: 'lr' } },
    })
    expect(await resolveAll(workspace(), ['*/seed1', 'a/seed1'], {})).toHaveLength(2)
  })

  it('of a path is imported, unless that is not wanted; what is no log is remarked', async () => {
    const fresh = log('fresh')
    await expect(resolveOne(workspace(), fresh, { importPaths: false })).rejects.toMatchObject({
      sentence: { key: 'run.unknown-name' },
    })
    expect((await resolveOne(workspace(), fresh, {})).manifest.name).toBe('fresh')
    writeFileSync(join(folder, 'notes.txt'), 'nothing')
    const remarks: Message[] = []
    const named = [fresh, join(folder, 'notes.txt')]
    expect(await resolveAll(workspace(), named, { remark: said => remarks.push(said) })).toHaveLength(1)
    expect(remarks).toMatchObject([{ key: 'run.nothing-at-path', params: { reason: { key: 'skip.unknown' } } }])
  })

  it('is not looked for once the question was given up', async () => {
    await expect(resolveOne(workspace(), 'a/seed1', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })
})
