import { closeSync, openSync, readSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import { parseYaml } from '../../model/util/yaml.js'
import { pythonFloat } from '../console/python-literal.js'
import { readTextLines } from '../encoding.js'
import { writtenAt } from '../files.js'
import type { Belonging, ReadRequest, Source, SourceFile } from '../source.js'
import { warning } from '../source-helpers.js'
import { aboutRun, belongingOf, type MlflowRun, pointGatherer, statusOf } from './database.js'

/**
 * MLflow's older store, `mlruns/<experiment>/<run>/`: a `meta.yaml`, and one small file per metric, parameter and tag.
 * A slash in a name makes folders. Metric files only grow, so the cursor is how far each was read. A run keeps its id
 * when a store is copied or migrated to a database, so of several copies the newest is read. See docs/sources/mlflow.md.
 */
export const mlflowFiles: Source = {
  id: 'mlflow',
  role: 'log',
  grows: true,
  keep: 'newest',
  recognise: isRunMeta,
  describe,
  read,
  continues,
  surroundings: {
    parts: names => (names.includes('meta.yaml') ? BESIDE_META : new Set()),
    isPart: isExperimentMeta,
    lastWritten: lastMetricWritten,
  },
}

/** What MLflow keeps beside a `meta.yaml`. */
const BESIDE_META = new Set('metrics params tags inputs outputs artifacts models traces datasets'.split(' '))

/** The `meta.yaml` of an experiment, which only names it. */
function isExperimentMeta(path: string, head: Uint8Array): boolean {
  if (basename(path) !== 'meta.yaml') return false
  const text = Buffer.from(head).toString('utf8')
  return /^experiment_id:/m.test(text) && /^artifact_location:/m.test(text) && !/^run_/m.test(text)
}

/** A run goes on in the files of its metrics. */
async function lastMetricWritten(path: string): Promise<number | null> {
  if (basename(path) !== 'meta.yaml') return null
  const folder = join(dirname(path), 'metrics')
  let last = 0
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    last = Math.max(last, await writtenAt(join(folder, name)))
  }
  return last
}

function isRunMeta(file: SourceFile): boolean {
  if (basename(file.path) !== 'meta.yaml') return false
  const text = headText(file)
  return /^run_(?:id|uuid):/m.test(text) && /^lifecycle_stage:/m.test(text)
}

/** `meta.yaml` has a line for each of some fifteen short fields. */
const LARGEST_META = 16_384
/** As a file: parameters are at most 8,000 characters long, tags the same. */
const LARGEST_TEXT = 65_536
/** More metrics than any run has; each is a file. */
const MOST_FILES = 20_000

function headText(file: SourceFile): string {
  return Buffer.from(file.head.subarray(0, LARGEST_META)).toString('utf8')
}

const Meta = z.object({
  run_id: z.string().optional(),
  run_uuid: z.string().optional(),
  run_name: z.string().nullish(),
  status: z.union([z.int(), z.string()]).optional(),
  lifecycle_stage: z.string().optional(),
  start_time: z.number().nullish(),
  end_time: z.number().nullish(),
})

/** The numbers of MLflow's RunStatus. */
const STATUSES = ['', 'RUNNING', 'SCHEDULED', 'FINISHED', 'FAILED', 'KILLED']

async function runOf(file: SourceFile): Promise<MlflowRun | null> {
  const meta = Meta.safeParse(parseYaml(headText(file)).value).data
  const id = meta?.run_id ?? meta?.run_uuid
  if (meta === undefined || id === undefined) return null
  const { status = '' } = meta
  return {
    id,
    name: meta.run_name ?? null,
    experiment: await experimentName(dirname(dirname(file.path))),
    status: typeof status === 'number' ? (STATUSES[status] ?? '') : status,
    isDeleted: meta.lifecycle_stage === 'deleted',
    startTime: meta.start_time ?? null,
    endTime: meta.end_time ?? null,
  }
}

async function experimentName(folder: string): Promise<string | null> {
  const text = await readFile(join(folder, 'meta.yaml'), 'utf8').catch(() => '')
  return z.object({ name: z.string() }).safeParse(parseYaml(text.slice(0, LARGEST_META)).value).data?.name ?? null
}

async function describe(file: SourceFile): Promise<readonly Belonging[]> {
  const run = await runOf(file)
  if (run === null || run.isDeleted) return []
  return [{ ...belongingOf(run), folder: dirname(file.path), order: file.modifiedMs }]
}

/** Metric files are digits; there is nothing to be told from their beginning. */
const NO_HEAD = new Uint8Array()

const Cursor = z.object({
  files: z.record(z.string(), z.object({ offset: z.int().nonnegative(), mark: z.int() })),
  /** Of the last point, in seconds. */
  time: z.number().nullable(),
})

async function* read(file: SourceFile, { cursor }: ReadRequest): AsyncGenerator<readonly RunEvent[]> {
  const run = await runOf(file)
  if (run === null) return
  const folder = dirname(file.path)
  yield aboutRun(run, await textsBelow(join(folder, 'params')), await textsBelow(join(folder, 'tags')))
  const before = Cursor.safeParse(cursor).data
  const known = before?.files ?? {}
  const read: { [metric: string]: { offset: number; mark: number } } = { ...known }
  const points = pointGatherer()
  let lastTime = before?.time ?? null
  let badLines = 0
  let firstBad = ''
  for (const metric of await namesBelow(join(folder, 'metrics'))) {
    const path = join(folder, 'metrics', metric)
    let offset = Object.hasOwn(known, metric) ? (known[metric]?.offset ?? 0) : 0
    for await (const { lines, end } of readTextLines({ path, head: NO_HEAD }, offset)) {
      for (const line of lines) {
        const point = pointOf(line)
        if (point === null) {
          if (badLines === 0) firstBad = metric
          badLines += 1
          continue
        }
        points.add(metric, point.step, point.value, point.time)
        lastTime = Math.max(lastTime ?? 0, point.time)
      }
      offset = end
      yield points.take()
    }
    Object.defineProperty(read, metric, { value: { offset, mark: markAt(path, offset) }, enumerable: true })
  }
  const bad = { count: badLines, file: firstBad.slice(0, 100) }
  yield [
    ...points.complaints(),
    ...(badLines > 0 ? [warning(say('mlflow.bad-lines', bad))] : []),
    { type: 'status', status: statusOf(run, lastTime) },
    { type: 'cursor', cursor: { files: read, time: lastTime } },
  ]
}

const WHOLE_NUMBER = /^-?\d+$/

/** `timestamp value step`; very old files lack the step, newer ones may add a data set. */
function pointOf(line: string): { readonly step: number; readonly value: number; readonly time: number } | null {
  const parts = line.trim().split(' ')
  const [milliseconds = '', printed = '', step = '0'] = parts
  if (![2, 3, 5].includes(parts.length) || !WHOLE_NUMBER.test(milliseconds) || !WHOLE_NUMBER.test(step)) return null
  const value = printed === '' ? Number.NaN : pythonFloat(printed)
  if (Number.isNaN(value) && printed !== 'nan') return null
  return { step: Number(step), value, time: Number(milliseconds) / 1000 }
}

async function continues(file: SourceFile, cursor: Json): Promise<boolean> {
  const known = Cursor.safeParse(cursor).data
  if (known === undefined) return false
  for (const [metric, { offset, mark }] of Object.entries(known.files)) {
    const path = join(dirname(file.path), 'metrics', metric)
    const size = await stat(path).then(
      about => about.size,
      () => -1,
    )
    if (size < offset || markAt(path, offset) !== mark) return false
  }
  return true
}

/** By which the place is known again where reading stopped: enough bytes for a line with a time of its own. */
const MARK_BYTES = 64

function markAt(path: string, offset: number): number {
  const bytes = Buffer.alloc(Math.min(offset, MARK_BYTES))
  try {
    const file = openSync(path, 'r')
    try {
      readSync(file, bytes, 0, bytes.length, offset - bytes.length)
    } finally {
      closeSync(file)
    }
  } catch {
    return -1
  }
  return crc32(bytes)
}

async function namesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort()
    .slice(0, MOST_FILES)
}

async function textsBelow(folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const name of await namesBelow(folder)) {
    const path = join(folder, name)
    if ((await stat(path)).size > LARGEST_TEXT) continue
    texts.set(name, await readFile(path, 'utf8'))
  }
  return texts
}

const say = sentences({
  'mlflow.bad-lines': {
    en: '{count} {count|line|lines} of the metric files could not be read (first in {file})',
    zh: '指标文件中有 {count} 行无法解析（首个位于 {file}）',
  },
})
