import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { type EvaluatedMetric, evaluatedName } from '../../logs/model/evaluation.js'
import { encodeJson, isJsonObject, type Json } from '../../logs/model/json.js'
import type { Lineage } from '../../logs/model/lineage.js'
import { Problem } from '../../logs/model/problem.js'
import type { Config, RunAbout } from '../../logs/model/run.js'
import { storedMessage } from '../../logs/model/stored-message.js'
import { message } from '../../text/say.js'
import { writeFileAtomically } from './atomic.js'
import { checksumsSchema } from './checksums.js'
import { foreign, newer, unreadable } from './disk-problem.js'
import type { FileRecord, Held, Manifest, MetricRecord } from './manifest.js'
import { keepUnkept } from './unkept.js'
import { perWorkspace, runFolder, type Workspace } from './workspace.js'

/**
 * run.json on disk, the commit point of a run. The paths of logs that lie beside the store are noted from there, so that a
 * project can be moved or copied together with it.
 */

export function manifestPath(workspace: Workspace, id: string): string {
  return join(runFolder(workspace, id), 'run.json')
}

/** The run's manifest, or null where there is none. One that cannot be read is a problem that names the file. */
export async function readManifest(workspace: Workspace, id: string): Promise<Manifest | null> {
  await keepUnkept(workspace)
  return readKeptManifest(workspace, id)
}

/** The same without runs that are in memory only: for those that keep them, and for imports, which know of them. */
export function readKeptManifest(workspace: Workspace, id: string): Manifest | null {
  // Ids come from strangers' files too: a checkpoint tells which run wrote it.
  if (id !== basename(id) || id === '..') return null
  const path = manifestPath(workspace, id)
  let text: string
  try {
    // Not awaited: for ten thousand small files the thread pool costs four times as much as the reading.
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw unreadable(path, error)
  }
  const manifest = parseManifest(text, path)
  if (manifest.id !== id) throw foreign(path, manifest.id)
  workspace.duck.files.note(runFolder(workspace, id), manifest.checksums)
  return withPaths(manifest, each => resolve(projectOf(workspace), each))
}

/** A project may be moved or copied together with its store: what lies inside is noted from there. */
function noted(workspace: Workspace, path: string): string {
  const inside = relative(projectOf(workspace), path)
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside
}

function withPaths(manifest: Manifest, spell: (path: string) => string): Manifest {
  const respell = ({ path, ...file }: FileRecord): FileRecord => ({ ...file, path: spell(path) })
  const { files, earlier } = manifest
  return {
    ...manifest,
    files: files.map(respell),
    earlier: earlier === null ? null : { ...earlier, files: earlier.files.map(respell) },
  }
}

const projects = perWorkspace((): { real: string | null } => ({ real: null }))

/** The folder that `.klens` lies in, by its real name, as logs are found by theirs. */
function projectOf(workspace: Workspace): string {
  const known = projects(workspace)
  const folder = dirname(workspace.root)
  try {
    known.real ??= realpathSync(folder)
  } catch {
    // Nothing has been written yet.
  }
  return known.real ?? folder
}

/** `confirm` is asked before it takes its place. */
export async function writeManifest(
  workspace: Workspace,
  manifest: Manifest,
  confirm?: () => Promise<void>,
): Promise<void> {
  const written = withPaths(manifest, path => noted(workspace, path))
  await writeFileAtomically(manifestPath(workspace, manifest.id), manifestText(written), confirm)
}

/** A manifest as text, in this format and in the one that klens 0.1 wrote. */

export function parseManifest(text: string, path: string): Manifest {
  try {
    const parsed: unknown = JSON.parse(text)
    const { success: isNewer, data } = newerSchema.safeParse(parsed)
    if (isNewer) throw newer(path, data.format)
    return manifestSchema.parse(parsed)
  } catch (cause) {
    if (cause instanceof Problem) throw cause
    throw new Problem('damaged', message('run.damaged', { path }), { cause })
  }
}

function manifestText(manifest: Manifest): string {
  const earlier = manifest.earlier === null ? null : plain(manifest.earlier)
  return `${encodeJson({ ...plain(manifest), earlier })}\n`
}

function plain(held: Held): object {
  const evaluated = held.evaluated === null ? null : [...held.evaluated.values()]
  const [metrics, checksums] = [Object.fromEntries(held.metrics), Object.fromEntries(held.checksums)]
  return { ...held, metrics, evaluated, checksums }
}

const number = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)])
const json = z.custom<Json>()
/** Own members only, so that a key such as `__proto__` stays a key. */
const config = z.custom<Config>(isJsonObject)

/** By hand: a run has a hundred of these, and a schema of 23 members takes a tenth of a millisecond for each. */
function metricRecord(record: unknown): MetricRecord {
  if (!isJsonObject(record)) throw new TypeError('the record of a metric is an object')
  return {
    n: numeral(record.n),
    first: numeral(record.first),
    last: numeral(record.last),
    firstStep: numeral(record.firstStep),
    lastStep: numeral(record.lastStep),
    min: numeral(record.min),
    minStep: numeral(record.minStep),
    max: numeral(record.max),
    maxStep: numeral(record.maxStep),
    sum: numeral(record.sum),
    finite: numeral(record.finite),
    stored: numeral(record.stored),
    nan: numeral(record.nan),
    infinite: numeral(record.infinite),
    estimated: numeral(record.estimated),
    missing: numeral(record.missing),
    repeated: numeral(record.repeated),
    float32: flag(record.float32),
    float32Evidence: flag(record.float32Evidence),
    axis: record.axis === null ? null : text(record.axis),
    stale: flag(record.stale),
    segment: numeral(record.segment),
    latestStep: numeral(record.latestStep),
  }
}

function numeral(value: unknown): number {
  const number = typeof value === 'string' && WORDS.has(value) ? Number(value) : value
  if (typeof number !== 'number') throw new TypeError(`${value} is no number`)
  return number
}

const WORDS: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity'])

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError(`${value} is neither true nor false`)
  return value
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError(`${value} is no text`)
  return value
}

const fileRecord = z.object({
  path: z.string(),
  source: z.string(),
  role: z.enum(['log', 'table', 'config', 'witness']),
  size: number,
  modifiedMs: number,
  headBytes: number,
  headHash: z.string(),
  tailHash: z.string().nullable().default(null),
  complete: z.boolean(),
  cursor: json,
  unreadBytes: number,
  warnings: z.array(storedMessage),
})

const status = z.enum(['running', 'finished', 'failed', 'killed', 'unknown'])

const checkpoint = z.object({
  contentHash: z.string(),
  path: z.string().nullable(),
  step: z.number().nullable(),
  run: z.string().nullable(),
})

const lineage = z.object({
  parent: checkpoint.nullable().optional(),
  reference: checkpoint.optional(),
  data: z.string().optional(),
  settings: z.string().optional(),
  code: z.string().optional(),
})

const evaluatedMetric = z.object({
  metric: z.string(),
  condition: z.object({
    dataset: z.string().optional(),
    shots: z.number().optional(),
    temperature: z.number().optional(),
    split: z.string().optional(),
    aggregate: z.string().optional(),
  }),
})

const held = {
  format: z.union([z.literal(1), z.literal(2)]),
  id: z.string(),
  identity: z.string().nullable().default(null),
  name: z.string(),
  givenName: z.string().nullable(),
  tags: z.array(z.string()),
  note: z.string().default(''),
  source: z.string(),
  status,
  statusTold: status.optional(),
  ending: z.array(storedMessage).default([]),
  about: z.custom<RunAbout>(value => typeof value === 'object' && value !== null),
  lineage: lineage.default({}),
  config,
  fileConfig: config,
  duplicateOf: z.string().nullable(),
  joined: z.array(z.string()).default([]),
  apart: z.boolean().default(false),
  segments: z.array(z.object({ firstStep: number.nullable(), lastStep: number.nullable() })),
  files: z.array(fileRecord),
  warnings: z.array(storedMessage).default([]),
  parts: z.array(z.string().regex(/^points\/\d+\.parquet$/)),
  texts: z.array(z.string().regex(/^texts\/\d+\.parquet$/)).default([]),
  checksums: checksumsSchema,
  nextPart: z.number(),
  liveFolded: z.number().nullable(),
  metrics: z
    .custom<{ readonly [metric: string]: unknown }>(isJsonObject)
    .transform(records => new Map(Object.entries(records).map(([name, record]) => [name, metricRecord(record)]))),
  evaluations: z.number(),
  evaluated: z.array(evaluatedMetric).nullable().default(null).transform(byName),
  samples: z.number(),
}

const newerSchema = z.looseObject({ format: z.number().min(3) })
const heldSchema = z.object(held).transform(inThisFormat)
const manifestSchema = z.object({ ...held, earlier: heldSchema.nullable().default(null) }).transform(inThisFormat)

function byName(evaluated: readonly EvaluatedMetric[] | null): ReadonlyMap<string, EvaluatedMetric> | null {
  return evaluated === null ? null : new Map(evaluated.map(each => [evaluatedName(each), each]))
}

/**
 * In format 1 a run that klens trained, or a checkpoint that it evaluated, had a file that was none, and its lineage in
 * that file's cursor or among the settings.
 */
function inThisFormat<Found extends Omit<Held, 'format'> & { readonly format: 1 | 2 }>(found: Found) {
  const file = found.files[0]
  if (found.format === 2 || file === undefined || !(file.source === 'klens' || file.source === 'checkpoint')) {
    return { ...found, format: 2 as const }
  }
  return {
    ...found,
    format: 2 as const,
    lineage: file.source === 'klens' ? trainedFrom(file.cursor) : evaluatedFrom(found.config, file.path),
    files: found.files.slice(1),
    warnings: file.warnings,
  }
}

const cursorOfFormat1 = z.object({
  configHash: z.string(),
  dataHash: z.string(),
  from: z.string().nullable(),
  code: z.string(),
})

function trainedFrom(cursor: Json): Lineage {
  const known = cursorOfFormat1.safeParse(cursor)
  if (!known.success) return {}
  const { configHash: settings, dataHash: data, from, code } = known.data
  const parent = from === null ? null : { contentHash: from, path: null, step: null, run: null }
  return { parent, data, settings, code }
}

function evaluatedFrom({ checkpoint_hash: contentHash }: Config, path: string): Lineage {
  return typeof contentHash === 'string' ? { parent: { contentHash, path, step: null, run: null } } : {}
}
