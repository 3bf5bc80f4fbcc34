import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { isJsonObject, type Json } from '../../logs/model/json.js'
import { liesWithin } from '../../logs/model/util/lies-within.js'
import { decodeText } from '../../logs/sources/encoding.js'
import { parquetColumns, readParquet } from '../../logs/sources/parquet/parquet.js'
import { parsePythonJson } from '../../logs/sources/python-json.js'
import { UNKNOWN } from './shell/values.js'

/** What the data files of a launch hold: how many rows, and which questions of the validation stand in the training set. */

export interface LaunchData {
  readonly train: DataFiles | null
  readonly validation: DataFiles | null
  /** Validation rows whose text is also trained on; null where one of the two cannot be read. */
  readonly shared: number | null
  /** Files that are not where the launch says, and were taken from beside it. */
  readonly moved: readonly string[]
}

export interface DataFiles {
  readonly rows: number
  /** The source that most rows name, such as `openai/gsm8k`. */
  readonly source: string | null
}

interface ReadFiles extends DataFiles {
  /** A short hash of each row's texts; null where there are too many to read. */
  readonly texts: readonly (readonly string[])[] | null
}

export interface DataFolders {
  /** Where relative paths may start. */
  readonly from: readonly string[]
  /** Where the launch itself lies. */
  readonly beside: readonly string[]
  /** Only files of this folder are opened. */
  readonly within?: string | null | undefined
}

/** Files as a setting names them: one path, or a list. Null where one of them is not there or cannot be read. */
export async function readLaunchData(
  train: Json | undefined,
  validation: Json | undefined,
  folders: DataFolders,
): Promise<LaunchData> {
  const moved: string[] = []
  const trained = await readFiles(train, folders, moved)
  const validated = await readFiles(validation, folders, moved)
  const known = trained?.texts ? new Set(trained.texts.flat()) : null
  const shared =
    known === null ? null : (validated?.texts?.filter(texts => texts.some(text => known.has(text))).length ?? null)
  return { train: trained, validation: validated, shared, moved }
}

async function readFiles(named: Json | undefined, folders: DataFolders, moved: string[]): Promise<ReadFiles | null> {
  const paths = (Array.isArray(named) ? named : [named]).filter(path => typeof path === 'string')
  if (paths.length === 0) return null
  const read: ReadFiles[] = []
  for (const path of paths) {
    const file = await readOne(path, folders, moved)
    if (file === null) return null
    read.push(file)
  }
  return {
    rows: read.reduce((sum, { rows }) => sum + rows, 0),
    source: read[0]?.source ?? null,
    texts: read.some(({ texts }) => texts === null) ? null : read.flatMap(({ texts }) => texts ?? []),
  }
}

async function readOne(path: string, folders: DataFolders, moved: string[]): Promise<ReadFiles | null> {
  const places = path.includes(UNKNOWN)
    ? []
    : isAbsolute(path)
      ? [path]
      : folders.from.map(folder => resolve(folder, path))
  const found = (await firstFile(places, folders)) ?? (await firstFile(besideLaunch(path, folders.beside), folders))
  if (found === null) return null
  if (!places.includes(found)) moved.push(found)
  return /\.jsonl?$/i.test(found) ? readJson(found) : readRows(found)
}

/** A launch is often read on another machine than it was written for, with the data beside it: the end of the path. */
export function besideLaunch(path: string, folders: readonly string[]): readonly string[] {
  const known = path.slice(path.lastIndexOf(UNKNOWN) + 1)
  const parts = known.split('/').filter(part => part !== '' && part !== '.' && part !== '..')
  return parts.flatMap((_, from) => folders.map(folder => join(folder, ...parts.slice(from))))
}

async function firstFile(places: readonly string[], { within }: DataFolders): Promise<string | null> {
  for (const place of places) {
    const found = await stat(place).catch(() => null)
    if (found?.isFile() === true && (await liesWithin(within, place))) return place
  }
  return null
}

const LARGEST_JSON = 256 << 20

async function readJson(path: string): Promise<ReadFiles | null> {
  if ((await stat(path)).size > LARGEST_JSON) return null
  const text = decodeText(await readFile(path))
  const whole = /^\s*\[/.test(text) ? parsePythonJson(text) : undefined
  const rows = Array.isArray(whole)
    ? whole
    : text.split('\n').flatMap(line => (line.trim() === '' ? [] : (parsePythonJson(line) ?? [])))
  const objects = rows.filter(isJsonObject)
  return objects.length === 0 ? null : factsOf(objects)
}

/** Columns in which a question stands, in the files that people train on. */
const COLUMNS = ['data_source', 'prompt', 'question', 'problem', 'messages', 'reward_model']
/** Of a larger file, or more rows, the number is known, not the texts. */
const LARGEST_TO_READ = 512 << 20
const MOST_ROWS = 500_000

async function readRows(path: string): Promise<ReadFiles | null> {
  const all = await parquetColumns(path)
  if (all === null) return null
  const isLarge = (await stat(path)).size > LARGEST_TO_READ
  const wanted = all.filter(({ name }) => COLUMNS.includes(name) && (!isLarge || name === 'data_source'))
  const columns = wanted.length > 0 ? wanted : all.slice(0, 1)
  const rows: { readonly [name: string]: Json }[] = []
  let count = 0
  try {
    for await (const batch of readParquet(path, { columns, onTooLarge: () => {}, onCut: () => {} })) {
      count += batch.length
      if (count > MOST_ROWS) continue
      for (const row of batch) rows.push(Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])))
    }
  } catch {
    return null
  }
  return { ...factsOf(rows), rows: count, ...((isLarge || count > MOST_ROWS) && { texts: null }) }
}

function factsOf(rows: readonly { readonly [name: string]: Json }[]): ReadFiles {
  const [first] = rows
  const source = typeof first?.data_source === 'string' ? first.data_source : null
  return { rows: rows.length, source, texts: rows.map(row => textsOf(row).map(shortHash)) }
}

/** What is asked, apart from instructions that all rows share: the user's words, and the task where it stands by itself. */
function textsOf(row: { readonly [name: string]: Json }): readonly string[] {
  const messages = [row.prompt, row.messages].filter(Array.isArray).flat().filter(isJsonObject)
  const said = messages.findLast(({ role }) => role === 'user')?.content
  const task = isJsonObject(row.reward_model) ? row.reward_model.task : undefined
  const plain = [row.question, row.problem, typeof row.prompt === 'string' ? row.prompt : undefined]
  return [['said', said], ['task', task], ...plain.map(text => ['plain', text])].flatMap(([kind, text]) =>
    typeof text === 'string' && text.trim() !== '' ? [`${String(kind)}:${text.trim().toLowerCase()}`] : [],
  )
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 16)
}

/** `~` and `$HOME` stand for one folder, which who asks knows. */
export function atHome(value: Json | undefined, home: string | null): Json | undefined {
  if (Array.isArray(value)) return value.map(each => atHome(each, home) ?? null)
  if (typeof value !== 'string' || home === null || !value.startsWith('~/')) return value
  return join(home, value.slice(2))
}
