import type { Answers, Asked } from '../api.js'
import { logIn, type PanelSpec, sized, USUAL_SIZE } from '../charts/lines.js'
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

type Overlay = Answers['overlay']
export type CurvesView = Overlay['kept']

/** As the address says, and as the workspace keeps it where the address says nothing. */
export function viewLeft(query: URLSearchParams, kept: CurvesView): CurvesView {
  return {
    panels: panelsIn(query, 'panel') ?? kept.panels,
    sizes: panelsIn(query, 'size') ?? kept.sizes,
    ...logIn(query, kept),
  }
}

/** `val.score@2x300`: two columns wide, 300 pixels high. Nothing is pinned, or sized, by `-`. */
const NOTHING = '-'
const SIZE = /@(?:(\d+)x(\d+)|wide|tall)/g

function panelsIn(query: URLSearchParams, name: 'panel' | 'size'): readonly PanelSpec[] | null {
  if (!query.has(name)) return null
  return query
    .getAll(name)
    .filter(text => text !== NOTHING)
    .map(text => {
      const [, columns, height] = [...text.matchAll(SIZE)].at(-1) ?? []
      return sized(text.replace(SIZE, ''), Number(columns) || USUAL_SIZE.columns, Number(height) || USUAL_SIZE.height)
    })
}

export function panelTexts(panels: readonly PanelSpec[]): readonly string[] {
  if (panels.length === 0) return [NOTHING]
  return panels.map(({ metric, columns, height }) =>
    columns === USUAL_SIZE.columns && height === USUAL_SIZE.height ? metric : `${metric}@${columns}x${height}`,
  )
}

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
    .map(({ metric }) => ({ metric, ...USUAL_SIZE }))
}

/** The panels of a page on which nothing was searched: pinned ones, then the others. */
export function firstPanels({ metrics }: Overlay, { panels }: CurvesView): readonly PanelSpec[] {
  const others = metrics.filter(({ metric }) => panels.every(panel => panel.metric !== metric))
  return [...panels, ...inReadingOrder(others).slice(0, FIRST_PANELS)]
}
