import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
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
  it('writes more runs than fit into one query', async () => {
    const { workspace, folder } = await runsOf(['loss', 'reward'], 45)
    const output = join(folder, 'points.csv')
    const { points, runs } = await answerTo(workspace, exportRuns, { runs: ['*'], output })
    expect({ points, runs: runs.length }).toEqual({ points: 180, runs: 45 })
    const lines = readFileSync(output, 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(181)
    expect(new Set(lines.slice(1).map(line => line.split(',')[0])).size).toBe(45)
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

  describe('as a wide table', () => {
    const csv = (path: string) =>
      readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell))

    async function twoRuns() {
      const { workspace, folder } = await runsOf(['val/acc', 'Loss', 'loss'], 2)
      for (const [i, beta] of [0, 0.1].entries()) {
        writeFileSync(
          join(folder, 'logs', `run${i}`, 'config.json'),
          JSON.stringify({ beta, seed: i, note: '=cmd()', lr: 1e-6, shape: [1, 2] }),
        )
      }
      await importLogs(workspace, [join(folder, 'logs')])
      return { workspace, folder }
    }

    it('has a row per run and step, a column per metric, names, seeds and the settings that differ', async () => {
      const { workspace, folder } = await twoRuns()
      const output = join(folder, 'wide.csv')
      const { points } = await answerTo(workspace, exportRuns, { runs: ['*'], output, wide: 'steps' })
      const [head, ...rows] = csv(output)
      expect(points).toBe(4)
      expect(head.slice(0, 3)).toEqual(['run', 'name', 'step'])
      expect(head).toEqual(expect.arrayContaining(['config.beta', 'config.seed', 'val/acc', 'Loss', 'loss (2)']))
      expect(head).not.toContain('config.note')
      const cell = (row: readonly string[], column: string) => row[head.indexOf(column)]
      const second = rows.find(row => cell(row, 'name').endsWith('run1') && Number(cell(row, 'step')) === 2) ?? []
      expect([cell(second, 'config.beta'), cell(second, 'val/acc'), cell(second, 'loss (2)')].map(Number)).toEqual([
        0.1, 3, 3,
      ])
    })

    it('has a row per run with all settings and a summary of each metric, none of it a formula', async () => {
      const { workspace, folder } = await twoRuns()
      const output = join(folder, 'runs.csv')
      await answerTo(workspace, exportRuns, { runs: ['*'], output, wide: 'runs', metric: ['val.score'] })
      const [head, ...rows] = csv(output)
      expect(rows).toHaveLength(2)
      const cell = (row: readonly string[], column: string) => row[head.indexOf(column)]
      expect(rows.map(row => [Number(cell(row, 'val.score')), Number(cell(row, 'val.score:max'))])).toEqual([
        [2, 2],
        [3, 3],
      ])
      expect(cell(rows[0], 'config.note')).toBe("'=cmd()")
      const asLines = join(folder, 'runs.jsonl')
      await answerTo(workspace, exportRuns, { runs: ['*'], output: asLines, wide: 'runs' })
      expect(JSON.parse(readFileSync(asLines, 'utf8').split('\n')[1])).toMatchObject({
        name: expect.stringMatching(/run1$/),
        'config.note': '=cmd()',
        'config.shape': '[1,2]',
        'val/acc:mean': 2.5,
      })
    })
  })
})
