import { lstatSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Problem } from '../../logs/model/problem.js'
import { compareNames } from '../../text/language.js'
import { livePath } from './live-file.js'
import type { Manifest } from './manifest.js'
import { unkeptRuns, untilKept } from './unkept.js'
import { loadVocabulary, vocabularyFiles, type WorkspaceVocabulary } from './vocabulary.js'
import { cacheFolder, perWorkspace, type Workspace } from './workspace.js'

/**
 * What is remembered of every run, by the open workspace and for the next process in a cache file. Each listing looks at
 * every manifest's date, size and inode and reads those that have changed, so a process that runs for days sees what
 * others write, and a file that is stale, cut or gone costs time only. It is kept in columns, of which those that are the
 * same for every run are written once: ten thousand rows are read in 10 ms, as objects they took 70.
 */
interface RunIndex<Row> {
  /** The look of the files that say what metrics mean: another alias or goal makes other rows. */
  readonly words: string
  /** By id. */
  readonly rows: readonly Row[]
  /** Of each row, the look of its files when it was read; that of its live file stands behind a comma where it has one. */
  readonly looks: readonly string[]
  /** The places of rows in the order of their names: to sort ten thousand of them takes 0.1 s. */
  readonly byName: readonly number[]
}

interface IndexedRuns<Row> extends Pick<RunIndex<Row>, 'rows' | 'byName'> {
  /** Manifests that cannot be read. */
  readonly damaged: readonly string[]
}

type ReadRun = (id: string) => Promise<{ readonly manifest: Manifest } | null>

/** So long may a listing keep the process from anything else it does. */
const LONGEST_HOLD_MS = 10

/**
 * Files are looked at one after the other and not in the thread pool, which for ten thousand small ones takes four times
 * as long (0.12 s of CPU instead of 0.03); others have their turn in between.
 */
export function runIndex<Row extends { readonly id: string; readonly name: string }>(
  file: string,
  members: readonly (keyof Row & string)[],
  /** `writtenAt`: when its manifest was, in Unix seconds. */
  rowOf: (manifest: Manifest, words: WorkspaceVocabulary, writtenAt: number) => Row,
): (workspace: Workspace, read: ReadRun) => Promise<IndexedRuns<Row>> {
  const memoryOf = perWorkspace((): { index: RunIndex<Row> | null } => ({ index: null }))
  return async (workspace, read) => {
    await untilKept(workspace)
    const memory = memoryOf(workspace)
    const path = join(cacheFolder(workspace), file)
    const vocabulary = await loadVocabulary(workspace)
    const words = vocabularyFiles(workspace).map(look).join()
    const kept = memory.index ?? readIndex<Row>(path, members)
    const before = kept.words === words ? kept : NONE
    const [rows, looks]: [Row[], string[]] = [[], []]
    /** Where each row that was there before stands now, and those that were not. */
    const [moved, fresh]: [number[], number[]] = [[], []]
    const damaged: string[] = []
    let nth = 0
    // By the date's clock: `performance` would load four files of Node's.
    let heldSince = Date.now()
    // Put together here: for ten thousand runs, joining paths takes half as long as looking at the files.
    const folder = join(workspace.root, 'runs')
    for (const id of await runIds(workspace)) {
      if (rows.length % 64 === 0 && Date.now() - heldSince > LONGEST_HOLD_MS) {
        await setImmediate()
        heldSince = Date.now()
      }
      const run = `${folder}${sep}${id}`
      try {
        const own = look(`${run}${sep}run.json`)
        if (own === '') continue
        while (nth < before.rows.length && before.rows[nth].id < id) nth += 1
        const known = before.rows[nth]?.id === id ? before.looks[nth] : ''
        // Looked at before it is read: what is added in between shows at the next listing.
        const now = known === own ? own : `${own},${look(livePath(run))}`
        if (known === now) {
          moved[nth] = rows.length
          rows.push(before.rows[nth])
          looks.push(now)
          continue
        }
        const manifest = (await read(id))?.manifest
        if (manifest === undefined) continue
        fresh.push(rows.length)
        rows.push(rowOf(manifest, vocabulary, Number.parseFloat(own) / 1000))
        looks.push(manifest.liveFolded === null ? own : now)
      } catch (error) {
        if (!isFaultOfOneRun(error)) throw error
        damaged.push(`${run}${sep}run.json`)
      }
    }
    const isChanged = fresh.length > 0 || rows.length !== kept.rows.length
    // Those that were in order before stay so, and sorting takes what is in order as it is.
    const places = isChanged ? [...before.byName.flatMap(place => moved[place] ?? []), ...fresh] : before.byName
    const byName = isChanged ? places.toSorted((a, b) => compareNames(rows[a].name, rows[b].name) || a - b) : places
    memory.index = { words, rows, looks, byName }
    if (isChanged) await writeIndex(path, members, memory.index)
    const unkept = unkeptRuns(workspace).map(({ manifest }) => rowOf(manifest, vocabulary, Date.now() / 1000))
    if (unkept.length === 0) return { rows, byName, damaged }
    const all = [...rows, ...unkept].sort((a, b) => (a.id < b.id ? -1 : 1))
    return { rows: all, byName: [...all.keys()].sort((a, b) => compareNames(all[a].name, all[b].name)), damaged }
  }
}

const NONE = { words: '', rows: [], looks: [], byName: [] }

export async function runIds(workspace: Workspace): Promise<string[]> {
  try {
    return (await readdir(join(workspace.root, 'runs'))).sort()
  } catch (error) {
    // One that is there and may not be read is no empty one.
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') throw error
    return []
  }
}

/** Damaged, of a newer klens, or in a folder that may not be entered: the others are listed all the same. */
function isFaultOfOneRun(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'damaged' || error.code === 'unreadable'
  return error instanceof Error && 'code' in error && error.code === 'EACCES'
}

/** Two manifests in a row never share an inode, because the second is written while the first is there. */
function look(path: string): string {
  const file = lstatSync(path, { throwIfNoEntry: false })
  return file === undefined ? '' : `${file.mtimeMs} ${file.size} ${file.ino}`
}

/** What rows say and how that is found out: a file of an earlier klens holds others. */
const FORM = 'columns with best'

interface IndexFile extends Omit<RunIndex<never>, 'rows'> {
  readonly path: string
  readonly form: string
  readonly columns: { readonly [member: string]: Column }
}

/** One in which all say the same is written once. */
type Column = readonly unknown[] | { readonly all: unknown }

/** One that cannot be read is as good as none. */
function readIndex<Row>(path: string, members: readonly string[]): RunIndex<Row> {
  try {
    const { form, words, looks, byName, columns, ...file }: IndexFile = JSON.parse(readFileSync(path, 'utf8'))
    // One that came along with a copied project tells of files that lie elsewhere.
    if (form !== FORM || file.path !== path || byName.length !== looks.length) return NONE
    const unpacked = members.map(member => {
      const column = columns[member]
      const values = 'all' in column ? looks.map(() => column.all) : column
      if (values.length !== looks.length) throw new RangeError('a column is cut')
      return [member, values] as const
    })
    return { words, looks, byName, rows: rowsOf(unpacked, looks.length) }
  } catch {
    return NONE
  }
}

/** A row is a view of its columns: most questions look at few of them. */
function rowsOf<Row>(columns: readonly (readonly [string, readonly unknown[]])[], count: number): readonly Row[] {
  class IndexedRow {
    readonly #nth: number
    constructor(nth: number) {
      this.#nth = nth
    }
    static {
      for (const [member, column] of columns) {
        const get = function (this: IndexedRow): unknown {
          return column[this.#nth]
        }
        Object.defineProperty(IndexedRow.prototype, member, { get, enumerable: true })
      }
    }
  }
  return Array.from({ length: count }, (_, nth) => new IndexedRow(nth) as Row)
}

let writes = 0

async function writeIndex<Row>(path: string, members: readonly (keyof Row)[], index: RunIndex<Row>): Promise<void> {
  const { rows, ...others } = index
  const columns = Object.fromEntries(members.map(member => [member, packed(rows.map(row => row[member]))]))
  writes += 1
  const beside = `${path}.${process.pid}.${writes}.tmp`
  try {
    // Only this folder: a workspace that was removed meanwhile is not begun again by a cache.
    await mkdir(dirname(path)).catch(() => {})
    await writeFile(beside, JSON.stringify({ ...others, path, form: FORM, columns } satisfies IndexFile))
    await rename(beside, path)
  } catch {
    // A workspace that may only be read, or a full disk: the list is right all the same, only not cached.
    await rm(beside, { force: true }).catch(() => {})
  }
}

function packed(column: readonly unknown[]): Column {
  const first = JSON.stringify(column[0])
  const isOne = column.length > 0 && column.every(value => value === column[0] || JSON.stringify(value) === first)
  return isOne ? { all: column[0] } : column
}
