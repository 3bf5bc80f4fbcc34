import { basename, dirname } from 'node:path'
import { QueryError } from './duck.js'

/** What is wrong with a disk or a file on it, whether Node says so or DuckDB, which knows no codes, only sentences. */

/** Why something could not be written (or read: the same permission is missing). */
export interface WriteProblem {
  readonly kind: 'full' | 'forbidden' | 'no-folder'
  /** Null where the system does not tell. */
  readonly path: string | null
}

const CODES: { readonly [code: string]: WriteProblem['kind'] } = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EROFS: 'forbidden',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  ENOTDIR: 'no-folder',
}
const FULL = /No space left on device|Disk quota exceeded/
const FORBIDDEN = /Permission denied|Read-only file system|Operation not permitted/

export function writeProblem(error: unknown): WriteProblem | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') {
    if (!Object.hasOwn(CODES, error.code)) return null
    return { kind: CODES[error.code], path: 'path' in error ? String(error.path) : null }
  }
  const path = /"([^"]+)"/.exec(error.message)?.[1] ?? null
  if (FULL.test(error.message)) return { kind: 'full', path }
  return FORBIDDEN.test(error.message) ? { kind: 'forbidden', path } : null
}

/** A data file of the store that DuckDB stumbled over, and the run that it belongs to. */
export interface DamagedPart {
  readonly path: string
  readonly run: string
}

/** Out of memory, say, is no fault of the files. */
const FAULT_OF_A_FILE = /^(?:IO|Invalid|Invalid Input|Serialization|Conversion) Error/

export function damagedPart(error: unknown): DamagedPart | null {
  if (!(error instanceof QueryError) || !FAULT_OF_A_FILE.test(error.message)) return null
  const path = error.files.find(file => error.message.includes(file)) ?? error.files[0]
  if (path === undefined) return null
  const folder = dirname(path)
  return { path, run: basename(basename(folder) === 'points' ? dirname(folder) : folder) }
}

/** The store itself cannot be written: no run can be kept, so there is no use in trying the next. */
export class StoreUnwritable extends Error {
  readonly problem: WriteProblem

  constructor(problem: WriteProblem) {
    super(`${problem.path ?? 'the store'} cannot be written (${problem.kind})`)
    this.problem = problem
  }
}
