import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { Problem } from '../../model/problem.js'
import { writeFileAtomically } from '../../store/atomic.js'
import { withWeights } from '../../weights/open.js'
import { contentHash } from '../../weights/tensor.js'
import type { ResultCheckpoint } from '../status/results.js'
import { checkpointsOf } from './trial-folder.js'

/**
 * Which weights the figure of a program's trial belongs to: its last checkpoint, by content. Worked out once, when the
 * program has ended, for a checkpoint of a large model takes a while to read, and noted in the trial's folder.
 */
const schema = z.object({ name: z.string(), step: z.number(), contentHash: z.string() })

export async function noteLastCheckpoint(folder: string, pattern: string | null): Promise<void> {
  const last = (await checkpointsOf(folder, pattern)).at(-1)
  if (last === undefined) return
  const name = last.path.slice(folder.length + 1)
  const before = readNote(folder)
  if (before?.name === name) return
  const note = { name, step: last.step, contentHash: await hashOf(last.path) }
  await writeFileAtomically(notePath(folder), `${JSON.stringify(note)}\n`)
}

export function lastCheckpoint(folder: string): ResultCheckpoint | null {
  const note = readNote(folder)
  if (note === null) return null
  const { name, step, contentHash: hash } = note
  return { path: join(folder, name), step, contentHash: hash, settings: null, run: null }
}

/** One that a person names: the step is the last number in its name. */
export async function checkpointAt(path: string): Promise<{ path: string; step: number; contentHash: string }> {
  const [, step = '0'] = /(\d+)\D*$/.exec(basename(path)) ?? []
  return { path: resolve(path), step: Number(step), contentHash: await hashOf(path) }
}

function notePath(folder: string): string {
  return join(folder, 'checkpoint.json')
}

function readNote(folder: string): z.infer<typeof schema> | null {
  try {
    // Not awaited: the thread pool costs more than reading a small file of each of a thousand trials.
    return schema.parse(JSON.parse(readFileSync(notePath(folder), 'utf8')))
  } catch {
    return null
  }
}

/** Of the weights, where klens can read them; else of all bytes. */
async function hashOf(path: string): Promise<string> {
  try {
    return await withWeights(path, ({ tensors }) => contentHash(tensors))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return hashOfBytes(path)
  }
}

async function hashOfBytes(path: string): Promise<string> {
  const whole = createHash('sha256')
  for (const file of await filesIn(path)) {
    whole.update(`${file.slice(path.length)}\n`)
    for await (const piece of createReadStream(file)) whole.update(piece)
  }
  return whole.digest('hex')
}

async function filesIn(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
