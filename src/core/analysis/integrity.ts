import { basename } from 'node:path'
import type { Message } from '../../logs/model/run.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { isTelling } from '../../logs/sources/metric-names.js'
import { listed } from '../../text/language.js'
import { message } from '../../text/say.js'
import type { Regularity } from '../store/envelope.js'
import type { Manifest, MetricRecord } from '../store/manifest.js'

/**
 * Is the log whole? Everything that a reader of a curve should know about how it came to be: cut tails, holes, restarts,
 * steps written twice, values that are no numbers, digits that were lost.
 */
export interface Remark {
  readonly message: Message
  /** The file that the remark is about, when it is about one. */
  readonly file: string | null
}

/** Fewer points have no rhythm that a hole could break. */
const RHYTHM_POINTS = 10
/** A rhythm is one when most distances keep it. */
const RHYTHM_SHARE = 0.8
/** Beyond so many metrics with the same complaint, one sentence says it for all. */
const FEW = 3
/** More restarts than this are rows out of order. */
const MOST_RESTARTS = 20

export function integrity(manifest: Manifest, regularities: readonly Regularity[]): readonly Remark[] {
  const metrics = [...manifest.metrics]
  const remarks = [...holes(regularities), ...nonFinite(metrics), ...marked(metrics), ...float32(metrics)]
  return [...readingRemarks(manifest), ...remarks.map(message => ({ message, file: null }))]
}

/** What reading the log left to say: how the run ended, a torn end, what was joined and what had to be left out. */
export function readingRemarks(manifest: Manifest): readonly Remark[] {
  const { files, ending, warnings: ofRun, metrics } = manifest
  const ofFiles = files.flatMap(({ path, unreadBytes, warnings }): Remark[] => {
    const file = basename(path)
    const tail = unreadBytes > 0 ? [message('integrity.tail', { file, bytes: unreadBytes })] : []
    return [...tail.map(message => ({ message, file: null })), ...warnings.map(warning => ({ message: warning, file }))]
  })
  const ofRows = [...severalLogs(files), ...restarts(manifest), ...repeats([...metrics])]
  return [
    ...[...ending, ...ofRun].map(message => ({ message, file: null })),
    ...ofFiles,
    ...ofRows.map(message => ({ message, file: null })),
  ]
}

const TRACKERS: ReadonlyMap<string, string> = new Map([
  ['wandb', 'W&B'],
  ['tensorboard', 'TensorBoard'],
  ['mlflow', 'MLflow'],
  ['swanlab', 'SwanLab'],
  ['trackio', 'Trackio'],
  ['trackio-inbox', 'Trackio'],
])

/** Who logged the training, where that was more than one: trackers by their names, other logs by their files'. */
function severalLogs(files: Manifest['files']): Message[] {
  const logs = files.filter(({ role }) => role === 'log' || role === 'witness')
  const names = [...new Set(logs.map(({ source, path }) => TRACKERS.get(source) ?? basename(path)))]
  const last = names.at(-1)
  if (last === undefined || !logs.some(({ role }) => role === 'witness')) return []
  if (names.length === 1) return [message('integrity.one-training-files', { count: logs.length, name: last })]
  return [message('integrity.one-training', { most: listed(names.slice(0, -1)), last })]
}

function restarts({ segments, metrics }: Manifest): Message[] {
  if (segments.length > MOST_RESTARTS) return [message('integrity.unordered', { count: segments.length - 1 })]
  const messages: Message[] = []
  let reached = segments[0]?.lastStep ?? null
  for (const { firstStep, lastStep } of segments.slice(1)) {
    if (firstStep === null || reached === null) continue
    const params = { step: firstStep, last: reached }
    if (firstStep > reached) {
      messages.push(message('integrity.restart', params))
    } else {
      const again = Math.min(reached, lastStep ?? firstStep)
      messages.push(message('integrity.overlap', { ...params, steps: Math.floor(again - firstStep) + 1 }))
    }
    reached = Math.max(reached, lastStep ?? firstStep)
  }
  const last = segments.at(-1)
  if (
    segments.length > 1 &&
    last?.lastStep != null &&
    reached !== null &&
    reached > last.lastStep &&
    metrics.size > 0
  ) {
    messages.push(
      message('integrity.abandoned', { from: last.lastStep + 1, to: reached, step: last.firstStep ?? last.lastStep }),
    )
  }
  return messages
}

function holes(regularities: readonly Regularity[]): Message[] {
  const holed = regularities.filter(
    ({ distances, regular, wider }) =>
      wider > 0 && distances + 1 >= RHYTHM_POINTS && regular >= RHYTHM_SHARE * distances,
  )
  return [...groupBy(holed, ({ from, to, interval }) => `${from} ${to} ${interval}`).values()].map(alike => {
    const { metric, interval, wider, from, to } = alike[0]
    if (alike.length > FEW) return message('integrity.gaps-many', { metrics: alike.length, metric, from, to })
    const metrics = alike.map(({ metric }) => metric).join(', ')
    if (wider === 1) return message('integrity.gap', { metric: metrics, interval, from, to })
    return message('integrity.gaps', { metric: metrics, interval, count: wider, from, to })
  })
}

type Named = readonly [name: string, record: MetricRecord]

function repeats(metrics: readonly Named[]): Message[] {
  // Trainers log the epoch and the rate with every row of a step.
  const repeated = metrics.filter(([metric, record]) => record.repeated > 0 && isTelling(metric))
  if (repeated.length > FEW) {
    const count = repeated.reduce((sum, [, record]) => sum + record.repeated, 0)
    return [message('integrity.repeated-many', { metrics: repeated.length, count })]
  }
  return repeated.map(([metric, record]) => message('integrity.repeated', { metric, count: record.repeated }))
}

function nonFinite(metrics: readonly Named[]): Message[] {
  return metrics
    .filter(([, { nan, infinite }]) => nan + infinite > 0)
    .map(([metric, { nan, infinite, stored, estimated, missing }]) =>
      message('integrity.non-finite', { metric, nan, infinite, n: stored - estimated - missing }),
    )
}

function marked(metrics: readonly Named[]): Message[] {
  return metrics.flatMap(([metric, { estimated, missing }]) => [
    ...(estimated > 0 ? [message('integrity.estimated', { metric, count: estimated })] : []),
    ...(missing > 0 ? [message('integrity.missing', { metric, count: missing })] : []),
  ])
}

function float32(metrics: readonly Named[]): Message[] {
  const once = metrics.filter(([, record]) => record.float32 && record.float32Evidence)
  return once.length === 0 ? [] : [message('integrity.float32', { metrics: once.length, all: metrics.length })]
}
