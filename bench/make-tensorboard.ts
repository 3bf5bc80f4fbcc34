import { maskedCrc32c } from '../src/logs/sources/tensorboard/crc32c.js'
import type { LogMaker } from './generate.js'
import type { MadeUpMetric } from './made-up-metrics.js'

/** An event file as torch and tensorboardX write it: one event of one float32 `simple_value` per metric and step. */
export function tensorboardLog(metrics: readonly MadeUpMetric[]): LogMaker {
  return function* (isEnough) {
    yield { bytes: tfRecord(Buffer.concat([wallTime(0), lengthPrefixed(0x1a, 'brain.Event:2')])), steps: 0, points: 0 }
    const tags = metrics.map(({ name }) => lengthPrefixed(0x0a, name))
    for (let step = 0; !isEnough(); step += 1) {
      const events = metrics.map(({ valueAt }, i) => tfRecord(scalarEvent(tags[i], step, valueAt(step))))
      yield { bytes: Buffer.concat(events), steps: 1, points: events.length }
    }
  }
}

/** Event { wall_time = 1, step = 2, summary = 5 { value = 1 { tag = 1, simple_value = 2 } } } */
function scalarEvent(tag: Buffer, step: number, value: number): Buffer {
  const number = Buffer.alloc(5)
  number[0] = 0x15
  number.writeFloatLE(value, 1)
  const summary = lengthPrefixed(0x0a, Buffer.concat([tag, number]))
  return Buffer.concat([wallTime(step), Buffer.from([0x10, ...varint(step)]), lengthPrefixed(0x2a, summary)])
}

function wallTime(step: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes[0] = 0x09
  bytes.writeDoubleLE(1_794_700_000 + step * 1.5, 1)
  return bytes
}

function lengthPrefixed(tag: number, content: Buffer | string): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([tag, ...varint(bytes.length)]), bytes])
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

function tfRecord(payload: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + payload.length + 4)
  bytes.writeUInt32LE(payload.length, 0)
  bytes.writeUInt32LE(maskedCrc32c(bytes, 0, 8), 8)
  bytes.set(payload, 12)
  bytes.writeUInt32LE(maskedCrc32c(payload), 12 + payload.length)
  return bytes
}
