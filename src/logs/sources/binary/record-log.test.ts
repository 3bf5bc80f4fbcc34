import { appendFile, truncate } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recordLog, withFile } from '../../../../test/support/binary.js'
import { type Damage, readRecords, recordLogVersion } from './record-log.js'

const WANDB = { ident: ':W&B', magic: 0xbee1, version: 0 }
const BLOCK_BYTES = 32_768

/** Short ones and ones longer than a block, so that every kind of chunk occurs. */
const someLengths = fc.array(fc.oneof(fc.nat(60), fc.integer({ min: 8_000, max: 80_000 })), {
  minLength: 1,
  maxLength: 12,
})
const somewhere = fc.double({ min: 0, max: 1, noNaN: true })

const recordsOf = (lengths: readonly number[]): Buffer[] =>
  lengths.map((length, index) => Buffer.alloc(length, index + 1))

/** Comparing short prints instead of long buffers keeps failures readable and the tests quick. */
const prints = (records: readonly Buffer[]): string[] =>
  records.map(record => `${record.length}:${crc32(record).toString(16)}`)

interface Read {
  readonly records: Buffer[]
  readonly end: number
  readonly damage: Damage
  readonly unreadBytes: number
}

async function readAll(path: string, from?: number): Promise<Read> {
  const records: Buffer[] = []
  let end = 0
  let damage: Damage = { places: 0, bytes: 0, firstOffset: 0 }
  let unreadBytes = 0
  for await (const batch of readRecords(path, from)) {
    records.push(...batch.records.map(record => Buffer.from(record)))
    ;({ end, damage, unreadBytes } = batch)
  }
  return { records, end, damage, unreadBytes }
}

test('knows a file by ident and magic, and tells its version', () => {
  const header = Buffer.from(':W&B\xe1\xbe\x03', 'latin1')
  expect(recordLogVersion(header, WANDB)).toBe(3)
  expect(recordLogVersion(header, { ...WANDB, ident: ':SWL' })).toBeUndefined()
  expect(recordLogVersion(header, { ...WANDB, magic: 0xe1d6 })).toBeUndefined()
  expect(recordLogVersion(header.subarray(0, 6), WANDB)).toBeUndefined()
})

test('reads back every record, of any length', async () => {
  await fc.assert(
    fc.asyncProperty(someLengths, async lengths => {
      const records = recordsOf(lengths)
      const { bytes } = recordLog(records)
      const read = await withFile('x.wandb', bytes, path => readAll(path))
      expect(prints(read.records)).toEqual(prints(records))
      expect(read).toMatchObject({ end: bytes.length, unreadBytes: 0, damage: { places: 0 } })
    }),
    { numRuns: 30 },
  )
})

test('goes on from the end of an earlier reading when the file has grown', async () => {
  await fc.assert(
    fc.asyncProperty(someLengths, somewhere, async (lengths, where) => {
      const records = recordsOf(lengths)
      const { bytes } = recordLog(records)
      const cut = 7 + Math.floor(where * (bytes.length - 7))
      await withFile('x.wandb', bytes.subarray(0, cut), async path => {
        const before = await readAll(path)
        expect(before.damage.places).toBe(0)
        expect(before.unreadBytes).toBe(cut - before.end)
        await appendFile(path, bytes.subarray(cut))
        const after = await readAll(path, before.end)
        expect(prints([...before.records, ...after.records])).toEqual(prints(records))
        expect(after.unreadBytes).toBe(0)
      })
    }),
    { numRuns: 40 },
  )
})

test('a damaged byte costs the rest of its block and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(someLengths, somewhere, async (lengths, where) => {
      const records = recordsOf(lengths)
      const { bytes, chunks } = recordLog(records)
      const at = Math.min(bytes.length - 1, 7 + Math.floor(where * (bytes.length - 7)))
      const chunk = chunks.find(({ start, end }) => start <= at && at < end)
      bytes[at] ^= 0x5a
      const blockEnd = (Math.floor(at / BLOCK_BYTES) + 1) * BLOCK_BYTES
      const lost = new Set(
        chunks.filter(({ start }) => chunk && start >= chunk.start && start < blockEnd).map(({ record }) => record),
      )
      const read = await withFile('x.wandb', bytes, path => readAll(path))
      expect(prints(read.records)).toEqual(prints(records.filter((_, index) => !lost.has(index))))
      // A length that now points behind the end of the file looks like a record still being written.
      if (lost.size > 0) expect(read.damage.places + Math.sign(read.unreadBytes)).toBe(1)
      else expect(read.damage.places).toBe(0)
    }),
    { numRuns: 60 },
  )
})

describe('zeros where records should be', () => {
  const records = Array.from({ length: 30 }, (_, index) => Buffer.alloc(4_000, index + 1))
  const { bytes, chunks } = recordLog(records)

  test('are damage in the middle of a file', async () => {
    const holed = Buffer.from(bytes).fill(0, BLOCK_BYTES, 2 * BLOCK_BYTES)
    const read = await withFile('x.wandb', holed, path => readAll(path))
    const touched = chunks.filter(({ start }) => start >= BLOCK_BYTES && start < 2 * BLOCK_BYTES)
    const lost = new Set(touched.map(({ record }) => record))
    expect(prints(read.records)).toEqual(prints(records.filter((_, index) => !lost.has(index))))
    expect(read.damage.places).toBe(1)
  })

  test('are space not written yet at the end of a file', async () => {
    await withFile('x.wandb', bytes, async path => {
      await truncate(path, bytes.length + 50_000)
      const read = await readAll(path)
      expect(prints(read.records)).toEqual(prints(records))
      expect(read).toMatchObject({ end: bytes.length, unreadBytes: 50_000, damage: { places: 0 } })
    })
  })
})

test('reads a file shorter than where it should go on as having nothing new', async () => {
  const read = await withFile('x.wandb', recordLog([Buffer.from('x')]).bytes, path => readAll(path, 100_000))
  expect(read).toMatchObject({ records: [], unreadBytes: 0 })
})
