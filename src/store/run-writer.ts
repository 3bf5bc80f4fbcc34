import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { evaluatedName, type SampleTexts } from '../model/evaluation.js'
import type { RunEvent } from '../model/events.js'
import { type KeptEvaluations, keepEvaluations, keepPointsAsEvaluations, type ValidationMetric } from './evaluations.js'
import { type Lease, type Purpose, takeLease } from './lease.js'
import { type LiveFile, livePath, readLiveFile, startLiveFile } from './live-file.js'
import { emptyManifest, type FileRecord, type Manifest, readManifest, writeManifest } from './manifest.js'
import { mergeParts, writePart } from './parts.js'
import type { PointBuffer } from './point-buffer.js'
import { RunState } from './run-state.js'
import { keepSamples } from './samples.js'
import { type LoadedRun, partFiles, readSeries } from './series.js'
import { writeTexts } from './texts.js'
import { runFolder, type Workspace } from './workspace.js'

/**
 * The one process that writes a run. Points gather in memory; a flush turns them into a sorted part and commits the
 * manifest, cursors included, so after a kill at any moment the next writer goes on exactly behind the last flush.
 */

/** About 15 MB in memory, one part for most runs; after a kill no more than that is read again. */
const FLUSH_POINTS = 1 << 20
/** Points that are read back at once; as series they weigh three times as much. */
const PORTION_POINTS = 1 << 18
/** Events with per-sample scores weigh more than points. */
const FLUSH_SAMPLES = 200_000
/** Texts become parts of their own long before that: their scores can wait, for adding to these rewrites them all. */
const TEXT_PART_CHARACTERS = 10_000_000
/** A growing run is folded after so many points; until then they lie in the live file. */
const FOLD_POINTS = 50_000
const LONGEST_LIVE_BYTES = 4 << 20
/** A training scores its samples every epoch, perhaps several times a second; readers can wait for them so long. */
const TRAINED_SAMPLES_WAIT_MS = 2_000
/**
 * Merging costs more than all else in an import. Parts as large as a flush makes them stay; a run with more parts than
 * that, because it grew bit by bit, is merged: a small one always, a large one when they have become many.
 */
const ALWAYS_MERGE_POINTS = 5_000_000
const MANY_PARTS = 8

export class RunWriter {
  state: RunState
  readonly #workspace: Workspace
  readonly #folder: string
  readonly #lease: Lease
  #live: LiveFile | null = null
  /** While a changed file is read anew, the old data stays valid until all of the new is there. */
  #replacing = false
  /** A part that DuckDB is writing, and its commit, while the next points are read. */
  #behind: Promise<void> | null = null
  /** The points of that part; their memory serves the next but one. */
  #written: PointBuffer | undefined
  #sampleCount = 0
  #textCharacters = 0
  readonly #samplesWaitMs: number
  #foldedAt = Number.NEGATIVE_INFINITY

  private constructor(
    workspace: Workspace,
    folder: string,
    lease: Lease,
    { manifest, purpose }: { readonly manifest: Manifest; readonly purpose: Purpose },
  ) {
    this.#workspace = workspace
    this.#folder = folder
    this.#lease = lease
    this.#samplesWaitMs = purpose === 'train' ? TRAINED_SAMPLES_WAIT_MS : 0
    this.state = new RunState(manifest)
  }

  /** The problem `busy` when another process is writing the run. */
  static async open(
    workspace: Workspace,
    identity: { readonly id: string; readonly name: string; readonly source: string },
    purpose: Purpose,
  ): Promise<RunWriter> {
    const folder = runFolder(workspace, identity.id)
    await mkdir(join(folder, 'points'), { recursive: true })
    const lease = await takeLease(folder, purpose)
    try {
      const known = await readManifest(workspace, identity.id)
      const manifest = known ?? emptyManifest(identity.id, identity.name, identity.source)
      const writer = new RunWriter(workspace, folder, lease, { manifest, purpose })
      await writer.#recover()
      return writer
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  /**
   * Forgets all data of the run, but not what the user said of it nor what no log holds any more, to read its files anew.
   * A live file ends here, for
   * readers replay it on top of the old data; `goLive` begins another.
   */
  async replace(): Promise<void> {
    await this.#settle()
    await this.#live?.close()
    this.#live = null
    const { id, name, source, givenName, tags, nextPart, earlier } = this.state.manifest()
    const from = earlier ?? emptyManifest(id, name, source)
    this.state = new RunState({ ...from, givenName, tags, nextPart, earlier })
    this.#written = undefined
    this.#replacing = true
  }

  /** Keeps what was read of logs that something else was written over, and forgets the logs, to read them as new ones. */
  async keepEarlier(paths: readonly string[]): Promise<void> {
    await this.flush()
    await this.#endLive()
    const manifest = this.state.manifest()
    const files = manifest.files.filter(({ path }) => !paths.includes(path))
    const { earlier: _, ...held } = { ...manifest, files }
    this.state = new RunState({ ...held, earlier: held })
    await this.#commit()
  }

  /** Takes a source file into account; returns the index under which its events are written. */
  async noteFile(known: FileRecord | null, record: FileRecord): Promise<number> {
    const index = this.state.noteFile(known === null ? -1 : this.state.fileIndex(known.path), record)
    // The live file names files by their index. That one has grown need not be said: its cursor is in the live file.
    if (this.#live && known?.path !== record.path) await this.flush()
    return index
  }

  /** `file`: what `noteFile` gave for the file that says so; null where klens itself does. */
  async write(events: readonly RunEvent[], file: number | null): Promise<void> {
    for (const event of events) {
      this.state.accept(event, file)
      if (event.type === 'samples') this.#sampleCount += event.samples.ids.length
      if (event.type === 'texts') this.#textCharacters += charactersIn(event.texts)
    }
    if (this.#live) {
      await this.#live.append({ file, events })
      // Readers replay the points of a live file, not its samples.
      const samplesAreDue = this.#sampleCount > 0 && performance.now() - this.#foldedAt >= this.#samplesWaitMs
      if (this.state.buffer.length >= FOLD_POINTS || samplesAreDue) await this.#fold()
    } else if (this.#sampleCount >= FLUSH_SAMPLES) {
      await this.flush()
    } else if (this.#textCharacters >= TEXT_PART_CHARACTERS) {
      await this.#settle()
      await this.#writeTexts()
    } else if (this.state.buffer.length >= FLUSH_POINTS) {
      await this.#flushBehind()
    }
  }

  /** The live file is begun anew when all of it is in parts and it has become long, or it would grow with the log. */
  async #fold(): Promise<void> {
    await this.flush()
    this.#foldedAt = performance.now()
    if (this.#live === null || this.#live.size < LONGEST_LIVE_BYTES) return
    await this.#endLive()
    await this.goLive()
  }

  /** Reading goes on while DuckDB's threads write: a third of an import's time. Only points: a commit must hold all. */
  async #flushBehind(): Promise<void> {
    await this.#settle()
    const { state } = this
    if (state.evaluations.length + state.samples.length + state.texts.length > 0) return this.flush()
    const { nextPart, parts } = state.manifest()
    const part = `points/${nextPart}.parquet`
    const points = state.buffer.take(this.#written)
    this.#written = points
    state.change({ parts: [...parts, part], nextPart: nextPart + 1 })
    const manifest = this.#replacing ? null : state.manifest()
    this.#behind = writePart(join(this.#folder, part), points).then(() =>
      manifest ? this.#commit(manifest) : undefined,
    )
    // Whoever settles it hears of its failure; until then it must not count as unhandled.
    this.#behind.catch(() => {})
  }

  async #settle(): Promise<void> {
    const behind = this.#behind
    this.#behind = null
    await behind
  }

  /** Makes all that has arrived durable, with the cursors that go with it. */
  async flush(): Promise<void> {
    await this.toDisk()
    if (!this.#replacing) await this.#commit()
  }

  /** From now on every batch is on disk, in the live file, as soon as it is written. */
  async goLive(): Promise<void> {
    if (this.#live) return
    this.#replacing = false
    await this.flush()
    this.#live = await startLiveFile(this.#folder)
    this.state.change({ liveFolded: 0 })
    await this.#commit()
  }

  /** Writes data files, but does not commit them yet. */
  async toDisk(): Promise<void> {
    await this.#settle()
    const { state } = this
    if (state.buffer.length > 0) {
      const { nextPart, parts } = state.manifest()
      const part = `points/${nextPart}.parquet`
      await writePart(join(this.#folder, part), state.buffer)
      state.buffer.clear()
      state.change({ parts: [...parts, part], nextPart: nextPart + 1 })
    }
    if (state.evaluations.length > 0) {
      const known = state.manifest().evaluations
      this.#noteEvaluations(await keepEvaluations(this.#workspace.duck, this.#folder, state.evaluations, known > 0))
      state.evaluations.length = 0
    }
    if (state.samples.length > 0) {
      const known = state.manifest().samples
      state.change({ samples: await keepSamples(this.#workspace.duck, this.#folder, state.samples, known > 0) })
      state.samples.length = 0
      this.#sampleCount = 0
    }
    await this.#writeTexts()
    if (this.#live) state.change({ liveFolded: this.#live.size })
  }

  async #writeTexts(): Promise<void> {
    const { state } = this
    if (state.texts.length === 0) return
    const { nextPart, texts } = state.manifest()
    const part = `texts/${nextPart}.parquet`
    await mkdir(join(this.#folder, 'texts'), { recursive: true })
    await writeTexts(this.#workspace.duck, join(this.#folder, part), state.texts)
    state.change({ texts: [...texts, part], nextPart: nextPart + 1 })
    state.texts.length = 0
    this.#textCharacters = 0
  }

  /** Says the points of these metrics again as evaluations. All points must be on disk. */
  async evaluate(metrics: readonly ValidationMetric[]): Promise<void> {
    if (metrics.length === 0) return
    const { evaluations } = this.state.manifest()
    const files = partFiles(this.written())
    const { duck } = this.#workspace
    this.#noteEvaluations(await keepPointsAsEvaluations(duck, this.#folder, files, metrics, evaluations > 0))
  }

  #noteEvaluations({ rows, metrics }: KeptEvaluations): void {
    const logged = this.state.manifest().metrics
    const others = metrics.filter(({ metric }) => !logged.has(metric))
    this.state.change({ evaluations: rows, evaluated: new Map(others.map(each => [evaluatedName(each), each])) })
  }

  /** The run as a reader would see it if what is on disk were committed. */
  written(): LoadedRun {
    return { workspace: this.#workspace, folder: this.#folder, manifest: this.state.manifest(), live: null }
  }

  /** Flushes, puts summaries right, merges parts, lets the run go. */
  async close(): Promise<Manifest> {
    this.#replacing = false
    try {
      await this.toDisk()
      await this.#summariseStale()
      await this.#mergeParts()
      await this.#endLive()
      await this.#commit()
      await this.#sweep()
      return this.state.manifest()
    } finally {
      await this.#lease.release()
    }
  }

  /** Lets the run go as the last commit left it. */
  async abandon(): Promise<void> {
    await this.#settle().catch(() => {})
    await this.#live?.close()
    this.#live = null
    await this.#sweep()
    await this.#lease.release()
  }

  /** Takes in what a killed writer left in its live file, and removes what it left half-written. */
  async #recover(): Promise<void> {
    const { liveFolded } = this.state.manifest()
    if (liveFolded !== null) {
      for (const { file, events } of await readLiveFile(this.#folder, liveFolded)) {
        for (const event of events) this.state.accept(event, file)
      }
      this.state.change({ liveFolded: null })
      await this.flush()
    }
    await this.#sweep()
  }

  async #endLive(): Promise<void> {
    await this.#live?.close()
    this.#live = null
    this.state.change({ liveFolded: null })
  }

  /** In portions: after a restart all metrics are stale, and the points of a long run do not fit into memory. */
  async #summariseStale(): Promise<void> {
    const pointsOf = (name: string): number => this.state.metricState(name)?.stored ?? 0
    for (const metrics of portions(this.state.staleMetrics(), pointsOf)) {
      const series = await readSeries(this.written(), metrics)
      for (const [name, { steps, values }] of series) this.state.metricState(name)?.summarise(steps, values)
    }
  }

  async #mergeParts(): Promise<void> {
    const { parts, nextPart, metrics, earlier } = this.state.manifest()
    const kept = earlier?.parts ?? []
    const loose = parts.filter(part => !kept.includes(part))
    const points = [...metrics.values()].reduce((sum, { stored }) => sum + stored, 0)
    const spare = points > ALWAYS_MERGE_POINTS ? MANY_PARTS : 0
    if (loose.length <= Math.ceil(points / FLUSH_POINTS) + spare) return
    const merged = `points/${nextPart}.parquet`
    await mergeParts(
      this.#workspace.duck,
      loose.map(part => join(this.#folder, part)),
      join(this.#folder, merged),
    )
    this.state.change({ parts: [...kept, merged], nextPart: nextPart + 1 })
  }

  async #commit(manifest = this.state.manifest()): Promise<void> {
    await this.#lease.check()
    await writeManifest(this.#workspace, manifest)
  }

  /** Removes files that the manifest on disk does not list. Only the writer may: nobody else is making files here. */
  async #sweep(): Promise<void> {
    const onDisk = await readManifest(this.#workspace, this.state.manifest().id)
    const listed = new Set([...(onDisk?.parts ?? []), ...(onDisk?.texts ?? [])])
    for (const kind of ['points', 'texts']) {
      for (const name of await readdir(join(this.#folder, kind)).catch(() => [])) {
        if (!listed.has(`${kind}/${name}`)) await rm(join(this.#folder, kind, name), { force: true })
      }
    }
    for (const name of await readdir(this.#folder)) {
      if (name.endsWith('.tmp')) await rm(join(this.#folder, name), { force: true })
    }
    if (onDisk?.liveFolded === null || onDisk === null) await rm(livePath(this.#folder), { force: true })
  }
}

function charactersIn({ inputs, outputs, expected }: SampleTexts): number {
  return [inputs, outputs, expected].flat().reduce((sum, text) => sum + (text?.length ?? 0), 0)
}

/** Metrics in groups that may be read back at once. */
function portions(metrics: readonly string[], pointsOf: (metric: string) => number): string[][] {
  const groups: string[][] = []
  let points = PORTION_POINTS
  for (const metric of metrics) {
    if (points >= PORTION_POINTS) {
      groups.push([])
      points = 0
    }
    groups[groups.length - 1].push(metric)
    points += pointsOf(metric)
  }
  return groups
}
