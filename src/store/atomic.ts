import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Files that are either whole or not there: written beside, flushed to disk, renamed, the folder flushed too. */

export async function writeFileAtomically(path: string, content: string | readonly Uint8Array[]): Promise<void> {
  const beside = temporaryPath(path)
  try {
    const file = await open(beside, 'wx')
    try {
      if (typeof content === 'string') await file.writeFile(content)
      else await file.writev(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** For files that another writer (DuckDB) makes: it gets a path beside, and the result is flushed and renamed. */
export async function makeFileAtomically(path: string, make: (beside: string) => Promise<void>): Promise<void> {
  const beside = temporaryPath(path)
  try {
    await make(beside)
    await withFile(beside, file => file.sync())
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

let serial = 0

function temporaryPath(path: string): string {
  serial += 1
  return `${path}.${process.pid}.${serial}.tmp`
}

async function syncFolder(path: string): Promise<void> {
  await withFile(path, folder => folder.sync())
}

async function withFile(path: string, use: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'r')
  try {
    await use(file)
  } finally {
    await file.close()
  }
}
