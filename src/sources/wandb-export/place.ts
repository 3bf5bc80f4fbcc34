import { basename, dirname } from 'node:path'
import type { Belonging } from '../source.js'

/** How W&B names the Parquet files of a run's history, and what that tells about the run. */

/** `<entity>_<project>_<run id>_<n>.runhistory.parquet`, one of several parts. */
const PART = /^(.+)_(\d{1,9})\.runhistory\.parquet$/
/** The folder of the artifact that W&B makes of a history: `run-<run id>-history:v0`. */
const ARTIFACT = /^(?:run-)?(.+)-history(?:[:-]v\d+)?$/

/** Most Parquet files are data sets, so in a folder only those with such a name are looked into. */
export function isRunHistoryFile(path: string): boolean {
  return PART.test(basename(path)) || (path.endsWith('.parquet') && ARTIFACT.test(basename(dirname(path))))
}

export function belongingOf(path: string): Belonging {
  const folder = dirname(path)
  const file = basename(path, '.parquet')
  const [, whole, nth] = PART.exec(basename(path)) ?? []
  const artifact = ARTIFACT.exec(basename(folder))?.[1]
  const order = Number(nth ?? /\d{1,9}$/.exec(file)?.[0] ?? 0)
  if (whole === undefined && artifact === undefined) {
    return { run: `wandb-export:${path}`, name: file, folder, order, firstRecord: '' }
  }
  const name = whole ?? artifact ?? file
  return { run: `wandb-export:${folder}/${name}`, name, folder, order, firstRecord: '' }
}
