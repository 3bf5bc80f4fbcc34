import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { evaluatedName } from '../../logs/model/evaluation.js'
import { QUALITIES, type Quality } from '../../logs/model/run.js'
import { writeFilesAtomically } from './atomic.js'
import { type Checksum, checksumOf } from './checksum.js'
import {
  type KeptEvaluations,
  keepEvaluations,
  keepPointsAsEvaluations,
  pointsAsEvaluations,
  type ValidationMetric,
} from './evaluations.js'
import type { Lease } from './lease.js'
import { livePath } from './live-file.js'
import type { Manifest } from './manifest.js'
import { pointsInOwnParts } from './own-parts.js'
import type { EncodedPart } from './part-file.js'
import { mergeParts, type WriteAccess, writePart } from './parts.js'
import { newPoints, type PointBuffer } from './point-buffer.js'
import type { RunState } from './run-state.js'
import { keepSamples } from './samples.js'
import { partFiles } from './series.js'
import type { SeriesPoints } from './series-points.js'
import { summariseFromDisk, summariseInMemory } from './summarise.js'
import { writeTexts } from './texts.js'
import type { RunPlace } from './workspace.js'

/**
 * What a writer puts on disk beside the manifest: points as parts, evaluations, scores, texts. Each saving moves what the
 * run's state has gathered into a file and notes the file in the state. Nothing of it counts before the manifest that
 * lists it is committed.
 */

/** About 8 MB in memory, one part for most runs; after a kill no more than that is read again. Twice as many took 20 MB more at the peak. */
export const POINTS_PER_PART = 1 << 19
/**
 * Merging costs more than all else in an import. Parts as large as a flush makes them stay; a run with more parts than
 * that, because it grew bit by bit, is merged: a small one always, a large one when they have become many.
 */
const ALWAYS_MERGE_POINTS = 5_000_000
const MANY_PARTS = 8
/** Evaluations of so many points are made in memory; DuckDB, which could hold any number, takes 13 ms for each run. */
const FEW_POINTS = 50_000
/** Longer files go to disk at once. */
const MOST_IN_MEMORY = 4 << 20

export class DataFiles {
  readonly #place: RunPlace
  readonly #access: WriteAccess
  /** The points of the part that was written last behind the reader's back; their memory serves the next of that state. */
  #spare: { readonly state: RunState; readonly points: PointBuffer } | null = null
  /** Encodes parts while the log is read on; null where there is none. */
  #worker: Worker | null | undefined
  /** The run's first part, for most runs the only one, and what is in it. */
  #first: { readonly part: string; readonly points: PointBuffer } | null = null

  /** Files that the next commit needs, whole in memory: they are flushed together, just before it. */
  readonly #put = new Map<string, EncodedPart>()
  readonly #hold: () => Promise<Lease>

  /** `hold` gives the run's lease, which throws when the run is no longer ours. */
  constructor(place: RunPlace, hold: () => Promise<Lease>) {
    this.#place = place
    this.#hold = hold
    this.#access = {
      duck: place.workspace.duck,
      confirm: async () => (await hold()).check(),
      put: (path, bytes, checksum) => this.#putFile(path, bytes, checksum),
      ready: () => this.ready(),
    }
  }

  async #putFile(path: string, bytes: Uint8Array, checksum = checksumOf(bytes)): Promise<Checksum> {
    this.#put.set(path, { bytes, checksum })
    this.#access.duck.files.unwritten.set(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    if (bytes.length > MOST_IN_MEMORY) await this.ready()
    return checksum
  }

  /** Has what was put on disk, and the run held. */
  async ready(): Promise<void> {
    const lease = await this.#hold()
    if (this.#put.size === 0) return
    await writeFilesAtomically(this.#put, lease.check)
    for (const [path, { checksum }] of this.#put) this.#access.duck.files.noteWritten(path, checksum)
    this.forget()
  }

  /** Lets go what was put. */
  forget(): void {
    for (const path of this.#put.keys()) this.#access.duck.files.unwritten.delete(path)
    this.#put.clear()
  }

  async save(state: RunState): Promise<void> {
    await this.#savePoints(state)
    await this.#saveEvaluations(state)
    await this.#saveSamples(state)
    await this.saveTexts(state)
  }

  /**
   * Points alone, in a part that goes to disk while reading goes on. The state lists
   * the part at once; it may be committed when the promise is kept, with the checksum that is known then.
   */
  async savePointsBehind(state: RunState): Promise<void> {
    const points = state.takePoints(this.#spare?.state === state ? this.#spare.points : undefined)
    this.#spare = { state, points }
    const part = nextPart(state, 'parts', 'points')
    await this.ready()
    if (this.#worker === undefined) this.#worker = (await import('./part-worker.js')).startPartWorker()
    const path = join(this.#place.folder, part)
    state.noteChecksum(part, await writePart(path, points, this.#access.confirm, this.#worker))
  }

  /** Ends the thread that encodes parts, which would keep the process from ending. */
  async end(): Promise<void> {
    await this.#worker?.terminate()
    this.#worker = null
  }

  async #savePoints(state: RunState): Promise<void> {
    if (state.buffer.length === 0) return
    const isFirst = state.manifest().parts.length === 0
    const part = nextPart(state, 'parts', 'points')
    const points = state.takePoints()
    const { encodePart } = await import('./part-file.js')
    const { bytes, checksum } = encodePart(points)
    state.noteChecksum(part, await this.#putFile(join(this.#place.folder, part), bytes, checksum))
    if (isFirst) this.#first = { part, points }
  }

  /** All points of the run, where they were written just now and in one go; then nobody has to read them back. */
  recent({ parts }: Manifest): PointBuffer | null {
    return parts.length === 1 && parts[0] === this.#first?.part ? this.#first.points : null
  }

  async #saveEvaluations(state: RunState): Promise<void> {
    if (state.evaluations.length === 0) return
    const keepOld = state.manifest().evaluations > 0
    noteEvaluations(state, await keepEvaluations(this.#access, this.#place.folder, state.evaluations, keepOld))
    state.evaluations.length = 0
  }

  async #saveSamples(state: RunState): Promise<void> {
    if (state.samples.length === 0) return
    const keepOld = state.manifest().samples > 0
    const { rows, checksum } = await keepSamples(this.#access, this.#place.folder, state.samples, keepOld)
    state.patch({ samples: rows })
    state.noteChecksum('samples.parquet', checksum)
    state.samples.length = 0
    state.sampleCount = 0
  }

  async saveTexts(state: RunState): Promise<void> {
    if (state.texts.length === 0) return
    await this.ready()
    mkdirSync(join(this.#place.folder, 'texts'), { recursive: true })
    const part = nextPart(state, 'texts', 'texts')
    state.noteChecksum(part, await writeTexts(this.#access, join(this.#place.folder, part), state.texts))
    state.texts.length = 0
    state.textCharacters = 0
  }

  /** Says the points of these metrics again as evaluations. All points must have been saved. */
  async evaluate(state: RunState, metrics: readonly ValidationMetric[]): Promise<void> {
    if (metrics.length === 0) return
    const { folder } = this.#place
    const manifest = state.manifest()
    const keepOld = manifest.evaluations > 0
    const pointsOf = await this.#fewPoints(manifest, metrics)
    const kept =
      pointsOf !== null
        ? keepEvaluations(this.#access, folder, pointsAsEvaluations(pointsOf, metrics), keepOld)
        : keepPointsAsEvaluations(this.#access, folder, partFiles({ folder, manifest }), metrics, keepOld)
    noteEvaluations(state, await kept)
  }

  /** Of these metrics the points, from memory or out of the parts; null where they are many, or only DuckDB can read them. */
  async #fewPoints(manifest: Manifest, metrics: readonly ValidationMetric[]) {
    const stored = metrics.reduce((sum, { metric }) => sum + (manifest.metrics.get(metric)?.stored ?? 0), 0)
    if (stored > FEW_POINTS) return null
    const recent = this.recent(manifest)
    if (recent !== null) return (metric: string, quality: Quality) => recent.pointsOf(metric, quality)
    const names = metrics.map(({ metric }) => metric)
    const read = new Map<Quality, ReadonlyMap<string, SeriesPoints> | null>()
    for (const quality of QUALITIES) {
      const isThere = quality === 'measured' || names.some(name => (manifest.metrics.get(name)?.[quality] ?? 0) > 0)
      const files = isThere ? partFiles({ folder: this.#place.folder, manifest }) : []
      read.set(quality, await pointsInOwnParts(this.#access.duck.files, files, names, { quality }))
    }
    if ([...read.values()].includes(null)) return null
    return (metric: string, quality: Quality) => read.get(quality)?.get(metric) ?? newPoints(0)
  }

  /** Puts summaries right of metrics whose points came out of order. All points must have been saved. */
  async summariseStale(state: RunState): Promise<void> {
    const stale = state.staleMetrics()
    if (stale.length === 0) return
    const points = this.recent(state.manifest())
    if (points !== null) return summariseInMemory(points, state, stale)
    await this.ready()
    return summariseFromDisk(this.#place, state, stale)
  }

  async merge(state: RunState): Promise<void> {
    const { parts, metrics, earlier } = state.manifest()
    const kept = earlier?.parts ?? []
    const loose = parts.filter(part => !kept.includes(part))
    const points = [...metrics.values()].reduce((sum, { stored }) => sum + stored, 0)
    const spare = points > ALWAYS_MERGE_POINTS ? MANY_PARTS : 0
    if (loose.length <= Math.ceil(points / POINTS_PER_PART) + spare) return
    const { folder } = this.#place
    const merged = nextPart(state, 'parts', 'points')
    const files = loose.map(part => join(folder, part))
    state.noteChecksum(merged, await mergeParts(this.#access, files, join(folder, merged)))
    state.patch({ parts: [...kept, merged] })
  }

  /** Removes files that the committed manifest does not list. Only the writer may: nobody else is making files here. */
  sweep(committed: Manifest | null): void {
    const { folder } = this.#place
    const listed = new Set([...(committed?.parts ?? []), ...(committed?.texts ?? [])])
    const here = readdirSync(folder)
    for (const kind of ['points', 'texts'].filter(kind => here.includes(kind))) {
      for (const name of readdirSync(join(folder, kind))) {
        if (!listed.has(`${kind}/${name}`)) rmSync(join(folder, kind, name), { force: true })
      }
    }
    const live = basename(livePath(folder))
    for (const name of here) {
      const isLeft = name === live && (committed === null || committed.liveFolded === null)
      if (isLeft || name.endsWith('.tmp')) rmSync(join(folder, name), { force: true })
    }
  }
}

/** Notes a new part in the state, and gives its name. Parts of all kinds share one row of numbers. */
function nextPart(state: RunState, list: 'parts' | 'texts', folder: string): string {
  const manifest: Manifest = state.manifest()
  const part = `${folder}/${manifest.nextPart}.parquet`
  state.patch({ [list]: [...manifest[list], part], nextPart: manifest.nextPart + 1 })
  return part
}

function noteEvaluations(state: RunState, { rows, metrics, checksum }: KeptEvaluations): void {
  state.noteChecksum('evals.parquet', checksum)
  const logged = state.manifest().metrics
  const others = metrics.filter(({ metric }) => !logged.has(metric))
  state.patch({ evaluations: rows, evaluated: new Map(others.map(each => [evaluatedName(each), each])) })
}
