import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../test/workspace.js'
import { importLogs } from '../store/ingest.js'
import { exportRuns } from './export.js'

async function runsOf(metrics: readonly string[], count: number) {
  const workspace = await temporaryWorkspace()
  const folder = temporaryFolder()
  for (let i = 0; i < count; i += 1) {
    mkdirSync(join(folder, 'logs', `run${i}`), { recursive: true })
    const lines = [1, 2].map(step => JSON.stringify({ step, ...Object.fromEntries(metrics.map(m => [m, step + i])) }))
    writeFileSync(join(folder, 'logs', `run${i}`, 'metrics.jsonl'), `${lines.join('\n')}\n`)
  }
  await importLogs(workspace, [join(folder, 'logs')])
  return { workspace, folder }
}

describe('export', () => {
  it('writes more runs than fit into one query', { timeout: 120_000 }, async () => {
    const { workspace, folder } = await runsOf(['loss', 'reward'], 240)
    const output = join(folder, 'points.csv')
    const { points, runs } = await answerTo(workspace, exportRuns, { runs: ['*'], output })
    expect({ points, runs: runs.length }).toEqual({ points: 960, runs: 240 })
    const lines = readFileSync(output, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(961)
    expect(new Set(lines.slice(1).map(line => line.split(',')[0])).size).toBe(240)
  })

  it('writes over nothing unless told to', async () => {
    const { workspace, folder } = await runsOf(['loss'], 1)
    const output = join(folder, 'logs', 'run0', 'metrics.jsonl')
    const before = readFileSync(output, 'utf8')
    const asked = { runs: ['*'], output }
    await expect(answerTo(workspace, exportRuns, asked)).rejects.toMatchObject({ sentence: { key: 'export.is-there' } })
    expect(readFileSync(output, 'utf8')).toBe(before)
    const elsewhere = join(folder, 'points.jsonl')
    writeFileSync(elsewhere, 'old')
    await answerTo(workspace, exportRuns, { ...asked, output: elsewhere, force: true })
    expect(readFileSync(elsewhere, 'utf8')).toContain('loss')
  })

  it('lets no name of a metric become a formula in a spreadsheet', async () => {
    const { workspace, folder } = await runsOf(["=cmd|' /C calc'!A0", '@sum', 'loss'], 1)
    const output = join(folder, 'points.csv')
    await answerTo(workspace, exportRuns, { runs: ['*'], output })
    const cells = readFileSync(output, 'utf8')
      .split('\n')
      .flatMap(line => line.split(','))
    expect(cells.filter(cell => /^"?[=@]/.test(cell))).toEqual([])
    expect(cells).toContain("'@sum")
    expect(cells).toContain('loss')
  })
})
