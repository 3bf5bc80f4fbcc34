import { hrefTo } from './location.js'
import { siteIndex } from './site.js'

/** The pages, in the order of the navigation. */
export const PAGES = ['home', 'runs', 'compare', 'study', 'samples', 'report', 'audit', 'train'] as const

/** A copy has the pages that it has answers for. */
const IN_COPY: readonly PageName[] = siteIndex?.comparison ? ['home', 'runs', 'compare', 'report'] : ['home', 'runs']

export const SHOWN_PAGES: readonly PageName[] = siteIndex === null ? PAGES : IN_COPY

export type PageName = (typeof PAGES)[number]

/** Where a copy has one comparison, the pages of comparisons show it. */
export function hrefOf(page: PageName): string {
  const { sides, metric, margin } = siteIndex?.comparison ?? { sides: [], metric: null, margin: null }
  if (page === 'compare') return hrefTo(['compare'], { side: sides, metric, margin })
  if (page === 'report') return hrefTo(['report'], { run: sides, metric, margin })
  return hrefTo(page === 'home' ? [] : [page])
}
