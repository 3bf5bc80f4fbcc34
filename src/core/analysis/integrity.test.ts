import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { render } from '../../text/sentences.js'
import { loadRun } from '../store/catalogue.js'
import { regularities } from '../store/envelope.js'
import { importLogs } from '../store/ingest.js'
import { integrity } from './integrity.js'

/** What klens says about a JSONL log. */
async function remarksOn(text: string, name = 'run.jsonl'): Promise<string[]> {
  const workspace = await temporaryWorkspace()
  const path = join(temporaryFolder(), name)
  writeFileSync(path, text)
  const { runs } = await importLogs(workspace, [path])
  const run = await loadRun(workspace, runs[0].id)
  if (run === null) throw new Error('the run was not stored')
  return integrity(run.manifest, await regularities(run)).map(({ message }) => render(message, 'en'))
}

function rows(steps: readonly number[], value: (step: number) => number | string = step => step / 2): string {
  return steps.map(step => `${JSON.stringify({ step, loss: value(step) })}\n`).join('')
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('integrity', () => {
  it('has nothing to say about a whole log', async () => {
    expect(await remarksOn(rows(range(0, 30)))).toEqual([])
  })

  it('names a cut tail by its bytes', async () => {
    expect(await remarksOn(`${rows(range(0, 30))}{"step":31,"lo`)).toEqual([
      'run.jsonl ends in the middle of a record: the last 14 bytes are not read',
    ])
  })

  it('finds a hole in a regular log, and none in an irregular one', async () => {
    expect(await remarksOn(rows([...range(0, 20), ...range(30, 60)]))).toEqual([
      'loss: logged every 1 step, but nothing between 20 and 30',
    ])
    expect(await remarksOn(rows([0, 1, 3, 7, 12, 20, 21, 25, 40, 44, 60, 61]))).toEqual([])
  })

  it('tells a restart with overlap from one without', async () => {
    expect(await remarksOn(rows([...range(0, 20), ...range(16, 30)]))).toEqual([
      'restarted at step 16, after step 20: 5 steps were written twice; the later values are used',
    ])
  })

  it('warns that the end of a curve comes from before a restart', async () => {
    const [overlap, abandoned] = await remarksOn(rows([...range(0, 20), ...range(10, 15)]))
    expect(overlap).toContain('restarted at step 10')
    expect(abandoned).toBe('steps 16–20 are from before the restart at step 10, which has not reached them yet')
  })

  it('says that rows are simply not in order when steps go back all the time', async () => {
    const [remark] = await remarksOn(rows(range(0, 50).reverse()))
    expect(remark).toBe('steps go backwards 50 times: the rows are not in order (values are sorted by step)')
  })

  it('counts steps that were logged twice', async () => {
    expect(await remarksOn(rows([...range(0, 20), 20, ...range(21, 30)]))).toEqual([
      'loss: 1 step was logged more than once; the last value is used',
    ])
  })

  it('counts values that are no numbers', async () => {
    expect(await remarksOn(rows(range(0, 20), step => (step === 3 ? 'NaN' : step === 4 ? '-Infinity' : step)))).toEqual(
      ['loss: 1 NaN, 1 infinite of 21 values'],
    )
  })

  it('recognises values that were float32 once', async () => {
    expect(await remarksOn(rows(range(0, 20), step => Math.fround(step / 10)))).toEqual([
      'values were stored as float32 (about 7 digits) in 1 of 1 metric',
    ])
    expect(await remarksOn(rows(range(0, 20), step => step / 8))).toEqual([])
  })

  it('says how many cells are estimates or missing', async () => {
    const report = '# Reward\n\n| Step | Reward | KL |\n|---|---|---|\n| 5 | 1.8 | 0.1 |\n| 10 | ~1.9 | ? |\n'
    const remarks = await remarksOn(report, 'report.md')
    expect(remarks).toContainEqual('Reward: 1 value is marked as an estimate and is not used in computations')
    expect(remarks).toContainEqual('KL: 1 cell is marked as missing')
  })
})
