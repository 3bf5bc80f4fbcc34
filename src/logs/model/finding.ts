import type { Message } from './run.js'

/** Something wrong, where, and by which very numbers. */

export type Severity = 'error' | 'warning' | 'note'

export interface Finding {
  readonly rule: string
  readonly severity: Severity
  /** The run's id. */
  readonly run: string
  /** From where to where it shows. */
  readonly steps: readonly [number, number]
  readonly message: Message
  readonly evidence: Evidence
  readonly remedy: Message
}

/** The numbers that a finding rests on; arrays are parallel to each other or stand for steps. */
export interface Evidence {
  readonly [name: string]: number | string | readonly number[] | readonly string[]
}
