import { basename, dirname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import type { Message, RunAbout, RunStatus } from '../../model/run.js'
import { message } from '../../text/say.js'
import { type Damage, type RecordLogFormat, readRecords, recordLogVersion } from '../binary/record-log.js'
import type { Belonging, ReadRequest, Source, SourceFile } from '../source.js'
import { parseCursor, type WandbDecoder, wandbDecoder } from './decoder.js'

/**
 * W&B's own log, `run-<id>.wandb`, which offline and online runs write alike. Everything is in it: config, history,
 * environment, how the run ended. The files beside it are not needed; offline runs of W&B 0.30 and 0.31 do not even have them.
 * Summaries, system stats and console output are passed over: half of the bytes, and nothing that klens asks for.
 */
export const wandb: Source = {
  id: 'wandb',
  role: 'log',
  grows: true,
  keep: 'all',
  recognise: file => recordLogVersion(file.head, FORMAT) !== undefined,
  describe,
  read,
}

const FORMAT: RecordLogFormat = { ident: ':W&B', magic: 0xbee1, version: 0 }

/** W&B flushes blocks of 32 KiB, so a slow run can be silent for a while and yet live. */
const ALIVE_MS = 5 * 60_000
/** Where the run record is looked for: the second record of a log, behind which a large config may stand. */
const MOST_BATCHES_TO_DESCRIBE = 8

async function describe(file: SourceFile): Promise<readonly Belonging[]> {
  const about = await firstAbout(file)
  const folder = dirname(file.path)
  const id = about.trackerId ?? idFromName(basename(file.path)) ?? basename(folder)
  return [
    {
      run: `wandb:${id}`,
      name: about.name ?? id,
      folder,
      order: about.startedAt ?? startFromFolder(folder) ?? file.modifiedMs / 1000,
      trackerId: id,
      firstRecord: Buffer.from(file.head.subarray(0, 64)).toString('hex'),
    },
  ]
}

async function firstAbout(file: SourceFile): Promise<RunAbout> {
  const decoder = wandbDecoder(undefined)
  let batches = 0
  for await (const { records } of readRecords(file.path)) {
    for (const record of records) {
      const events: RunEvent[] = []
      decoder.decode(record, events)
      for (const event of events) if (event.type === 'about' && event.about.trackerId !== undefined) return event.about
    }
    batches += 1
    if (batches === MOST_BATCHES_TO_DESCRIBE) break
  }
  return {}
}

function idFromName(name: string): string | undefined {
  return /^run-(.+)\.wandb$/.exec(name)?.[1]
}

/** `offline-run-20261115_043613-<id>`, in the writer's local time. */
function startFromFolder(folder: string): number | undefined {
  const parts = /run-(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)-/.exec(basename(folder))?.slice(1).map(Number)
  if (parts === undefined) return undefined
  const [year, month, day, hour, minute, second] = parts
  return new Date(year, month - 1, day, hour, minute, second).getTime() / 1000
}

async function* read(file: SourceFile, request: ReadRequest): AsyncGenerator<readonly RunEvent[]> {
  const version = recordLogVersion(file.head, FORMAT)
  if (version !== FORMAT.version) {
    yield [warning(message('wandb.version', { version: version ?? 'none', known: FORMAT.version }))]
    return
  }
  const cursor = parseCursor(request.cursor)
  const decoder = wandbDecoder(cursor)
  // Each file is one process: when the run already has points, this one resumed it.
  if (cursor === undefined) yield [{ type: 'restart' }]
  let damage: Damage | undefined
  let unreadBytes = 0
  let end = 0
  for await (const batch of readRecords(file.path, cursor?.offset)) {
    const events: RunEvent[] = []
    for (const record of batch.records) decoder.decode(record, events)
    ;({ damage, unreadBytes, end } = batch)
    events.push({ type: 'cursor', cursor: decoder.cursorAt(end) })
    yield events
  }
  yield [
    ...complaints(decoder, damage),
    ...howItEnded(decoder, file),
    { type: 'tail', unreadBytes },
    { type: 'cursor', cursor: decoder.cursorAt(end) },
  ]
}

function complaints(decoder: WandbDecoder, damage: Damage | undefined): RunEvent[] {
  const warnings: RunEvent[] = []
  if (damage !== undefined && damage.places > 0) {
    const { places, bytes, firstOffset } = damage
    warnings.push(warning(message('wandb.damaged', { count: places, bytes, offset: firstOffset })))
  }
  const undecodable = decoder.undecodable()
  if (undecodable > 0) warnings.push(warning(message('wandb.undecodable', { count: undecodable })))
  const badSteps = decoder.badSteps()
  if (badSteps.count > 0) {
    warnings.push(warning(message('source.bad-step', { count: badSteps.count, step: badSteps.first })))
  }
  return warnings
}

function warning(sentence: Message): RunEvent {
  return { type: 'warning', message: sentence }
}

/** Without an exit record the process either still writes or was killed; the age of the file decides. */
function howItEnded(decoder: WandbDecoder, file: SourceFile): RunEvent[] {
  const exit = decoder.exit()
  if (exit === null && Date.now() - file.modifiedMs < ALIVE_MS) return [{ type: 'status', status: 'running' }]
  const status: RunStatus = exit === null ? 'killed' : exit.code === 0 ? 'finished' : 'failed'
  const startedAt = decoder.startedAt()
  const stoppedAt = exit === null || startedAt === null ? null : startedAt + exit.runtimeSeconds
  const endedAt = Math.max(decoder.lastTime() ?? 0, stoppedAt ?? 0)
  const ended: RunEvent[] = endedAt > 0 ? [{ type: 'about', about: { endedAt } }] : []
  return [...ended, { type: 'status', status }]
}
