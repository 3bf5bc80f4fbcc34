import { basename, dirname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import type { RunAbout } from '../../model/run.js'
import { type Damage, endOfLog, type RecordLogFormat, readRecords, recordLogVersion } from '../binary/record-log.js'
import type { Belonging, ReadRequest, Source, SourceFile } from '../source.js'
import { markPlaces, warning } from '../source-helpers.js'
import { parseCursor, wandbDecoder } from './decoder.js'
import { say } from './texts.js'

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
  surroundings: {
    parts: names => (names.some(name => name.endsWith('.wandb')) ? BESIDE_LOG : new Set()),
    // `wandb/debug.log` is a link to W&B's own log of the newest run, which quotes the config.
    isPart: path => /[\\/]wandb[\\/](?:.+[\\/])?debug(?:-[\w.]+)?\.log$/.test(path),
  },
}

/** Copies of what the log holds, console output, code and media. */
const BESIDE_LOG = new Set(['files', 'logs', 'tmp'])

const FORMAT: RecordLogFormat = { ident: ':W&B', magic: 0xbee1, version: 0 }

/** Where the run record is looked for: the second record of a log, behind which a large config may stand. */
const MOST_BATCHES_TO_DESCRIBE = 8

async function describe(file: SourceFile): Promise<readonly Belonging[]> {
  const about = await firstAbout(file)
  const folder = dirname(file.path)
  const id = about.trackerId ?? idFromName(basename(file.path)) ?? basename(folder)
  // An id is one run's alone only within its project.
  const scope = about.project === undefined ? '' : `${about.entity ?? ''}/${about.project}`
  return [
    {
      run: `wandb:${scope}/${id}`,
      name: about.name ?? id,
      folder,
      order: about.startedAt ?? startFromFolder(folder) ?? file.modifiedMs / 1000,
      trackerId: id,
      trackerScope: scope,
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
    yield [warning(say('wandb.version', { version: version ?? 'none', known: FORMAT.version }))]
    return
  }
  const cursor = parseCursor(request.cursor)
  const decoder = wandbDecoder(cursor)
  // Each file is one process: when the run already has points, this one resumed it.
  if (cursor === undefined) yield [{ type: 'restart' }]
  let damage: Damage | undefined
  let number = 0
  let unreadBytes = 0
  let end = 0
  for await (const batch of readRecords(file.path, cursor?.offset)) {
    const events: RunEvent[] = []
    for (const record of batch.records) {
      const before = events.length
      decoder.decode(record, events)
      number += 1
      if (request.places) markPlaces(events, before, 'record', number)
    }
    ;({ damage, unreadBytes, end } = batch)
    events.push({ type: 'cursor', cursor: decoder.cursorAt(end) })
    yield events
  }
  yield [
    ...endOfLog({ damage, ...decoder.end() }, file, {
      damaged: params => say('wandb.damaged', params),
      undecodable: params => say('wandb.undecodable', params),
    }),
    { type: 'tail', unreadBytes },
    { type: 'cursor', cursor: decoder.cursorAt(end) },
  ]
}
