import { basename, dirname, extname } from 'node:path'
import type { Belonging, SourceFile } from './source.js'

/**
 * What to call a run whose log does not say. People name either the file or the folder after the experiment:
 * `metrics.jsonl` says nothing, `kl-0.1/metrics.jsonl` does, and in `kl-0.1/seed0/metrics.jsonl` it takes both folders.
 */

const SAYS_NOTHING =
  /^(metrics?|train|trainer|training|trainer_state|logs?|outputs?|out|console|std(out|err)|main(_ppo|_task)?|nohup|runs?|results?|history|progress|verl|wandb|checkpoints?)$/i
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

function wholeLog(path: string): { readonly path: string; readonly order: number } | null {
  const [, numbered, number] = NUMBERED.exec(path) ?? []
  if (numbered !== undefined) return { path: numbered, order: -Number(number) }
  const [, dated, year, month, day, time = ''] = DATED.exec(path) ?? []
  return dated === undefined ? null : { path: dated, order: OLDEST + Number(year + month + day + time.padEnd(6, '0')) }
}
