import { crc32 } from 'node:zlib'
import type { LogMaker, Piece } from './generate.js'
import { type MadeUpMetric, randomNumbers } from './made-up-metrics.js'

/**
 * A .wandb file as wandb-core 0.31 writes it: header, run with config, and for each step two summaries (the first with
 * the runtime alone) and a history whose items stand in ever changing order. Compared record by record with
 * src/logs/sources/fixtures/wandb/killed.wandb, which the real library wrote.
 */
export function wandbLog(
  metrics: readonly MadeUpMetric[],
  config: { readonly [key: string]: unknown },
  id = 'bench',
): LogMaker {
  return function* (isEnough) {
    const frame = recordFramer()
    const random = randomNumbers(7)
    let number = 0
    const record = (field: number, message: Buffer): Buffer => {
      number += 1
      return frame(Buffer.concat([varintField(1, number), bytesField(field, message)]))
    }

    yield about(Buffer.from(':W&B\xe1\xbe\x00', 'latin1'))
    yield about(record(HEADER, bytesField(1, bytesField(1, '0.31.0'))))
    yield about(record(RUN, runMessage(id, config)))

    const labels = [...metrics.map(({ name }) => name), '_timestamp', '_runtime', '_step'].map(nestedKey)
    const pulse = Buffer.concat([
      bytesField(1, Buffer.concat([bytesField(2, '_wandb'), bytesField(2, 'runtime'), bytesField(VALUE_JSON, '0')])),
      bytesField(1, Buffer.concat([bytesField(1, '_runtime'), bytesField(VALUE_JSON, '0')])),
    ])
    for (let step = 0; !isEnough(); step += 1) {
      const own = [`1.7947186${(58_106_994 + step).toString().padStart(9, '0')}e+09`, String(step * 1.5), String(step)]
      const values = [...metrics.map(({ valueAt }) => String(valueAt(step))), ...own]
      const items = values.map((value, i) => item(labels[i], value))
      const history = Buffer.concat([
        ...rotated(items, random()),
        bytesField(2, step === 0 ? '' : varintField(1, step)),
      ])
      const bytes = Buffer.concat([
        record(SUMMARY, pulse),
        record(SUMMARY, Buffer.concat(rotated(items, random()))),
        record(HISTORY, history),
      ])
      yield { bytes, steps: 1, points: metrics.length }
    }
    yield about(record(EXIT, varintField(2, 3600)))
  }
}

/** Record */
const HISTORY = 2
const SUMMARY = 3
const RUN = 17
const EXIT = 18
const HEADER = 21
/** HistoryItem, SummaryItem, ConfigItem */
const VALUE_JSON = 16

function about(bytes: Buffer): Piece {
  return { bytes, steps: 0, points: 0 }
}

function runMessage(id: string, config: { readonly [key: string]: unknown }): Buffer {
  const items = Object.entries(config).map(([key, value]) =>
    bytesField(1, Buffer.concat([bytesField(1, key), bytesField(VALUE_JSON, JSON.stringify(value))])),
  )
  const startTime = varintField(1, 1_794_718_658)
  return Buffer.concat([
    bytesField(1, id),
    bytesField(3, 'klens'),
    bytesField(4, Buffer.concat(items)),
    bytesField(8, 'benchmark'),
    bytesField(17, startTime),
  ])
}

function nestedKey(name: string): Buffer {
  return bytesField(2, name)
}

/** An item with one short value. All lengths are below 128 but the item's own, so most varints are one byte. */
function item(label: Buffer, value: string): Buffer {
  const length = label.length + 3 + value.length
  const lengthBytes = length < 0x80 ? 1 : 2
  const bytes = Buffer.allocUnsafe(1 + lengthBytes + length)
  bytes[0] = 0x0a
  if (lengthBytes === 1) bytes[1] = length
  else bytes.writeUInt16LE((length & 0x7f) | 0x80 | ((length >> 7) << 8), 1)
  const start = 1 + lengthBytes
  bytes.set(label, start)
  bytes.writeUInt16LE(0x0182, start + label.length)
  bytes[start + label.length + 2] = value.length
  bytes.write(value, start + label.length + 3, 'latin1')
  return bytes
}

/** wandb-core walks a Go map: the same cycle from another beginning each time. */
function rotated(items: readonly Buffer[], where: number): Buffer[] {
  const start = Math.floor(where * items.length)
  return [...items.slice(start), ...items.slice(0, start)]
}

const BLOCK_BYTES = 32_768
const CHUNK_HEADER_BYTES = 7

/** LevelDB's log format: a record becomes chunks that never cross a block of 32 KiB. */
function recordFramer(): (payload: Buffer) => Buffer {
  let offset = 7
  return payload => {
    const chunks: Buffer[] = []
    const put = (bytes: Buffer): void => {
      chunks.push(bytes)
      offset += bytes.length
    }
    let rest = payload
    for (let isFirst = true; isFirst || rest.length > 0; isFirst = false) {
      const left = BLOCK_BYTES - (offset % BLOCK_BYTES)
      if (left < CHUNK_HEADER_BYTES) put(Buffer.alloc(left))
      const room = BLOCK_BYTES - (offset % BLOCK_BYTES) - CHUNK_HEADER_BYTES
      const body = rest.subarray(0, room)
      rest = rest.subarray(body.length)
      put(chunk(body, isFirst, rest.length === 0))
    }
    return Buffer.concat(chunks)
  }
}

function chunk(body: Buffer, isFirst: boolean, isLast: boolean): Buffer {
  const bytes = Buffer.allocUnsafe(CHUNK_HEADER_BYTES + body.length)
  bytes.writeUInt16LE(body.length, 4)
  bytes[6] = isFirst ? (isLast ? 1 : 2) : isLast ? 4 : 3
  bytes.set(body, CHUNK_HEADER_BYTES)
  bytes.writeUInt32LE(crc32(bytes.subarray(6)), 0)
  return bytes
}

function bytesField(field: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes])
}

function varintField(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(rest)
  return Buffer.from(bytes)
}
