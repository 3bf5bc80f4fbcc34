import { createHash, hash } from 'node:crypto'
import { open } from 'node:fs/promises'

/**
 * Size and SHA-256 of each data file, kept in the manifest that lists it. DuckDB neither writes nor compares the checksums
 * that Parquet has for pages, and reads a flipped bit as another number. SHA-256 because a push names files by it too; it is
 * taken of the bytes as they are written, which adds 1 % to an import (docs/store.md).
 */
export interface Checksum {
  readonly size: number
  readonly hash: string
}

export function sameChecksum(found: Checksum | null, known: Checksum | undefined): boolean {
  return found?.size === known?.size && found?.hash === known?.hash
}

export function checksumOf(bytes: Uint8Array): Checksum {
  return { size: bytes.length, hash: hash('sha256', bytes) }
}

/** Null where there is no such file. `most`: of so many bytes at its beginning. */
export async function checksumOfFile(path: string, most = Number.POSITIVE_INFINITY): Promise<Checksum | null> {
  const file = await open(path, 'r').catch(() => null)
  if (file === null) return null
  try {
    const whole = createHash('sha256')
    // One piece of memory for all of it: a stream makes a new one for each, and takes a third longer.
    const buffer = Buffer.allocUnsafe(1 << 20)
    let size = 0
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, most - size), null)
      if (bytesRead === 0) return { size, hash: whole.digest('hex') }
      whole.update(buffer.subarray(0, bytesRead))
      size += bytesRead
    }
  } finally {
    await file.close()
  }
}
