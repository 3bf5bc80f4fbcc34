import type { Belonging, SourceFile } from './source.js'

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
