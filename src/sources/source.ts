import type { RunEvent } from '../model/events.js'
import type { Json } from '../model/json.js'

/**
 * How a log format plugs in. A source is one file (or folder) in this room and one line in the registry;
 * nothing else in klens knows a format by name.
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
  /** Set where metrics carry the name of their table already, and need none when the file lies beside a log. */
  readonly namesMetrics?: true
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
}

export interface SourceFile {
  /** Real path, links resolved. */
  readonly path: string
  readonly size: number
  readonly modifiedMs: number
  /** The first bytes, at most HEAD_BYTES. */
  readonly head: Uint8Array
}

export const HEAD_BYTES = 65_536

/** Files with the same `run` are parts of one run, read in `order`. */
export interface Belonging {
  readonly run: string
  readonly name: string
  /** The run's folder: configs and tables are looked for here. */
  readonly folder: string
  readonly order: number
  /** The tracker's own id of the run, when it has one. */
  readonly trackerId?: string
  /** What the run's identity is hashed from together with its path, when it has no id of its own. */
  readonly firstRecord: string
}

export interface ReadRequest {
  /** Which of the runs in the file, as `describe` named it. */
  readonly run: string
  /** Where an earlier reading stopped; null reads from the start. */
  readonly cursor: Json
  readonly hints: Hints
}

/** What the user says about a file that does not speak for itself. */
export interface Hints {
  readonly step?: string
  readonly metrics?: readonly string[]
}
