import { setTimeout as pause } from 'node:timers/promises'
import { sentences } from '../../../text/sentences.js'
import type { Message } from '../../model/run.js'
import { parseTable, type SqlValue } from './format.js'
import { openPages, type Pages } from './pages.js'
import { type RowBatch, type ScanRequest, scanTable, type Table } from './table.js'

/**
 * Reads SQLite databases, also while another process writes them, without a lock and without a byte written.
 * Rows arrive in batches, in the order of their numbers; each batch is of one committed state. See docs/decisions/sqlite.md.
 */
export interface Database {
  /** By name, in lower case. Tables without row numbers, views and virtual tables are left out. */
  tables(): ReadonlyMap<string, Table>
  /** Rows of a table; none where there is no such table. A column that the table lacks is null everywhere. */
  rows(table: string, request: ScanRequest): AsyncGenerator<RowBatch>
  /** The row of this number, or null. */
  row(table: string, columns: readonly string[], rowid: number): Promise<SqlValue[] | null>
  /** Whether all that was asked for could be read so far. */
  isSound(): boolean
  /** What there is to say about the file after reading. */
  problems(): readonly Message[]
  close(): void
}

/** Some hundred kilobytes at the usual 4 KiB a page: short enough to come through between two commits. */
const LEAVES_PER_BATCH = 64
/** A writer that commits without pause could keep a reader waiting for ever. */
const MOST_ATTEMPTS = 200
const PAUSE_MS = 5
/** A transaction takes seconds. One that has not moved for a minute was cut off. */
const CUT_OFF_MS = 60_000

const SCHEMA_TABLE: Table = {
  root: 1,
  rowidColumn: null,
  columns: ['type', 'name', 'tbl_name', 'rootpage', 'sql'].map(name => ({ name, whenAbsent: null })),
}
/** More tables than any tracker has. */
const MOST_TABLES = 1_000

/** Null when the file is no SQLite database. File system errors pass through. */
export function openDatabase(path: string): Database | null {
  const pages = openPages(path)
  return pages === null ? null : databaseOf(pages)
}

function databaseOf(pages: Pages): Database {
  let cookie = -1
  let tables: ReadonlyMap<string, Table> = new Map()
  readTables()
  let damaged = 0
  let isBusy = false

  /** True when something was committed since the last look. */
  function hasChanged(): boolean {
    if (!pages.refresh()) return false
    readTables()
    return true
  }

  /** Definitions may change under the reader too; what was read of them counts once nothing was committed meanwhile. */
  function readTables(): void {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const now = schemaCookie(pages)
      const known = now === cookie ? tables : readSchema(pages)
      if (pages.refresh()) continue
      cookie = now
      tables = known
      return
    }
  }

  async function* rows(name: string, request: ScanRequest): AsyncGenerator<RowBatch> {
    hasChanged()
    let table = tables.get(name)
    let after = request.after ?? Number.MIN_SAFE_INTEGER
    let leaves = LEAVES_PER_BATCH
    let attempts = 0
    while (table !== undefined) {
      const scan = scanTable(pages, table, request)
      for (;;) {
        const batch = scan.next(after, leaves)
        if (hasChanged()) break
        attempts = 0
        damaged += batch.damaged
        yield batch
        if (batch.isLast) return
        after = batch.last
        if (hasChanged()) break
      }
      attempts += 1
      if (attempts > MOST_ATTEMPTS) {
        isBusy = true
        return
      }
      // Shorter batches have a better chance to come through.
      if (attempts > 2) leaves = Math.max(1, leaves >> 1)
      if (attempts > 4) await pause(PAUSE_MS)
      table = tables.get(name)
    }
  }

  return {
    tables: () => tables,
    rows,
    async row(name, columns, rowid) {
      for await (const batch of rows(name, { columns, after: rowid - 1, upTo: rowid })) {
        const [row] = batch.rows
        if (row !== undefined) return row
      }
      return null
    },
    isSound: () => damaged === 0 && !isBusy,
    problems() {
      const said: Message[] = []
      if (damaged > 0) said.push(say('sqlite.damaged', { count: damaged }))
      if (isBusy) said.push(say('sqlite.busy', {}))
      const unfinished = pages.unfinishedSince()
      if (unfinished !== null && Date.now() - unfinished > CUT_OFF_MS) said.push(say('sqlite.journal', {}))
      return said
    },
    close: () => pages.close(),
  }
}

function schemaCookie(pages: Pages): number {
  return pages.page(1)?.readUInt32BE(40) ?? 0
}

function readSchema(pages: Pages): ReadonlyMap<string, Table> {
  const tables = new Map<string, Table>()
  const scan = scanTable(pages, SCHEMA_TABLE, { columns: ['type', 'name', 'rootpage', 'sql'] })
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    const batch = scan.next(after, LEAVES_PER_BATCH)
    for (const [type, name, root, sql] of batch.rows) {
      if (type !== 'table' || typeof name !== 'string' || typeof root !== 'number' || typeof sql !== 'string') continue
      const definition = parseTable(sql)
      if (definition !== null && tables.size < MOST_TABLES) tables.set(name.toLowerCase(), { ...definition, root })
    }
    if (batch.isLast) return tables
    after = batch.last
  }
}

const say = sentences({
  'sqlite.damaged': {
    en: '{count} {count|page or row|pages or rows} of the database could not be read and {count|was|were} left out; the rest was read',
    zh: '数据库有 {count} 个页面或行无法读取，已略过；其余部分已正常读取',
  },
  'sqlite.busy': {
    en: 'the database is being written to continuously: what could be read between two commits was read, import again for the rest',
    zh: '数据库正被持续写入：已读取两次提交之间能读到的部分，其余请稍后重新导入',
  },
  'sqlite.journal': {
    en: 'the writer of the database was interrupted in a transaction: klens read the state before it and left the file unchanged',
    zh: '数据库的写入进程在事务中途中断：klens 读取的是该事务之前的状态，未改动文件',
  },
})
