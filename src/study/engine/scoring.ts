import type { Cell, EvaluationCell } from '../cell.js'
import type { EvaluationRecord } from '../evaluations/records.js'
import type { TrialCheckpoint } from '../trial.js'

/** How checkpoints are scored: by the same code as `klens eval` and `klens gym eval`, which lies above the engine. */
export interface Scoring {
  cellEvaluator(): CellEvaluator
  promptAsker(split: 'val' | 'test'): PromptAsker
}

export interface CellToEvaluate {
  readonly cell: EvaluationCell
  readonly checkpoint: TrialCheckpoint
}

/** One cell of a study's matrix; what comes out is kept with a run before it is returned. */
export type CellEvaluator = (asked: CellToEvaluate) => Promise<EvaluationRecord>

/** The last checkpoints of trials, asked the first so many prompts of a split. */
export interface PromptAsker {
  /** How many prompts there are. */
  readonly pool: (cell: Cell) => Promise<number>
  /** Scores of the same prompts, in the task's order, by trial; what some trial has no score for is left out for all. */
  readonly ask: (cells: readonly Cell[], count: number) => Promise<ReadonlyMap<string, readonly number[]>>
  /** Seconds that one prompt took one run, so far. */
  readonly secondsPerPrompt: () => number
  /** Answers that were had, of all runs together. */
  readonly answers: () => number
}
