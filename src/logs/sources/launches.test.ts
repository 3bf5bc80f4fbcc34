import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { doubleValue, field, floatValue, tfRecord } from '../../../test/support/binary.js'
import { withFolder } from '../../../test/support/reading.js'
import { discover } from './discover.js'
import { nextPlace, type TrainingPlace, trainingsUpTo } from './table/trainings.js'

function put(path: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** An event file of one process, with settings as a text where there are any. */
function eventFile(startedAt: number, steps: readonly number[], { tag = 'loss', settings = '' } = {}): Buffer {
  const event = (...parts: readonly Buffer[]): Buffer => tfRecord(Buffer.concat([doubleValue(1, startedAt), ...parts]))
  const text = Buffer.concat([
    field(1, 'args/text_summary'),
    field(8, Buffer.concat([field(1, 7n), field(8, settings)])),
    field(9, field(1, field(1, 'text'))),
  ])
  const scalar = (step: number): Buffer =>
    event(
      field(2, BigInt(step)),
      field(5, field(1, Buffer.concat([field(1, tag), floatValue(2, (startedAt % 7) + step)]))),
    )
  return Buffer.concat([
    event(field(3, 'brain.Event:2')),
    ...(settings === '' ? [] : [event(field(5, field(1, text)))]),
    ...steps.map(scalar),
  ])
}

async function launchesIn(folder: string): Promise<{ name: string; files: number }[]> {
  const { runs } = await discover([folder])
  return runs.map(({ name, logs }) => ({ name, files: logs.length }))
}

describe('event files in one folder', () => {
  const path = (folder: string, at: number): string => join(folder, 'ppo', `events.out.tfevents.${at}.host.${at}.0`)

  it('that begin again at the first step are runs of their own', () =>
    withFolder(async folder => {
      for (const at of [1_700_000_000, 1_700_000_100, 1_700_000_200]) {
        put(path(folder, at), eventFile(at, range(1, 20 + (at % 7))))
      }
      expect(await launchesIn(folder)).toEqual([
        { name: 'ppo', files: 1 },
        { name: 'ppo/2', files: 1 },
        { name: 'ppo/3', files: 1 },
      ])
    }))

  it('that go on from a checkpoint are one run', () =>
    withFolder(async folder => {
      put(path(folder, 1_700_000_000), eventFile(1_700_000_000, range(1, 30)))
      put(path(folder, 1_700_000_100), eventFile(1_700_000_100, range(21, 60)))
      put(path(folder, 1_700_000_200), eventFile(1_700_000_200, range(61, 80)))
      expect(await launchesIn(folder)).toEqual([{ name: 'ppo', files: 3 }])
    }))

  it('that go on with another setting are two', () =>
    withFolder(async folder => {
      put(
        path(folder, 1_700_000_000),
        eventFile(1_700_000_000, range(1, 30), { settings: '{"beta": 0.1, "run_name": "a"}' }),
      )
      put(
        path(folder, 1_700_000_100),
        eventFile(1_700_000_100, range(21, 60), { settings: '{"beta": 0.1, "run_name": "b"}' }),
      )
      expect(await launchesIn(folder)).toEqual([{ name: 'ppo', files: 2 }])
      put(path(folder, 1_700_000_200), eventFile(1_700_000_200, range(51, 80), { settings: '{"beta": 0.2}' }))
      expect(await launchesIn(folder)).toEqual([
        { name: 'ppo', files: 2 },
        { name: 'ppo/2', files: 1 },
      ])
    }))

  it('that log other metrics are of one run', () =>
    withFolder(async folder => {
      put(path(folder, 1_700_000_000), eventFile(1_700_000_000, range(1, 30)))
      put(path(folder, 1_700_000_100), eventFile(1_700_000_100, range(1, 30), { tag: 'eval/loss' }))
      expect(await launchesIn(folder)).toEqual([{ name: 'ppo', files: 2 }])
    }))

  it('are that file alone where one is named', () =>
    withFolder(async folder => {
      put(path(folder, 1_700_000_000), eventFile(1_700_000_000, range(1, 30)))
      const second = put(path(folder, 1_700_000_100), eventFile(1_700_000_100, range(21, 60)))
      const { runs } = await discover([second])
      expect(runs.map(({ logs }) => logs.map(({ file }) => file.path))).toEqual([[second]])
    }))
})

describe('trainings in one table', () => {
  const jsonl = (...stretches: readonly (readonly number[])[]): string =>
    stretches.flatMap((steps, nth) => steps.map(step => `${JSON.stringify({ step, loss: nth + step })}\n`)).join('')
  const csv = (...stretches: readonly (readonly number[])[]): string =>
    `step,loss\n${stretches.flatMap((steps, nth) => steps.map(step => `${step},${nth + step}\n`)).join('')}`
  const later = (...stretches: readonly (readonly number[])[]): string =>
    `loss,step\n${stretches.flatMap((steps, nth) => steps.map(step => `${nth + step},${step}\n`)).join('')}`
  const json = (...stretches: readonly (readonly number[])[]): string =>
    JSON.stringify(stretches.flatMap((steps, nth) => steps.map(step => ({ step, loss: nth + step }))))

  /** What each run of the file holds. */
  async function trainingsOf(path: string): Promise<(readonly [string, readonly (readonly number[])[]])[]> {
    const { runs } = await discover([path])
    return Promise.all(
      runs.map(async ({ name, logs }) => {
        const rows: number[][] = []
        for (const { file, source, run } of logs) {
          for await (const events of source.read(file, { run, cursor: null, hints: {} })) {
            for (const event of events) if (event.type === 'row') rows.push([event.step, event.values[0] ?? 0])
          }
        }
        return [name, rows] as const
      }),
    )
  }

  it.each([
    ['x.jsonl', jsonl],
    ['x.csv', csv],
    ['x.csv', later],
    ['x.json', json],
  ] as const)('%s: are a run each', (name, write) =>
    withFolder(async folder => {
      const path = put(join(folder, name), write(range(1, 12), range(1, 9), range(1, 11)))
      const rowsOf = (nth: number, to: number): number[][] => range(1, to).map(step => [step, nth + step])
      expect(await trainingsOf(path)).toEqual([
        ['x', rowsOf(0, 12)],
        ['x/2', rowsOf(1, 9)],
        ['x/3', rowsOf(2, 11)],
      ])
    }),
  )

  it('are one run that was started again where the step goes back part of the way', () =>
    withFolder(async folder => {
      expect(await trainingsOf(put(join(folder, 'x.jsonl'), jsonl(range(1, 12), range(9, 20))))).toHaveLength(1)
    }))

  it('are no trainings where rows are in no order, or are of other metrics', () => {
    const up = (steps: readonly number[], metric: string) =>
      steps.map(step => ({ type: 'row' as const, step, time: null, metrics: [metric], values: [step] }))
    const count = (rows: ReturnType<typeof up>): number => {
      let place: TrainingPlace | null = null
      for (const row of rows) place = nextPlace(place, row)
      return trainingsUpTo(place)
    }
    expect(count(up(range(1, 50).reverse(), 'loss'))).toBe(1)
    expect(count([...up(range(1, 50), 'loss'), ...up(range(1, 50), 'val')])).toBe(1)
    expect(count([...up(range(1, 50), 'loss'), ...up(range(1, 50), 'loss')])).toBe(2)
  })

  it('are found as they are added, and the first stays what it was', () =>
    withFolder(async folder => {
      const path = put(join(folder, 'x.jsonl'), jsonl(range(1, 12)))
      const { runs: before } = await discover([path])
      put(path, jsonl(range(1, 12), range(1, 9)))
      const { runs: after } = await discover([path])
      expect(after.map(({ identity }) => identity)[0]).toBe(before[0]?.identity)
      expect(new Set(after.map(({ id }) => id)).size).toBe(2)
    }))
})

describe('a file that is named', () => {
  const rows = (scale: number): string =>
    range(1, 9)
      .map(step => `${JSON.stringify({ step, loss: scale * step })}\n`)
      .join('')

  it('is read though another log lies beside it, and takes its config but none that is named after the other', () =>
    withFolder(async folder => {
      const log = put(join(folder, 'mine.jsonl'), rows(1))
      put(
        join(folder, 'trainer_state.json'),
        JSON.stringify({ log_history: [{ step: 1, loss: 3, epoch: 1 }], global_step: 1 }),
      )
      put(join(folder, 'other.jsonl'), rows(2))
      const config = put(join(folder, 'config.json'), '{"lr": 1}')
      put(join(folder, 'other.config.json'), '{"lr": 2}')
      const { runs, skipped } = await discover([log])
      expect(skipped).toEqual([])
      expect(runs).toMatchObject([{ source: { id: 'jsonl' }, tables: [] }])
      expect(runs[0]?.configs.map(({ path }) => path)).toEqual([config])
    }))
})
