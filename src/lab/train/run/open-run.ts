import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { stepRange } from '../../../core/store/catalogue.js'
import { type Manifest, wholeConfig } from '../../../core/store/manifest.js'
import { readManifest } from '../../../core/store/manifest-file.js'
import { RunWriter } from '../../../core/store/run-writer.js'
import { runFolder, type Workspace } from '../../../core/store/workspace.js'
import { newId } from '../../../logs/model/id.js'
import type { Json } from '../../../logs/model/json.js'
import type { Lineage } from '../../../logs/model/lineage.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Config } from '../../../logs/model/run.js'
import { message } from '../../../text/say.js'
import { shortHash } from '../../../text/short-hash.js'
import { canonicalJson } from '../config/hash.js'
import { SOURCE, sameTrainings, startsAlike } from './lineage.js'
import type { Begin, Resumption, Trainable } from './trainable.js'

/** The run that a training is written into: a new one, or one that was begun before, held by this process alone. */
export interface OpenRun {
  readonly id: string
  readonly name: string
  readonly writer: RunWriter
  /** Where its checkpoints are. */
  readonly folder: string
  /** Null for a run in which no epoch was finished. */
  readonly point: Resumption | null
  readonly continued: boolean
  /** The last epoch whose metrics the store has already. */
  readonly storedEpoch: number
  readonly changes: readonly string[]
  /** Checkpoints that were passed over. */
  readonly damaged: readonly string[]
}

export async function openRun(
  workspace: Workspace,
  training: Trainable,
  begin: Begin,
  lineage: Lineage,
): Promise<OpenRun> {
  if (begin.kind === 'continue') {
    const known = await readManifest(workspace, begin.run)
    if (known === null || known.source !== SOURCE)
      throw new Problem('not-found', message('train.not-ours', { run: begin.run }))
    return continued(workspace, known, training, begin, lineage)
  }
  if (begin.kind === 'auto') {
    const interrupted = (await sameTrainings(workspace, lineage, training.name)).find(isInterrupted)
    const known = interrupted === undefined ? null : await readManifest(workspace, interrupted.id)
    if (known !== null) return continued(workspace, known, training, begin, lineage)
  }
  const id = newId()
  const name = training.name ?? `${training.task}-${id}`
  const writer = await RunWriter.open(workspace, { id, name, source: SOURCE }, 'train')
  const folder = await checkpointFolder(workspace, id)
  return { id, name, writer, folder, point: null, continued: false, storedEpoch: NOTHING, changes: [], damaged: [] }
}

/** Before the first step that a run can have, which is 0 for one that is evaluated before it learns. */
const NOTHING = -1

/** Stopped by Ctrl-C, by an error, or by a kill that let it say nothing. */
function isInterrupted({ status }: { readonly status: string }): boolean {
  return status !== 'finished'
}

async function continued(
  workspace: Workspace,
  known: Manifest,
  training: Trainable,
  begin: Begin,
  lineage: Lineage,
): Promise<OpenRun> {
  const { id, name, source } = known
  const writer = await RunWriter.open(workspace, { id, name, source }, 'train')
  try {
    const manifest = writer.state.manifest()
    const changes = allowedChanges(manifest, training, begin, lineage)
    const folder = await checkpointFolder(workspace, id)
    const storedEpoch = stepRange(manifest)?.[1] ?? NOTHING
    const { point, damaged } = await training.findResumption(folder, storedEpoch, id)
    if (point === null && damaged.length > 0) {
      throw new Problem('damaged', message('train.no-whole-checkpoint', { run: id, files: damaged.join(', ') }))
    }
    if (point === null && !startsAlike(manifest.lineage, lineage)) {
      throw new Problem('not-enough', message('train.nothing-kept', { run: id }))
    }
    const texts = [...changes, ...newerCode(manifest, lineage)].map(changeText)
    return {
      id,
      name: manifest.givenName ?? manifest.name,
      writer,
      folder,
      point,
      continued: true,
      // Under other settings the epochs after the checkpoint come out otherwise, and count instead of the old ones.
      storedEpoch: changes.length > 0 ? NOTHING : storedEpoch,
      changes: [...(point?.changes ?? []), ...texts.map(text => `${point?.step ?? 0}: ${text}`)],
      damaged,
    }
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

function allowedChanges(
  manifest: Manifest,
  { settings, defaults, fixed: fixedSettings }: Trainable,
  begin: Begin,
  lineage: Lineage,
): readonly Change[] {
  const { id: run, status } = manifest
  const { data: before = null } = manifest.lineage
  const { data: now = null } = lineage
  const changes: readonly Change[] = [
    ...changesBetween(wholeConfig(manifest), settings, defaults),
    ...(before === null || now === null || before === now
      ? []
      : [{ key: 'data', from: shortHash(before), to: shortHash(now) }]),
  ]
  if (changes.length === 0) {
    if (!isInterrupted({ status })) throw new Problem('bad-request', message('train.already-finished', { run }))
    return []
  }
  const list = changes.map(changeText).join(', ')
  if (begin.kind !== 'continue' || !begin.allowChanges)
    throw new Problem('bad-request', message('train.differs', { run, list }))
  const fixed = changes.filter(({ key }) => fixedSettings.includes(key))
  if (fixed.length > 0) {
    throw new Problem('bad-request', message('train.cannot-change', { run, list: fixed.map(changeText).join(', ') }))
  }
  return changes
}

/** Another version may compute otherwise: that is no reason to refuse, but to be known. */
function newerCode({ lineage: { code: before } }: Manifest, { code }: Lineage): readonly Change[] {
  return before === undefined || code === undefined || before === code ? [] : [{ key: 'klens', from: before, to: code }]
}

/** With what a killed process left half-written taken away. Only the process that holds the run may. */
async function checkpointFolder(workspace: Workspace, id: string): Promise<string> {
  const folder = join(runFolder(workspace, id), 'checkpoints')
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    if (/\.tmp(?:\.old)?$/.test(name)) await rm(join(folder, name), { recursive: true, force: true })
  }
  return folder
}

/** What a continued training would do otherwise than before. */
interface Change {
  readonly key: string
  readonly from: Json
  readonly to: Json
}

/** What the run is called does not change what it does. */
const NO_SETTING = new Set(['name'])

/** A run of an older version lacks the settings that came since: their defaults are what it did. */
function changesBetween(before: Config, now: Config, defaults: Config): readonly Change[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(key => !NO_SETTING.has(key))
  return keys.flatMap(key => {
    const [from, to] = [before[key] ?? defaults[key] ?? null, now[key] ?? null]
    return canonicalJson(from) === canonicalJson(to) ? [] : [{ key, from, to }]
  })
}

export function changeText({ key, from, to }: Change): string {
  return `${key} ${shown(from)} → ${shown(to)}`
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
