import { growthOf, standingOf } from '../analysis/growing.js'
import type { RunView } from '../analysis/run-view.js'
import { Problem } from '../model/problem.js'
import type { Verdict } from '../model/verdict.js'
import { shownName } from '../store/manifest.js'
import type { Workspace } from '../store/workspace.js'
import { comparisonOf } from './compare.js'

/**
 * Two runs that are watched together: what may be said of them by now. A word that is repeated after every evaluation
 * until it pleases is worth nothing, so there is one at each of the few looks of `analysis/growing.ts`, one at the end,
 * and before the first look one that says when it will be.
 */
export interface WatchedPair {
  readonly views: readonly [RunView, RunView]
  /** The step up to which both have been evaluated. */
  readonly reached: number
}

/** Changes when there is something new to say, and at no other time. */
export function stageOf({ views, reached }: WatchedPair): string {
  const growing = growthOf(views)
  return growing === null ? 'ended' : String(standingOf(growing, reached).until)
}

/** The second against the first; null where they share no score. */
export async function pairVerdict(workspace: Workspace, { views }: WatchedPair): Promise<Verdict | null> {
  const sides = views.map(view => ({ label: shownName(view.manifest), runs: [view], checkpoint: null, copies: [] }))
  try {
    const { verdicts, headline } = await comparisonOf(workspace, sides, { metric: null, goal: null, margin: null })
    return verdicts[headline.verdict]
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}
