import { readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { type EvaluatedMetric, evaluatedName } from '../model/evaluation.js'
import { isJsonObject, type Json } from '../model/json.js'
import type { Lineage } from '../model/lineage.js'
import { Problem } from '../model/problem.js'
import type { Config, Message, RunAbout, RunStatus, Segment } from '../model/run.js'
import { message } from '../text/say.js'
// The warnings in a manifest are messages of the sources; who reads one must be able to say them.
import '../sources/texts.js'
import { writeFileAtomically } from './atomic.js'
import { foreign, unreadable } from './disk-problem.js'
import { perWorkspace, type RunPlace, runFolder, type Workspace } from './workspace.js'

/**
 * run.json: all that is known of a run but its points, and the list of data files that count. It is the commit point:
 * a file that it does not list does not exist.
 */

/** One metric of a run: its summary, and what was noticed while it was read. */
export interface MetricRecord {
  /** Points that count: the last one at each step, measured. */
  readonly n: number
  readonly first: number
  readonly last: number
  readonly firstStep: number
  readonly lastStep: number
  readonly min: number
  readonly minStep: number
  readonly max: number
  readonly maxStep: number
  /** Over finite values; the mean is sum / finite. */
  readonly sum: number
  readonly finite: number
  /** Points on disk, those that a later one at the same step replaces included. */
  readonly stored: number
  readonly nan: number
  readonly infinite: number
  readonly estimated: number
  readonly missing: number
  /** Points at a step that the metric already had in the same segment. */
  readonly repeated: number
  /** All values are exact in float32, and at least one is no short decimal: they were float32 once. */
  readonly float32: boolean
  /** At least one value decides the above. */
  readonly float32Evidence: boolean
  /** The metric that steps are counted in, when it is not the run's own step. */
  readonly axis: string | null
  /** Points came out of order, so the summary must be made anew from disk. */
  readonly stale: boolean
  /** Where the series stands: its segment and the step that came last, which after a restart is not the highest. */
  readonly segment: number
  readonly latestStep: number
}

/** A file that the run was read from, and how far. */
export interface FileRecord {
  readonly path: string
  readonly source: string
  /** `witness`: a further log of the training, which adds only what the first does not tell. */
  readonly role: 'log' | 'table' | 'config' | 'witness'
  readonly size: number
  readonly modifiedMs: number
  /** Hash of the first `headBytes` bytes: tells a grown file from a replaced one, and a copy from a new one. */
  readonly headBytes: number
  readonly headHash: string
  /** Hash of the bytes just before `size`, where two logs of one job differ; null in what klens 0.1 wrote. */
  readonly tailHash: string | null
  /** Read to its end. A kill in the middle leaves false: size and date tell of the file, not of how far it was read. */
  readonly complete: boolean
  /** null: the file cannot be continued; when it changes, the run is read anew. */
  readonly cursor: Json
  /** Bytes at the end that were no whole record. */
  readonly unreadBytes: number
  readonly warnings: readonly Message[]
}

export interface Manifest extends Held {
  /**
   * What the run held before one of its logs was written over: no longer in any log, so where the others have to be read
   * anew, the run is built on this.
   */
  readonly earlier: Held | null
}

/** A run on disk. */
export interface StoredRun extends RunPlace {
  readonly manifest: Manifest
}

interface Held {
  readonly format: 2
  readonly id: string
  /** What it is known by wherever its log lies. Null: made here, or written by a klens that did not note it. */
  readonly identity: string | null
  readonly name: string
  /** The name that the user gave with `klens rename`. */
  readonly givenName: string | null
  readonly tags: readonly string[]
  readonly source: string
  readonly status: RunStatus
  /** What the log itself said last; absent where that is the status. */
  readonly statusTold?: RunStatus
  /** Why it ended so, and how far it came, as far as is known. */
  readonly ending: readonly Message[]
  readonly about: RunAbout
  readonly lineage: Lineage
  /** What the log itself says. */
  readonly config: Config
  /** What config files beside the log say; the log's own word comes first. */
  readonly fileConfig: Config
  readonly duplicateOf: string | null
  readonly segments: readonly Segment[]
  readonly files: readonly FileRecord[]
  /** What is to be said of the run and of none of its files. */
  readonly warnings: readonly Message[]
  readonly parts: readonly string[]
  /** Data files with prompts and answers; they share the numbers of the parts. */
  readonly texts: readonly string[]
  readonly nextPart: number
  /** Bytes of live.jsonl that are already in the parts; null when there is no live file. */
  readonly liveFolded: number | null
  readonly metrics: ReadonlyMap<string, MetricRecord>
  /** Rows of evals.parquet. */
  readonly evaluations: number
  /** What they measure that no log line says too, by name. Null: klens 0.1 wrote this and did not tell. */
  readonly evaluated: ReadonlyMap<string, EvaluatedMetric> | null
  readonly samples: number
}

export function meanOf({ sum, finite }: MetricRecord): number {
  return finite === 0 ? Number.NaN : sum / finite
}

export function emptyManifest(id: string, name: string, source: string): Manifest {
  return {
    format: 2,
    id,
    identity: null,
    name,
    givenName: null,
    tags: [],
    source,
    status: 'unknown',
    ending: [],
    about: {},
    lineage: {},
    config: {},
    fileConfig: {},
    duplicateOf: null,
    segments: [],
    files: [],
    warnings: [],
    parts: [],
    texts: [],
    nextPart: 0,
    liveFolded: null,
    metrics: new Map(),
    evaluations: 0,
    evaluated: new Map(),
    samples: 0,
    earlier: null,
  }
}

const number = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)])
const json = z.custom<Json>()
const messageSchema: z.ZodType<Message> = z.lazy(() =>
  z.object({
    key: z.string(),
    params: z.record(z.string(), z.union([z.string(), z.number(), messageSchema, z.array(messageSchema)])),
  }),
)
/** Own members only, so that a key such as `__proto__` stays a key. */
const config = z.custom<Config>(isJsonObject)

const metricRecord = z.object({
  n: number,
  first: number,
  last: number,
  firstStep: number,
  lastStep: number,
  min: number,
  minStep: number,
  max: number,
  maxStep: number,
  sum: number,
  finite: number,
  stored: number,
  nan: number,
  infinite: number,
  estimated: number,
  missing: number,
  repeated: number,
  float32: z.boolean(),
  float32Evidence: z.boolean(),
  axis: z.string().nullable(),
  stale: z.boolean(),
  segment: z.number(),
  latestStep: number,
})

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
  warnings: z.array(messageSchema),
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
  source: z.string(),
  status,
  statusTold: status.optional(),
  ending: z.array(messageSchema).default([]),
  about: z.custom<RunAbout>(value => typeof value === 'object' && value !== null),
  lineage: lineage.default({}),
  config,
  fileConfig: config,
  duplicateOf: z.string().nullable(),
  segments: z.array(z.object({ firstStep: number.nullable(), lastStep: number.nullable() })),
  files: z.array(fileRecord),
  warnings: z.array(messageSchema).default([]),
  parts: z.array(z.string().regex(/^points\/\d+\.parquet$/)),
  texts: z.array(z.string().regex(/^texts\/\d+\.parquet$/)).default([]),
  nextPart: z.number(),
  liveFolded: z.number().nullable(),
  metrics: z
    .custom<{ readonly [metric: string]: unknown }>(isJsonObject)
    .transform(records => new Map(Object.entries(records).map(([name, record]) => [name, metricRecord.parse(record)]))),
  evaluations: z.number(),
  evaluated: z.array(evaluatedMetric).nullable().default(null).transform(byName),
  samples: z.number(),
}

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

/** The run's manifest, or null where there is none. One that cannot be read is a problem that names the file. */
export async function readManifest(workspace: Workspace, id: string): Promise<Manifest | null> {
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

export function parseManifest(text: string, path: string): Manifest {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new Problem('damaged', message('run.damaged', { path }), { cause })
  }
}

/** `confirm` is asked before it takes its place. */
export async function writeManifest(
  workspace: Workspace,
  manifest: Manifest,
  confirm?: () => Promise<void>,
): Promise<void> {
  const written = withPaths(manifest, path => noted(workspace, path))
  const earlier = written.earlier === null ? null : plain(written.earlier)
  await writeFileAtomically(
    manifestPath(workspace, manifest.id),
    `${encode({ ...plain(written), earlier })}\n`,
    confirm,
  )
}

function plain(held: Held): object {
  const evaluated = held.evaluated === null ? null : [...held.evaluated.values()]
  return { ...held, metrics: Object.fromEntries(held.metrics), evaluated }
}

export function manifestPath(workspace: Workspace, id: string): string {
  return join(runFolder(workspace, id), 'run.json')
}

/** JSON with NaN and the infinities as strings. */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'number' && !Number.isFinite(member) ? String(member) : member,
  )
}

/** Whether the run has a series of this very name, logged or evaluated. */
export function hasSeries({ metrics, evaluated }: Manifest, name: string): boolean {
  return metrics.has(name) || evaluated?.has(name) === true
}

/** Name as shown: the user's own if there is one. */
export function shownName(manifest: Manifest): string {
  return manifest.givenName ?? manifest.name
}

/** All that is known of the settings; what the log itself says outranks files beside it. */
export function wholeConfig(manifest: Manifest): Config {
  return { ...manifest.fileConfig, ...manifest.config }
}
