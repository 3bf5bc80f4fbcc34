import type { Json } from './json.js'

/** One training process, as klens keeps it. What is here can be listed without touching a single point. */

export type RunStatus = 'running' | 'finished' | 'failed' | 'killed' | 'unknown'

/** A flat map of dotted keys, raw as the framework wrote them. */
export type Config = { readonly [key: string]: Json }

/** A point that was logged, one that its author marked as an estimate, or a cell known to be empty. */
export type Quality = 'measured' | 'estimated' | 'missing'

/** The order is the code under which the store's staging tables hold a quality. */
export const QUALITIES: readonly Quality[] = ['measured', 'estimated', 'missing']

export type { Message, MessageParam } from '../../text/sentences.js'

/** What a tracker says about a run besides its numbers. */
export interface RunAbout {
  readonly name?: string
  readonly trackerId?: string
  readonly project?: string
  /** Whose project: the team or user of a tracker. */
  readonly entity?: string
  readonly group?: string
  readonly notes?: string
  readonly tags?: readonly string[]
  readonly host?: string
  readonly program?: string
  readonly args?: readonly string[]
  readonly commit?: string
  readonly remote?: string
  /** Versions of what produced the log: `wandb`, `verl`, `trl`, `python`. Version traps are decided by them. */
  readonly versions?: { readonly [tool: string]: string }
  /** Unix seconds. */
  readonly startedAt?: number
  readonly endedAt?: number
}

/** A stretch of a run between two (re)starts. */
export interface Segment {
  readonly firstStep: number | null
  readonly lastStep: number | null
}
