import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ShowAnswer } from '../src/app/ask/show.js'
import { loadRun, pointCount } from '../src/core/store/catalogue.js'
import { type FollowOptions, follow } from '../src/core/store/follow.js'
import { importLogs } from '../src/core/store/ingest.js'
import type { Manifest } from '../src/core/store/manifest.js'
import { runIds } from '../src/core/store/run-index.js'
import { readSeries } from '../src/core/store/series.js'
import { runFolder, type Workspace } from '../src/core/store/workspace.js'
import { seededRandom } from '../src/stats/random.js'
import { ended, klens, klensJson, startKlens } from './cli.js'
import { contents } from './support/contents.js'
import { fixture } from './support/reading.js'
import { temporaryFolder, temporaryWorkspace } from './workspace.js'

/** Whatever happens to logs while they are followed, the store ends up as if they had been imported once, at the end. */

const PACE = { pollMs: 5, searchMs: 10, settleMs: 0 }
const PATIENCE_MS = 10_000

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${isSo}`)
    await pause(3)
  }
}

interface Follower {
  readonly workspace: Workspace
  /** How many runs were followed at the start, and whether there was nothing there yet. */
  readonly started: readonly (number | boolean)[]
  readonly growths: Manifest[]
  readonly remarks: string[]
  /** Resolves when the following ends by itself. */
  readonly end: Promise<void>
  /** Waits until so many points have been heard of, over all runs. */
  points(count: number): Promise<void>
  runs(): Promise<Manifest[]>
  stop(): Promise<void>
}

async function startFollowing(path: string, options: Partial<FollowOptions> = {}): Promise<Follower> {
  const workspace = await temporaryWorkspace()
  const stopping = new AbortController()
  const growths: Manifest[] = []
  const remarks: string[] = []
  await importLogs(workspace, [path], { keepsEarlier: true })
  const started: (number | boolean)[] = []
  const end = follow(workspace, [path], {
    signal: stopping.signal,
    pace: PACE,
    onStart: (...told) => started.push(...told),
    onGrowth: manifest => growths.push(manifest),
    onRemark: ({ reason }) => remarks.push(reason.key === 'skip.failed' ? JSON.stringify(reason) : reason.key),
    ...options,
  })
  const runs = async (): Promise<Manifest[]> => {
    const loaded = await Promise.all((await runIds(workspace)).map(id => loadRun(workspace, id)))
    return loaded.flatMap(run => (run === null ? [] : [run.manifest]))
  }
  await Promise.race([until(() => started.length > 0), end])
  return {
    workspace,
    started,
    growths,
    remarks,
    end,
    runs,
    points: count => until(async () => (await runs()).reduce((sum, run) => sum + pointCount(run), 0) === count),
    stop: () => {
      stopping.abort()
      return end
    },
  }
}

async function imported(path: string): Promise<{ readonly contents: object[]; readonly points: number }> {
  const workspace = await temporaryWorkspace()
  const { runs } = await importLogs(workspace, [path])
  return { contents: await contents(workspace), points: runs.reduce((sum, run) => sum + pointCount(run), 0) }
}

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** As databases and checkpoints appear: whole or not at all. */
function putAtOnce(path: string, content: Uint8Array): void {
  put(`${path}.part`, content)
  renameSync(`${path}.part`, path)
}

function unpacked(name: string): Buffer {
  return gunzipSync(readFileSync(fixture(name)))
}

const TFEVENTS = 'events.out.tfevents.1794718706.trainer-01'
/** How long Trackio's log was when the first points were in it. */
const TRACKIO_EARLY: number = JSON.parse(readFileSync(fixture('trackio/expected.json'), 'utf8')).early

function rows(from: number, to: number, run = ''): string {
  const lines: string[] = []
  for (let step = from; step < to; step += 1) lines.push(JSON.stringify({ step, data: { [`loss${run}`]: step / 8 } }))
  return `${lines.join('\n')}\n`
}

/** A file of a fixture that grows in three pieces, cut anywhere. */
function pieces(from: string, to: string): ((folder: string) => void)[] {
  const bytes = readFileSync(fixture(from))
  const [first, second] = [Math.floor(bytes.length * 0.4), Math.floor(bytes.length * 0.7)]
  return [
    folder => put(join(folder, to), bytes.subarray(0, first)),
    folder => appendFileSync(join(folder, to), bytes.subarray(first, second)),
    folder => appendFileSync(join(folder, to), bytes.subarray(second)),
  ]
}

/** Files of a fixture that appear one after the other. */
function files(...names: readonly (readonly [from: string, to: string])[]): ((folder: string) => void)[] {
  return names.map(
    ([from, to]) =>
      folder =>
        put(join(folder, to), readFileSync(fixture(from))),
  )
}

const MLFLOW_RUN = 'mlruns/183077168179135182/fab461679d624e1789f1c9aa5448368a'

const trackioWal = unpacked('trackio/live.db-wal.gz')

type States = readonly ((folder: string) => void)[]

const FORMATS: readonly (readonly [string, States])[] = [
  ['a W&B log', pieces('wandb/finished.wandb', 'run-1-a/run-a.wandb')],
  [
    'a W&B run that is resumed in another folder',
    files(['wandb/resumed-1.wandb', 'run-1/run-a.wandb'], ['wandb/resumed-2.wandb', 'run-2/run-a.wandb']),
  ],
  ['a SwanLab log', pieces('swanlab/values/run-vjgioi3d.swanlab', 'run-1/run-vjgioi3d.swanlab')],
  ['an older SwanLab log', pieces('swanlab/backup-0.6/backup.swanlab', 'run-1/backup.swanlab')],
  ['a TensorBoard file', pieces(`tensorboard/scalars/${TFEVENTS}`, `kl/${TFEVENTS}`)],
  [
    'a TensorBoard run that is started again',
    files(
      [`tensorboard/restart/${TFEVENTS}.15990.2.1`, `kl/${TFEVENTS}.15990.2.1`],
      [
        'tensorboard/restart/events.out.tfevents.1794718707.trainer-01.15990.3.2',
        'kl/events.out.tfevents.1794718707.b',
      ],
    ),
  ],
  ['a console of verl', pieces('verl/console.log', 'train.log')],
  ['a JSONL of verl', pieces('verl/kl-0.1/seed0/metrics.jsonl', 'metrics.jsonl')],
  ['a console of OpenRLHF', pieces('openrlhf/console.log', 'train.log')],
  ['a console of OpenRLHF with bars', pieces('openrlhf/console-bars.log', 'train.log')],
  ['a console of Lever-Plus', pieces('lever/kl012/train.log', 'train.log')],
  ["a JSONL of one's own", pieces('tables/kl-0.1/seed7/loop.jsonl', 'loop.jsonl')],
  ['a CSV', pieces('tables/kl-0.1/seed7/truth.csv', 'truth.csv')],
  [
    'a JSON table that is written again and again',
    [1, 2, 3].map(rows => folder => {
      putAtOnce(
        join(folder, 'history.json'),
        Buffer.from(JSON.stringify(Array.from({ length: rows }, (_, step) => ({ step, loss: step })))),
      )
    }),
  ],
  [
    'trainer_state.json of new checkpoints',
    files(
      ['hf/grpo/checkpoint-3/trainer_state.json', 'grpo/checkpoint-3/trainer_state.json'],
      ['hf/grpo/checkpoint-6/trainer_state.json', 'grpo/checkpoint-6/trainer_state.json'],
      ['hf/grpo/trainer_state.json', 'grpo/trainer_state.json'],
    ),
  ],
  [
    'trainer_state.json that is written over',
    files(
      ['hf/grpo/checkpoint-3/trainer_state.json', 'grpo/trainer_state.json'],
      ['hf/grpo/checkpoint-6/trainer_state.json', 'grpo/trainer_state.json'],
    ),
  ],
  [
    'a database of MLflow, with a run more in it',
    ['mlflow-before', 'mlflow-grown'].map(name => folder => {
      putAtOnce(join(folder, 'mlflow.db'), unpacked(`mlflow/${name}.db.gz`))
    }),
  ],
  [
    'a folder of MLflow',
    [
      folder => cpSync(fixture('mlflow/mlruns'), join(folder, 'mlruns'), { recursive: true }),
      folder => appendFileSync(join(folder, MLFLOW_RUN, 'metrics/loss'), '1794700002000 0.25 2\n'),
      folder => put(join(folder, MLFLOW_RUN, 'metrics/new/one'), '1794700002000 0.5 2\n'),
      folder => {
        cpSync(join(folder, MLFLOW_RUN), join(folder, `${MLFLOW_RUN}0`), { recursive: true })
        const meta = join(folder, `${MLFLOW_RUN}0`, 'meta.yaml')
        writeFileSync(meta, readFileSync(meta, 'utf8').replaceAll('fab461679d624e1789f1c9aa5448368a', 'b'.repeat(32)))
      },
    ],
  ],
  [
    'a database of Trackio, through its write-ahead log',
    [
      folder => {
        put(join(folder, 'live.db'), unpacked('trackio/live.db.gz'))
        put(join(folder, 'live.db-wal'), trackioWal.subarray(0, TRACKIO_EARLY))
      },
      folder => appendFileSync(join(folder, 'live.db-wal'), trackioWal.subarray(TRACKIO_EARLY)),
    ],
  ],
  [
    'an inbox of Trackio',
    files(
      ['trackio/inbox/a1b2c3d4e5f60718/00000000.jsonl', 'inbox/a/00000000.jsonl'],
      ['trackio/inbox/a1b2c3d4e5f60718/00000001.jsonl', 'inbox/a/00000001.jsonl'],
    ),
  ],
  [
    'a study of Optuna',
    [
      folder => putAtOnce(join(folder, 'study.db'), unpacked('optuna/study-before.db.gz')),
      folder => putAtOnce(join(folder, 'study.db'), readFileSync(fixture('optuna/study.db'))),
    ],
  ],
  [
    'dumps of verl beside a log',
    [
      ...files(['verl/kl-0.1/seed0/metrics.jsonl', 'metrics.jsonl']),
      ...files(
        ['completions/verl/kl/val_dump/20.jsonl', 'val_dump/20.jsonl'],
        ['completions/verl/kl/val_dump/45.jsonl', 'val_dump/45.jsonl'],
        ['completions/verl/kl/rollout/1.jsonl', 'rollout/1.jsonl'],
      ),
    ],
  ],
  [
    'completions of TRL on their own',
    [1, 2, 3].flatMap(step =>
      files([
        `completions/trl/fast/completions/completions_0000${step}.parquet`,
        `completions/completions_0000${step}.parquet`,
      ]),
    ),
  ],
  [
    'a table beside a log, and its config',
    [
      ...files(['verl/kl-0.1/seed0/metrics.jsonl', 'metrics.jsonl']),
      folder => put(join(folder, 'truth.csv'), 'step,exact\n0,0.5\n'),
      folder => appendFileSync(join(folder, 'truth.csv'), '1,0.75\n'),
    ],
  ],
  [
    'new runs in a folder that was empty',
    [
      () => {},
      ...['a', 'b', 'c'].map(name => (folder: string) => put(join(folder, name, 'log.jsonl'), rows(0, 5, name))),
    ],
  ],
]

describe('what arrives while it is followed is in the store', () => {
  it.each(FORMATS)('of %s', async (_, states) => {
    // Not at the same time: one process does one thing with DuckDB at a time.
    const expected: number[] = []
    const rehearsal = temporaryFolder()
    for (const change of states) {
      change(rehearsal)
      expected.push((await imported(rehearsal)).points)
    }
    const folder = temporaryFolder()
    states[0](folder)
    // Following ends when all runs have ended; this one goes on.
    put(join(folder, 'another', 'metrics.jsonl'), rows(0, 2))
    const follower = await startFollowing(folder)
    for (const [index, change] of states.entries()) {
      if (index > 0) change(folder)
      await follower.points(expected[index] + 2)
    }
    await follower.stop()
    expect(await contents(follower.workspace)).toEqual((await imported(folder)).contents)
    expect(follower.remarks).toEqual([])
  })
})

const ROTATIONS: readonly (readonly [how: string, rotate: (path: string) => void])[] = [
  ['renamed', path => renameSync(path, `${path}.1`)],
  [
    'copied and emptied',
    path => {
      copyFileSync(path, `${path}.1`)
      truncateSync(path)
    },
  ],
]

describe('a log that is rotated', () => {
  const whole = (folder: string): string => join(folder, 'metrics.jsonl')

  it.each(ROTATIONS)('%s, is one run: nothing is lost, nothing counted twice', async (_, rotate) => {
    const folder = temporaryFolder()
    const path = whole(folder)
    put(path, rows(0, 150))
    const follower = await startFollowing(path)
    appendFileSync(path, rows(150, 160))
    await follower.points(160)
    // What was written just before is found in the piece that was put aside.
    appendFileSync(path, rows(160, 165))
    rotate(path)
    appendFileSync(path, rows(165, 170))
    await follower.points(170)
    renameSync(`${path}.1`, `${path}.2`)
    rotate(path)
    appendFileSync(path, rows(170, 180))
    await follower.points(180)
    await follower.stop()
    expect(follower.remarks.filter(key => key === 'follow.put-aside').length).toBeGreaterThan(0)
    expect(await contents(follower.workspace)).toEqual((await imported(path)).contents)
    const [run, ...others] = await follower.runs()
    expect(others).toEqual([])
    expect(run.segments).toEqual([{ firstStep: 0, lastStep: 179 }])
    await importLogs(follower.workspace, [folder], { keepsEarlier: true })
    expect(await contents(follower.workspace)).toEqual((await imported(path)).contents)
  })
})

describe('logs of one job, which begin alike for pages', () => {
  const PAGES = Array.from(
    { length: 90 },
    (_, i) => `(TaskRunner pid=1) {'actor_rollout_ref': {'actor': {'option_${i}': 0.2}}}\n`,
  ).join('')
  const lines = (from: number, to: number, loss: number): string =>
    Array.from(
      { length: to - from + 1 },
      (_, i) => `(TaskRunner pid=1) step:${from + i} - actor/pg_loss:${loss}\n`,
    ).join('')

  async function losses(workspace: Workspace): Promise<number[][]> {
    const ids = await runIds(workspace)
    const runs = await Promise.all(ids.map(id => loadRun(workspace, id)))
    const read = await Promise.all(runs.map(run => (run === null ? null : readSeries(run, ['actor/pg_loss']))))
    return read.map(series => Array.from(series?.get('actor/pg_loss')?.values ?? []))
  }

  it('are read anew when one was written over by the next, longer one', async () => {
    const workspace = await temporaryWorkspace()
    const path = join(temporaryFolder(), 'log', 'train.log')
    put(path, PAGES + lines(1, 49, 0.25))
    await importLogs(workspace, [dirname(path)])
    put(path, PAGES + lines(1, 120, 7))
    await importLogs(workspace, [dirname(path)])
    expect(await losses(workspace)).toEqual([Array.from({ length: 120 }, () => 7)])
  })

  it('are all read where one is the rotated piece of the other', async () => {
    const workspace = await temporaryWorkspace()
    const folder = temporaryFolder()
    put(join(folder, 'train.log.1'), PAGES + lines(1, 100, 0.25))
    put(join(folder, 'train.log'), PAGES + lines(101, 150, 0.5))
    await importLogs(workspace, [folder])
    await importLogs(workspace, [folder])
    const [values, ...others] = await losses(workspace)
    expect([values.length, others]).toEqual([150, []])
  })

  it.each(ROTATIONS)('lose nothing that was stored when one is %s while followed', async (_, rotate) => {
    const path = join(temporaryFolder(), 'train.log')
    put(path, PAGES + lines(1, 100, 0.25))
    const follower = await startFollowing(path)
    rotate(path)
    appendFileSync(path, PAGES + lines(101, 150, 0.5))
    await follower.points(150)
    await follower.stop()
    expect((await losses(follower.workspace)).map(({ length }) => length)).toEqual([150])
  })

  it('are kept and added to when the job is queued again, and its log begins anew and grows longer', async () => {
    const path = join(temporaryFolder(), 'train.log')
    put(path, PAGES + lines(1, 100, 0.25))
    const follower = await startFollowing(path)
    writeFileSync(path, PAGES + lines(1, 300, 0.5))
    await follower.points(400)
    await follower.stop()
    expect(follower.remarks).toContain('follow.begun-anew')
    // The later values count, and the first job's are still in the store.
    expect(await losses(follower.workspace)).toEqual([Array.from({ length: 300 }, () => 0.5)])
  })

  it('is not taken for one that moved when that one is gone', async () => {
    const workspace = await temporaryWorkspace()
    const folder = temporaryFolder()
    put(join(folder, 'first', 'train.log'), PAGES + lines(1, 50, 0.25))
    await importLogs(workspace, [folder])
    rmSync(join(folder, 'first'), { recursive: true })
    put(join(folder, 'second', 'train.log'), PAGES + lines(1, 80, 0.5))
    await importLogs(workspace, [folder])
    expect((await losses(workspace)).map(values => [values.length, values[0]]).sort()).toEqual([
      [50, 0.25],
      [80, 0.5],
    ])
  })
})

describe('a log that is written over', () => {
  const BANNER = '(TaskRunner pid=1) ray is up\n'
  const consoleLines = (from: number, to: number, loss: number): string =>
    Array.from(
      { length: to - from },
      (_, i) => `step:${from + i} - actor/pg_loss:${loss} - critic/score/mean:0.5\n`,
    ).join('')

  it('by the same job, started again, goes on as a new segment of the same run, and says so once', async () => {
    const path = join(temporaryFolder(), 'train.log')
    put(path, BANNER + consoleLines(1, 101, 0.25))
    const follower = await startFollowing(path)
    writeFileSync(path, BANNER)
    appendFileSync(path, consoleLines(81, 85, 0.125))
    await follower.points(208)
    appendFileSync(path, consoleLines(85, 121, 0.125))
    await follower.points(280)
    await follower.stop()
    const [run, ...others] = await follower.runs()
    expect(others).toEqual([])
    expect(run.segments).toEqual([
      { firstStep: 1, lastStep: 100 },
      { firstStep: 81, lastStep: 120 },
    ])
    expect(follower.remarks).toEqual(['follow.begun-anew'])
    expect(run.files.flatMap(file => file.warnings.map(({ key }) => key))).toEqual(['import.begun-anew'])
    appendFileSync(path, consoleLines(121, 122, 0.125))
    await importLogs(follower.workspace, [path])
    expect((await follower.runs()).map(pointCount)).toEqual([282])
  })

  it('keeps what it held before even where the new must be read again from its beginning', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'log.jsonl')
    const first = '{"step":0,"loss":1}\n'
    const line = (step: number): string => `{"step":${step},"loss":${step / 4}}\n`
    put(path, first + line(1) + line(2))
    const follower = await startFollowing(path)
    writeFileSync(path, first + line(7))
    await until(() => follower.remarks.length > 0)
    // Up to a hundred rows of such a table are read anew whenever it grows.
    for (let step = 8; step < 12; step += 1) {
      appendFileSync(path, line(step))
      await until(async () => (await follower.runs())[0].metrics.get('loss')?.lastStep === step)
    }
    await follower.stop()
    const [run] = await follower.runs()
    expect(run.metrics.get('loss')).toMatchObject({ stored: 9, lastStep: 11 })
    expect(run.parts).toHaveLength(2)
  })

  it('while nobody followed it is taken up in the same way', async () => {
    const path = join(temporaryFolder(), 'train.log')
    put(path, BANNER + consoleLines(1, 101, 0.25))
    const first = await startFollowing(path)
    await first.stop()
    writeFileSync(path, BANNER + consoleLines(81, 85, 0.125))
    await importLogs(first.workspace, [path], { keepsEarlier: true })
    expect((await first.runs()).map(pointCount)).toEqual([208])
    writeFileSync(path, BANNER + consoleLines(1, 3, 0.5))
    await importLogs(first.workspace, [path])
    expect((await first.runs()).map(run => run.segments.length)).toEqual([2])
  })

  it('by another run becomes that run, and the first stays as it was', async () => {
    const path = join(temporaryFolder(), 'metrics.jsonl')
    put(path, rows(0, 50))
    const follower = await startFollowing(path)
    writeFileSync(path, rows(3, 8, '/other'))
    await follower.points(55)
    await follower.stop()
    expect(follower.remarks).toEqual(['follow.other-run'])
    expect((await follower.runs()).map(pointCount).sort()).toEqual([5, 50])
  })

  it('and cut back to an earlier point is read anew', async () => {
    const path = join(temporaryFolder(), 'metrics.jsonl')
    put(path, rows(0, 50))
    const follower = await startFollowing(path)
    truncateSync(path, rows(0, 20).length)
    await follower.points(20)
    appendFileSync(path, rows(20, 25))
    await follower.points(25)
    await follower.stop()
    expect(follower.remarks).toEqual(['follow.cut'])
    expect(await contents(follower.workspace)).toEqual((await imported(path)).contents)
  })
})

describe('a log that says nothing of its state', () => {
  it('counts as running once it grows while somebody looks', async () => {
    const path = join(temporaryFolder(), 'metrics.jsonl')
    put(path, rows(0, 50))
    const follower = await startFollowing(path)
    expect((await follower.runs()).map(({ status }) => status)).toEqual(['unknown'])
    appendFileSync(path, rows(50, 60))
    await follower.points(60)
    await until(async () => (await follower.runs())[0].status === 'running')
    await follower.stop()
  })
})

describe('a log that is not there', () => {
  it('yet is awaited, with its folder', async () => {
    const path = join(temporaryFolder(), 'later', 'metrics.jsonl')
    const follower = await startFollowing(path)
    expect(follower.started).toEqual([0, true])
    put(path, rows(0, 5))
    await follower.points(5)
    appendFileSync(path, rows(5, 9))
    await follower.points(9)
    await follower.stop()
  })

  it('any more is told of once, and read on when it is back', async () => {
    const folder = temporaryFolder()
    const path = join(folder, 'metrics.jsonl')
    put(path, rows(0, 5))
    const follower = await startFollowing(folder)
    renameSync(path, join(temporaryFolder(), 'elsewhere'))
    await until(() => follower.remarks.length > 0)
    put(path, rows(0, 9))
    await follower.points(9)
    await follower.stop()
    expect(follower.remarks).toEqual(['follow.lost'])
  })
})

describe('following', () => {
  it('ends by itself when all runs have ended', async () => {
    const folder = temporaryFolder()
    const bytes = readFileSync(fixture('wandb/finished.wandb'))
    put(join(folder, 'run-a.wandb'), bytes.subarray(0, bytes.length / 2))
    const follower = await startFollowing(folder)
    writeFileSync(join(folder, 'run-a.wandb'), bytes)
    await follower.end
    expect((await follower.runs()).map(({ status }) => status)).toEqual(['finished'])
  })

  it('lets a silent run go, which others may then import, and takes it up again when it grows', async () => {
    const path = join(temporaryFolder(), 'metrics.jsonl')
    put(path, rows(0, 5))
    const follower = await startFollowing(path, { pace: { ...PACE, restMs: 30 } })
    const [{ id }] = await follower.runs()
    const leases = (): string[] =>
      readdirSync(runFolder(follower.workspace, id)).filter(name => name.startsWith('lease'))
    await until(() => leases().length === 0)
    appendFileSync(path, rows(5, 9))
    await follower.points(9)
    await until(() => leases().length === 0)
    await follower.stop()
    expect(follower.growths.map(pointCount)).toEqual([9])
  })

  it('leaves a run to the process that follows it already, and says so', async () => {
    const path = join(temporaryFolder(), 'metrics.jsonl')
    put(path, rows(0, 5))
    const first = await startFollowing(path)
    const remarks: string[] = []
    const onRemark: FollowOptions['onRemark'] = ({ reason }) => remarks.push(reason.key)
    await follow(first.workspace, [path], { signal: new AbortController().signal, pace: PACE, onRemark })
    expect(remarks).toEqual(['skip.busy'])
    appendFileSync(path, rows(5, 9))
    await first.points(9)
    await first.stop()
  })
})

describe('a follower whose store is deleted', () => {
  it('does not go on telling of points that nobody keeps, but begins the store again', async () => {
    const path = join(temporaryFolder(), 'metrics.jsonl')
    put(path, rows(0, 5))
    const follower = await startFollowing(path)
    appendFileSync(path, rows(5, 6))
    await follower.points(6)
    rmSync(follower.workspace.root, { recursive: true, maxRetries: 5 })
    appendFileSync(path, rows(6, 9))
    await follower.points(9)
    await follower.stop()
    expect(await contents(follower.workspace)).toEqual((await imported(path)).contents)
  })
})

describe('a follower', () => {
  it('that is killed with -9, beside a log that is being written, loses nothing and counts nothing twice', async () => {
    const folder = temporaryFolder()
    const log = join(folder, 'metrics.jsonl')
    writeFileSync(log, rows(0, 10))
    const random = seededRandom(2)
    let written = 10
    for (let trial = 0; trial < 3; trial += 1) {
      const follower = startKlens(folder, ['import', '--follow', log])
      const stopAt = Date.now() + 1_000 + random.below(1_500)
      while (Date.now() < stopAt) {
        const next = rows(written, written + 40)
        const cut = random.below(next.length)
        appendFileSync(log, next.slice(0, cut))
        await pause(60)
        appendFileSync(log, next.slice(cut))
        written += 40
      }
      follower.kill('SIGKILL')
      await ended(follower)
      expect(klens(folder, ['runs', '--json']).code).toBe(0)
    }
    klensJson(folder, ['import', log])
    expect(klensJson<ShowAnswer>(folder, ['show', log]).run).toMatchObject({ points: written, segments: [{}] })
  })

  it('is alone with its run, which everyone may read, prints a line for each change, and ends cleanly on Ctrl-C', async () => {
    const folder = temporaryFolder()
    const log = join(folder, 'logs', 'kl-0.1', 'metrics.jsonl')
    put(log, rows(0, 2))
    const follower = startKlens(folder, ['import', '--follow', 'logs', '--json'])
    const printed: string[] = []
    follower.stdout?.on('data', piece => printed.push(String(piece)))
    await new Promise(resolve => follower.stderr?.once('data', resolve))
    const busy = `is being written by process ${follower.pid} on `
    const second = klens(folder, ['import', '--follow', 'logs'])
    expect(second.out).toContain(busy)
    expect(second.error).toContain('nothing to follow')
    expect(klens(folder, ['rm', 'kl-0.1'])).toMatchObject({ code: 2, error: expect.stringContaining(busy) })
    appendFileSync(log, rows(2, 3))
    const lines = (): string[] => printed.join('').trim().split('\n')
    await until(() => lines().length > 1)
    expect(JSON.parse(lines()[1])).toMatchObject({ name: 'kl-0.1', status: 'running', step: 2, points: 3 })
    expect(klensJson<ShowAnswer>(folder, ['show', 'kl-0.1']).run.points).toBe(3)
    follower.kill('SIGINT')
    expect(await ended(follower)).toBe(130)
    expect(readdirSync(join(folder, '.klens', 'runs'), { recursive: true }).join()).not.toMatch(/lease|live/)
    expect(klens(folder, ['rm', 'kl-0.1']).code).toBe(0)
  })
})
