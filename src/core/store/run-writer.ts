import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RunEvent } from '../../logs/model/events.js'
import { isHeld, withoutUncommitted } from './checksums.js'
import { DataFiles, POINTS_PER_PART } from './data-files.js'
import type { ValidationMetric } from './evaluations.js'
import { type Lease, type Purpose, takeLease } from './lease.js'
import { type LiveFile, readLiveFile, startLiveFile } from './live-file.js'
import { emptyManifest, type FileRecord, type Manifest } from './manifest.js'
import { readKeptManifest, writeManifest } from './manifest-file.js'
import { outlineWritten } from './outlines.js'
import { RunState } from './run-state.js'
import type { LoadedRun } from './series.js'
import { keepUnkept } from './unkept.js'
import type { RunPlace, Workspace } from './workspace.js'
import { runFolder } from './workspace.js'

/**
 * The one process that writes a run. Events gather in the state; saving moves them into data files; a commit writes the
 * manifest that lists these, cursors included. So after a kill at any moment the next writer goes on exactly behind the
 * last commit. A run that grows is also journalled batch by batch in a live file, which is folded into data files now
 * and then.
 *
 * A run that the store does not have can be drafted: nothing of it is on disk, nor is it held, until something must be.
 */

/** Events with per-sample scores weigh more than points. */
const SAMPLES_PER_FLUSH = 200_000
/** Texts become parts of their own long before that: their scores can wait, for adding to these rewrites them all. */
const CHARACTERS_PER_TEXT_PART = 10_000_000
/** A growing run is folded after so many points; until then they lie in the live file. */
const POINTS_PER_FOLD = 50_000
const LONGEST_LIVE_BYTES = 4 << 20
/** A training scores its samples every epoch, perhaps several times a second; readers can wait for them so long. */
const TRAINED_SAMPLES_WAIT_MS = 2_000

interface RunIdentity {
  readonly id: string
  readonly name: string
  readonly source: string
}

/** While a run was drafted another process has brought it into the store. */
export class Overtaken extends Error {}

export class RunWriter {
  state: RunState
  readonly #place: RunPlace
  /** Null for a draft. */
  #lease: Lease | null = null
  readonly #purpose: Purpose
  readonly #files: DataFiles
  #live: LiveFile | null = null
  /** While a changed file is read again, nothing is committed: the old data stays valid until all of the new is there. */
  #isReplacing = false
  /** A part that DuckDB is writing, and its commit, while the next points are read. */
  #behind: Promise<void> | null = null
  readonly #samplesWaitMs: number
  #foldedAt = Number.NEGATIVE_INFINITY

  private constructor(workspace: Workspace, { id, name, source }: RunIdentity, purpose: Purpose) {
    this.#place = { workspace, folder: runFolder(workspace, id) }
    this.#purpose = purpose
    this.#files = new DataFiles(this.#place, () => this.#hold())
    this.#samplesWaitMs = purpose === 'train' ? TRAINED_SAMPLES_WAIT_MS : 0
    this.state = new RunState(emptyManifest(id, name, source))
  }

  /** The problem `busy` when another process is writing the run. */
  static async open(workspace: Workspace, identity: RunIdentity, purpose: Purpose): Promise<RunWriter> {
    await keepUnkept(workspace)
    const writer = new RunWriter(workspace, identity, purpose)
    await writer.#hold(false)
    return writer
  }

  static draft(workspace: Workspace, identity: RunIdentity): RunWriter {
    return new RunWriter(workspace, identity, 'import')
  }

  get isDraft(): boolean {
    return this.#lease === null
  }

  /** A draft is given up where the store has the run by now. */
  async #hold(isDraft = true): Promise<Lease> {
    if (this.#lease !== null) return this.#lease
    const { workspace, folder } = this.#place
    mkdirSync(join(folder, 'points'), { recursive: true })
    const isLeft = isHeld(folder)
    const lease = await takeLease(folder, this.#purpose)
    try {
      const known = readKeptManifest(workspace, this.state.manifest().id)
      if (known !== null && isDraft) throw new Overtaken()
      if (known !== null) {
        const checksums = isLeft ? await withoutUncommitted(folder, known.checksums) : known.checksums
        this.state = new RunState({ ...known, checksums })
      }
      this.#lease = lease
      await this.#recover(known)
      return lease
    } catch (error) {
      this.#lease = null
      await lease.release()
      throw error
    }
  }

  /** Takes in what a killed writer left in its live file, and removes what it left half-written. */
  async #recover(committed: Manifest | null): Promise<void> {
    const { liveFolded } = this.state.manifest()
    if (liveFolded !== null) {
      for (const { file, events } of await readLiveFile(this.#place.folder, liveFolded)) {
        for (const event of events) this.state.accept(event, file)
      }
      this.state.patch({ liveFolded: null })
      await this.flush()
      committed = this.state.manifest()
    }
    this.#files.sweep(committed)
  }

  /** Takes a source file into account; returns the index under which its events are written. */
  async trackFile(known: FileRecord | null, record: FileRecord): Promise<number> {
    const index = this.state.trackFile(known === null ? -1 : this.state.fileIndex(known.path), record)
    // The live file names files by their index. That one has grown need not be said: its cursor is in the live file.
    if (this.#live && known?.path !== record.path) await this.flush()
    return index
  }

  /** `file`: what `trackFile` gave for the file that says so; null where klens itself does. */
  async write(events: readonly RunEvent[], file: number | null): Promise<void> {
    for (const event of events) this.state.accept(event, file)
    if (this.#live) {
      await this.#live.append({ file, events })
      if (this.#isFoldDue()) await this.#fold(this.#live)
    } else if (this.state.sampleCount >= SAMPLES_PER_FLUSH) {
      await this.flush()
    } else if (this.state.textCharacters >= CHARACTERS_PER_TEXT_PART) {
      await this.#settle()
      await this.#files.saveTexts(this.state)
    } else if (this.state.buffer.length >= POINTS_PER_PART) {
      await this.#flushBehind()
    }
  }

  /** Readers replay the points of a live file, not its samples. */
  #isFoldDue(): boolean {
    const samplesAreDue = this.state.sampleCount > 0 && performance.now() - this.#foldedAt >= this.#samplesWaitMs
    return samplesAreDue || this.state.buffer.length >= POINTS_PER_FOLD
  }

  /** The live file is begun again when all of it is in parts and it has become long, or it would grow with the log. */
  async #fold(live: LiveFile): Promise<void> {
    await this.flush()
    this.#foldedAt = performance.now()
    if (live.size < LONGEST_LIVE_BYTES) return
    await this.#endLive()
    await this.goLive()
  }

  /** From now on every batch is on disk, in the live file, as soon as it is written. */
  async goLive(): Promise<void> {
    if (this.#live) return
    this.#isReplacing = false
    await this.flush()
    this.#live = await startLiveFile(this.#place.folder)
    this.state.patch({ liveFolded: 0 })
    await this.#commit()
  }

  async #endLive(): Promise<void> {
    await this.#live?.close()
    this.#live = null
    this.state.patch({ liveFolded: null })
  }

  /** Makes all that has arrived durable, with the cursors that go with it. */
  async flush(): Promise<void> {
    await this.flushData()
    if (!this.#isReplacing) await this.#commit()
  }

  /** Writes data files, but does not commit them yet. */
  async flushData(): Promise<void> {
    await this.#settle()
    await this.#files.save(this.state)
    if (this.#live) this.state.patch({ liveFolded: this.#live.size })
  }

  /** The same while reading goes on. Only for points: a commit must hold all that came before its cursors. */
  async #flushBehind(): Promise<void> {
    await this.#settle()
    const { state } = this
    if (state.evaluations.length + state.samples.length + state.texts.length > 0) return this.flush()
    const saved = this.#files.savePointsBehind(state)
    const manifest = this.#isReplacing ? null : state.manifest()
    this.#behind = saved.then(() =>
      manifest === null ? undefined : this.#commit({ ...manifest, checksums: state.manifest().checksums }),
    )
    // Whoever settles it hears of its failure; until then it must not count as unhandled.
    this.#behind.catch(() => {})
  }

  async #settle(): Promise<void> {
    const behind = this.#behind
    this.#behind = null
    await behind
  }

  async #commit(manifest = this.state.manifest()): Promise<void> {
    await this.#files.ready()
    await writeManifest(this.#place.workspace, manifest, (await this.#hold()).check)
  }

  /** Whether the run is still ours. What went into the live file would else be believed kept. */
  async check(): Promise<void> {
    await (await this.#hold()).check()
  }

  /** Says the points of these metrics again as evaluations. All points must be on disk. */
  evaluate(metrics: readonly ValidationMetric[]): Promise<void> {
    return this.#files.evaluate(this.state, metrics)
  }

  /**
   * Forgets all data of the run, but not what the user said of it nor what no log holds any more, to read its files again.
   * A live file ends here, for readers replay it on top of the old data; `goLive` begins another.
   */
  async replace(): Promise<void> {
    await this.#settle()
    await this.#live?.close()
    this.#live = null
    const { id, name, source, givenName, tags, note, apart, nextPart, earlier } = this.state.manifest()
    const from = earlier ?? emptyManifest(id, name, source)
    this.state = new RunState({ ...from, givenName, tags, note, apart, nextPart, earlier })
    this.#isReplacing = true
  }

  /** Keeps what was read of logs that something else was written over, and forgets the logs, to read them as new ones. */
  async archiveLog(paths: readonly string[]): Promise<void> {
    await this.flush()
    await this.#endLive()
    const manifest = this.state.manifest()
    const files = manifest.files.filter(({ path }) => !paths.includes(path))
    const { earlier: _, ...held } = { ...manifest, files }
    this.state = new RunState({ ...held, earlier: held })
    await this.#commit()
  }

  /** Puts summaries right and merges parts: from then on the manifest says what the store will have. */
  async complete(): Promise<void> {
    this.#isReplacing = false
    await this.flushData()
    await this.#files.summariseStale(this.state)
    await this.#files.merge(this.state)
  }

  /** Completes and commits the run, and lets it go. */
  async close(): Promise<Manifest> {
    try {
      await this.complete()
      await this.#endLive()
      await this.#commit()
      const manifest = this.state.manifest()
      this.#files.sweep(manifest)
      const points = this.#files.recent(manifest)
      if (points !== null) await outlineWritten({ ...this.#place, manifest }, points)
      return manifest
    } finally {
      // Still open where any of that failed.
      await this.#live?.close().catch(() => {})
      this.#live = null
      await this.#files.end()
      await this.#lease?.release()
    }
  }

  /** The run as a reader would find it, with its points where they are still in memory. */
  written(): LoadedRun {
    const manifest = this.state.manifest()
    const recent = this.#files.recent(manifest)
    return { ...this.#place, manifest, live: null, ...(recent !== null && { recent }) }
  }

  /** Lets the run go as the last commit left it. What another writer makes there by now is not touched. */
  async abandon(): Promise<void> {
    this.#files.forget()
    if (this.#lease === null) return
    await this.#settle().catch(() => {})
    await this.#files.end()
    await this.#live?.close()
    this.#live = null
    const isOurs = await this.#lease.check().then(
      () => true,
      () => false,
    )
    if (isOurs) this.#files.sweep(readKeptManifest(this.#place.workspace, this.state.manifest().id))
    await this.#lease.release()
  }
}
