import { closeSync, fsync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/**
 * Files that are either whole or not there: made beside their place (by DuckDB, say), flushed to disk, renamed, the folder
 * flushed too. `confirm` is asked at the last moment and throws when the file may not take its place.
 * Only what may take long waits in Node's thread pool, which costs more than most of these calls: flushes, and long files.
 */
export function makeFileAtomically(
  path: string,
  make: (beside: string) => Promise<void>,
  confirm?: () => Promise<void>,
): Promise<void> {
  return makeFilesAtomically(new Map([[path, make]]), confirm)
}

export function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  confirm?: () => Promise<void>,
): Promise<void> {
  return makeFileAtomically(path, beside => writeNew(beside, content), confirm)
}

/** Several, each whole or not there, which are flushed together. */
export function writeFilesAtomically(
  files: ReadonlyMap<string, { readonly bytes: Uint8Array }>,
  confirm?: () => Promise<void>,
): Promise<void> {
  const makers = Array.from(files, ([path, { bytes }]) => {
    return [path, (beside: string) => writeNew(beside, bytes)] as const
  })
  return makeFilesAtomically(new Map(makers), confirm)
}

async function makeFilesAtomically(
  makers: ReadonlyMap<string, (beside: string) => Promise<void>>,
  confirm: () => Promise<void> = async () => {},
): Promise<void> {
  const files = Array.from(makers, ([path, make]) => ({ path, make, beside: temporaryPath(path) }))
  try {
    for (const { make, beside } of files) await make(beside)
    await Promise.all(files.map(({ beside }) => flush(beside)))
    await confirm()
    for (const { path, beside } of files) renameSync(beside, path)
  } catch (error) {
    for (const { beside } of files) rmSync(beside, { force: true })
    throw error
  }
  await Promise.all(Array.from(new Set(files.map(({ path }) => dirname(path))), flush))
}

const LONG_BYTES = 1 << 20

async function writeNew(path: string, content: string | Uint8Array): Promise<void> {
  if (content.length < LONG_BYTES) writeFileSync(path, content, { flag: 'wx' })
  else await writeFile(path, content, { flag: 'wx' })
}

let serial = 0

function temporaryPath(path: string): string {
  serial += 1
  return `${path}.${process.pid}.${serial}.tmp`
}

const flushed = promisify(fsync)

async function flush(path: string): Promise<void> {
  const file = openSync(path, 'r')
  try {
    await flushed(file)
  } finally {
    closeSync(file)
  }
}
