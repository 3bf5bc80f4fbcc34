import { askServer } from '../api.js'
import type { PanelSpec, PanelTools } from '../charts/panel-grid.js'
import { change, usePlace } from '../location.js'
import { useSession } from '../session.js'
import { siteIndex } from '../site.js'
import { type Say, useSay } from '../words.js'
import { panelsIn, panelTexts } from './asked.js'

/** Panels that a reader wants first: pinned, in his order and his sizes. They stand in the address and are kept for the workspace. */

/** What was last kept by this page is newer than what the server said before. */
let keptHere: readonly PanelSpec[] | null = null

interface PinnedPanels {
  readonly panels: readonly PanelSpec[]
  readonly pin: (panels: readonly PanelSpec[]) => void
}

export function usePinnedPanels(kept: readonly PanelSpec[]): PinnedPanels {
  const { query } = usePlace()
  const { right } = useSession()
  return {
    panels: panelsIn(query) ?? keptHere ?? kept,
    pin: panels => {
      change({ panel: panelTexts(panels) })
      if (right !== 'write' || siteIndex !== null) return
      keptHere = panels
      // The address holds them all the same.
      askServer('keep-panels', { panels }).catch(() => {})
    },
  }
}

export function usePanelTools(pinned: PinnedPanels): (panel: PanelSpec, title: string) => PanelTools {
  const say = useSay()
  return (panel, title) => panelTools(pinned, panel, title, say)
}

/** The buttons of one panel; of one that is pinned also those that move and size it. */
function panelTools({ panels, pin }: PinnedPanels, panel: PanelSpec, title: string, say: Say): PanelTools {
  const at = panels.findIndex(({ metric }) => metric === panel.metric)
  const isPinned = at >= 0
  const changed = (part: Partial<PanelSpec>): void => pin(panels.with(at, { ...panels[at], ...part }))
  const moved = (by: 1 | -1): void => {
    const others = panels.toSpliced(at, 1)
    pin(others.toSpliced(at + by, 0, panels[at]))
  }
  const button = (
    label: string,
    sign: string,
    onClick: () => void,
    more: { readonly 'aria-pressed'?: boolean } = {},
  ) => (
    <button type="button" className="icon" aria-label={label} title={label} onClick={onClick} {...more}>
      {sign}
    </button>
  )
  return {
    head: (
      <span className="panel-tools">
        {isPinned && (
          <>
            {at > 0 && button(say('web.curves.earlier', { title }), '←', () => moved(-1))}
            {at < panels.length - 1 && button(say('web.curves.later', { title }), '→', () => moved(1))}
            {button(say('web.curves.wide', { title }), '↔', () => changed({ isWide: !panel.isWide }), {
              'aria-pressed': panel.isWide,
            })}
            {button(say('web.curves.tall', { title }), '↕', () => changed({ isTall: !panel.isTall }), {
              'aria-pressed': panel.isTall,
            })}
          </>
        )}
        {isPinned
          ? button(say('web.curves.unpin', { title }), '★', () => pin(panels.toSpliced(at, 1)), {
              'aria-pressed': true,
            })
          : button(
              say('web.curves.pin', { title }),
              '☆',
              () => pin([...panels, { ...panel, isWide: false, isTall: false }]),
              { 'aria-pressed': false },
            )}
        {button(say('web.curves.full', { title }), '⤢', () => change({ full: panel.metric }))}
      </span>
    ),
  }
}
