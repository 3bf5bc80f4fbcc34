import { byteTable } from '../binary/byte-table.js'
import {
  bytesField,
  doubleField,
  enter,
  leave,
  MalformedMessage,
  readBytes,
  readDouble,
  readMessage,
  readOneField,
  readTag,
  readText,
  readVarint,
  rewire,
  skipField,
  varintField,
  type Wire,
  wireOver,
} from '../binary/protobuf.js'
import { parseMessage } from '../binary/protobuf-message.js'
import { type Column, columnOf, type SwanlabMemory } from './memory.js'

/**
 * Records as SwanLab writes them since 0.8 (header version 2): protobuf, field numbers from its `record.proto`. One
 * record per scalar, so the scalar is read by hand and everything else at leisure.
 */

/** Record */
const START = bytesField(10)
const FINISH = bytesField(11)
const COLUMN = bytesField(12)
const SCALAR = bytesField(13)
/** ScalarRecord */
const KEY = bytesField(1)
const STEP = varintField(2)
const TIME = bytesField(4)
const VALUE = bytesField(5)
/** ScalarValue */
const NUMBER = doubleField(1)
/** Timestamp */
const SECONDS = varintField(1)
const NANOS = varintField(2)

/** RunState; 0 is a run that still runs. */
const STATES = [null, 'finished', 'failed', 'killed'] as const

/** Reads one record into memory; false when it is no valid message. */
export function protobufRecords(memory: SwanlabMemory): (record: Buffer) => boolean {
  const wire = wireOver(Buffer.alloc(0))
  const columns = byteTable<Column>((bytes, start, end) => columnOf(bytes.toString('utf8', start, end)))

  function readScalar(): void {
    const outer = enter(wire)
    let column: Column | undefined
    let step = 0
    let time: number | null = null
    let value: number | undefined
    for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
      if (tag === KEY) column = readColumnName()
      else if (tag === STEP) step = readVarint(wire)
      else if (tag === TIME) time = readTime(wire)
      else if (tag === VALUE) value = readOneField(wire, NUMBER, readDouble)
      else skipField(wire, tag)
    }
    leave(wire, outer)
    if (column !== undefined && value !== undefined) memory.scalar(column, step, value, time)
  }

  function readColumnName(): Column {
    const outer = enter(wire)
    const column = columns.find(wire.bytes, wire.position, wire.end)
    leave(wire, outer)
    return column
  }

  function readField(tag: number): void {
    if (tag === SCALAR) readScalar()
    else if (tag === COLUMN) readColumn(readBytes(wire), memory)
    else if (tag === START) readStart(readBytes(wire), memory)
    else if (tag === FINISH) readFinish(readBytes(wire), memory)
    else skipField(wire, tag)
  }

  return record => {
    rewire(wire, record)
    try {
      for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) readField(tag)
      return true
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error
      return false
    }
  }
}

function readTime(wire: Wire): number {
  let seconds = 0
  let nanos = 0
  readMessage(wire, tag => {
    if (tag === SECONDS) seconds = readVarint(wire)
    else if (tag === NANOS) nanos = readVarint(wire)
    else return false
    return true
  })
  return seconds + nanos / 1e9
}

function readColumn(bytes: Buffer, memory: SwanlabMemory): void {
  const wire = wireOver(bytes)
  let key = ''
  let axis = ''
  for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
    if (tag === bytesField(3)) key = readText(wire)
    else if (tag === bytesField(13)) axis = readText(wire)
    else skipField(wire, tag)
  }
  if (key !== '' && axis !== '' && axis !== key) memory.axis(key, axis)
}

function readStart(bytes: Buffer, memory: SwanlabMemory): void {
  const start = parseMessage(bytes)
  const about = {
    trackerId: start.text(10),
    project: start.text(1),
    name: start.text(4),
    notes: start.text(5),
    tags: start.texts(6),
    group: start.text(7),
    startedAt: start.seconds(12),
  }
  memory.about(Object.fromEntries(Object.entries(about).filter(([, told]) => told !== '' && told !== undefined)))
}

function readFinish(bytes: Buffer, memory: SwanlabMemory): void {
  const finish = parseMessage(bytes)
  const status = STATES[finish.integer(1)] ?? null
  if (status !== null) memory.end({ status, at: finish.seconds(3) ?? null })
}
