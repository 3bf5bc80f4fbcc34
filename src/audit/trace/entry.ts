import type { Message } from '../../logs/model/run.js'

/** A figure of a report in the ledger: what became of it, and where it comes from. */

export type LedgerState = 'traced' | 'derived' | 'contradicted' | 'untraced'

/** Where a value was logged. */
export interface LoggedPlace {
  /** A run, or the group of several. */
  readonly run: string
  readonly metric: string
  readonly step: number | null
  readonly aggregate: 'first' | 'last' | 'min' | 'max' | 'mean' | 'median' | 'std' | 'setting' | 'count' | 'step' | null
  /** The steps of a stretch; of the last ones counted from the end, −1 being the last. */
  readonly over: readonly [number, number] | null
  /** What was made of several runs, and of how many. */
  readonly across: { readonly made: 'mean' | 'std' | 'max' | 'min' | 'range' | 'curve'; readonly runs: number } | null
  readonly file: string | null
  /** Of that file, where one value is meant and the format has lines. */
  readonly line: number | null
}

export interface LedgerEntry {
  readonly line: number
  readonly column: number
  readonly text: string
  readonly state: LedgerState
  readonly source:
    | LoggedPlace
    | { readonly derived: string }
    | { readonly logged: number; readonly from: LoggedPlace }
    | { readonly expected: string; readonly derived: string }
    | null
  /** It fits something that was logged, but so would many a figure of its size. */
  readonly fitsByChance: boolean
  /** The source in words. */
  readonly says: Message
  /** The heading that it stands under. */
  readonly section: string | null
  readonly offset: number
}
