import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Logs made up for measuring. They are kept under bench/.data and made only once. */

/** The compiled benchmark lies in dist-bench/bench. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')
export const DATA = join(ROOT, 'bench', '.data')

/** A stretch of a log, and what a reader must find in it. */
export interface Piece {
  readonly bytes: Uint8Array
  readonly steps: number
  readonly points: number
}

export interface Counts {
  readonly bytes: number
  readonly steps: number
  readonly points: number
}

/** How much is wanted. */
export interface Amount {
  readonly of: keyof Counts
  readonly count: number
}

/** Yields a log from its beginning to its end; the end is due as soon as there is enough. */
export type LogMaker = (isEnough: () => boolean) => Iterable<Piece>

export interface GeneratedLog {
  readonly path: string
  readonly folder: string
  readonly counts: Counts
}

export interface LogShape {
  readonly format: string
  readonly fileName: string
  readonly make: LogMaker
}

/** Each log lies in a folder of its own: klens takes what lies beside a log as part of the run. */
export function generate({ format, fileName, make }: LogShape, { of, count }: Amount): GeneratedLog {
  const folder = join(DATA, `${format}-${count}-${of}`)
  const path = join(folder, fileName)
  const notes = join(DATA, `${format}-${count}-${of}.json`)
  if (existsSync(notes) && existsSync(path)) return { path, folder, counts: JSON.parse(readFileSync(notes, 'utf8')) }
  mkdirSync(folder, { recursive: true })
  const counts = { bytes: 0, steps: 0, points: 0 }
  const file = openSync(path, 'w')
  for (const { bytes, steps, points } of make(() => counts[of] >= count)) {
    writeSync(file, bytes)
    counts.bytes += bytes.length
    counts.steps += steps
    counts.points += points
  }
  closeSync(file)
  writeFileSync(notes, JSON.stringify(counts))
  return { path, folder, counts }
}

export function discard({ folder }: GeneratedLog): void {
  rmSync(folder, { recursive: true, force: true })
  rmSync(`${folder}.json`, { force: true })
}
