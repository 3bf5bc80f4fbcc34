import { basename, dirname, extname, join } from 'node:path'
import { runNameFromPath } from '../run-name.js'
import type { Belonging, SourceFile } from '../source.js'

/**
 * What the path of a table of completions tells. verl writes a file per step (`<validation_data_dir>/40.jsonl`), TRL as
 * well (`completions/completions_00040.parquet`); then the folder says what kind they are, and the run is the folder
 * above. Any other file is called after its own name.
 */
export interface CompletionsPlace {
  /** What its metrics are called after: `val/score`, `rollout/acc`, `my_eval/score`. */
  readonly table: string
  /** Where no column tells. */
  readonly step: number | null
  readonly belonging: Belonging
}

const STEP_NAME =
  /^(?:(?:global[-_]?)?step|iter(?:ation)?|epoch|checkpoint|ckpt|completions?|generations?|rollouts?|outputs?|samples?|val(?:id(?:ation)?)?|eval(?:uation)?|test|train)?[-_ ]?(\d{1,15})$/i

export function placeOf({ path }: SourceFile): CompletionsPlace {
  const folder = dirname(path)
  const stem = basename(path, extname(path))
  const step = STEP_NAME.exec(stem)?.[1]
  if (step === undefined) {
    const above = /(?:step|checkpoint|ckpt|epoch|iter)[-_]?(\d{1,15})$/i.exec(basename(folder))?.[1]
    const belonging = { run: path, name: runNameFromPath(path), folder, order: 0, firstRecord: '' }
    return { table: stem, step: above === undefined ? null : Number(above), belonging }
  }
  const ofFolder = kindIn(basename(folder))
  const runFolder = ofFolder === null ? folder : dirname(folder)
  return {
    table: ofFolder ?? kindIn(stem) ?? kindIn(basename(dirname(folder))) ?? 'samples',
    step: Number(step),
    belonging: {
      run: runFolder,
      name: runNameFromPath(join(runFolder, 'metrics')),
      folder: runFolder,
      order: Number(step),
      firstRecord: '',
    },
  }
}

/** Parquet is mostly data to train on, which is none of klens's business; this is how TRL calls its completions. */
export function isCompletionsFile(path: string): boolean {
  return /^completions?[-_]?\d+\.parquet$/i.test(basename(path))
}

function kindIn(name: string): string | null {
  if (/(?:^|[^a-z])(?:val|valid|validation|evals?|evaluations?|test)(?:[^a-z]|$)/i.test(name)) return 'val'
  if (/(?:^|[^a-z])completions?(?:[^a-z]|$)/i.test(name)) return 'completions'
  return /(?:^|[^a-z])(?:rollouts?|train|training)(?:[^a-z]|$)/i.test(name) ? 'rollout' : null
}
