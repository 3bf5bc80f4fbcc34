import type { ReactNode } from 'react'
import { askServer } from '../api.js'
import type { LogAxes, PanelSpec } from '../charts/lines.js'
import { showLog } from '../charts/panel-controls.js'
import { change, usePlace } from '../location.js'
import { useSession } from '../session.js'
import { siteIndex } from '../site.js'
import { type Say, useSay } from '../words.js'
import { type CurvesView, panelTexts, viewLeft } from './asked.js'

/** Panels as a reader wants them: pinned, in his order and his sizes. They stand in the address and are kept for the workspace. */

/** What was last kept by this page is newer than what the server said before. */
let keptHere: CurvesView | null = null

export interface CurvesPanels extends CurvesView {
  readonly pin: (panels: readonly PanelSpec[]) => void
  readonly resize: (panel: PanelSpec) => void
  /** A panel that is not pinned, in the size that it was given. */
  readonly sizedAs: (panel: PanelSpec) => PanelSpec
  readonly onLog: (axes: Partial<LogAxes>) => void
}

export function useCurvesView(kept: CurvesView): CurvesPanels {
  const { query } = usePlace()
  const { right } = useSession()
  const left = viewLeft(query, keptHere ?? kept)
  const { panels, sizes } = left
  const keep = (part: Partial<CurvesView>): void => {
    if (right !== 'write' || siteIndex !== null) return
    keptHere = { ...left, ...part }
    // The address holds it all the same.
    askServer('keep-panels', { ...keptHere }).catch(() => {})
  }
  const pin = (pinned: readonly PanelSpec[], options = {}): void => {
    change({ panel: panelTexts(pinned) }, options)
    keep({ panels: pinned })
  }
  const isSame =
    (panel: PanelSpec) =>
    ({ metric }: PanelSpec): boolean =>
      metric === panel.metric
  return {
    ...left,
    pin,
    resize: panel => {
      const at = panels.findIndex(isSame(panel))
      if (at >= 0) return pin(panels.with(at, panel), { replace: true })
      const others = [...sizes.filter(each => !isSame(panel)(each)), panel]
      change({ size: panelTexts(others) }, { replace: true })
      keep({ sizes: others })
    },
    sizedAs: panel => sizes.find(isSame(panel)) ?? panel,
    onLog: axes => {
      showLog(axes, 'off')
      keep(axes)
    },
  }
}

type PinnedPanels = Pick<CurvesPanels, 'panels' | 'pin'>

export function usePanelTools(pinned: PinnedPanels): (panel: PanelSpec, title: string) => ReactNode {
  const say = useSay()
  return (panel, title) => panelTools(pinned, panel, title, say)
}

/** The buttons of one panel; of one that is pinned also those that move it. */
function panelTools({ panels, pin }: PinnedPanels, panel: PanelSpec, title: string, say: Say): ReactNode {
  const at = panels.findIndex(({ metric }) => metric === panel.metric)
  const isPinned = at >= 0
  const moved = (by: 1 | -1): void => {
    const others = panels.toSpliced(at, 1)
    pin(others.toSpliced(at + by, 0, panels[at]))
  }
  const button = (label: string, sign: string, onClick: () => void, isPressed?: boolean) => (
    <button type="button" className="icon" aria-label={label} title={label} onClick={onClick} aria-pressed={isPressed}>
      {sign}
    </button>
  )
  return (
    <span className="panel-tools">
      {at > 0 && button(say('web.curves.earlier', { title }), '←', () => moved(-1))}
      {isPinned && at < panels.length - 1 && button(say('web.curves.later', { title }), '→', () => moved(1))}
      {isPinned
        ? button(say('web.curves.unpin', { title }), '★', () => pin(panels.toSpliced(at, 1)), true)
        : button(say('web.curves.pin', { title }), '☆', () => pin([...panels, panel]), false)}
      {button(say('web.curves.full', { title }), '⤢', () => change({ full: panel.metric }))}
    </span>
  )
}
