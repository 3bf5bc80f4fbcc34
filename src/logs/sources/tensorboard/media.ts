import { MalformedMessage } from '../binary/protobuf.js'
import { type Message, parseMessage } from '../binary/protobuf-message.js'
import { type LoggedMedia, type MediaCollector, MOST_IMAGE_BYTES, mediaCollector } from '../media.js'
import { readTfRecords } from './tfrecord.js'

/**
 * Pictures and histograms of a TensorBoard event file, in both forms: fields of their own, as torch and tensorboardX write
 * them, and the tensors of TensorFlow 2, whose meaning a plugin's name in the metadata tells.
 */

/** Most events are one scalar; those are passed over by their length. */
const LONGEST_SCALAR = 96

/** Event */
const SUMMARY = 5
/** Summary.Value */
const IMAGE = 4
const HISTOGRAM = 5
const TENSOR = 8
const METADATA = 9
/** TensorProto */
const [DTYPE, RAW_BYTES, FLOATS, DOUBLES, STRINGS] = [1, 4, 5, 6, 8]
const DT_DOUBLE = 2

export async function tensorboardMedia(path: string, signal?: AbortSignal): Promise<LoggedMedia> {
  const found = mediaCollector()
  // A writer may tell the plugin only with the first value of a tag.
  const plugins = new Map<string, string>()
  await eachValue(path, signal, (value, step, place) => {
    const name = value.text(1)
    const plugin = value.message(METADATA)?.message(1)?.text(1)
    if (plugin !== undefined && plugins.size < MOST_TAGS) plugins.set(name, plugin)
    const tensor = value.message(TENSOR)
    if (value.has(IMAGE)) found.image({ name, step, place })
    else if (tensor === undefined) noteHistogram(name, step, value.message(HISTOGRAM), found)
    else if (plugins.get(name) === 'images') noteImages(name, step, tensor, place, found)
    else if (plugins.get(name) === 'histograms') noteTensorHistogram(name, step, tensor, found)
    return false
  })
  return found.collected()
}

/** A bound for a hostile file. */
const MOST_TAGS = 10_000

/** `12:0`: the first value of the twelfth record; `12:0:3`: the fourth text of its tensor. */
export async function tensorboardImage(path: string, place: string, signal?: AbortSignal): Promise<Buffer | null> {
  let bytes: Buffer | null = null
  const [record, nth, text] = place.split(':')
  await eachValue(path, signal, (value, _, at) => {
    if (at !== `${record}:${nth}`) return false
    const found =
      text === undefined ? value.message(IMAGE)?.bytes(4) : value.message(TENSOR)?.allBytes(STRINGS)[Number(text)]
    if (found !== undefined && found.length <= MOST_IMAGE_BYTES) bytes = Buffer.from(found)
    return true
  })
  return bytes
}

/** Width and height as texts, then a picture each. */
const BEFORE_IMAGES = 2

function noteImages(name: string, step: number, tensor: Message, place: string, found: MediaCollector): void {
  const { length } = tensor.allBytes(STRINGS)
  for (let i = BEFORE_IMAGES; i < Math.min(length, BEFORE_IMAGES + MOST_IN_A_STEP); i += 1) {
    found.image({
      name: length > BEFORE_IMAGES + 1 ? `${name}/${i - BEFORE_IMAGES}` : name,
      step,
      place: `${place}:${i}`,
    })
  }
}

const MOST_IN_A_STEP = 16

/** Rows of left edge, right edge and count, one beside the other. */
function noteTensorHistogram(name: string, step: number, tensor: Message, found: MediaCollector): void {
  const isDouble = tensor.integer(DTYPE) === DT_DOUBLE
  const size = isDouble ? 8 : 4
  const packed = tensor.bytes(RAW_BYTES) ?? tensor.bytes(isDouble ? DOUBLES : FLOATS) ?? Buffer.alloc(0)
  const at = (i: number): number => (isDouble ? packed.readDoubleLE(8 * i) : packed.readFloatLE(4 * i))
  const all = Array.from({ length: Math.floor(packed.length / size / 3) }, (_, row) => 3 * row)
  // Where all values are equal, buckets without width or count stand before theirs.
  const rows = all.filter(row => at(row + 1) > at(row) || at(row + 2) > 0)
  const [first] = rows
  if (first === undefined) return
  found.histogram({
    name,
    step,
    edges: [at(first), ...rows.map(row => at(row + 1))],
    counts: rows.map(row => at(row + 2)),
  })
}

/** Until it is said to be enough. */
async function eachValue(
  path: string,
  signal: AbortSignal | undefined,
  isEnough: (value: Message, step: number, place: string) => boolean,
): Promise<void> {
  let record = 0
  for await (const { bytes, starts, ends } of readTfRecords(path)) {
    signal?.throwIfAborted()
    for (const [i, start] of starts.entries()) {
      record += 1
      const end = ends[i] ?? start
      if (end - start < LONGEST_SCALAR) continue
      try {
        const event = parseMessage(bytes.subarray(start, end))
        const values = event.message(SUMMARY)?.messages(1) ?? []
        for (const [nth, value] of values.entries()) {
          if (isEnough(value, event.integer(2), `${record}:${nth}`)) return
        }
      } catch (error) {
        if (!(error instanceof MalformedMessage)) throw error
      }
    }
  }
}

/** HistogramProto: the right edge of each bucket; the first and the last are as far away as a double reaches. */
function noteHistogram(name: string, step: number, histogram: Message | undefined, found: MediaCollector): void {
  if (histogram === undefined) return
  const [low, high] = [histogram.double(1), histogram.double(2)]
  const doubles = (field: number): readonly number[] => {
    const packed = histogram.bytes(field) ?? Buffer.alloc(0)
    return Array.from({ length: Math.floor(packed.length / 8) }, (_, i) => packed.readDoubleLE(8 * i))
  }
  const counts = doubles(7)
  const within = doubles(6).map((edge, i) => ({ edge: Math.min(edge, high), count: counts[i] ?? 0 }))
  const first = within.findIndex(({ count }) => count > 0)
  const filled = within.slice(first, within.findLastIndex(({ count }) => count > 0) + 1)
  if (first < 0) return
  const left = Math.max(low, within[first - 1]?.edge ?? low)
  found.histogram({
    name,
    step,
    edges: [left, ...filled.map(({ edge }) => edge)],
    counts: filled.map(({ count }) => count),
  })
}
