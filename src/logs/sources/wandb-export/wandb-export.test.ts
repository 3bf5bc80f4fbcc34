import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventsOf } from '../../../../test/support/binary.js'
import { fixture, readEvents, rowsOf, sourceFile, withFile } from '../../../../test/support/reading.js'
import { temporaryFolder } from '../../../../test/workspace.js'
import type { RunEvent } from '../../model/events.js'
import { numberFromJson } from '../../model/json.js'
import { discover } from '../discover.js'
import { csv } from '../table/csv.js'
import { wandbChart } from './chart.js'
import { wandbParquet } from './parquet.js'

type History = { readonly [column: string]: number | string | boolean }

const expected: {
  charts: { [file: string]: { [column: string]: string }[] }
  history: History[]
} = JSON.parse(readFileSync(fixture('wandb-export/expected.json'), 'utf8'))

const HISTORY = fixture('wandb-export/history')

async function eventsOfRun(path: string, run: string): Promise<RunEvent[]> {
  const file = await sourceFile(path)
  const belonging = (await wandbChart.describe(file, {})).find(({ name }) => name === run)
  const events: RunEvent[] = []
  for await (const batch of wandbChart.read(file, { run: belonging?.run ?? '', cursor: null, hints: {} }))
    events.push(...batch)
  return events
}

describe('the CSV of a chart', () => {
  it.each([
    ['chart-reward.csv', 'train/reward'],
    ['chart-kl.csv', 'train/kl'],
  ])('gives each run its own values: %s', async (name, metric) => {
    for (const run of ['kl-0.1 - seed 0', 'no-kl']) {
      const rows = rowsOf(await eventsOfRun(fixture(`wandb-export/${name}`), run))
      const column = `${run} - ${metric}`
      const wanted = expected.charts[name].filter(row => row[column] !== '')
      expect(rows).toEqual(wanted.map(row => ({ step: Number(row.Step), [metric]: Number(row[column]) })))
      expect(rows.length).toBeGreaterThan(5)
    }
  })

  it('says so when W&B has drawn several values as one', async () => {
    const merged = await eventsOfRun(fixture('wandb-export/chart-kl.csv'), 'no-kl')
    expect(eventsOf(merged, 'warning')).toMatchObject([
      { message: { key: 'wandb-export.merged', params: { count: 4, step: 30 } } },
    ])
    const plain = await eventsOfRun(fixture('wandb-export/chart-reward.csv'), 'no-kl')
    expect(eventsOf(plain, 'warning')).toEqual([])
  })

  it('joins the charts of one folder run by run', async () => {
    const { runs } = await discover([fixture('wandb-export')])
    const charts = runs.filter(({ logs }) => logs[0].source === wandbChart)
    expect(charts.map(({ name, logs }) => [name, logs.length]).sort()).toEqual([
      ['kl-0.1 - seed 0', 2],
      ['no-kl', 2],
    ])
  })

  it('keeps another x axis as the axis that it is', async () => {
    const text = '"Relative Time (Process)","a - loss","a - loss__MIN","a - loss__MAX"\n"1.5","0.5","0.5","0.5"\n'
    const rows = await withFile(text, async path => eventsOf(await eventsOfRun(path, 'a'), 'row'), 'x.csv')
    expect(rows).toMatchObject([{ step: 1.5, axis: 'Relative Time (Process)', values: [0.5] }])
  })

  it('is not what any table with a dash in a name is', async () => {
    const file = await withFile('step,a - loss\n1,0.5\n2,0.4\n', sourceFile, 'x.csv')
    expect([wandbChart.recognise(file), csv.recognise(file)]).toEqual([false, true])
  })
})

describe('a history as Parquet', () => {
  it('holds what pyarrow reads: every number of every step, in the order of its parts', async () => {
    const { runs } = await discover([HISTORY])
    expect(runs.map(({ name, logs }) => [name, logs.length])).toEqual([['team_grpo_x7k2p9qd', 2]])
    const events: RunEvent[] = []
    for (const { file } of runs[0].logs) events.push(...(await readEvents(wandbParquet, file.path)))
    const wanted = expected.history.map(({ _step, _timestamp, _runtime, sample, flag, ...metrics }) => ({
      step: _step,
      ...Object.fromEntries(Object.entries(metrics).map(([name, value]) => [name, numberFromJson(value)])),
    }))
    expect(rowsOf(events)).toEqual(wanted)
    expect(eventsOf(events, 'row').map(({ time }) => time)).toEqual(
      expected.history.map(({ _timestamp }) => _timestamp),
    )
  })

  it('is found in the folder of its artifact too, and a data set is left alone', async () => {
    const bytes = readFileSync(join(HISTORY, 'team_grpo_x7k2p9qd_0.runhistory.parquet'))
    const { runs } = await withFile(bytes, path => discover([path]), '0000.parquet')
    expect(runs.map(({ name }) => name)).toEqual(['0000'])
  })

  it('that is cut short or damaged is said to be, and does no harm', async () => {
    const bytes = readFileSync(join(HISTORY, 'team_grpo_x7k2p9qd_0.runhistory.parquet'))
    const folder = temporaryFolder()
    for (const [name, content] of [
      ['a_b_c_0.runhistory.parquet', bytes.subarray(0, 900)],
      ['a_b_d_0.runhistory.parquet', Buffer.concat([bytes.subarray(0, 40), Buffer.alloc(200, 7), bytes.subarray(240)])],
    ] as const) {
      const path = join(folder, name)
      writeFileSync(path, content)
      expect(await wandbParquet.describe(await sourceFile(path), {})).toHaveLength(1)
      const warnings = eventsOf(await readEvents(wandbParquet, path), 'warning')
      expect(warnings.map(({ message }) => message.key)).toEqual(['wandb-export.unreadable'])
    }
  })
})

it('reads what run.history() leaves as CSV with the generic reader: its step, and when', async () => {
  const text =
    ',_step,_runtime,_timestamp,train/loss\n0,0,1.5,1794738000.25,0.5\n1,1,2.5,1794738001.25,0.4\n2,2,3.5,1794738002.25,\n'
  const rows = await withFile(text, async path => eventsOf(await readEvents(csv, path), 'row'), 'history.csv')
  expect(rows.map(({ step, time }) => [step, time])).toEqual([
    [0, 1794738000.25],
    [1, 1794738001.25],
    [2, 1794738002.25],
  ])
  expect(rows[0].metrics).toEqual(['_runtime', 'train/loss'])
})
