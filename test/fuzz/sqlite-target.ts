import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { openDatabase } from '../../src/logs/sources/sqlite/database.js'
import { demand } from './check.js'
import type { Seed } from './corpus.js'
import type { Sealed } from './sealed.js'
import { put, type Target } from './targets.js'

/** Databases of every kind that SQLite writes, damaged; and sound ones with a damaged log or journal beside them. */

const FIXTURES = resolve(process.cwd(), 'src/logs/sources/fixtures/sqlite')
const ALONE = ['page-512', 'page-1024', 'auto-vacuum', 'utf-16be', 'altered', 'freed']
const WITH_LOG = ['wal', 'wal-open-transaction']
const WITH_JOURNAL = ['hot-journal', 'hot-journal-unsynced']

/** More than the largest of the databases holds. */
const MOST_ROWS = 10_000

export function sqliteTarget(): Target {
  return {
    name: 'sqlite',
    seeds: [
      ...ALONE.map((name): Seed => ({ name: `sqlite/${name}.db`, bytes: unpacked(name) })),
      ...WITH_LOG.map((name): Seed => {
        const bytes = unpacked(`${name}-wal`)
        return { name: `sqlite/${name}.db-wal`, bytes, sealed: sealedLog(bytes) }
      }),
      ...WITH_JOURNAL.map((name): Seed => ({ name: `sqlite/${name}.db-journal`, bytes: unpacked(`${name}-journal`) })),
    ],
    async check({ name, bytes }, folder) {
      const damaged = put(folder, name, bytes)
      const path = damaged.replace(/-(?:wal|journal)$/, '')
      if (path !== damaged) writeFileSync(path, unpacked(name.replace(/^.*\/|\.db.*$/g, '')))
      const database = openDatabase(path)
      if (database === null) return
      for (const [table, { columns }] of database.tables()) {
        const names = columns.map(column => column.name)
        let rows = 0
        let before = Number.MIN_SAFE_INTEGER
        for await (const batch of database.rows(table, { columns: names })) {
          demand(batch.last >= before, 'rows come in the order of their numbers', [before, batch.last])
          before = batch.last
          rows += batch.rows.length
        }
        demand(rows <= Math.max(MOST_ROWS, bytes.length), 'a table has no more rows than bytes', rows)
        await database.row(table, names, before)
      }
      database.close()
    },
  }
}

function unpacked(name: string): Buffer {
  const path = join(FIXTURES, `${name}.gz`)
  return existsSync(path) ? gunzipSync(readFileSync(path)) : Buffer.alloc(0)
}

const LOG_HEADER = 32
const FRAME_HEADER = 24

/** Frames of a write-ahead log, whose checksums would otherwise end the reading at the first that is changed. */
function sealedLog(log: Buffer): Sealed {
  const frameBytes = FRAME_HEADER + log.readUInt32BE(8)
  const records: Buffer[] = []
  for (let at = LOG_HEADER; at + frameBytes <= log.length; at += frameBytes)
    records.push(log.subarray(at, at + frameBytes))
  return {
    records,
    seal(changed) {
      const sums = { first: log.readUInt32BE(24), second: log.readUInt32BE(28) }
      const frames = changed.map(record => {
        const frame = Buffer.alloc(frameBytes)
        record.copy(frame)
        log.copy(frame, 8, 16, 24)
        for (const [from, to] of [
          [0, 8],
          [FRAME_HEADER, frameBytes],
        ]) {
          for (let at = from; at < to; at += 8) {
            sums.first = (sums.first + frame.readUInt32LE(at) + sums.second) >>> 0
            sums.second = (sums.second + frame.readUInt32LE(at + 4) + sums.first) >>> 0
          }
        }
        frame.writeUInt32BE(sums.first, 16)
        frame.writeUInt32BE(sums.second, 20)
        return frame
      })
      return Buffer.concat([log.subarray(0, LOG_HEADER), ...frames])
    },
  }
}
