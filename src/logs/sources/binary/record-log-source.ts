import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import type { Message, RunAbout, RunStatus } from '../../model/run.js'
import type { Belonging, Source, SourceFile } from '../source.js'
import { isWrittenInOneGo, markPlaces, type StepGate, warning } from '../source-helpers.js'
import { type Damage, type RecordLogFormat, readRecords, recordLogVersion, recordsInHead } from './record-log.js'

/** A tracker that keeps its own log as records (W&B, SwanLab): what differs is what a record holds. */
interface RecordLogTracker {
  readonly id: string
  /** The header of its files; a higher version than this one is not read. */
  readonly format: RecordLogFormat
  /** A decoder that goes on from a cursor, or begins with null. */
  open(cursor: Json, version: number): RecordDecoder
  /** In how many batches the run introduces itself, and by what that is seen. */
  readonly introduction: { readonly batches: number; isComplete(about: RunAbout): boolean }
  belonging(file: SourceFile, about: RunAbout): Omit<Belonging, 'firstRecord'>
  /** What stands in files beside the log. */
  readBeside?(logPath: string): Promise<readonly RunEvent[]>
  readonly complaints: {
    version(params: { readonly version: number | string; readonly known: number }): Message
    damaged(params: { readonly count: number; readonly bytes: number; readonly offset: number }): Message
    undecodable(params: { readonly count: number }): Message
  }
  readonly surroundings: Source['surroundings']
}

/** What must survive between two readings is here. */
export interface RecordDecoder {
  /** Where to go on; undefined at the beginning of the file. */
  readonly offset: number | undefined
  /** Appends what the record says; false when it is no valid message. */
  decode(record: Buffer, events: RunEvent[]): boolean
  /** What a later reading needs to go on at this offset. */
  cursorAt(offset: number): Json
  /** What is known at the end of a reading. */
  end(): RecordLogEnd
  /** Says what waited for a record that will not come. */
  release?(events: RunEvent[]): void
}

export interface RecordLogEnd {
  readonly steps: StepGate
  /** How the process ended, by its own last record; null without one. */
  readonly ended: { readonly status: RunStatus; readonly at: number | null } | null
  readonly lastTime: number | null
}

export function recordLogSource(tracker: RecordLogTracker): Source {
  const { id, format, open, complaints, surroundings } = tracker

  async function firstAbout(file: SourceFile): Promise<RunAbout> {
    const version = recordLogVersion(file.head, format)
    if (version === undefined || version > format.version) return {}
    const { batches: mostBatches, isComplete } = tracker.introduction
    // Most logs tell it in their first block, which is here already.
    const told = introduction(open(null, version), recordsInHead(file.head))
    if (isComplete(told)) return told
    const decoder = open(null, version)
    let about: RunAbout = {}
    let batches = 0
    for await (const { records } of readRecords(file.path)) {
      about = introduction(decoder, records, about)
      batches += 1
      if (isComplete(about) || batches === mostBatches) break
    }
    return about
  }

  function introduction(decoder: RecordDecoder, records: readonly Buffer[], known: RunAbout = {}): RunAbout {
    let about = known
    for (const record of records) {
      const events: RunEvent[] = []
      decoder.decode(record, events)
      for (const event of events) if (event.type === 'about') about = { ...about, ...event.about }
      if (tracker.introduction.isComplete(about)) break
    }
    return about
  }

  return {
    id,
    role: 'log',
    grows: true,
    keep: 'all',
    recognise: file => recordLogVersion(file.head, format) !== undefined,

    async describe(file) {
      const firstRecord = Buffer.from(file.head.subarray(0, 64)).toString('hex')
      return [{ ...tracker.belonging(file, await firstAbout(file)), firstRecord }]
    },

    async *read(file, { cursor, places }) {
      const version = recordLogVersion(file.head, format)
      if (version === undefined || version > format.version) {
        yield [warning(complaints.version({ version: version ?? 'none', known: format.version }))]
        return
      }
      const decoder = open(cursor, version)
      // Each file is one process: when the run already has points, this one resumed it.
      const restart: readonly RunEvent[] = decoder.offset === undefined ? [{ type: 'restart' }] : []
      yield [...restart, ...((await tracker.readBeside?.(file.path)) ?? [])]
      let damage: Damage | undefined
      let undecodable = 0
      let number = 0
      let unreadBytes = 0
      let end = 0
      for await (const batch of readRecords(file.path, decoder.offset)) {
        const events: RunEvent[] = []
        for (const record of batch.records) {
          const before = events.length
          if (!decoder.decode(record, events)) undecodable += 1
          number += 1
          if (places) markPlaces(events, before, 'record', number)
        }
        ;({ damage, unreadBytes, end } = batch)
        events.push({ type: 'cursor', cursor: decoder.cursorAt(end) })
        yield events
      }
      const known = decoder.end()
      const isRunning = isStillWritten(known, file)
      const events: RunEvent[] = []
      if (!isRunning) decoder.release?.(events)
      if (damage !== undefined && damage.places > 0) {
        const { places: count, bytes, firstOffset: offset } = damage
        events.push(warning(complaints.damaged({ count, bytes, offset })))
      }
      if (undecodable > 0) events.push(warning(complaints.undecodable({ count: undecodable })))
      events.push(...known.steps.complaints(), ...(isRunning ? [RUNNING] : ending(known)))
      yield [...events, { type: 'tail', unreadBytes }, { type: 'cursor', cursor: decoder.cursorAt(end) }]
    },

    surroundings,
  }
}

const RUNNING: RunEvent = { type: 'status', status: 'running' }

/** Trackers write in blocks, so a slow run can be silent for a while and yet live. */
const ALIVE_MS = 5 * 60_000

/**
 * Whether the process may still be writing: without a last record, the age of the file decides, unless it was written in one
 * go and its last row is older than that: then it is a copy. (The row alone would not tell: a step may take an hour.)
 */
function isStillWritten({ ended, lastTime }: RecordLogEnd, file: SourceFile): boolean {
  const isOld = lastTime !== null && file.modifiedMs - lastTime * 1000 > ALIVE_MS
  return ended === null && !(isOld && isWrittenInOneGo(file)) && Date.now() - file.modifiedMs < ALIVE_MS
}

function ending({ ended, lastTime }: RecordLogEnd): RunEvent[] {
  const endedAt = Math.max(lastTime ?? 0, ended?.at ?? 0)
  const about: RunEvent[] = endedAt > 0 ? [{ type: 'about', about: { endedAt } }] : []
  return [...about, { type: 'status', status: ended?.status ?? 'killed' }]
}
