import type { RunEvent } from '../model/events.js'
import type { Json } from '../model/json.js'
import type { Message } from '../model/run.js'

/**
 * How a log format plugs in. A source is one file or folder in this module, a line in the registry and one in texts.ts
 * where it has something to say; nothing else in klens knows a format by name.
 */
export interface Source {
  /** Shown to users and stored: `wandb`, `verl`, `tensorboard`, … */
  readonly id: string
  /**
   * Whether the format alone makes a file the log of its folder: `log` does (W&B, TensorBoard, verl, trainer_state),
   * `steps` does when the folder has no `log` (a JSONL with steps), `table` joins whatever log lies beside it,
   * `samples` joins even a table, `document` always stands alone (a Markdown report).
   */
  readonly role: 'log' | 'steps' | 'table' | 'samples' | 'document'
  /** Whether more of the run may come while it is followed: at the end of the file, or in place of it. */
  readonly grows: boolean
  /** Several files of one run: all of them are read in order, or only the newest, which holds the others' content. */
  readonly keep: 'all' | 'newest'
  /** How far its numbers can be trusted, where other logs of the same training may have more digits; absent: exact. */
  readonly precision?: 'single' | 'printed'
  /** What its metrics are called in the logs that the same trainer writes through trackers, and the other way round. */
  readonly namesElsewhere?: { outward(metric: string): string; inward(metric: string): string }
  /** Set where metrics carry the name of their table already, and need none when the file lies beside a log. */
  readonly namesMetrics?: true
  /** Set where files of one run may begin with the same answers, and are no copies of each other for that. */
  readonly beginsAlike?: true
  /** Set where files in one folder count as one run, and may yet be of several launches. */
  readonly ofLaunches?: true
  /** Is this file ours? Decided by content; names and extensions are at most a hint. Must not throw. */
  recognise(file: SourceFile): boolean
  /**
   * Which runs this file holds or is part of: mostly one, several for a report or a database.
   * None: the file is ours but holds nothing to import. Cheap for logs: the head, or a bounded extra piece.
   */
  describe(file: SourceFile, hints: Hints): Promise<readonly Belonging[]>
  /**
   * Reads from the start, or from a cursor that an earlier reading yielded. Yields batches (one per chunk of input).
   * Never throws for bad content: says a warning and goes on, or stops. File system errors pass through.
   */
  read(file: SourceFile, request: ReadRequest): AsyncIterable<readonly RunEvent[]>
  /**
   * Whether a file that has changed may be read on from this cursor. Absent: when it starts as it did and is not shorter,
   * which a log is that only grows at its end, but not a database.
   */
  continues?(file: SourceFile, cursor: Json): Promise<boolean>
  /** What a file that is not ours lacks to be: said where no source wants it. */
  lacks?(file: SourceFile): Message | null
  /** Which source reads the file where it stands alone, if another one does. */
  alone?(file: SourceFile): Source | null
  readonly surroundings?: Surroundings
}

/** What a format knows of the folder that its logs lie in. */
export interface Surroundings {
  /** Of the names in a folder, those that are part of a log there, or copies of what it holds. */
  parts?(names: readonly string[]): ReadonlySet<string>
  /** Whether a file is only part of a log, or of no interest by itself. */
  isPart?(path: string, head: Uint8Array): boolean
  /** Whether a file may be ours though most with its extension are no logs. */
  mayBeLog?(path: string): boolean
  /** When a log of several files was last written, by the file that stands for it; null for any other file. */
  lastWritten?(path: string, head: Uint8Array): Promise<number | null>
}

export interface SourceFile {
  /** Real path, links resolved. */
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  /** When the file was made, where the system tells. */
  readonly createdMs?: number
  /** The first bytes, at most HEAD_BYTES. */
  readonly head: Uint8Array
  /** The last bytes before `size`, at most TAIL_BYTES; absent where nobody looked. */
  readonly tail?: Uint8Array
}

export const HEAD_BYTES = 65_536
/** Logs of one job begin alike for pages (a config, a list of packages); where they end no two do. */
export const TAIL_BYTES = 4096

/** Files with the same `run` are parts of one run, read in `order`. */
export interface Belonging {
  readonly run: string
  readonly name: string
  /** The run's folder: configs and tables are looked for here. */
  readonly folder: string
  readonly order: number
  /** The tracker's own id of the run, when it has one, and the project within which it is one run's alone. */
  readonly trackerId?: string
  readonly trackerScope?: string
  /** Which of the runs in a file that holds several, when they have no ids of their own. */
  readonly member?: string
  /** What a run without an id of its own is known again by, wherever its log lies; '': the beginning of the file. */
  readonly firstRecord: string
  /** The metrics in the first rows of a table. */
  readonly metrics?: readonly string[]
  /** Scores of a checkpoint: they belong to the one training whose folder, or one above it, `folder` is. */
  readonly ofCheckpoint?: true
}

export interface ReadRequest {
  /** Which of the runs in the file, as `describe` named it. */
  readonly run: string
  /** Where an earlier reading stopped; null reads from the start. */
  readonly cursor: Json
  readonly hints: Hints
  /** Rows are to say where they stand; only where everything is read from the start. */
  readonly places?: boolean
}

/** What the user says about a file that does not speak for itself. */
export interface Hints {
  readonly step?: string
  readonly metrics?: readonly string[]
  /** The step column that was named for a file earlier, by its path. */
  readonly steps?: ReadonlyMap<string, string>
  /** Logs with the same values stay runs of their own. */
  readonly separate?: boolean
}
