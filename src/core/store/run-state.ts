import type { Evaluation, SampleScores, SampleTexts } from '../../logs/model/evaluation.js'
import type { Row, RunEvent } from '../../logs/model/events.js'
import type { Message, RunAbout, Segment } from '../../logs/model/run.js'
import type { Checksum } from './checksum.js'
import { type FileRecord, listedFiles, type Manifest } from './manifest.js'
import { MetricState } from './metric-state.js'
import { PointBuffer } from './point-buffer.js'

/**
 * What a run becomes as its events arrive: the manifest in the making and the points not yet on disk. The writer keeps
 * it; a reader replays a live file through the same code, so both always agree.
 */

/** More restarts than this are no restarts: the rows are simply not in order. */
const MOST_SEGMENTS = 1_000
/** Per file; a broken log can complain about every line. */
const MOST_WARNINGS = 50

export class RunState {
  readonly buffer = new PointBuffer()
  readonly evaluations: Evaluation[] = []
  readonly samples: SampleScores[] = []
  readonly texts: SampleTexts[] = []
  /** Scores in `samples`, and characters in `texts`. */
  sampleCount = 0
  textCharacters = 0
  #manifest: Manifest
  /** The manifest as it was last asked for, and its metrics; null where something has come since. */
  #asked: Manifest | null = null
  #records: Manifest['metrics'] | null = null
  readonly #metrics = new Map<string, MetricState>()
  readonly #files: FileRecord[]
  readonly #segments: Segment[]
  #restartPending = false
  /** No metric of the current segment stands beyond this step. */
  #furthest = Number.NEGATIVE_INFINITY
  readonly #shapes = new WeakMap<readonly string[], RowShape>()
  #row: RowShape = newShape([])

  constructor(manifest: Manifest) {
    this.#manifest = manifest
    this.#files = [...manifest.files]
    this.#segments = [...manifest.segments]
    for (const [name, record] of manifest.metrics) {
      this.#metrics.set(name, MetricState.from(record))
      const isCurrent = record.segment === Math.max(0, this.#segments.length - 1)
      if (isCurrent && record.latestStep > this.#furthest) this.#furthest = record.latestStep
    }
  }

  /** The manifest as it is now. */
  manifest(): Manifest {
    if (this.#asked !== null) return this.#asked
    this.#summariseAll()
    this.#records ??= new Map([...this.#metrics].map(([name, state]) => [name, state.record()]))
    const metrics = this.#records
    // Of parts that were merged, or a table without rows, there is none any more.
    const listed = new Set(listedFiles(this.#manifest))
    const checksums = new Map([...this.#manifest.checksums].filter(([name]) => listed.has(name)))
    this.#asked = { ...this.#manifest, metrics, checksums, files: [...this.#files], segments: [...this.#segments] }
    return this.#asked
  }

  patch(fields: Partial<Manifest>): void {
    this.#manifest = { ...this.#manifest, ...fields }
    this.#asked = null
  }

  noteChecksum(name: string, checksum: Checksum): void {
    this.patch({ checksums: new Map([...this.#manifest.checksums, [name, checksum]]) })
  }

  /** To be changed before the manifest is asked for again. */
  metricState(name: string): MetricState | undefined {
    this.#asked = this.#records = null
    return this.#summarised(name)
  }

  #summarised(name: string): MetricState | undefined {
    const state = this.#metrics.get(name)
    if (state !== undefined) this.buffer.summarise(name, state)
    return state
  }

  /** The points so far; those to come are put into the memory of others that are done with, where there are any. */
  takePoints(spare?: PointBuffer): PointBuffer {
    this.#summariseAll()
    return this.buffer.take(spare)
  }

  /** Summaries are made of columns, a metric at a time: point by point as they come takes five times as long. */
  #summariseAll(): void {
    for (const name of this.buffer.names) this.#summarised(name)
  }

  staleMetrics(): string[] {
    this.#summariseAll()
    return [...this.#metrics].filter(([, state]) => state.stale).map(([name]) => name)
  }

  fileIndex(path: string): number {
    return this.#files.findIndex(file => file.path === path)
  }

  /** Adds a file, or changes what is known of one; returns its index. */
  trackFile(index: number, record: FileRecord): number {
    this.#asked = null
    if (index >= 0) {
      this.#files[index] = record
      return index
    }
    return this.#files.push(record) - 1
  }

  completeFile(index: number): void {
    this.#patchFile(index, () => ({ complete: true }))
  }

  /** `file`: the index of the file that says so; null where klens itself does. */
  accept(event: RunEvent, file: number | null): void {
    const record = this.#fileAt(file)
    this.#asked = null
    switch (event.type) {
      case 'row':
        this.#acceptRow(event, record === null || record.role === 'log')
        break
      case 'about': {
        const about = { ...this.#manifest.about, ...event.about, ...firstStart(this.#manifest.about, event.about) }
        const tags = [...new Set([...this.#manifest.tags, ...(event.about.tags ?? [])])]
        this.patch({ about, tags, name: event.about.name ?? this.#manifest.name })
        break
      }
      case 'config': {
        const into = record?.role === 'config' ? 'fileConfig' : 'config'
        this.patch({ [into]: { ...this.#manifest[into], ...event.config } })
        break
      }
      case 'lineage':
        this.patch({ lineage: { ...this.#manifest.lineage, ...event.lineage } })
        break
      case 'status':
        this.patch({
          status: event.status,
          statusTold: event.status,
          ending: event.reason === undefined ? [] : [event.reason],
        })
        break
      case 'restart':
        this.#restartPending = this.#segments.length > 0
        break
      case 'evaluation':
        this.evaluations.push(event.evaluation)
        break
      case 'samples':
        this.samples.push(event.samples)
        this.sampleCount += event.samples.ids.length
        break
      case 'texts':
        this.texts.push(event.texts)
        this.textCharacters += charactersIn(event.texts)
        break
      case 'warning':
        if (record === null) this.patch({ warnings: withWarning(this.#manifest.warnings, event.message) })
        else this.#patchFile(file, known => ({ warnings: withWarning(known.warnings, event.message) }))
        break
      case 'tail':
        this.#patchFile(file, () => ({ unreadBytes: event.unreadBytes }))
        break
      case 'cursor':
        this.#patchFile(file, () => ({ cursor: event.cursor }))
    }
  }

  #acceptRow(row: Row, ofLog: boolean): void {
    this.#records = null
    const { step, time, metrics, values, qualities, decimals, axis } = row
    if (metrics !== this.#row.metrics) {
      const last = this.#row
      // Most logs name their metrics in the same order each time.
      this.#row = last.next?.metrics === metrics ? last.next : (this.#shapes.get(metrics) ?? this.#learn(metrics))
      last.next = this.#row
    }
    if (ofLog) this.#enterSegment(step)
    if (step > this.#furthest) this.#furthest = step
    this.buffer.startLine(step, time, Math.max(0, this.#segments.length - 1))
    this.buffer.push(this.#row.ids, values, qualities, decimals)
    if (axis !== undefined) for (const state of this.#row.states) state.axis = axis
  }

  /** A step that goes back, for a metric already seen in this segment, means that the process was started again. */
  #enterSegment(step: number): void {
    const current = this.#segments.length - 1
    if (current < 0 || ((this.#restartPending || this.#goesBack(step, current)) && current + 1 < MOST_SEGMENTS)) {
      this.#segments.push({ firstStep: step, lastStep: step })
      if (current >= 0) this.#furthest = Number.NEGATIVE_INFINITY
    } else {
      const { firstStep, lastStep } = this.#segments[current]
      if (lastStep === null || step > lastStep) this.#segments[current] = { firstStep, lastStep: step }
    }
    this.#restartPending = false
  }

  #goesBack(step: number, segment: number): boolean {
    if (step >= this.#furthest) return false
    return this.#row.states.some((state, i) => {
      this.buffer.summarise(this.#row.names[i], state)
      return step < state.latestStep && state.segment === segment
    })
  }

  /** Log lines mostly name metrics as an earlier one did; sources then pass the same array, and look-ups are spared.
   * Names become well-formed Unicode, because half a surrogate pair would not come back from disk as it went. */
  #learn(metrics: readonly string[]): RowShape {
    const shape = newShape(metrics)
    for (const name of shape.names) {
      shape.ids.push(this.buffer.idOf(name))
      let state = this.#metrics.get(name)
      if (state === undefined) {
        state = new MetricState()
        this.#metrics.set(name, state)
      }
      shape.states.push(state)
    }
    this.#shapes.set(metrics, shape)
    return shape
  }

  /** A live file that klens 0.1 left of a training names a file that is none; that was klens itself, too. */
  #fileAt(index: number | null): FileRecord | null {
    return index === null ? null : (this.#files[index] ?? null)
  }

  #patchFile(index: number | null, change: (known: FileRecord) => Partial<FileRecord>): void {
    const known = this.#fileAt(index)
    this.#asked = null
    if (index !== null && known !== null) this.#files[index] = { ...known, ...change(known) }
  }
}

/** What belongs to the metrics of a row, in their order. */
interface RowShape {
  /** As the row names them. */
  readonly metrics: readonly string[]
  readonly names: readonly string[]
  readonly states: MetricState[]
  readonly ids: number[]
  /** The shape of the row that came behind one of this shape the last time. */
  next: RowShape | null
}

function newShape(metrics: readonly string[]): RowShape {
  return { metrics, names: metrics.map(name => name.toWellFormed()), states: [], ids: [], next: null }
}

function charactersIn({ inputs, outputs, expected }: SampleTexts): number {
  return [inputs, outputs, expected].flat().reduce((sum, text) => sum + (text?.length ?? 0), 0)
}

/** A resumed run started when its first process did. */
function firstStart(known: RunAbout, said: RunAbout): RunAbout {
  const starts = [known.startedAt, said.startedAt].filter(time => time !== undefined)
  return starts.length === 0 ? {} : { startedAt: Math.min(...starts) }
}

/** A count that is said again, grown, takes the place of the earlier one. */
function withWarning(warnings: readonly Message[], next: Message): readonly Message[] {
  const text = JSON.stringify(next)
  const others = warnings.filter(
    known => JSON.stringify(known) !== text && !(known.key === next.key && 'count' in next.params),
  )
  return others.length >= MOST_WARNINGS ? others : [...others, next]
}
