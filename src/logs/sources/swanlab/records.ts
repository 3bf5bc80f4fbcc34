import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import type { RunAbout } from '../../model/run.js'
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
import { parsePythonJson } from '../python-json.js'
import { type Column, columnOf, type SwanlabMemory } from './decoder.js'

/**
 * Records as SwanLab wrote them up to 0.7 (header versions 0 and 1, `backup.swanlab`): lines of JSON, `{"model_type":
 * "Scalar", "data": {…}}`. Infinities stand there as "INF" whatever their sign, which is lost.
 */

/** More names than any run logs; they are kept only to share arrays. */
const MOST_COLUMNS = 65_536

/** Reads one record into memory; false when it is no record. */
export function jsonRecords(memory: SwanlabMemory): (record: Buffer) => boolean {
  const columns = new Map<string, Column>()

  function columnNamed(name: string): Column {
    const known = columns.get(name)
    if (known !== undefined) return known
    if (columns.size >= MOST_COLUMNS) columns.clear()
    const column = columnOf(name)
    columns.set(name, column)
    return column
  }

  function readScalar({ key, step, metric }: JsonObject): boolean {
    if (typeof key !== 'string' || typeof step !== 'number' || !isJsonObject(metric)) return false
    const value = metric.data === 'INF' ? Number.POSITIVE_INFINITY : numberFromJson(metric.data)
    if (value !== undefined) memory.scalar(columnNamed(key), step, value, secondsOf(metric.create_time))
    return value !== undefined
  }

  return record => {
    const value = parsePythonJson(record.toString('utf8'))
    if (!isJsonObject(value) || !isJsonObject(value.data)) return false
    const { data } = value
    switch (value.model_type) {
      case 'Scalar':
        return readScalar(data)
      case 'Header':
        memory.about(told({ startedAt: secondsOf(data.create_time) }))
        return true
      case 'Project':
        memory.about(told({ project: textOf(data.name) }))
        return true
      case 'Experiment':
        memory.about(
          told({
            trackerId: textOf(data.id),
            name: textOf(data.name),
            notes: textOf(data.description),
            tags: Array.isArray(data.tags) ? data.tags.filter(tag => typeof tag === 'string') : null,
          }),
        )
        return true
      case 'Footer':
        memory.end({ status: data.success === true ? 'finished' : 'failed', at: secondsOf(data.create_time) })
        return true
      default:
        return true
    }
  }
}

type Doubtful = { readonly [Key in keyof RunAbout]: RunAbout[Key] | null }

/** Only what was really said. */
function told(about: Doubtful): RunAbout {
  return Object.fromEntries(Object.entries(about).filter(([, member]) => member !== null && member !== ''))
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}

/** `2026-11-15T10:23:50.595659+00:00`; JavaScript's clock stops at milliseconds, so the rest is added. */
function secondsOf(value: Json | undefined): number | null {
  if (typeof value !== 'string') return null
  const [, whole, fraction = '', zone] = ISO_TIME.exec(value) ?? []
  const milliseconds = Date.parse(`${whole}${zone}`)
  return Number.isFinite(milliseconds) ? Number(`${milliseconds / 1000}${fraction}`) : null
}

const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

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
