import type { Extent } from '../../src/core/charts/chart.js'
import type { Asked } from '../api.js'
import { viewIn } from '../charts/lines.js'
import type { PanelSpec } from '../charts/panel-grid.js'

/** What the page of curves shows, read off its address: which runs, how they are put together, which panels first. */

/** Of groups, the mean of every run is wanted. */
const DRAWN_IN_GROUPS = 100

export function overlayRequest(query: URLSearchParams): Asked {
  const group = query.get('group')
  return {
    search: query.get('q') ?? '',
    where: query.getAll('where'),
    tag: query.getAll('tag'),
    ids: (query.get('pick') ?? '').split(',').filter(Boolean),
    ...(group && { group, draw: DRAWN_IN_GROUPS }),
  }
}

/** `val.score@wide@tall`; nothing is pinned by `-`, and as the workspace keeps them where the address says nothing. */
const NOTHING_PINNED = '-'
const SIZES = /@(wide|tall)/g

export function panelsIn(query: URLSearchParams): readonly PanelSpec[] | null {
  if (!query.has('panel')) return null
  return query
    .getAll('panel')
    .filter(text => text !== NOTHING_PINNED)
    .map(text => ({
      metric: text.replace(SIZES, ''),
      isWide: text.includes('@wide'),
      isTall: text.includes('@tall'),
    }))
}

export function panelTexts(panels: readonly PanelSpec[]): readonly string[] {
  if (panels.length === 0) return [NOTHING_PINNED]
  return panels.map(({ metric, isWide, isTall }) => `${metric}${isWide ? '@wide' : ''}${isTall ? '@tall' : ''}`)
}

/** The part of its values that a reader wants to see of a metric: `y.entropy=0:1`. */
export function rangeIn(query: URLSearchParams, metric: string): Extent | undefined {
  return viewIn(query.get(rangeName(metric)))
}

export function rangeName(metric: string): string {
  return `y.${metric}`
}
