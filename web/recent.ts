import { siteIndex } from './site.js'

/** Comparisons that were opened in this browser, the newest first, so that the first page can judge them again. */

export interface RecentComparison {
  readonly sides: readonly string[]
  readonly metric: string | null
  readonly margin: string | null
}

const NAME = 'klens-comparisons'
const MOST = 6

export function recentComparisons(workspace: string): readonly RecentComparison[] {
  if (siteIndex !== null) return siteIndex.comparison === null ? [] : [siteIndex.comparison]
  try {
    // Written below, by this page alone; what another page put there is dropped.
    return JSON.parse(window.localStorage.getItem(`${NAME} ${workspace}`) ?? '[]') as readonly RecentComparison[]
  } catch {
    return []
  }
}

export function rememberComparison(workspace: string, comparison: RecentComparison): void {
  if (siteIndex !== null) return
  const key = comparison.sides.join('\n')
  const others = recentComparisons(workspace).filter(({ sides }) => sides.join('\n') !== key)
  window.localStorage.setItem(`${NAME} ${workspace}`, JSON.stringify([comparison, ...others].slice(0, MOST)))
}
