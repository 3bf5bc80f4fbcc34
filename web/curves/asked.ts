import type { Extent } from '../../src/core/charts/chart.js'
import type { Answers, Asked } from '../api.js'
import { viewIn } from '../charts/lines.js'
import type { PanelSpec } from '../charts/panel-grid.js'
import { rankOf } from '../metric-topics.js'

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

type Overlay = Answers['overlay']

/** The runs that are drawn, in the order in which they were ticked, so that one more does not recolour the others. */
export function inTickedOrder(drawn: Overlay['drawn'], pick: string): Overlay['drawn'] {
  const ticked = pick.split(',')
  return drawn.toSorted((a, b) => ticked.indexOf(a.id) - ticked.indexOf(b.id))
}

/** Which runs the page of an answer shows, by their ids. */
export function shownIds({ drawn }: Overlay, query: URLSearchParams): readonly string[] {
  const hidden = (query.get('hide') ?? '').split(',')
  const inOrder = query.get('group') === null ? inTickedOrder(drawn, query.get('pick') ?? '') : drawn
  return inOrder.flatMap(({ id }) => (hidden.includes(id) ? [] : [id]))
}

export const FIRST_PANELS = 12

/** What a reader looks for first before the rest. */
export function inReadingOrder(metrics: Overlay['metrics']): readonly PanelSpec[] {
  return metrics
    .toSorted((a, b) => rankOf(a.canonical) - rankOf(b.canonical) || b.runs - a.runs)
    .map(({ metric }) => ({ metric, isWide: false, isTall: false }))
}

/** The panels of a page on which nothing was searched: pinned ones, then the others. */
export function firstPanels({ metrics, panels }: Overlay, query: URLSearchParams): readonly PanelSpec[] {
  const pinned = panelsIn(query) ?? panels
  const others = metrics.filter(({ metric }) => pinned.every(panel => panel.metric !== metric))
  return [...pinned, ...inReadingOrder(others).slice(0, FIRST_PANELS)]
}

/** The part of its values that a reader wants to see of a metric: `y.entropy=0:1`. */
export function rangeIn(query: URLSearchParams, metric: string): Extent | undefined {
  return viewIn(query.get(rangeName(metric)))
}

export function rangeName(metric: string): string {
  return `y.${metric}`
}
