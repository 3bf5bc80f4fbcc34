import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fixture } from '../../../../test/support/reading.js'
import { seededRandom } from '../../../stats/random.js'
import { type Database, openDatabase } from './database.js'
import type { SqlValue } from './format.js'

const folder = mkdtempSync(join(tmpdir(), 'klens-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

const packed = new Map(
  readdirSync(fixture('sqlite')).map(name => [
    name.replace(/\.gz$/, ''),
    gunzipSync(readFileSync(join(fixture('sqlite'), name))),
  ]),
)
const Expected = z.record(
  z.string(),
  z.record(z.string(), z.object({ columns: z.array(z.string()), rows: z.array(z.array(z.unknown())) })),
)
const expected = Expected.parse(JSON.parse(String(packed.get('expected.json'))))

/** The database with whatever lies beside it. */
function unpack(name: string, change: (bytes: Buffer) => Buffer = bytes => bytes): string {
  const path = join(folder, `${name}.db`)
  for (const suffix of ['', '-wal', '-journal']) {
    const bytes = packed.get(name + suffix)
    if (bytes !== undefined) writeFileSync(path + suffix, suffix === '' ? change(bytes) : bytes)
  }
  return path
}

function open(path: string): Database {
  const database = openDatabase(path)
  if (database === null) throw new Error(`no database: ${path}`)
  return database
}

async function rowsOf(database: Database, table: string, columns: readonly string[]): Promise<SqlValue[][]> {
  const rows: SqlValue[][] = []
  for await (const batch of database.rows(table, { columns })) rows.push(...batch.rows)
  return rows
}

/** As the script that made the databases writes what JSON cannot hold. */
function shown(value: SqlValue): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') }
  if (typeof value === 'bigint') return { whole: String(value) }
  if (value === Number.POSITIVE_INFINITY) return { real: 'inf' }
  return value
}

describe('reads what Python reads', () => {
  it.each(Object.keys(expected))('%s', async name => {
    const database = open(unpack(name))
    for (const [table, { columns, rows }] of Object.entries(expected[name])) {
      const read = await rowsOf(
        database,
        table,
        columns.map(column => (column === 'g' ? 'no such column' : column)),
      )
      // `g` is computed, not stored.
      const wanted = rows.map(([, ...values]) => values.map((value, at) => (columns[at] === 'g' ? null : value)))
      expect(read.map(values => values.map(shown))).toEqual(wanted)
    }
    expect(database.problems().filter(({ key }) => key !== 'sqlite.journal')).toEqual([])
    database.close()
  })
})

it('leaves the files as they are', () => {
  for (const name of ['wal', 'hot-journal']) {
    const path = unpack(name)
    open(path).close()
    for (const suffix of ['', '-wal', '-journal']) {
      const before = packed.get(name + suffix)
      if (before !== undefined) expect(readFileSync(path + suffix).equals(before)).toBe(true)
    }
  }
})

it('reads one row, rows behind a number, and rows of one value', async () => {
  const database = open(unpack('deep'))
  const { rows } = expected.deep['the values']
  expect(await database.row('the values', ['id', 'name'], 1234)).toEqual([1234, rows[1233][2]])
  expect(await database.row('the values', ['id'], 99_999)).toBeNull()
  const some: SqlValue[][] = []
  const wanted = { columns: ['id'], only: { column: 'any', value: 'text' }, after: 100, upTo: 2000 }
  for await (const batch of database.rows('the values', wanted)) some.push(...batch.rows)
  const same = rows.filter(([id, ...values]) => Number(id) > 100 && Number(id) <= 2000 && values[5] === 'text')
  expect(some.map(([id]) => id)).toEqual(same.map(([id]) => id))
  database.close()
})

it('takes in what is committed while it reads', async () => {
  const path = unpack('wal')
  const log = packed.get('wal-wal') ?? Buffer.alloc(0)
  writeFileSync(`${path}-wal`, log.subarray(0, 32 + 3 * (24 + 4096)))
  const database = open(path)
  const before = await rowsOf(database, 'the values', ['id'])
  writeFileSync(`${path}-wal`, log)
  const after = await rowsOf(database, 'the values', ['id'])
  expect(before.length).toBeLessThan(after.length)
  expect(after).toHaveLength(expected.wal['the values'].rows.length)
  database.close()
})

it('stops at the last frame of the log whose checksum holds', async () => {
  const path = unpack('wal')
  const log = Buffer.from(packed.get('wal-wal') ?? '')
  log[32 + 10 * (24 + 4096) + 500] ^= 1
  writeFileSync(`${path}-wal`, log)
  const database = open(path)
  const rows = await rowsOf(database, 'the values', ['id'])
  expect(rows.length).toBeGreaterThanOrEqual(30)
  expect(rows.length).toBeLessThan(70)
  expect(database.problems()).toEqual([])
  database.close()
})

describe('hostile files', () => {
  async function readAll(path: string): Promise<{ rows: number; problems: number }> {
    const database = openDatabase(path)
    if (database === null) return { rows: 0, problems: 0 }
    let rows = 0
    for (const [name, { columns }] of database.tables()) {
      rows += (
        await rowsOf(
          database,
          name,
          columns.map(column => column.name),
        )
      ).length
    }
    const problems = database.problems().length
    database.close()
    return { rows, problems }
  }

  it('a cut file gives the rows that are there, and says that some are not', async () => {
    const { rows, problems } = await readAll(unpack('deep', bytes => bytes.subarray(0, bytes.length >> 1)))
    expect(rows).toBeGreaterThan(500)
    expect(rows).toBeLessThan(2500)
    expect(problems).toBe(1)
  })

  it('pointers in circles end', async () => {
    const pageSize = 512
    const { rows } = await readAll(
      unpack('deep', bytes => {
        const changed = Buffer.from(bytes)
        for (let at = 0; at < changed.length; at += pageSize) {
          const base = at === 0 ? 100 : at
          if (changed[base] !== 5) continue
          const cells = changed.readUInt16BE(base + 3)
          for (let cell = 0; cell < cells; cell += 1) {
            changed.writeUInt32BE(at / pageSize + 1, at + changed.readUInt16BE(base + 12 + 2 * cell))
          }
        }
        return changed
      }),
    )
    expect(rows).toBeLessThan(2500)
  })

  it('overflow pages that many rows share are read once', async () => {
    const { rows } = await readAll(
      unpack('page-512', bytes => {
        const changed = Buffer.from(bytes)
        for (let page = 1; page < changed.length / 512; page += 1) {
          if (changed[page * 512] !== 5 && changed[page * 512] !== 13) changed.writeUInt32BE(page + 1, page * 512)
        }
        return changed
      }),
    )
    expect(rows).toBeLessThanOrEqual(60)
  })

  it('random damage never throws', async () => {
    const random = seededRandom(7)
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const name = ['page-512', 'page-1024', 'auto-vacuum', 'altered'][attempt % 4]
      await readAll(
        unpack(name, bytes => {
          const changed = Buffer.from(bytes)
          for (let times = 0; times < 1 + attempt / 20; times += 1) {
            changed[random.below(changed.length)] = random.below(256)
          }
          return changed
        }),
      )
    }
  })

  it('is no database with a page size that there is not', () => {
    const path = unpack('page-512', bytes => {
      const changed = Buffer.from(bytes)
      changed.writeUInt16BE(500, 16)
      return changed
    })
    expect(openDatabase(path)).toBeNull()
  })
})
