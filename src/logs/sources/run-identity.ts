import { basename, dirname, extname } from 'node:path'
import { idFromHash, sha256 } from '../model/id.js'
import type { Belonging, Source, SourceFile } from './source.js'

/** A run as it was found: which files make it up, and by what it is known again. */
export interface FoundRun {
  /** A tracker's own id, else one that is made of where the log lies and how it begins: what a new run is called by. */
  readonly id: string
  /**
   * The same wherever the log lies: the tracker's own id of the run within its project, else what stands first in the
   * log. Of two runs with the same first record, as equal seeds have it, only more of their logs tells them apart.
   */
  readonly identity: string
  /** Whether the identity is a tracker's own, which no other run has. */
  readonly isTracked: boolean
  readonly name: string
  readonly source: Source
  readonly folder: string
  readonly logs: readonly RunFile[]
  /** Tables beside the log, whose metrics are prefixed with the file's name, and further logs of the same training. */
  readonly tables: readonly RunFile[]
  readonly configs: readonly SourceFile[]
  /** The ids that further logs of the same training have where they are found alone. */
  readonly joined?: readonly string[]
  /** Of an evaluation that names a checkpoint: the folder, or the name, of the training that wrote it. */
  readonly ofTraining?: string
}

/** A file of a run, and the source that reads it. */
export interface RunFile {
  readonly file: SourceFile
  readonly source: Source
  /** Which of the file's runs. */
  readonly run: string
  /** Of a further log of a training whose points another log tells better: what its metrics are called there, and whether its steps are. */
  readonly mergesInto?: { metricAs(metric: string): string; readonly countsOtherwise: boolean }
}

/** Ids become folder names, so a tracker's own id is taken only when it is harmless as one. */
const HARMLESS_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/

export function idsOf(
  source: Source,
  file: SourceFile,
  { trackerId, trackerScope = '', run, member = '', firstRecord }: Belonging,
): Pick<FoundRun, 'id' | 'identity' | 'isTracked'> {
  if (trackerId !== undefined) {
    const id = HARMLESS_ID.test(trackerId) ? trackerId : idFromHash(digest([source.id, run, trackerId]))
    return { id, identity: digest([source.id, trackerScope, trackerId]), isTracked: true }
  }
  const beginning = firstRecord === '' ? digest(file.head) : firstRecord
  const id = idFromHash(digest([source.id, run, firstRecord]))
  return { id, identity: digest([source.id, member, beginning]), isTracked: false }
}

function digest(content: Uint8Array | readonly string[]): string {
  return sha256(content instanceof Uint8Array ? content : JSON.stringify(content))
}

/**
 * What to call a run whose log does not say. People name either the file or the folder after the experiment:
 * `metrics.jsonl` says nothing, `kl-0.1/metrics.jsonl` does, and in `kl-0.1/seed0/metrics.jsonl` it takes both folders.
 */

const SAYS_NOTHING =
  /^(metrics?|train|trainer|training|trainer_state|logs?|outputs?|out|console|std(out|err)|main(_ppo|_task)?|nohup|runs?|results?|history|progress|evaluations|monitor|verl|wandb|checkpoints?)$/i
const ONLY_COUNTS = /^(seed|run|trial|rep|repeat|exp|fold|version)?[-_ ]?\d+$/i

/** Whether a file of this name tells nothing about the run in it. */
export function saysNothing(stem: string): boolean {
  return SAYS_NOTHING.test(stem)
}

/** How many folders may be passed over in search of one that says something. */
const FARTHEST = 3

export function runNameFromPath(path: string): string {
  const stem = basename(path, extname(path))
  if (stem !== '' && !SAYS_NOTHING.test(stem)) return stem
  let folder = dirname(path)
  for (let passed = 0; passed < FARTHEST && SAYS_NOTHING.test(basename(folder)); passed += 1) folder = dirname(folder)
  const name = basename(folder)
  if (name === '' || name === '.' || SAYS_NOTHING.test(name)) return stem || path
  const parent = basename(dirname(folder))
  return ONLY_COUNTS.test(name) && parent !== '' && parent !== '.' ? `${parent}/${name}` : name
}

/** Of several trainings that were logged to one place the first has its name, the others are counted. */
export function nthName(name: string, nth: number): string {
  return nth === 1 ? name : `${name}/${nth}`
}

/** A log that is a run by itself, known again by its first line, which stays while it grows. */
export function loneLog(source: string, file: SourceFile, head: string, name = runNameFromPath(file.path)): Belonging {
  const firstRecord = head.slice(0, head.search(/[\r\n]|$/))
  return { run: `${source}:${file.path}`, name, folder: dirname(file.path), order: 0, firstRecord }
}

/**
 * Logs that were put aside so that a new one could begin: `train.log.1` (logrotate, Python's RotatingFileHandler), and
 * `train.log-20261115` or `train.log.2026-11-15` (logrotate with dates, TimedRotatingFileHandler). They are earlier
 * pieces of `train.log`: one run, known by the first line of the oldest piece.
 */

/** What stands before the number must end like a file name: `kl-0.1` is no rotated `kl-0`. */
const NUMBERED = /^(.+\.[A-Za-z]\w*)\.(\d{1,3})$/
const DATED = /^(.+\.[A-Za-z]\w*)[-.](\d{4})-?(\d\d)-?(\d\d)(?:[-_T]?(\d{2,6}))?$/

/** Orders of dates lie below those of numbers: who rotates by both put the dated pieces aside long ago. */
const OLDEST = -1e15

/** The same belonging, but to the log that the file is a piece of. Runs that are not named after the file stay as they are. */
export function asPieceOfLog(belonging: Belonging, { path }: SourceFile): Belonging {
  const whole = wholeLog(path)
  if (whole === null || !belonging.run.includes(path)) return belonging
  return { ...belonging, run: belonging.run.replace(path, () => whole.path), order: whole.order }
}

/** Whether a file was put aside so that this log could begin again. */
export function isPieceOf(log: string, path: string): boolean {
  return wholeLog(path)?.path === log
}

function wholeLog(path: string): { readonly path: string; readonly order: number } | null {
  const [, numbered, number] = NUMBERED.exec(path) ?? []
  if (numbered !== undefined) return { path: numbered, order: -Number(number) }
  const [, dated, year = '', month = '', day = '', time = ''] = DATED.exec(path) ?? []
  return dated === undefined ? null : { path: dated, order: OLDEST + Number(year + month + day + time.padEnd(6, '0')) }
}
