import { hrefTo } from './location.js'

/** The pages, in the order of the navigation. */
export const PAGES = ['home', 'runs', 'compare', 'study', 'samples', 'report', 'audit', 'train'] as const

export type PageName = (typeof PAGES)[number]

export function hrefOf(page: PageName): string {
  return hrefTo(page === 'home' ? [] : [page])
}
