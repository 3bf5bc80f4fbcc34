import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { z } from 'zod'
import { attempt, Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { type Checksum, checksumOf, checksumOfFile, sameChecksum } from './checksum.js'

/** Checksums of a run's data files, by their paths within its folder, and what a process knows of them. */
export type Checksums = ReadonlyMap<string, Checksum>

export const checksumsSchema = z
  .record(z.string(), z.object({ size: z.number(), hash: z.string() }))
  .default({})
  .transform(known => new Map(Object.entries(known)))

/** Files that are rewritten under their name before the manifest says so; all others are written once. */
export const REWRITTEN_TABLES: ReadonlySet<string> = new Set(['evals.parquet', 'samples.parquet'])

/** By a writer that is at work, or that was killed: until the next commit a table may be newer than the manifest. */
export function isHeld(folder: string): boolean {
  return attempt(() => readdirSync(folder), []).some(name => name.startsWith('lease.'))
}

/** Without those of tables that a killed writer left newer than the manifest. */
export async function withoutUncommitted(folder: string, checksums: Checksums): Promise<Checksums> {
  const kept = new Map(checksums)
  for (const name of REWRITTEN_TABLES) {
    const known = kept.get(name)
    if (known !== undefined && !sameChecksum(await checksumOfFile(join(folder, name)), known)) kept.delete(name)
  }
  return kept
}

/** To read more than this for the sake of one series would be noticed; `klens doctor` reads all of it. */
const MOST_BYTES = 128 << 20

/** What one process knows of the data files of a workspace, and which of them it has compared. */
export class KnownFiles {
  readonly #known = new Map<string, Checksum>()
  /** The look of a file when it was compared, or the comparison that is under way. */
  readonly #compared = new Map<string, { readonly stamp: string; readonly comparing: Promise<void> }>()
  /** What was read last, as long as its memory is not wanted for something else: one answer asks for a part several times. */
  readonly #read = new Map<string, { readonly stamp: string; readonly bytes: WeakRef<Buffer> }>()

  /** Is awaited before files are read: what is in memory only is written first. */
  beforeReading = async (): Promise<void> => {}

  /** Files that are in memory only, until they are written. */
  readonly unwritten = new Map<string, Buffer>()

  /** What a manifest says of the files in its folder. */
  note(folder: string, checksums: Checksums): void {
    for (const [name, checksum] of checksums) this.#known.set(join(folder, name), checksum)
  }

  /** A file that this process has just written. */
  noteWritten(path: string, checksum: Checksum): void {
    this.#known.set(path, checksum)
    this.#compared.set(path, { stamp: stampOf(path) ?? '', comparing: Promise.resolve() })
  }

  /** Before files are read: the problem `damaged` where one is not what was written. One that is missing is for DuckDB to say. */
  async expectAsWritten(paths: readonly string[]): Promise<void> {
    await this.beforeReading()
    for (const path of paths) await this.#expect(path, () => checksumOfFile(path))
  }

  /** A whole file as it was written; null where it is longer than that, or gone. */
  async bytesAsWritten(path: string, most: number): Promise<Buffer | null> {
    const unwritten = this.unwritten.get(path)
    if (unwritten !== undefined) return unwritten
    await this.beforeReading()
    const stamp = stampOf(path)
    const last = this.#read.get(path)
    const held = last !== undefined && last.stamp === stamp ? last.bytes.deref() : undefined
    const read = (): Buffer | null => (statSync(path).size > most ? null : readFileSync(path))
    const bytes = held ?? attempt(read, null)
    if (bytes === null || stamp === null) return null
    await this.#expect(path, async () => checksumOf(bytes))
    this.#read.set(path, { stamp, bytes: new WeakRef(bytes) })
    return bytes
  }

  async #expect(path: string, found: () => Promise<Checksum | null>): Promise<void> {
    const known = this.#known.get(path)
    const stamp = known === undefined || known.size > MOST_BYTES ? null : stampOf(path)
    if (known === undefined || stamp === null) return
    const last = this.#compared.get(path)
    const comparing = last?.stamp === stamp ? last.comparing : this.#compare(path, known, found)
    this.#compared.set(path, { stamp, comparing })
    await comparing.catch(error => {
      this.#compared.delete(path)
      throw error
    })
  }

  async #compare(path: string, known: Checksum, found: () => Promise<Checksum | null>): Promise<void> {
    if (sameChecksum(await found(), known)) return
    // Another process may have written the run since its manifest was read here.
    const folder = basename(dirname(dirname(path))) === 'runs' ? dirname(path) : dirname(dirname(path))
    const name = relative(folder, path).replaceAll(sep, '/')
    const now = committedChecksum(folder, name)
    if (now === null) {
      this.#known.delete(path)
    } else if (!sameChecksum(now, known)) {
      this.#known.set(path, now)
      await this.#compare(path, now, () => checksumOfFile(path))
    } else if (!(REWRITTEN_TABLES.has(name) && isHeld(folder))) {
      throw new Problem('damaged', message('skip.damaged', { path, run: basename(folder) }))
    }
  }
}

const committedSchema = z.looseObject({ checksums: checksumsSchema })

function committedChecksum(folder: string, name: string): Checksum | null {
  const committed = () => committedSchema.parse(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')))
  return attempt(committed, null)?.checksums.get(name) ?? null
}

function stampOf(path: string): string | null {
  const file = lstatSync(path, { throwIfNoEntry: false })
  return file === undefined ? null : `${file.mtimeMs} ${file.size} ${file.ino}`
}
