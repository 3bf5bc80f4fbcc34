import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Files that are either whole or not there: made beside their place (by DuckDB, say), flushed to disk, renamed, the folder
 * flushed too. `confirm` is asked at the last moment and throws when the file may not take its place.
 */
export async function makeFileAtomically(
  path: string,
  make: (beside: string) => Promise<void>,
  confirm: () => Promise<void> = async () => {},
): Promise<void> {
  const beside = temporaryPath(path)
  try {
    await make(beside)
    await withFile(beside, file => file.sync())
    await confirm()
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  await withFile(dirname(path), folder => folder.sync())
}

export function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  confirm?: () => Promise<void>,
): Promise<void> {
  return makeFileAtomically(path, beside => writeFile(beside, content, { flag: 'wx' }), confirm)
}

let serial = 0

function temporaryPath(path: string): string {
  serial += 1
  return `${path}.${process.pid}.${serial}.tmp`
}

async function withFile(path: string, use: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'r')
  try {
    await use(file)
  } finally {
    await file.close()
  }
}
