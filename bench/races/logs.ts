import type { Figures, Settings } from '../benchmark.js'
import { type GeneratedLog, generate } from '../generate.js'
import { intoStore, readAlone } from '../imports.js'
import { TENSORBOARD, VERL_CONSOLE, WANDB } from '../logs.js'
import { answerOf } from './peers.js'
import { interleaved, raced, reached } from './race.js'

/** Reading logs, against the readers that their trackers bring. The peers' clocks start behind their imports. */

export async function wandbRace({ small, rounds }: Settings): Promise<Figures[]> {
  const log = generate(WANDB, { of: 'steps', count: small ? 5_000 : 50_000 })
  let walk = { seconds: Number.POSITIVE_INFINITY, cpuSeconds: 0 }
  const readPoints = async () => {
    const { walk: walked, points } = await answerOf('logs-wandb.py', [log.path])
    check(points.count, log)
    if (walked.seconds < walk.seconds) walk = walked
    return points
  }
  const { read, stored, peer } = await interleaved(
    { read: { run: () => readAlone(log) }, stored: { run: () => intoStore(log) }, peer: { run: readPoints } },
    rounds,
  )
  const what = `.wandb, 100 metrics × ${log.counts.steps.toLocaleString('en')} steps`
  return [
    raced(`${what}: into the store`, stored, 'wandb 0.29, points by metric', peer, small ? 5 : 8),
    raced(`${what}: parsed`, read, 'wandb 0.29, points by metric', peer, 8),
    { ...raced(`${what}: parsed`, read, 'wandb 0.29, records walked, no point read', walk, 0), target: '', met: '' },
  ]
}

export async function tensorboardRace({ small, rounds }: Settings): Promise<Figures[]> {
  const log = generate(TENSORBOARD, { of: 'points', count: small ? 500_000 : 10_000_000 })
  const lastStep = String(log.counts.steps - 1)
  const answer = async (script: string, ...words: string[]) => {
    const spent = await answerOf(script, [log.folder, ...words])
    check(spent.count, log)
    return spent
  }
  const { read, stored, python, rustboard } = await interleaved(
    {
      read: { run: () => readAlone(log) },
      stored: { run: () => intoStore(log) },
      rustboard: { run: () => answer('logs-rustboard.py', lastStep) },
      python: { run: () => answer('logs-tensorboard.py'), atMost: 1 },
    },
    rounds,
  )
  const what = `TensorBoard, ${log.counts.points.toLocaleString('en')} scalars`
  return [
    raced(`${what}: parsed`, read, 'TensorBoard 2.21, Python', python, 30),
    raced(`${what}: into the store`, stored, 'TensorBoard 2.21, Python', python, 30),
    raced(`${what}: parsed`, read, 'rustboard 0.7.2', rustboard, 1 / 1.5),
    raced(`${what}: into the store`, stored, 'rustboard 0.7.2', rustboard, small ? 1 : 2),
  ]
}

const MEGABYTES_PER_SECOND = 150

export async function verlRace({ small, rounds }: Settings): Promise<Figures[]> {
  const log = generate(VERL_CONSOLE, { of: 'bytes', count: small ? 1e8 : 1e9 })
  const { read, stored } = await interleaved(
    { read: { run: () => readAlone(log) }, stored: { run: () => intoStore(log) } },
    rounds,
  )
  const what = `verl console, ${Math.round(log.counts.bytes / 1e6).toLocaleString('en')} MB`
  const megabytes = log.counts.bytes / 1e6 / read.seconds
  const points = log.counts.points / stored.seconds
  const wanted = small ? 2 : 3.5
  return [
    reached(`${what}: parsed`, read, `${Math.round(megabytes)} MB/s`, '≥ 150 MB/s', megabytes >= MEGABYTES_PER_SECOND),
    reached(
      `${what}: into the store`,
      stored,
      `${(points / 1e6).toFixed(2)} M points/s`,
      `≥ ${wanted} M points/s`,
      points >= wanted * 1e6,
    ),
  ]
}

function check(found: unknown, { path, counts }: GeneratedLog): void {
  if (found !== counts.points) throw new Error(`${path}: the peer found ${found} points of ${counts.points}`)
}
