import { basename, dirname, sep } from 'node:path'

/** What the names of event files and their folders tell. Every framework has its own habit. */

/** verl: `tensorboard_log/<project>/<experiment>`. */
const VERL_ROOT = 'tensorboard_log'
/** Hugging Face: `<output dir>/runs/Nov15_04-30-00_<host>`. */
const HUGGING_FACE_FOLDER = /^[A-Z][a-z]{2}\d{2}_\d{2}-\d{2}-\d{2}_/
/** `add_hparams` makes a folder named by Python's `time.time()`. */
const UNIX_TIME = /^\d{9,11}(\.\d+)?$/

export function runName(folder: string): string {
  const name = basename(folder)
  const parent = dirname(folder)
  const grandparent = dirname(parent)
  if (grandparent.split(sep).includes(VERL_ROOT)) return `${basename(parent)}/${name}`
  if (basename(parent) === 'runs' && HUGGING_FACE_FOLDER.test(name)) return basename(grandparent) || name
  return name
}

export function isNamedByTime(folder: string): boolean {
  return UNIX_TIME.test(basename(folder))
}

/** `events.out.tfevents.<unix seconds>.<host>…` */
export function writtenAt(path: string): number | undefined {
  const seconds = /tfevents\.(\d+)/.exec(basename(path))?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
