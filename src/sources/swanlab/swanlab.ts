import { basename, dirname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import type { Message, RunAbout } from '../../model/run.js'
import { message } from '../../text/say.js'
import { type Damage, type RecordLogFormat, readRecords, recordLogVersion } from '../binary/record-log.js'
import type { Belonging, ReadRequest, Source, SourceFile } from '../source.js'
import { jsonRecords } from './json-records.js'
import { parseCursor, type SwanlabMemory, swanlabMemory } from './memory.js'
import { protobufRecords } from './protobuf-records.js'
import { readSidecars } from './sidecar.js'

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
}

const NEWEST_VERSION = 2
const FORMAT: RecordLogFormat = { ident: ':SWL', magic: 0xe1d6, version: NEWEST_VERSION }

/** SwanLab does not flush after each record, so a slow run can be silent for a while and yet live. */
const ALIVE_MS = 5 * 60_000
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
    yield [warning(message('swanlab.version', { version: version ?? 'none', known: NEWEST_VERSION }))]
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
  yield [
    ...complaints(memory, damage, undecodable),
    ...howItEnded(memory, file),
    { type: 'tail', unreadBytes },
    { type: 'cursor', cursor: memory.cursorAt(end) },
  ]
}

function complaints(memory: SwanlabMemory, damage: Damage | undefined, undecodable: number): RunEvent[] {
  const warnings: RunEvent[] = []
  if (damage !== undefined && damage.places > 0) {
    const { places, bytes, firstOffset } = damage
    warnings.push(warning(message('swanlab.damaged', { count: places, bytes, offset: firstOffset })))
  }
  if (undecodable > 0) warnings.push(warning(message('swanlab.undecodable', { count: undecodable })))
  const { count, first } = memory.badSteps()
  if (count > 0) warnings.push(warning(message('source.bad-step', { count, step: first })))
  return warnings
}

function warning(sentence: Message): RunEvent {
  return { type: 'warning', message: sentence }
}

/** Without a finish record the process either still writes or was killed; the age of the file decides. */
function howItEnded(memory: SwanlabMemory, file: SourceFile): RunEvent[] {
  const ended = memory.ended()
  if (ended === null && Date.now() - file.modifiedMs < ALIVE_MS) return [{ type: 'status', status: 'running' }]
  const rest: RunEvent[] = []
  memory.into = rest
  memory.release()
  const endedAt = Math.max(memory.lastTime() ?? 0, ended?.at ?? 0)
  if (endedAt > 0) rest.push({ type: 'about', about: { endedAt } })
  return [...rest, { type: 'status', status: ended?.status ?? 'killed' }]
}
