import { basename, dirname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import type { RunAbout } from '../../model/run.js'
import {
  type Damage,
  endOfLog,
  isStillWritten,
  type RecordLogFormat,
  readRecords,
  recordLogVersion,
} from '../binary/record-log.js'
import type { Belonging, ReadRequest, Source, SourceFile } from '../source.js'
import { warning } from '../source-helpers.js'
import { jsonRecords } from './json-records.js'
import { parseCursor, type SwanlabMemory, swanlabMemory } from './memory.js'
import { protobufRecords } from './protobuf-records.js'
import { readSidecars } from './sidecar.js'
import { say } from './texts.js'

/**
 * SwanLab's own log, which offline and online runs write alike: `run-<id>.swanlab` since 0.8, `backup.swanlab` before.
 * The container is W&B's with another header; the records are protobuf (header version 2) or JSON (0 and 1), and
 * SwanLab itself reads only the version it writes. Console output, media and the machine's load are passed over.
 */
export const swanlab: Source = {
  id: 'swanlab',
  role: 'log',
  grows: true,
  keep: 'all',
  recognise: file => recordLogVersion(file.head, FORMAT) !== undefined,
  describe,
  read,
  surroundings: { parts: names => (names.some(name => name.endsWith('.swanlab')) ? BESIDE_LOG : new Set()) },
}

/** What the log names, console output and media. */
const BESIDE_LOG = new Set(['files', 'logs', 'console', 'debug', 'media'])

const NEWEST_VERSION = 2
const FORMAT: RecordLogFormat = { ident: ':SWL', magic: 0xe1d6, version: NEWEST_VERSION }

/** The run introduces itself in the first records. */
const MOST_BATCHES_TO_DESCRIBE = 2

function recordReader(version: number, memory: SwanlabMemory): (record: Buffer) => boolean {
  return version === NEWEST_VERSION ? protobufRecords(memory) : jsonRecords(memory)
}

async function describe(file: SourceFile): Promise<readonly Belonging[]> {
  const about = await firstAbout(file)
  const folder = dirname(file.path)
  const id = about.trackerId ?? idFromFolder(folder)
  return [
    {
      run: `swanlab:${id ?? file.path}`,
      name: about.name ?? id ?? basename(folder),
      folder,
      order: about.startedAt ?? file.modifiedMs / 1000,
      ...(id !== undefined && { trackerId: id }),
      firstRecord: Buffer.from(file.head.subarray(0, 64)).toString('hex'),
    },
  ]
}

async function firstAbout(file: SourceFile): Promise<RunAbout> {
  const version = recordLogVersion(file.head, FORMAT)
  if (version === undefined || version > NEWEST_VERSION) return {}
  const memory = swanlabMemory(undefined)
  const readRecord = recordReader(version, memory)
  let about: RunAbout = {}
  let batches = 0
  for await (const { records } of readRecords(file.path)) {
    for (const record of records) {
      memory.into = []
      readRecord(record)
      for (const event of memory.into) if (event.type === 'about') about = { ...about, ...event.about }
      if (about.name !== undefined) return about
    }
    batches += 1
    if (batches === MOST_BATCHES_TO_DESCRIBE) break
  }
  return about
}

/** `run-20261115_102350-kf18dft6vtm8es1gleqs5`; logs before 0.6.8 do not tell the id themselves. */
function idFromFolder(folder: string): string | undefined {
  return /^run-\d{8}_\d{6}-(.+)$/.exec(basename(folder))?.[1]
}

async function* read(file: SourceFile, request: ReadRequest): AsyncGenerator<readonly RunEvent[]> {
  const version = recordLogVersion(file.head, FORMAT)
  if (version === undefined || version > NEWEST_VERSION) {
    yield [warning(say('swanlab.version', { version: version ?? 'none', known: NEWEST_VERSION }))]
    return
  }
  const cursor = parseCursor(request.cursor)
  const memory = swanlabMemory(cursor)
  const readRecord = recordReader(version, memory)
  // Each file is one process: when the run already has points, this one resumed it.
  yield [...(cursor === undefined ? [{ type: 'restart' } as const] : []), ...(await readSidecars(file.path))]
  let damage: Damage | undefined
  let undecodable = 0
  let unreadBytes = 0
  let end = 0
  for await (const batch of readRecords(file.path, cursor?.offset)) {
    const events: RunEvent[] = []
    memory.into = events
    for (const record of batch.records) if (!readRecord(record)) undecodable += 1
    ;({ damage, unreadBytes, end } = batch)
    events.push({ type: 'cursor', cursor: memory.cursorAt(end) })
    yield events
  }
  const ending = { damage, undecodable, steps: memory.steps, ended: memory.ended(), lastTime: memory.lastTime() }
  const waiting: RunEvent[] = []
  memory.into = waiting
  if (!isStillWritten(ending, file)) memory.release()
  yield [
    ...waiting,
    ...endOfLog(ending, file, {
      damaged: params => say('swanlab.damaged', params),
      undecodable: params => say('swanlab.undecodable', params),
    }),
    { type: 'tail', unreadBytes },
    { type: 'cursor', cursor: memory.cursorAt(end) },
  ]
}
