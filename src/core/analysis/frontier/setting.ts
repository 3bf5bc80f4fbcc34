import type { Json } from '../../../logs/model/json.js'

/** A setting as its runs: what each scored, and how far it went. */

export interface FrontierRun {
  readonly id: string
  /** The level that a sweep judges it by, at steps that all runs share. */
  readonly score: number
  /** The mean over the same steps; null where the run logs no KL, or none that a ratio can be made of. */
  readonly kl: number | null
  /** What was optimised, as validated, where that is not the score. */
  readonly optimised: number | null
}

export interface FrontierSetting {
  readonly values: readonly Json[]
  readonly label: string
  readonly runs: readonly FrontierRun[]
}

export interface Figure {
  readonly estimate: number
  /** Over seeds; null for one run. */
  readonly interval: readonly [number, number] | null
}
