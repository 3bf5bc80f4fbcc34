import { basename, dirname, extname } from 'node:path'
import { runNameFromPath } from '../run-identity.js'
import type { Belonging } from '../source.js'

/**
 * What the path of a file of rollouts tells: trainers write one file, or one folder, for each step, and name it after the
 * step. `out/rollouts/step_42/train/effective/traces.jsonl` is of step 42 of the run in `out`, `log/iteration_000010/…` of
 * step 10 of the run in `log`, `exp_001/val_data_step40.jsonl` of step 40 of the run in `exp_001`.
 */
export interface RolloutPlace {
  /** What its metrics are called after: `rollout/reward`, `val/reward`. */
  readonly table: 'rollout' | 'val'
  /** Null: the path does not tell. */
  readonly step: number | null
  readonly belonging: Belonging
}

const STEP = /^(?:[a-z]\w*?[_-])?(?:step|iteration|iter)[_-]?(\d{1,15})(?:[_-]epoch[_-]?\d{1,9})?$/i
const STEP_AT_END = /(?:step|iteration|iter)[_-]?(\d{1,15})$/i
/** Folders that hold nothing but steps. */
const OF_STEPS = /^(?:rollouts?|episodes?|traces?|generations?|trajector(?:y|ies)|dumps?)$/i
const VALIDATION = /(?:^|[^a-z])(?:val|valid|validation|evals?|evaluations?|test)(?:[^a-z]|$)/i
/** So many folders may lie between a step's folder and the file. */
const DEEPEST = 3

export function rolloutPlace(path: string): RolloutPlace {
  const stem = basename(path, extname(path))
  const inName = STEP_AT_END.exec(stem)?.[1]
  let below = stem
  let folder = dirname(path)
  let step = inName
  for (let up = 0; step === undefined && up <= DEEPEST; up += 1) {
    below = `${basename(folder)}/${below}`
    step = STEP.exec(basename(folder))?.[1]
    folder = dirname(folder)
  }
  if (step === undefined) folder = dirname(path)
  const runFolder = step !== undefined && OF_STEPS.test(basename(folder)) ? dirname(folder) : folder
  return {
    table: VALIDATION.test(step === undefined ? stem : below) ? 'val' : 'rollout',
    step: step === undefined ? null : Number(step),
    belonging: {
      run: `rollouts:${runFolder}`,
      name: runNameFromPath(`${runFolder}/metrics`),
      folder: runFolder,
      order: step === undefined ? 0 : Number(step),
      firstRecord: '',
    },
  }
}
