import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { appendFile, mkdir, readdir, readFile, realpath, stat, truncate } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import { withWeights } from '../../weights/open.js'
import { contentHash } from '../../weights/tensor.js'
import type { LogPiece } from '../executor/executor.js'
import { studyFolder } from '../ledger.js'
import type { TrialCheckpoint } from '../trial.js'
import { type ANY_SEED, plainName } from './command.js'
import { isWithin } from './resolve.js'

/** Where a trial puts what it makes: `.klens/studies/NAME/trials/ARM-seedN-HASH`, and nothing klens reads of it lies elsewhere. */

const say = sentences({
  'study.trial.leads-out': {
    en: '{path} is a link that leads out of {folder}; klens does not read or write there',
    zh: '{path} 是指向 {folder} 之外的链接；klens 不在那里读写',
  },
})

interface TrialPlace {
  readonly arm: string
  readonly seed: number | typeof ANY_SEED
  /** Null where all seeds are meant. */
  readonly id: string | null
}

export function trialFolder(workspace: Workspace, study: string, { arm, seed, id }: TrialPlace): string {
  const name = `${plainName(arm)}-seed${seed}${id === null ? '' : `-${id.slice(0, 8)}`}`
  return join(studyFolder(workspace, study), 'trials', name)
}

/** Made, where it is not there; a problem where a link in its path leads out of the workspace. */
export async function makeTrialFolder(workspace: Workspace, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const [root, real] = await Promise.all([realpath(workspace.root), realpath(folder)])
  if (!isWithin(root, real))
    throw new Problem('bad-request', say('study.trial.leads-out', { path: folder, folder: root }))
}

/** What a pattern of the study file matches in a trial's folder, by name; `*` stands for anything but a slash. */
export async function matchesIn(folder: string, pattern: string): Promise<readonly string[]> {
  const home = await realpath(folder).catch(() => null)
  if (home === null) return []
  let found = [folder]
  for (const part of pattern.split('/').filter(each => each !== '' && each !== '.')) {
    const next: string[] = []
    for (const place of found) next.push(...(await namesLike(place, part)).map(name => join(place, name)))
    found = next
  }
  const real = await Promise.all(found.map(path => realpath(path).catch(() => null)))
  for (const [i, path] of real.entries()) {
    if (path !== null && !isWithin(home, path)) {
      throw new Problem('bad-request', say('study.trial.leads-out', { path: found[i], folder }))
    }
  }
  return found.filter((_, i) => real[i] !== null)
}

async function namesLike(folder: string, part: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [])
  const like = new RegExp(`^${part.split('*').map(escaped).join('.*')}$`, 's')
  return names.filter(name => like.test(name)).sort()
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

interface FoundCheckpoint {
  readonly path: string
  readonly step: number
}

/** Where checkpoints are kept that a framework may delete (keep-checkpoints.ts), under their own names. */
export const KEPT_FOLDER = 'kept'

/** In the order of the last number in their names; of what the framework has deleted, what was kept. */
export async function checkpointsOf(folder: string, pattern: string | null): Promise<readonly FoundCheckpoint[]> {
  if (pattern === null) return []
  const kept = join(folder, KEPT_FOLDER)
  const own = await matchesIn(folder, pattern)
  const there = new Set(own.map(path => path.slice(folder.length)))
  const others = (await matchesIn(kept, pattern)).filter(path => !there.has(path.slice(kept.length)))
  const found = [...own, ...others].flatMap((path): FoundCheckpoint[] => {
    const [, step] = /(\d+)\D*$/.exec(path.slice(folder.length)) ?? []
    return step === undefined || path.endsWith('.part') ? [] : [{ path, step: Number(step) }]
  })
  return found.toSorted((a, b) => a.step - b.step)
}

/**
 * What a trial prints, as one file in its folder, all attempts one after the other. Where an attempt begins is written
 * down first: whoever goes on after a kill throws away what it has of that attempt and asks for all of it again, so that
 * no line is lost and none stands twice.
 */
interface TrialConsole {
  /** Takes in what is new; false where there is nothing. */
  pull(): Promise<boolean>
}

export const CONSOLE = 'console.log'

const consoleSchema = z.object({ handle: z.string(), from: z.number() })

export async function openConsole(
  folder: string,
  handle: string,
  log: (from: number) => Promise<LogPiece>,
): Promise<TrialConsole> {
  const path = join(folder, CONSOLE)
  const note = join(folder, 'console.json')
  const before = await readConsoleNote(note)
  if (before?.handle === handle) await truncate(path, before.from).catch(() => {})
  else {
    const from = (await stat(path).catch(() => null))?.size ?? 0
    await writeFileAtomically(note, `${JSON.stringify({ handle, from })}\n`)
  }
  let next = 0
  return {
    async pull() {
      const piece = await log(next)
      next = piece.next
      if (piece.text === '') return false
      await appendFile(path, piece.text)
      return true
    },
  }
}

async function readConsoleNote(path: string): Promise<z.infer<typeof consoleSchema> | null> {
  try {
    return consoleSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

/**
 * Which weights the figure of a program's trial belongs to: its last checkpoint, by content. Worked out once, when the
 * program has ended, for a checkpoint of a large model takes a while to read, and noted in the trial's folder.
 */
const checkpointSchema = z.object({ name: z.string(), step: z.number(), contentHash: z.string() })

export async function noteLastCheckpoint(folder: string, pattern: string | null): Promise<void> {
  const last = (await checkpointsOf(folder, pattern)).at(-1)
  if (last === undefined) return
  const name = last.path.slice(folder.length + 1)
  const before = readNote(folder)
  if (before?.name === name) return
  const note = { name, step: last.step, contentHash: await hashOf(last.path) }
  await writeFileAtomically(notePath(folder), `${JSON.stringify(note)}\n`)
}

/**
 * All of them, by content. A large one takes a while to read, so each is read once for as long as its files stay as they
 * are; one that is being written, or is gone by now, is left out.
 */
export async function allCheckpoints(folder: string, pattern: string | null): Promise<readonly TrialCheckpoint[]> {
  const path = join(folder, 'checkpoints.json')
  const known = await readHashes(path)
  const hashes: { [name: string]: z.infer<typeof hashesSchema>[string] } = {}
  const found: TrialCheckpoint[] = []
  for (const { path: checkpoint, step } of await checkpointsOf(folder, pattern)) {
    const name = checkpoint.slice(folder.length + 1)
    try {
      const stamp = await stampOf(checkpoint)
      const before = known[name]
      const hash = before?.stamp === stamp ? before.contentHash : await hashOf(checkpoint)
      hashes[name] = { stamp, contentHash: hash }
      found.push({ path: checkpoint, step, contentHash: hash, settings: null, run: null })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  if (JSON.stringify(hashes) !== JSON.stringify(known)) {
    // A workspace that may only be read: the answer is right all the same.
    await writeFileAtomically(path, `${JSON.stringify(hashes)}\n`).catch(() => {})
  }
  return found
}

const hashesSchema = z.record(z.string(), z.object({ stamp: z.string(), contentHash: z.string() }))

async function readHashes(path: string): Promise<z.infer<typeof hashesSchema>> {
  try {
    return hashesSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return {}
  }
}

/** Changes with any of its files. */
export async function stampOf(path: string): Promise<string> {
  const stats = await Promise.all((await filesIn(path)).map(file => stat(file)))
  return stats.map(({ size, mtimeMs }) => `${size}:${mtimeMs}`).join(' ')
}

export function lastCheckpoint(folder: string): TrialCheckpoint | null {
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

function readNote(folder: string): z.infer<typeof checkpointSchema> | null {
  try {
    // Not awaited: the thread pool costs more than reading a small file of each of a thousand trials.
    return checkpointSchema.parse(JSON.parse(readFileSync(notePath(folder), 'utf8')))
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

export async function filesIn(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}
