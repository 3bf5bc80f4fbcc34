import type { Message } from '../../model/run.js'
import type { Acknowledgement } from './acknowledged.js'

/** Why a figure should not be taken as it is. */
export interface Suspicion {
  readonly rule:
    | 'same-course'
    | 'same-weights'
    | 'other-settings'
    | 'other-run'
    | 'evaluated-other'
    | 'identical-results'
    | 'adopted-otherwise'
  /** What it is about, by content: what was acknowledged of one thing is not acknowledged of another. */
  readonly subject: string
  readonly message: Message
  /** Null: it stands in the way of a comparison. */
  readonly acknowledged: Acknowledgement | null
}

export type NewSuspicion = Omit<Suspicion, 'acknowledged'>

/** Those that stand in the way of a comparison. */
export function openSuspicions(all: readonly Suspicion[]): readonly Suspicion[] {
  return all.filter(({ acknowledged }) => acknowledged === null)
}
