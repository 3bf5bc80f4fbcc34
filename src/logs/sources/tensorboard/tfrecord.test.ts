import { appendFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tfRecord, withFile } from '../../../../test/support/binary.js'
import { maskedCrc32c } from './crc32c.js'
import { readTfRecords, type TfRecordBatch } from './tfrecord.js'

/** Short ones, and ones longer than the pieces in which a file is read. */
const someLengths = fc.array(fc.oneof(fc.nat(60), fc.integer({ min: 500_000, max: 1_200_000 })), {
  minLength: 1,
  maxLength: 6,
})

const payloadsOf = (lengths: readonly number[]): Buffer[] =>
  lengths.map((length, index) => Buffer.alloc(length, index + 1))

/** Comparing short prints instead of long buffers keeps failures readable and the tests quick. */
const prints = (payloads: readonly Buffer[]): string[] =>
  payloads.map(payload => `${payload.length}:${crc32(payload).toString(16)}`)

async function readAll(path: string, from?: number): Promise<{ payloads: Buffer[]; last: TfRecordBatch | undefined }> {
  const payloads: Buffer[] = []
  let last: TfRecordBatch | undefined
  for await (const batch of readTfRecords(path, from)) {
    batch.starts.forEach((start, index) => {
      payloads.push(Buffer.from(batch.bytes.subarray(start, batch.ends[index])))
    })
    last = batch
  }
  return { payloads, last }
}

test('reads back every record, also across the pieces a file is read in', async () => {
  await fc.assert(
    fc.asyncProperty(someLengths, async lengths => {
      const payloads = payloadsOf(lengths)
      const bytes = Buffer.concat(payloads.map(tfRecord))
      const read = await withFile('tfevents', bytes, path => readAll(path))
      expect(prints(read.payloads)).toEqual(prints(payloads))
      expect(read.last).toMatchObject({ end: bytes.length, unreadBytes: 0, stoppedAt: undefined })
    }),
    { numRuns: 25 },
  )
})

test('goes on from the end of an earlier reading when the file has grown', async () => {
  await fc.assert(
    fc.asyncProperty(someLengths, fc.double({ min: 0, max: 1, noNaN: true }), async (lengths, where) => {
      const payloads = payloadsOf(lengths)
      const bytes = Buffer.concat(payloads.map(tfRecord))
      const cut = Math.floor(where * bytes.length)
      await withFile('tfevents', bytes.subarray(0, cut), async path => {
        const before = await readAll(path)
        const end = before.last?.end ?? 0
        expect(before.last?.unreadBytes).toBe(cut - end)
        await appendFile(path, bytes.subarray(cut))
        const after = await readAll(path, end)
        expect(prints([...before.payloads, ...after.payloads])).toEqual(prints(payloads))
      })
    }),
    { numRuns: 30 },
  )
})

test('leaves out a record whose payload is damaged, and reads the next', async () => {
  const bytes = Buffer.concat(['a', 'b', 'c'].map(text => tfRecord(Buffer.from(text.repeat(9)))))
  bytes[25 + 12] ^= 1
  const read = await withFile('tfevents', bytes, path => readAll(path))
  expect(read.payloads.map(String)).toEqual(['a'.repeat(9), 'c'.repeat(9)])
  expect(read.last).toMatchObject({ damaged: { count: 1, firstOffset: 25 }, unreadBytes: 0 })
})

test('stops at a damaged length, because the next record cannot be found', async () => {
  const bytes = Buffer.concat(['a', 'b', 'c'].map(text => tfRecord(Buffer.from(text.repeat(9)))))
  bytes[25 + 1] ^= 1
  const read = await withFile('tfevents', bytes, path => readAll(path))
  expect(read.payloads.map(String)).toEqual(['a'.repeat(9)])
  expect(read.last).toMatchObject({ end: 25, stoppedAt: 25, unreadBytes: 0 })
})

test('passes over a record longer than 64 MiB without holding it', async () => {
  const payload = Buffer.alloc((64 << 20) + 1)
  const bytes = Buffer.concat([tfRecord(Buffer.from('a')), tfRecord(payload), tfRecord(Buffer.from('b'))])
  const read = await withFile('tfevents', bytes, path => readAll(path))
  expect(read.payloads.map(String)).toEqual(['a', 'b'])
  expect(read.last).toMatchObject({ overlong: { count: 1, firstOffset: 17 }, end: bytes.length, unreadBytes: 0 })
})

test('takes a record that claims to be longer than the file for one still being written', async () => {
  const header = Buffer.alloc(12)
  header.writeBigUInt64LE(2n ** 60n, 0)
  header.writeUInt32LE(maskedCrc32c(header, 0, 8), 8)
  const bytes = Buffer.concat([tfRecord(Buffer.from('a')), header, Buffer.alloc(100)])
  const read = await withFile('tfevents', bytes, path => readAll(path))
  expect(read.last).toMatchObject({ end: 17, unreadBytes: 112, overlong: { count: 0 } })
})
