import type { HealthAnswer } from '../ask/diagnose.js'
import type { RunTableAnswer } from '../ask/runs.js'
import type { SeriesOutlineAnswer } from '../ask/series.js'

/**
 * What a copy of the dashboard is made of that needs no server. Scripts and not JSON files, because a page that was opened
 * from disk may load a script beside it but fetch nothing. The index is loaded with the page, a part when it is looked at.
 */

export type Series = SeriesOutlineAnswer['series']

export interface SiteIndex {
  readonly workspace: string
  readonly version: string
  readonly runs: RunTableAnswer['runs']
  /** Of each run, its score in a few ranges, for lists. */
  readonly courses: Series
  readonly health: { readonly [language in 'en' | 'zh']: HealthAnswer['runs'] }
  readonly comparison: SiteComparison | null
  /** Written by klens beforehand, as files of the copy. */
  readonly reports: readonly { readonly title: string; readonly href: string }[]
  /** The files of the parts, by `run ID` and `comparison`. */
  readonly parts: { readonly [part: string]: string }
}

export interface SiteComparison {
  readonly sides: readonly string[]
  readonly metric: string | null
  readonly margin: string | null
}

export interface SitePart {
  /** By question and language; what could not be answered is kept as the sentence that says so. */
  readonly answers: { readonly [question: string]: SiteAnswer }
  readonly series: Series
}

export type SiteAnswer = { readonly answer: unknown } | { readonly status: number; readonly message: string }

/** The name under which the scripts of a copy hand over what they hold. */
export const SITE = 'klensSite'
