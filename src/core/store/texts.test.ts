import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../../test/workspace.js'
import type { SampleTexts } from '../../logs/model/evaluation.js'
import { loadRun } from './catalogue.js'
import { sqlText } from './duck.js'
import { changeRun } from './manage.js'
import { RunWriter } from './run-writer.js'
import { listSamples } from './samples.js'
import { readSampleTexts, type TextRow, type TextSelection } from './texts.js'
import { runFolder } from './workspace.js'

const RUN = { id: 'r1', name: 'r1', source: 'samples' }

function texts(table: string, step: number, outputs: readonly (string | null)[]): SampleTexts {
  const ids = outputs.map((_, i) => `q${i}`)
  const none = ids.map(() => null)
  return {
    table,
    step,
    condition: {},
    ids,
    repeats: ids.map(() => 0),
    inputs: ids,
    outputs,
    expected: none,
    choices: none,
  }
}

async function stored(...batches: readonly SampleTexts[]) {
  const workspace = await temporaryWorkspace()
  for (const batch of batches) {
    const writer = await RunWriter.open(workspace, RUN, 'import')
    const scores = batch.ids.map(() => 1)
    await writer.write(
      [
        {
          type: 'samples',
          samples: { metric: `${batch.table}/score`, step: batch.step, condition: {}, ids: batch.ids, scores },
        },
        { type: 'texts', texts: batch },
      ],
      0,
    )
    await writer.close()
  }
  const run = await loadRun(workspace, RUN.id)
  if (run === null) throw new Error('nothing was stored')
  return { workspace, run }
}

async function all(run: Parameters<typeof readSampleTexts>[0], selection: Omit<TextSelection, 'condition'>) {
  const rows: TextRow[] = []
  for await (const batch of readSampleTexts(run, { condition: {}, ...selection })) rows.push(...batch)
  return rows.map(({ sample, output }) => [sample, output])
}

describe('texts of samples', () => {
  it('come back as they went, by table and step', async () => {
    const odd = "line\none \u0000 \u001b[31m 宽 'quoted'"
    const { run } = await stored(
      texts('val', 5, [odd, null, '']),
      texts('rollout', 5, ['other']),
      texts('val', 10, ['later']),
    )
    expect(run.manifest.texts).toHaveLength(3)
    expect(await all(run, { metric: 'val/score', step: 5 })).toEqual([
      ['q0', odd],
      ['q1', null],
      ['q2', ''],
    ])
    expect(await all(run, { metric: 'val/score', step: 10 })).toEqual([['q0', 'later']])
    expect(await all(run, { metric: 'val/score', step: 5, ids: ['q1'] })).toEqual([['q1', null]])
    expect(await all(run, { metric: 'loss', step: 5 })).toEqual([])
  })

  it('do not change what scores there are', async () => {
    const { run } = await stored(texts('val', 5, ['a', 'b']))
    expect(await listSamples(run)).toEqual([{ metric: 'val/score', condition: {}, step: 5, prompts: 2, mean: 1 }])
  })

  it('of a workspace that kept them beside the scores are still found', async () => {
    const { workspace, run } = await stored(texts('val', 5, ['new']))
    await changeRun(workspace, RUN.id, () => ({ checksums: new Map() }))
    const path = sqlText(join(runFolder(workspace, RUN.id), 'samples.parquet'))
    const beside = sqlText(join(runFolder(workspace, RUN.id), 'old.parquet'))
    const { duck } = workspace
    await duck.copy(`COPY (SELECT * REPLACE ('kept' AS output) FROM read_parquet(${path})) TO ${beside}`)
    await duck.copy(`COPY (FROM read_parquet(${beside})) TO ${path}`)
    const earlier = { ...run, manifest: { ...run.manifest, texts: [] } }
    expect(await all(earlier, { metric: 'val/score', step: 5 })).toEqual([['q0', 'kept']])
  })
})
