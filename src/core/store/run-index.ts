import { lstatSync, readFileSync, type Stats } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Problem } from '../../logs/model/problem.js'
import { compareNames } from '../../text/language.js'
import { livePath } from './live-file.js'
import type { Manifest } from './manifest.js'
import { loadVocabulary, vocabularyFiles, type WorkspaceVocabulary } from './vocabulary.js'
import { cacheFolder, perWorkspace, type Workspace } from './workspace.js'

/**
 * What is remembered of every run, by the open workspace and for the next process in a cache file. Each listing looks at
 * every manifest's date, size and inode and reads those that have changed, so a process that runs for days sees what
 * others write, and a file that is stale, cut or gone costs time only. It is kept in columns, of which those that are the
 * same for every run are written once: ten thousand rows are read in 10 ms, as objects they took 70.
 */
export interface RunIndexKind<Row extends IndexRow> {
  /** The cache file. */
  readonly file: string
  readonly members: readonly (keyof Row & string)[]
  readonly rowOf: (manifest: Manifest, words: WorkspaceVocabulary) => Row
  /** Its memory. */
  readonly of: (workspace: Workspace) => { index: RunIndex<Row> | null }
}

interface IndexRow {
  readonly id: string
  readonly name: string
}

export function indexKind<Row extends IndexRow>(kind: Omit<RunIndexKind<Row>, 'of'>): RunIndexKind<Row> {
  return { ...kind, of: perWorkspace((): { index: RunIndex<Row> | null } => ({ index: null })) }
}

interface RunIndex<Row> {
  /** The look of the files that say what metrics mean: another alias or goal makes other rows. */
  readonly words: string
  /** By id. */
  readonly rows: readonly Row[]
  /** Of each row, the look of its files when it was read. */
  readonly looks: Looks
  /** The places of rows in the order of their names: to sort ten thousand of them takes 0.1 s. */
  readonly byName: readonly number[]
}

interface Looks {
  readonly modifiedMs: number[]
  readonly size: number[]
  readonly inode: number[]
  /** Null for a run that has no live file. */
  readonly live: (string | null)[]
}

/** So long may a listing keep the process from anything else it does. */
const LONGEST_HOLD_MS = 10

/**
 * Files are looked at one after the other and not in the thread pool, which for ten thousand small ones takes four times
 * as long (0.12 s of CPU instead of 0.03); others have their turn in between.
 */
export async function indexedRuns<Row extends IndexRow>(
  workspace: Workspace,
  kind: RunIndexKind<Row>,
  read: (id: string) => Promise<{ readonly manifest: Manifest } | null>,
): Promise<RunIndex<Row> & { readonly damaged: readonly string[] }> {
  const memory = kind.of(workspace)
  const path = join(cacheFolder(workspace), kind.file)
  const words = await loadVocabulary(workspace)
  const wordsLook = vocabularyFiles(workspace)
    .map(each => lookText(look(each)))
    .join()
  const kept = memory.index ?? readIndex<Row>(path, kind.members)
  const before = kept.words === wordsLook ? kept : emptyIndex<Row>(wordsLook)
  const rows: Row[] = []
  const looks: Looks = { modifiedMs: [], size: [], inode: [], live: [] }
  /** Where each row that was there before stands now. */
  const moved: number[] = []
  const fresh: number[] = []
  const damaged: string[] = []
  let nth = 0
  let heldSince = performance.now()
  // Put together here: for ten thousand runs, joining paths takes half as long as looking at the files.
  const folder = join(workspace.root, 'runs')
  for (const id of await runIds(workspace)) {
    if (performance.now() - heldSince > LONGEST_HOLD_MS) {
      await setImmediate()
      heldSince = performance.now()
    }
    const run = `${folder}${sep}${id}`
    try {
      const file = look(`${run}${sep}run.json`)
      if (file === undefined) continue
      while (nth < before.rows.length && before.rows[nth].id < id) nth += 1
      const isSame = before.rows[nth]?.id === id && isSameFile(file, before.looks, nth)
      // Looked at before it is read: what is added in between shows at the next listing.
      let live = isSame && before.looks.live[nth] === null ? null : lookText(look(livePath(run)))
      let row = isSame && before.looks.live[nth] === live ? before.rows[nth] : null
      if (row === null) {
        const manifest = (await read(id))?.manifest
        if (manifest === undefined) continue
        row = kind.rowOf(manifest, words)
        if (manifest.liveFolded === null) live = null
        fresh.push(rows.length)
      } else moved[nth] = rows.length
      rows.push(row)
      looks.modifiedMs.push(file.mtimeMs)
      looks.size.push(file.size)
      looks.inode.push(file.ino)
      looks.live.push(live)
    } catch (error) {
      if (!isFaultOfOneRun(error)) throw error
      damaged.push(`${run}${sep}run.json`)
    }
  }
  const isChanged = fresh.length > 0 || rows.length !== kept.rows.length
  // Those that were in order before stay so, and sorting takes what is in order as it is.
  const places = isChanged ? [...before.byName.flatMap(place => moved[place] ?? []), ...fresh] : before.byName
  const byName = isChanged ? places.toSorted((a, b) => compareNames(rows[a].name, rows[b].name) || a - b) : places
  const index = { words: wordsLook, rows, looks, byName }
  if (isChanged) await writeIndex(path, kind.members, index)
  memory.index = index
  return { ...index, damaged }
}

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

function look(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function lookText(file: Stats | undefined): string {
  return file === undefined ? '' : `${file.mtimeMs} ${file.size} ${file.ino}`
}

/** Two manifests in a row never share an inode, because the second is written while the first is there. */
function isSameFile({ mtimeMs, size, ino }: Stats, looks: Looks, nth: number): boolean {
  return looks.modifiedMs[nth] === mtimeMs && looks.size[nth] === size && looks.inode[nth] === ino
}

function emptyIndex<Row>(words: string): RunIndex<Row> {
  return { words, rows: [], looks: { modifiedMs: [], size: [], inode: [], live: [] }, byName: [] }
}

type Columns = { readonly [member: string]: readonly unknown[] | { readonly all: unknown } }

interface IndexFile {
  readonly path: string
  readonly form: string
  readonly words: string
  readonly count: number
  readonly rows: Columns
  readonly looks: Columns
  readonly byName: readonly number[]
}

/** What rows say and how that is found out: a file of an earlier klens holds others. */
const FORM = 'columns'

/** One that cannot be read is as good as none. */
function readIndex<Row>(path: string, members: readonly string[]): RunIndex<Row> {
  try {
    const { form, words, count, rows, looks, byName, ...file }: IndexFile = JSON.parse(readFileSync(path, 'utf8'))
    // One that came along with a copied project tells of files that lie elsewhere.
    if (form !== FORM || file.path !== path || byName.length !== count) return emptyIndex('')
    const columnOf = <Value>(columns: Columns, member: string): Value[] => {
      const column = columns[member]
      const values = 'all' in column ? new Array(count).fill(column.all) : [...column]
      if (values.length !== count) throw new RangeError('a column is cut')
      return values
    }
    const [modifiedMs, size, inode] = ['modifiedMs', 'size', 'inode'].map(each => columnOf<number>(looks, each))
    const live = columnOf<string | null>(looks, 'live')
    const columns = new Map(members.map(member => [member, columnOf(rows, member)]))
    return { words, rows: rowsOf(columns, count), looks: { modifiedMs, size, inode, live }, byName }
  } catch {
    return emptyIndex('')
  }
}

/** A row is a view of its columns: most questions look at few of them. */
function rowsOf<Row>(columns: ReadonlyMap<string, readonly unknown[]>, count: number): readonly Row[] {
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

async function writeIndex<Row>(path: string, members: readonly (keyof Row)[], index: RunIndex<Row>): Promise<void> {
  const { words, rows, looks, byName } = index
  const columns = members.map(member => [member, packed(rows.map(row => row[member]))] as const)
  const file = {
    ...{ path, form: FORM, words, count: rows.length, byName, rows: Object.fromEntries(columns) },
    looks: Object.fromEntries(Object.entries(looks).map(([member, values]) => [member, packed(values)])),
  } satisfies IndexFile
  writes += 1
  const beside = `${path}.${process.pid}.${writes}.tmp`
  try {
    // Only this folder: a workspace that was removed meanwhile is not begun anew by a cache.
    await mkdir(dirname(path)).catch(() => {})
    await writeFile(beside, JSON.stringify(file))
    await rename(beside, path)
  } catch {
    // A workspace that may only be read, or a full disk: the list is right all the same, only not cached.
    await rm(beside, { force: true }).catch(() => {})
  }
}

let writes = 0

/** A column in which all say the same is written once. */
function packed(column: readonly unknown[]): Columns[string] {
  const first = JSON.stringify(column[0])
  const isOne = column.length > 0 && column.every(value => value === column[0] || JSON.stringify(value) === first)
  return isOne ? { all: column[0] } : column
}
