import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture, rowsOf, sourceFile, withFolder } from '../../../../test/support/reading.js'
import { importFile } from '../../../../test/support/tables.js'
import { discover } from '../discover.js'
import { swanlabBoard } from './board.js'

const DATABASE = fixture('swanlab/board/runs.swanlab')

describe('the database of SwanLab’s local dashboard', () => {
  it('holds the runs whose points lie beside it', async () => {
    const { recognised, runs } = await importFile(swanlabBoard, DATABASE)
    expect(recognised).toBe(true)
    expect(runs.map(({ name }) => name)).toEqual(['kl-0', 'kl-0.1'])
    const rows = rowsOf(runs[0].events)
    expect(rows.filter(row => 'loss' in row)).toEqual([
      { step: 0, loss: 1 },
      { step: 1, loss: 0.5 },
      { step: 2, loss: 1 / 3 },
    ])
    expect(rows.filter(row => 'train/reward' in row).map(row => row['train/reward'])).toEqual([0, Number.NaN, 0.2])
    expect(runs[1].events).toContainEqual({ type: 'config', config: { kl_beta: 0.1, 'opt.lr': 1e-6 } })
    expect(runs.map(({ events }) => events.at(-1))).toEqual([
      { type: 'status', status: 'finished' },
      { type: 'status', status: 'failed' },
    ])
  })

  it('is the one way into its folder', async () => {
    const { runs, skipped } = await discover([fixture('swanlab/board')])
    expect(skipped).toEqual([])
    expect(runs.map(({ name, source }) => [name, source.id])).toEqual([
      ['kl-0', 'swanlab-board'],
      ['kl-0.1', 'swanlab-board'],
    ])
  })

  it('without the folders of its runs says what it knows of them', async () => {
    await withFolder(async folder => {
      const path = join(folder, 'runs.swanlab')
      copyFileSync(DATABASE, path)
      const { runs } = await importFile(swanlabBoard, path)
      expect(runs).toHaveLength(2)
      expect(rowsOf(runs[0].events)).toEqual([])
      expect(swanlabBoard.recognise(await sourceFile(path))).toBe(true)
    })
  })
})
