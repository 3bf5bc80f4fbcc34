import { dirname } from 'node:path'
import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import type { Message } from '../../model/run.js'
import type { Scanned } from '../binary/scanner.js'
import type { Belonging, ReadRequest, Source, SourceFile } from '../source.js'
import { markPlaces, warning } from '../source-helpers.js'
import { type EventDecoder, eventDecoder } from './events.js'
import { headContents, isEventFile, isNamedByTime, runName, writtenAt } from './head.js'
import { readTfRecords, type TfRecordBatch } from './tfrecord.js'

/**
 * TensorBoard event files, as torch and tensorboardX write them, and through these many trainers. A run is a folder, or
 * a launch where several wrote to it; scalars become points; texts and hparams become the config where they hold settings.
 */
export const tensorboard: Source = {
  id: 'tensorboard',
  role: 'log',
  grows: true,
  keep: 'all',
  precision: 'single',
  ofLaunches: true,
  recognise: file => isEventFile(file.head),
  describe,
  read,
}

async function describe(file: SourceFile): Promise<readonly Belonging[]> {
  if (headContents(file.head, file.size).isEmpty) return []
  const folder = isSession(file) ? dirname(dirname(file.path)) : dirname(file.path)
  return [
    {
      run: `tensorboard:${folder}`,
      name: runName(folder),
      folder,
      order: writtenAt(file.path) ?? file.modifiedMs / 1000,
      firstRecord: Buffer.from(file.head.subarray(0, 64)).toString('hex'),
    },
  ]
}

/** `add_hparams` writes settings and final figures into a folder of their own below the run's. */
function isSession(file: SourceFile): boolean {
  return isNamedByTime(dirname(file.path)) && headContents(file.head, file.size).isSession
}

const Cursor = z.object({ offset: z.int().nonnegative(), hasRows: z.boolean(), textsSearched: z.int() })

async function* read(file: SourceFile, request: ReadRequest): AsyncGenerator<readonly RunEvent[]> {
  const cursor = Cursor.safeParse(request.cursor).data
  const decoder = eventDecoder(cursor, isSession(file) ? finalFigure : tag => tag)
  let last: TfRecordBatch | undefined
  let record = 0
  let events: RunEvent[] = []
  const take = (bytes: Buffer, scanned: Scanned): void => decoder.decodeScanned(bytes, scanned, events)
  for await (const batch of readTfRecords(file.path, cursor?.offset, request.places ? undefined : take)) {
    const { bytes, starts, ends } = batch
    for (let index = 0; index < starts.length; index += 1) {
      const before = events.length
      decoder.decode(bytes, starts[index] ?? 0, ends[index] ?? 0, events)
      record += 1
      if (request.places) markPlaces(events, before, 'record', record)
    }
    events.push(cursorAt(batch.end, decoder))
    last = batch
    yield events
    events = []
  }
  if (last === undefined) return
  yield [
    ...complaints(last, decoder, file),
    { type: 'tail', unreadBytes: last.unreadBytes },
    cursorAt(last.end, decoder),
  ]
}

/**
 * The figures of an hparams session carry no step, and often the very name of a series: under that name they would
 * overwrite its value at step 0.
 */
function finalFigure(tag: string): string {
  return tag.startsWith('hparam/') ? tag : `hparam/${tag}`
}

function cursorAt(offset: number, decoder: EventDecoder): RunEvent {
  return { type: 'cursor', cursor: { offset, ...decoder.memory() } }
}

function complaints(last: TfRecordBatch, decoder: EventDecoder, file: SourceFile): RunEvent[] {
  const { damaged, overlong, stoppedAt } = last
  const sentences: Message[] = []
  if (damaged.count > 0) {
    sentences.push(say('tensorboard.bad-records', { count: damaged.count, offset: damaged.firstOffset }))
  }
  if (overlong.count > 0) {
    sentences.push(say('tensorboard.overlong-records', { count: overlong.count, offset: overlong.firstOffset }))
  }
  if (stoppedAt !== undefined) {
    sentences.push(say('tensorboard.stopped', { offset: stoppedAt, bytes: file.size - stoppedAt }))
  }
  const undecodable = decoder.undecodable()
  if (undecodable > 0) sentences.push(say('tensorboard.undecodable', { count: undecodable }))
  return [...sentences.map(warning), ...decoder.steps.complaints()]
}

/** What the reader of TensorBoard event files has to say. */
const say = sentences({
  'tensorboard.bad-records': {
    en: '{count} {count|record|records} of the event file {count|was|were} damaged and left out (first at byte {offset})',
    zh: '事件文件中有 {count} 条记录已损坏，已略过（首条在第 {offset} 字节）',
  },
  'tensorboard.stopped': {
    en: 'the event file is damaged at byte {offset}, and its format gives no way to find the next record: the last {bytes} byte{bytes||s} {bytes|is|are} not read',
    zh: '事件文件在第 {offset} 字节处损坏，且该格式无法定位下一条记录，因此最后 {bytes} 字节未读取',
  },
  'tensorboard.overlong-records': {
    en: '{count} {count|record|records} longer than 64 MiB {count|was|were} left out (first at byte {offset})',
    zh: '有 {count} 条记录超过 64 MiB，已略过（首条在第 {offset} 字节）',
  },
  'tensorboard.undecodable': {
    en: '{count} {count|record|records} of the event file {count|is not a valid event|are not valid events} and {count|was|were} left out',
    zh: '事件文件中有 {count} 条记录不是有效的 event，已略过',
  },
})
