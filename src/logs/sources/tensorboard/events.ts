import type { RunEvent } from '../../model/events.js'
import { FRAMEWORK_DATA } from '../../model/frameworks/registry.js'
import type { Config } from '../../model/run.js'
import { byteTable } from '../binary/byte-table.js'
import {
  bytesField,
  doubleField,
  enter,
  floatField,
  leave,
  MalformedMessage,
  readBytes,
  readDouble,
  readFloat,
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
import type { Scanned } from '../binary/scanner.js'
import { type StepGate, stepGate } from '../source-helpers.js'
import { promisesSettings, SESSION_START_TAG, settingsFromSession, settingsFromText } from './settings.js'

/**
 * TensorBoard's Event messages become run events. Most writers log one scalar per event, so a file is millions of
 * messages of 50 bytes: tags are found by their bytes, and rows of one tag share one array of names.
 */
export interface EventDecoder {
  /** Appends what the event that stands between these places says. */
  decode(bytes: Buffer, start: number, end: number, events: RunEvent[]): void
  /** The same of many, of which the usual ones have been read already. */
  decodeScanned(bytes: Buffer, scanned: Scanned, events: RunEvent[]): void
  /** What a later reading needs to go on. */
  memory(): DecoderMemory
  /** What is to be said of events whose step cannot be held exactly. */
  readonly steps: StepGate
  /** Records that passed their checksum and yet are no valid message. */
  undecodable(): number
}

/** Event */
const WALL_TIME = doubleField(1)
const STEP = varintField(2)
const SUMMARY = bytesField(5)
const SESSION_LOG = bytesField(7)
/** SessionLog */
const SESSION_STATUS = varintField(1)
const SESSION_START = 1
/** Summary */
const VALUE = bytesField(1)
/** Summary.Value */
const TAG = bytesField(1)
const SIMPLE_VALUE = floatField(2)
const TENSOR = bytesField(8)
const METADATA = bytesField(9)

interface Tag {
  /** As logged. */
  readonly name: string
  readonly metrics: readonly [string]
  /** Tags of the hparams plugin carry settings, never points. */
  readonly isPoint: boolean
  /** What its steps count in, where that is not the step of the run. */
  readonly axis: string | undefined
}

const AXES: ReadonlyMap<string, string> = new Map(FRAMEWORK_DATA.flatMap(({ axes = {} }) => Object.entries(axes)))

/** What is carried from one reading to the next. */
interface DecoderMemory {
  /** Whether any row has come yet. */
  readonly hasRows: boolean
  /** In how many texts settings were looked for. */
  readonly textsSearched: number
}

/** More than anyone logs; a bound on the time that a file full of texts can cost. */
const MOST_TEXTS_SEARCHED = 64

/** `metricOf` says what a tag is called as a metric. */
export function eventDecoder(before: DecoderMemory | undefined, metricOf: (tag: string) => string): EventDecoder {
  const tags = byteTable<Tag>((bytes, start, end) => {
    const name = bytes.toString('utf8', start, end)
    return { name, metrics: [metricOf(name)], isPoint: !name.startsWith('_hparams_/'), axis: AXES.get(name) }
  })
  /** By the number of its name. */
  const numbered: Tag[] = []
  const wire = wireOver(Buffer.alloc(0))
  let hasRows = before?.hasRows ?? false
  let textsSearched = before?.textsSearched ?? 0
  const steps = stepGate(Number.isSafeInteger)
  let undecodable = 0

  function decode(bytes: Buffer, start: number, end: number, events: RunEvent[]): void {
    rewire(wire, bytes, start, end)
    try {
      decodeEvent(events)
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error
      undecodable += 1
    }
  }

  function decodeScanned(bytes: Buffer, scanned: Scanned, events: RunEvent[]): void {
    const { count, shift, starts, ends, names, steps: scannedSteps, times, values } = scanned
    for (let i = 0; i < count; i += 1) {
      const [name, start, end] = [names[i] ?? -1, shift + (starts[i] ?? 0), shift + (ends[i] ?? 0)]
      if (name < 0) decode(bytes, start, end, events)
      else {
        const tag = numbered[name] ?? tags.find(bytes, start, end)
        numbered[name] = tag
        if (tag.isPoint) noteRow(tag, values[i] ?? 0, scannedSteps[i] ?? 0, finiteOrNull(times[i] ?? 0), events)
      }
    }
  }

  function decodeEvent(events: RunEvent[]): void {
    let time: number | null = null
    let step = 0
    let summaryAt = -1
    for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
      if (tag === WALL_TIME) time = finiteOrNull(readDouble(wire))
      else if (tag === STEP) step = readVarint(wire)
      else if (tag === SESSION_LOG) noteSession(readOneField(wire, SESSION_STATUS, readVarint), events)
      else {
        if (tag === SUMMARY) summaryAt = wire.position
        skipField(wire, tag)
      }
    }
    if (summaryAt < 0) return
    wire.position = summaryAt
    decodeSummary(step, time, events)
  }

  function noteSession(status: number, events: RunEvent[]): void {
    if (status === SESSION_START && hasRows) events.push({ type: 'restart' })
  }

  function decodeSummary(step: number, time: number | null, events: RunEvent[]): void {
    enter(wire)
    for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
      if (tag === VALUE) decodeValue(step, time, events)
      else skipField(wire, tag)
    }
  }

  function decodeValue(step: number, time: number | null, events: RunEvent[]): void {
    const outer = enter(wire)
    let tag: Tag | undefined
    let content: TensorContent
    let metadata: Buffer | undefined
    for (let field = readTag(wire); field !== 0; field = readTag(wire)) {
      if (field === SIMPLE_VALUE) content = readFloat(wire)
      else if (field === TAG) tag = readTagName(wire)
      else if (field === TENSOR) content = readWithin(wire, readTensor)
      else if (field === METADATA) metadata = readBytes(wire)
      else skipField(wire, field)
    }
    leave(wire, outer)
    if (tag === undefined) return
    if (tag.name === SESSION_START_TAG && metadata !== undefined) noteSettings(settingsFromSession(metadata), events)
    else if (typeof content === 'string') noteText(tag, content, events)
    else if (content !== undefined && tag.isPoint) noteRow(tag, content, step, time, events)
  }

  function noteText(tag: Tag, text: string, events: RunEvent[]): void {
    if (!promisesSettings(tag.name) || textsSearched >= MOST_TEXTS_SEARCHED) return
    textsSearched += 1
    noteSettings(settingsFromText(tag.name, text), events)
  }

  function readTagName(at: Wire): Tag {
    const outer = enter(at)
    const tag = tags.find(at.bytes, at.position, at.end)
    leave(at, outer)
    return tag
  }

  function noteRow(tag: Tag, value: number, step: number, time: number | null, events: RunEvent[]): void {
    if (!steps.admits(step)) return
    hasRows = true
    const row = { type: 'row', step, time, metrics: tag.metrics, values: [value] } as const
    events.push(tag.axis === undefined ? row : { ...row, axis: tag.axis })
  }

  return {
    decode,
    decodeScanned,
    memory: () => ({ hasRows, textsSearched }),
    steps,
    undecodable: () => undecodable,
  }
}

function noteSettings(config: Config | undefined, events: RunEvent[]): void {
  if (config !== undefined) events.push({ type: 'config', config })
}

function readWithin<Result>(wire: Wire, read: (wire: Wire) => Result): Result {
  const outer = enter(wire)
  const result = read(wire)
  leave(wire, outer)
  return result
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

/**
 * What klens takes from a TensorProto: a lone number, or a text. Writers put the number where they like: in a list of
 * floats or doubles, packed or not, or as raw bytes. Everything with dimensions is a picture of something, no point.
 */
type TensorContent = number | string | undefined

const DTYPE = varintField(1)
const SHAPE = bytesField(2)
const RAW_BYTES = bytesField(4)
const FLOATS = bytesField(5)
const FLOAT = floatField(5)
const DOUBLES = bytesField(6)
const DOUBLE = doubleField(6)
const TEXT = bytesField(8)
/** TensorShapeProto */
const DIMENSION = bytesField(2)

const DT_FLOAT = 1
const DT_DOUBLE = 2

/** Reads the tensor that the wire has been narrowed to. */
function readTensor(wire: Wire): TensorContent {
  let dtype = 0
  let isScalar = true
  let rawAt = -1
  let number: number | undefined
  let text: string | undefined
  for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
    if (tag === DTYPE) dtype = readVarint(wire)
    else if (tag === SHAPE) isScalar = isRankZero(wire)
    else if (tag === FLOAT) number = readFloat(wire)
    else if (tag === DOUBLE) number = readDouble(wire)
    else if (tag === FLOATS) number = readPacked(wire, readFloat)
    else if (tag === DOUBLES) number = readPacked(wire, readDouble)
    else if (tag === TEXT) text ??= readText(wire)
    else {
      if (tag === RAW_BYTES) rawAt = wire.position
      skipField(wire, tag)
    }
  }
  if (text !== undefined) return text
  if (!isScalar) return undefined
  if (dtype === DT_FLOAT) return number ?? readRaw(wire, rawAt, readFloat)
  if (dtype === DT_DOUBLE) return number ?? readRaw(wire, rawAt, readDouble)
  return undefined
}

function isRankZero(wire: Wire): boolean {
  const outer = enter(wire)
  let rankZero = true
  for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
    if (tag === DIMENSION) rankZero = false
    skipField(wire, tag)
  }
  leave(wire, outer)
  return rankZero
}

function readPacked(wire: Wire, readOne: (wire: Wire) => number): number | undefined {
  const outer = enter(wire)
  const number = wire.position < wire.end ? readOne(wire) : undefined
  leave(wire, outer)
  return number
}

function readRaw(wire: Wire, position: number, readOne: (wire: Wire) => number): number | undefined {
  if (position < 0) return undefined
  wire.position = position
  return readPacked(wire, readOne)
}
