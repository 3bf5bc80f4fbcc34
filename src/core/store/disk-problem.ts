import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { QueryError } from './duck.js'
import { WORKSPACE_FOLDER } from './workspace.js'

/**
 * What is wrong with a disk or a file on it, whether Node says so or DuckDB, which knows no codes, only sentences. Such
 * errors can come out of any module; the one that speaks with a person, or has to decide whether to go on, asks here.
 */

/** The problem behind anything that was thrown; null where it is a defect of klens. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error
  const fault = diskFault(error)
  return fault === null ? damageOf(error) : unwritable(fault.kind, fault.path ?? WORKSPACE_FOLDER, error)
}

/** Why no run can be kept in this workspace, so that there is no use in trying the next; null for anything less. */
export function storeProblem(error: unknown, root: string): Problem | null {
  const fault = diskFault(error)
  if (fault === null || (fault.kind !== 'full' && fault.path?.startsWith(root) !== true)) return null
  return unwritable(fault.kind, root, error)
}

/**
 * A data file of the store that DuckDB stumbled over. Where it names none, it is one of those that it was given; where it
 * names another, such as the file to be written, the fault lies there. Out of memory, say, is no fault of a file.
 */
export function damageOf(error: unknown): Problem | null {
  if (!(error instanceof QueryError) || !FAULT_OF_A_FILE.test(error.message) || EXHAUSTED.test(error.message))
    return null
  const named = error.files.find(file => error.message.includes(file))
  if (named === undefined && ANY_PATH.test(error.message)) return null
  const path = named ?? error.files[0]
  if (path === undefined) return null
  const folder = dirname(path)
  const run = basename(DATA_FOLDERS.has(basename(folder)) ? dirname(folder) : folder)
  return new Problem('damaged', message('skip.damaged', { path, run }), { cause: error })
}

const FAULT_OF_A_FILE = /^(?:IO|Invalid|Invalid Input|Serialization|Conversion) Error/
const EXHAUSTED = /Too many open files|Cannot allocate memory/
const ANY_PATH = /["'](?:\/|[A-Za-z]:\\)[^"']+["']/
const DATA_FOLDERS = new Set(['points', 'texts'])

/** A file of the store that the system does not give. */
export function unreadable(path: string, cause: unknown): Problem {
  const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
  return new Problem('damaged', say('run.unreadable', { path, reason }), { cause })
}

/** A manifest that lies in the folder of another run: by a mistake, or to have that removed. */
export function foreign(path: string, id: string): Problem {
  return new Problem('damaged', say('run.foreign', { path, id: id.slice(0, 80) }))
}

/** A manifest that is not damaged, only not for this klens: whoever cannot read it must leave it as it is. */
export function newer(path: string, format: number): Problem {
  return new Problem('unreadable', say('run.newer', { path, format }))
}

const say = sentences({
  'run.newer': {
    en: '{path} was made by a newer klens (format {format}); update klens to read the run, which is left as it is',
    zh: '{path} 由更新版本的 klens 写入（格式 {format}）；请升级 klens 后再读取，该 run 保持原样',
  },
  'run.unreadable': { en: '{path} cannot be read ({reason})', zh: '无法读取 {path}（{reason}）' },
  'run.foreign': {
    en: '{path} claims to be run {id}, which belongs in another folder; it was copied or edited',
    zh: '{path} 声称自己是 run {id}，但那属于另一个文件夹；该文件被复制或改动过',
  },
})

/** Why something could not be written (or read: the same permission is missing). */
interface DiskFault {
  readonly kind: 'full' | 'forbidden' | 'no-folder' | 'long-name'
  /** Null where the system does not tell. */
  readonly path: string | null
}

const CODES: { readonly [code: string]: DiskFault['kind'] } = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'forbidden',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  ENOTDIR: 'no-folder',
  ENAMETOOLONG: 'long-name',
}
const FULL = /No space left on device|Disk quota exceeded/
/** A file that was to be made, which is beside its place until it is whole. */
const NOWHERE = /Cannot open file "[^"]+\.tmp": No such file or directory/
const FORBIDDEN = /Permission denied|Read-only file system|Operation not permitted/

function diskFault(error: unknown): DiskFault | null {
  if (!(error instanceof Error) || error instanceof Problem) return null
  if ('code' in error && typeof error.code === 'string') {
    // A place that holds nothing new, such as /proc, says that there is no such folder.
    if (error.code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir') {
      return { kind: 'forbidden', path: 'path' in error ? String(error.path) : null }
    }
    if (!Object.hasOwn(CODES, error.code)) return null
    const [kind, path] = [CODES[error.code], 'path' in error ? String(error.path) : null]
    return { kind, path: kind === 'no-folder' && path !== null ? fileInTheWay(path) : path }
  }
  const path = /"([^"]+)"/.exec(error.message)?.[1] ?? null
  if (FULL.test(error.message)) return { kind: 'full', path }
  return FORBIDDEN.test(error.message) || NOWHERE.test(error.message) ? { kind: 'forbidden', path } : null
}

export function isDiskFull(error: unknown): boolean {
  return diskFault(error)?.kind === 'full'
}

/** The file that stands where a folder on the way to this path should be. */
function fileInTheWay(path: string): string {
  let at = path
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
  return at
}

function unwritable(kind: DiskFault['kind'], path: string, cause: unknown): Problem {
  return new Problem('unwritable', message(`cli.disk-${kind}`, { path }), { cause })
}
