import { MalformedMessage } from '../binary/protobuf.js'
import { type Message, parseMessage } from '../binary/protobuf-message.js'
import { type LoggedMedia, type MediaCollector, MOST_IMAGE_BYTES, mediaCollector } from '../media.js'
import { readTfRecords } from './tfrecord.js'

/** Pictures and histograms of a TensorBoard event file, as torch and tensorboardX write them. */

/** Most events are one scalar; those are passed over by their length. */
const LONGEST_SCALAR = 96

/** Event */
const SUMMARY = 5
/** Summary.Value */
const IMAGE = 4
const HISTOGRAM = 5

export async function tensorboardMedia(path: string, signal?: AbortSignal): Promise<LoggedMedia> {
  const found = mediaCollector()
  await eachValue(path, signal, (value, step, place) => {
    const name = value.text(1)
    if (value.has(IMAGE)) found.image({ name, step, place })
    else noteHistogram(name, step, value.message(HISTOGRAM), found)
    return false
  })
  return found.collected()
}

/** `12:0`: the first value of the twelfth record. */
export async function tensorboardImage(path: string, place: string, signal?: AbortSignal): Promise<Buffer | null> {
  let bytes: Buffer | undefined
  await eachValue(path, signal, (value, _, at) => {
    if (at === place) bytes = value.message(IMAGE)?.bytes(4)
    return at === place
  })
  return bytes === undefined || bytes.length > MOST_IMAGE_BYTES ? null : Buffer.from(bytes)
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
