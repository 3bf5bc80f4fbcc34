import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf } from '../../../../test/support/binary.js'
import { fixture, readEvents, rowsOf, sourceFile, withFile } from '../../../../test/support/reading.js'
import type { RunEvent } from '../../model/events.js'
import { discover } from '../discover.js'
import { neptune } from './neptune.js'

const FOLDER = fixture('neptune/team_demo')
const expected = JSON.parse(readFileSync(fixture('classic/expected.json'), 'utf8'))

async function exported(): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for (const part of [0, 1]) events.push(...(await readEvents(neptune, join(FOLDER, `DEMO-7_part_${part}.parquet`))))
  return events
}

describe('what neptune-exporter wrote', () => {
  it('is one run by its id in Neptune, in the order of its parts', async () => {
    const { runs } = await discover([FOLDER])
    expect(runs.map(({ id, name, logs }) => [id, name, logs.length])).toEqual([['DEMO-7', 'DEMO-7', 2]])
  })

  it('has every point that pyarrow reads, with its time', async () => {
    const events = await exported()
    expect(rowsOf(events)).toEqual(expected.neptune)
    expect(eventsOf(events, 'row')[0].time).toBe(Date.UTC(2026, 10, 15, 4, 30, 1) / 1000)
  })

  it('has the settings, and leaves out what Neptune says of itself', async () => {
    const configs = eventsOf(await exported(), 'config').map(({ config }) => config)
    expect(configs).toEqual([{ 'params/lr': 1e-6, 'params/group': 8, 'params/shuffle': true }])
  })

  it('is told from other tables in parts, and from a damaged file', async () => {
    const other = readFileSync(fixture('wandb-export/history/team_grpo_x7k2p9qd_0.runhistory.parquet'))
    const belongings = await withFile(
      other,
      async path => neptune.describe(await sourceFile(path), {}),
      'x_part_0.parquet',
    )
    expect(belongings).toEqual([])
    const bytes = readFileSync(join(FOLDER, 'DEMO-7_part_0.parquet'))
    const events = await withFile(bytes.subarray(0, 900), path => readEvents(neptune, path), 'x_part_0.parquet')
    expect(eventsOf(events, 'warning')).toMatchObject([{ message: { key: 'neptune.unreadable' } }])
  })
})
