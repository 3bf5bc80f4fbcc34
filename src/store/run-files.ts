import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from './manifest.js'

/** The data files of a run beside its manifest, for whoever takes it elsewhere; weights of checkpoints are not among them. */

export const RUN_FILE = /^(?:run\.json|evals\.parquet|samples\.parquet|(?:points|texts)\/\d+\.parquet)$/

export function dataFilesOf({ parts, texts }: Manifest, folder: string): readonly string[] {
  const tables = ['evals.parquet', 'samples.parquet'].filter(name => existsSync(join(folder, name)))
  return [...parts, ...texts, ...tables]
}
