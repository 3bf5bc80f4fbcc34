import { basename, dirname, sep } from 'node:path'
import {
  bytesField,
  doubleField,
  MalformedMessage,
  readDouble,
  readTag,
  readText,
  skipField,
  varintField,
  wireOver,
} from '../binary/protobuf.js'
import { parseMessage } from '../binary/protobuf-message.js'
import { SESSION_START_TAG } from './settings.js'
import { payloadLength } from './tfrecord.js'

/** What the first bytes of a file tell: is it an event file, does it hold anything, is it an hparams session? */

const HEADER_BYTES = 12
const FOOTER_BYTES = 4
/** Event: a wall time always comes first, and fills nine bytes. */
const WALL_TIME = doubleField(1)
const STEP = varintField(2)
const FILE_VERSION = bytesField(3)
const SHORTEST_BYTES = HEADER_BYTES + 9
const LAST_FIELD = 10

/**
 * Names do not decide. The checksum of the first length does (one in four billion other files passes), and that the
 * record is an Event: data sets for TensorFlow come in the same container.
 */
export function isEventFile(head: Uint8Array): boolean {
  if (head.length < SHORTEST_BYTES) return false
  const bytes = asBuffer(head)
  const length = payloadLength(bytes, 0)
  if (length === undefined) return false
  const isWhole = HEADER_BYTES + length <= bytes.length
  try {
    return isEvent(bytes.subarray(HEADER_BYTES, HEADER_BYTES + length), isWhole)
  } catch (error) {
    if (error instanceof MalformedMessage) return false
    throw error
  }
}

function isEvent(payload: Buffer, isWhole: boolean): boolean {
  const wire = wireOver(payload)
  if (readTag(wire) !== WALL_TIME || !Number.isFinite(readDouble(wire))) return false
  if (!isWhole) return true
  for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
    if (tag === FILE_VERSION) return readText(wire).startsWith('brain.Event:')
    const field = tag >>> 3
    if (tag !== STEP && (field > LAST_FIELD || tag !== bytesField(field))) return false
    skipField(wire, tag)
  }
  return true
}

interface HeadContents {
  /** The head is the whole file, and there is no value in it: a writer was opened and never used. */
  readonly isEmpty: boolean
  /** Written by `add_hparams`: settings and final figures. */
  readonly isSession: boolean
}

export function headContents(head: Uint8Array, fileSize: number): HeadContents {
  const bytes = asBuffer(head)
  let position = 0
  let hasValues = false
  let isSession = false
  while (position + HEADER_BYTES <= bytes.length) {
    const payload = position + HEADER_BYTES
    const payloadEnd = payload + (payloadLength(bytes, position) ?? Number.POSITIVE_INFINITY)
    if (payloadEnd + FOOTER_BYTES > bytes.length) break
    const tags = tagsOf(bytes.subarray(payload, payloadEnd))
    if (tags.length > 0) hasValues = true
    if (tags.includes(SESSION_START_TAG)) isSession = true
    position = payloadEnd + FOOTER_BYTES
  }
  return { isEmpty: !hasValues && position === fileSize, isSession }
}

/** The tags of an event's values. A damaged event counts as one with a value: reading will have to say something. */
function tagsOf(event: Buffer): readonly string[] {
  try {
    const values = parseMessage(event).message(5)?.messages(1) ?? []
    return values.map(value => value.text(1))
  } catch (error) {
    if (error instanceof MalformedMessage) return ['']
    throw error
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** What the names of event files and their folders tell. Every framework has its own habit. */

/** verl: `tensorboard_log/<project>/<experiment>`. */
const VERL_ROOT = 'tensorboard_log'
/** Hugging Face: `<output dir>/runs/Nov15_04-30-00_<host>`. */
const HUGGING_FACE_FOLDER = /^[A-Z][a-z]{2}\d{2}_\d{2}-\d{2}-\d{2}_/
/** `add_hparams` makes a folder named by Python's `time.time()`. */
const UNIX_TIME = /^\d{9,11}(\.\d+)?$/

export function runName(folder: string): string {
  const name = basename(folder)
  const parent = dirname(folder)
  const grandparent = dirname(parent)
  if (grandparent.split(sep).includes(VERL_ROOT)) return `${basename(parent)}/${name}`
  if (basename(parent) === 'runs' && HUGGING_FACE_FOLDER.test(name)) return basename(grandparent) || name
  return name
}

export function isNamedByTime(folder: string): boolean {
  return UNIX_TIME.test(basename(folder))
}

/** `events.out.tfevents.<unix seconds>.<host>…` */
export function writtenAt(path: string): number | undefined {
  const seconds = /tfevents\.(\d+)/.exec(basename(path))?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
