import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { message } from '../../text/say.js'
import type { Message } from '../model/run.js'
import { isConfigFile } from './config/config-file.js'
import { sources } from './registry.js'
import { HEAD_BYTES, type SourceFile, TAIL_BYTES } from './source.js'

/**
 * Finds the files below some paths. Loops of links end, unreadable folders are reported, and the rest goes on.
 * Files are looked at one after the other and not in Node's thread pool, which takes several times as long; others have
 * their turn in between.
 */

/** So long may a walk keep the process from anything else it does. */
const LONGEST_HOLD_MS = 10

export interface Skipped {
  readonly path: string
  readonly reason: Message
}

const NEVER_ENTERED = new Set(['node_modules', '__pycache__', '.git', '.klens', '.venv', 'venv', 'site-packages'])
/** Hidden folders are left alone, but for those that trackers and hydra make. */
const HIDDEN_BUT_OURS = new Set(['.wandb', '.hydra'])
const NEVER_LOGS = new Set(
  (
    '.pt .pth .bin .safetensors .ckpt .gguf .onnx .pkl .npy .npz .h5 .png .jpg .jpeg .gif .svg .webp .pdf .mp4 .wav ' +
    '.zip .gz .tar .zst .xz .whl .so .o .a .py .pyc .ipynb .sh .ts .js .mjs .map .html .css .lock .parquet .arrow'
  ).split(' '),
)

const surroundings = sources.flatMap(source => source.surroundings ?? [])

function isNeverLog(path: string): boolean {
  if (!NEVER_LOGS.has(extname(path).toLowerCase()) || isConfigFile(path)) return false
  return !surroundings.some(({ mayBeLog }) => mayBeLog?.(path))
}

function isPartOfLog(path: string, head: Uint8Array): boolean {
  return surroundings.some(({ isPart }) => isPart?.(path, head))
}

/** Databases have it in common when they were last written. */
const WRITTEN = [...new Set(surroundings.flatMap(({ lastWritten }) => lastWritten ?? []))]

/** When a log was last written, of which this may be only one file. */
export async function lastWritten(path: string, head: Uint8Array, modifiedMs: number): Promise<number> {
  let last = modifiedMs
  for (const ask of WRITTEN) last = Math.max(last, (await ask(path, head)) ?? 0)
  return last
}

/** `enter` hears of each folder before its files are listed. */
export async function walk(
  paths: readonly string[],
  skip: (skipped: Skipped) => void,
  enter: (folder: string, modifiedMs: number) => void = () => {},
): Promise<SourceFile[]> {
  const seen = new Set<string>()
  const found: SourceFile[] = []
  let heldSince = Date.now()

  async function visit(path: string, asked: boolean): Promise<void> {
    if (Date.now() - heldSince > LONGEST_HOLD_MS) {
      await setImmediate()
      heldSince = Date.now()
    }
    try {
      const real = realpathSync.native(path)
      if (seen.has(real)) return
      seen.add(real)
      const about = statSync(real)
      if (about.isDirectory()) {
        enter(real, about.mtimeMs)
        return await visitFolder(real)
      }
      if (!about.isFile()) return asked ? skip({ path, reason: message('skip.not-a-file', {}) }) : undefined
      if (!asked && isNeverLog(real)) return
      const { size, head, tail } = readEnds(real)
      if (head.length === 0) return skip({ path: real, reason: message('skip.empty', {}) })
      if (!asked && isPartOfLog(real, head)) return
      const modifiedMs = await lastWritten(real, head, about.mtimeMs)
      found.push({ path: real, size, modifiedMs, createdMs: about.birthtimeMs, head, tail })
    } catch (error) {
      skip({ path, reason: fileProblem(error) })
    }
  }

  async function visitFolder(folder: string): Promise<void> {
    const entries = readdirSync(folder).sort()
    const parts = surroundings.map(around => around.parts?.(entries))
    for (const name of entries) {
      if (NEVER_ENTERED.has(name) || (name.startsWith('.') && !HIDDEN_BUT_OURS.has(name))) continue
      if (!parts.some(names => names?.has(name))) await visit(join(folder, name), false)
    }
  }

  for (const path of paths) await visit(path, true)
  return found
}

const NO_HEAD = new Uint8Array()

/** One folder's own files, without what lies below, except hydra's configs. */
export async function filesOf(folder: string, skip: (skipped: Skipped) => void): Promise<SourceFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const paths = entries
    .filter(entry => !entry.isDirectory())
    .map(entry => join(folder, entry.name))
    .filter(path => !isNeverLog(path) && !isPartOfLog(path, NO_HEAD))
  if (entries.some(entry => entry.isDirectory() && entry.name === '.hydra')) paths.push(join(folder, '.hydra'))
  return walk(paths.sort(), skip)
}

/** Why a file or folder could not be read, for people. */
export function fileProblem(error: unknown): Message {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'ENOENT':
      return message('skip.missing', {})
    case 'EACCES':
    case 'EPERM':
      return message('skip.forbidden', {})
    case 'ELOOP':
      return message('skip.loop', {})
    default:
      return message('skip.unreadable', { reason: code || String(error) })
  }
}

/** Files that describe a project rather than report on runs. */
export function isProjectPaper(path: string): boolean {
  return /^(readme|changelog|license|contributing|code_of_conduct|security|agents|claude)\b/i.test(basename(path))
}

interface Ends {
  readonly size: number
  readonly head: Uint8Array
  readonly tail: Uint8Array
}

/** A log may be emptied and begun again meanwhile: then size, head and tail would be of two files, and are read again. */
function readEnds(path: string): Ends {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const ends = endsOf(file, size)
    const isTorn = ends.head.length < Math.min(size, HEAD_BYTES) || ends.tail.length < Math.min(size, TAIL_BYTES)
    return isTorn ? endsOf(file, fstatSync(file).size) : ends
  } finally {
    closeSync(file)
  }
}

function endsOf(file: number, size: number): Ends {
  const head = readPart(file, 0, Math.min(size, HEAD_BYTES))
  const from = Math.max(0, size - TAIL_BYTES)
  if (size <= head.length) return { size, head, tail: head.subarray(from, size) }
  return { size, head, tail: readPart(file, from, size - from) }
}

function readPart(file: number, from: number, length: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, from))
}

/** What a file holds just before a place: from what was read of it, else from the disk. */
export function bytesBefore(file: SourceFile, end: number, length: number): Uint8Array {
  const from = Math.max(0, end - length)
  if (end <= file.head.length) return file.head.subarray(from, end)
  if (end === file.size && file.tail !== undefined && file.tail.length >= length) {
    return file.tail.subarray(file.tail.length - length)
  }
  const opened = openSync(file.path, 'r')
  try {
    return readPart(opened, from, end - from)
  } finally {
    closeSync(opened)
  }
}
