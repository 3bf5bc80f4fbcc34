import { readFile } from 'node:fs/promises'
import { readRecords } from '../../src/logs/sources/binary/record-log.js'
import { readTfRecords } from '../../src/logs/sources/tensorboard/tfrecord.js'
import { recordLog, tfRecord } from '../support/binary.js'
import { mutate } from './mutate.js'
import type { Random } from './random.js'

/**
 * Damage behind intact checksums. A flipped bit in a W&B log or an event file is caught by a checksum and never meets
 * the decoder behind it; so the records are taken out, damaged, and sealed again as their writer would have.
 */
export interface Sealed {
  readonly records: readonly Buffer[]
  seal(records: readonly Buffer[]): Buffer
}

/** W&B's container, which is SwanLab's too, with another header. */
export async function sealedRecordLog(path: string): Promise<Sealed> {
  const records: Buffer[] = []
  for await (const batch of readRecords(path)) records.push(...batch.records)
  const header = (await readFile(path)).subarray(0, HEADER_BYTES)
  return { records, seal: changed => Buffer.concat([header, recordLog(changed).bytes.subarray(HEADER_BYTES)]) }
}

const HEADER_BYTES = 7

export async function sealedTensorboard(path: string): Promise<Sealed> {
  const records: Buffer[] = []
  for await (const { bytes, starts, ends } of readTfRecords(path)) {
    starts.forEach((start, i) => {
      records.push(Buffer.from(bytes.subarray(start, ends[i])))
    })
  }
  return { records, seal: changed => Buffer.concat(changed.map(tfRecord)) }
}

export function mutateSealed({ records, seal }: Sealed, random: Random): Buffer {
  if (records.length === 0) return seal(records)
  const changed = [...records]
  for (let i = random.below(4); i >= 0; i -= 1) {
    const at = random.below(changed.length)
    changed[at] = random.chance(0.4) ? changeVarint(changed[at], random) : mutate(changed[at], records, random)
    if (random.chance(0.2)) changed.splice(at, random.below(3), random.pick(records))
  }
  return seal(changed)
}

/** A protobuf number or length at a place that may be one, made zero, longer than the message, or endless. */
function changeVarint(record: Buffer, random: Random): Buffer {
  const at = random.below(record.length + 1)
  const varint = Buffer.from(
    random.pick([
      '00',
      '01',
      '7f',
      'ff01',
      'ffffffff07',
      'ffffffffffffffff7f',
      'ffffffffffffffffff01',
      'ffffffffffffffffffffff',
    ]),
    'hex',
  )
  return Buffer.concat([record.subarray(0, at), varint, record.subarray(at + 1)])
}
