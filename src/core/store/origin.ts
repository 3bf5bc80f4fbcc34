import { realpath } from 'node:fs/promises'
import type { LogPosition, Row } from '../../logs/model/events.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { tablePrefix } from '../../logs/sources/discover.js'
import { type FileLine, linesAround } from '../../logs/sources/lines-around.js'
import { sources } from '../../logs/sources/registry.js'
import { idsOf } from '../../logs/sources/run-identity.js'
import type { Source, SourceFile } from '../../logs/sources/source.js'
import { walk } from '../../logs/sources/walk.js'
import { holdsAllOf } from './log-file.js'
import type { FileRecord, Manifest } from './manifest.js'

/**
 * From a number of a run back to the line of the log that it was read from. The store keeps no line numbers, which would
 * weigh as much as the numbers: the log is read once more, by the reader that read it then, and asked where. Only files
 * that the manifest names are opened, and only as long as they still are what was read: no link in their place, and with
 * the beginning and end that they had.
 */
export interface Origin {
  readonly record: FileRecord
  /** Null where the format has no lines or records that could be counted. */
  readonly place: LogPosition | null
  /** What else stands in the same line or record. */
  readonly row: Pick<Row, 'metrics' | 'values'>
  /** Around the place, where it is counted in lines. */
  readonly lines: readonly FileLine[]
}

export type NoOrigin = 'made-here' | 'not-found' | 'gone' | 'changed' | 'out-of-reach'

export interface LoggedNumber {
  readonly metric: string
  readonly step: number
  readonly value: number
}

/** `mayOpen`: which of the run's files may be read at all. */
export async function originOf(
  manifest: Manifest,
  number: LoggedNumber,
  mayOpen: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<Origin | NoOrigin> {
  const logs = manifest.files.filter(({ role }) => role === 'log')
  const others = manifest.files.filter(({ role }) => role === 'table' || role === 'witness')
  // Of several logs of one run, the last was written last.
  const records = [...logs.toReversed(), ...others]
  if (records.length === 0) return 'made-here'
  let without: NoOrigin = 'not-found'
  for (const record of records) {
    if (!mayOpen(record.path)) {
      without = 'out-of-reach'
      continue
    }
    const file = await asItWasRead(record)
    if (typeof file === 'string') {
      without = file
      continue
    }
    const row = (await rowsIn(manifest, record, file, [number], signal)).get(number)
    if (row === undefined) continue
    const place = row.at ?? null
    return { record, place, row, lines: place === null ? [] : await linesAround(file, place) }
  }
  return without
}

export async function asItWasRead(record: FileRecord): Promise<SourceFile | 'gone' | 'changed'> {
  const real = await realpath(record.path).catch(() => null)
  if (real === null) return 'gone'
  if (real !== record.path) return 'changed'
  const [file] = await walk([record.path], () => {})
  if (file === undefined) return 'gone'
  return (await holdsAllOf(record, file)) ? file : 'changed'
}

/** The lines of the log that some numbers of a run stand in, read in one pass; a number that none has is left out. */
export async function linesOf(
  manifest: Manifest,
  numbers: readonly LoggedNumber[],
): Promise<ReadonlyMap<LoggedNumber, { readonly path: string; readonly line: number }>> {
  const found = new Map<LoggedNumber, { path: string; line: number }>()
  for (const record of manifest.files.filter(({ role }) => role === 'log')) {
    const file = await asItWasRead(record)
    if (typeof file === 'string') continue
    for (const [number, { at }] of await rowsIn(manifest, record, file, numbers)) {
      if (at?.unit === 'line') found.set(number, { path: record.path, line: at.number })
    }
  }
  return found
}

/** The last row that has each number: where a step was written twice, the later one counts. */
async function rowsIn(
  manifest: Manifest,
  record: FileRecord,
  file: SourceFile,
  numbers: readonly LoggedNumber[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<LoggedNumber, Row>> {
  const found = new Map<LoggedNumber, Row>()
  const byStep = groupBy(numbers, ({ step }) => step)
  for (const source of sources.filter(({ id }) => id === record.source)) {
    if (!source.recognise(file)) continue
    const names = new Map(numbers.map(number => [number, namesIn(source, record, number.metric)]))
    for (const run of await runsIn(source, file, manifest)) {
      for await (const events of source.read(file, { run, cursor: null, hints: {}, places: true })) {
        signal?.throwIfAborted()
        for (const event of events) {
          if (event.type !== 'row') continue
          for (const number of byStep.get(event.step) ?? []) {
            const at = event.metrics.findIndex(name => names.get(number)?.has(name))
            if (at >= 0 && Object.is(event.values[at], number.value)) found.set(number, event)
          }
        }
      }
    }
    if (found.size > 0) break
  }
  return found
}

/** What the log itself may call the metric. */
function namesIn({ namesMetrics, namesElsewhere }: Source, { role, path }: FileRecord, metric: string): Set<string> {
  const prefix = role === 'table' && namesMetrics !== true ? tablePrefix(path) : ''
  const own = metric.startsWith(prefix) ? metric.slice(prefix.length) : metric
  const elsewhere = namesElsewhere === undefined ? [] : [namesElsewhere.inward(own), namesElsewhere.outward(own)]
  return new Set([own, ...elsewhere])
}

/** Of a file that holds several runs, this one. */
async function runsIn(source: Source, file: SourceFile, { id, identity }: Manifest): Promise<readonly string[]> {
  const belongings = await source.describe(file, {})
  if (belongings.length < 2) return belongings.map(({ run }) => run)
  const ofRun = belongings.filter(belonging => {
    const ids = idsOf(source, file, belonging)
    return ids.id === id || ids.identity === identity
  })
  return ofRun.map(({ run }) => run)
}
