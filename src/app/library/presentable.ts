import type { Language } from '../../text/language.js'

/** The questions whose answers can be presented. */
export type PresentableQuestion =
  | 'run-table'
  | 'show'
  | 'origin'
  | 'samples'
  | 'compare'
  | 'checkpoints'
  | 'diagnose'
  | 'decide'
  | 'sweep'
  | 'frontier'
  | 'forecast'
  | 'plan'
  | 'preflight'
  | 'audit'
  | 'fill'
  | 'goal'
  | 'gate'
  | 'gate-status'
  | 'import'

export interface PresentOptions {
  /** `html` has the charts inside. */
  readonly as?: 'text' | 'markdown' | 'html'
  /** Of the words around the answer; its own sentences have the language of the request. */
  readonly lang?: Language
  /** Everything that is folded otherwise. */
  readonly all?: boolean
}
