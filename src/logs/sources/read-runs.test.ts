import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture, withFolder } from '../../../test/support/reading.js'
import { type LoggedEvent, readRuns } from './read-runs.js'

async function readAll(path: string) {
  const runs = []
  for await (const { name, source, events } of readRuns(path)) {
    const said: LoggedEvent[] = []
    for await (const event of events()) said.push(event)
    runs.push({ name, source, said })
  }
  return runs
}

const rowsOf = (said: readonly LoggedEvent[]) => said.filter(event => event.type === 'row')

describe('readRuns', () => {
  it('gives the runs of a folder with what each log says, whatever its format', () =>
    withFolder(async folder => {
      for (const name of ['a', 'b']) mkdirSync(join(folder, name))
      writeFileSync(join(folder, 'a', 'metrics.jsonl'), '{"step":1,"loss":0.5}\n{"step":2,"loss":0.25}\n')
      writeFileSync(join(folder, 'a', 'config.json'), '{"kl_beta":0.1}')
      writeFileSync(join(folder, 'b', 'train.log'), 'step:1 - actor/pg_loss:0.5\nstep:2 - actor/pg_loss:0.25\n')
      const runs = (await readAll(folder)).sort((one, other) => one.name.localeCompare(other.name))
      expect(runs.map(({ name, source }) => [name, source])).toEqual([
        ['a', 'jsonl'],
        ['b', 'verl'],
      ])
      expect(
        runs.map(({ said }) => rowsOf(said).map(({ step, metrics, values }) => [step, ...metrics, ...values])),
      ).toEqual([
        [
          [1, 'loss', 0.5],
          [2, 'loss', 0.25],
        ],
        [
          [1, 'actor/pg_loss', 0.5],
          [2, 'actor/pg_loss', 0.25],
        ],
      ])
      expect(runs[0]?.said).toContainEqual({ type: 'config', config: { kl_beta: 0.1 } })
    }))

  it('reads the points of a training once, though several logs tell them', async () => {
    const [run, ...others] = await readAll(fixture('hf/output/finished'))
    expect([run?.source, others]).toEqual(['wandb', []])
    const steps = rowsOf(run?.said ?? []).filter(({ metrics }) => metrics.includes('train/loss'))
    expect(new Set(steps.map(({ step }) => step)).size).toBe(steps.length)
    expect(steps.length).toBeGreaterThan(0)
  })

  it('puts the name of a table before its metrics', () =>
    withFolder(async folder => {
      writeFileSync(join(folder, 'train.log'), 'step:1 - actor/pg_loss:0.5\n')
      writeFileSync(join(folder, 'truth.csv'), 'step,score\n1,0.7\n')
      const [run] = await readAll(folder)
      expect(rowsOf(run?.said ?? []).flatMap(({ metrics }) => metrics)).toEqual(['actor/pg_loss', 'truth/score'])
    }))

  it('refuses a path that does not exist, and finds no runs in an empty folder', () =>
    withFolder(async folder => {
      await expect(readAll(join(folder, 'absent'))).rejects.toThrow('ENOENT')
      expect(await readAll(folder)).toEqual([])
    }))
})
