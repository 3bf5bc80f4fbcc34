import { useEffect, useMemo } from 'react'
import type { Extent, ProgressUnit } from '../../src/core/charts/chart.js'
import { change, usePlace } from '../location.js'
import { Choice } from '../parts.js'
import { siteIndex } from '../site.js'
import { useSay } from '../words.js'
import { axisIn, isLogX, type LogAxes, UNITS, viewIn, viewText } from './lines.js'
import type { PanelSettings } from './metric-chart.js'
import { forgetMove, moveView } from './moving-view.js'

/** What holds for all charts of a page, and stands in its address. */

const SMOOTHINGS = ['1', '5', '15', '50'] as const

/** `left`: how a page was left that is kept for the workspace. */
export function usePanelSettings(left?: LogAxes & Pick<PanelSettings, 'onLog'>): PanelSettings {
  const { query } = usePlace()
  const x = query.get('x')
  const view = useMemo(() => viewIn(x), [x])
  useEffect(() => forgetMove, [])
  return {
    ...axisIn(query, left),
    smoothing: Number(SMOOTHINGS.find(each => each === query.get('smooth')) ?? 1),
    view,
    onView: showWindow,
    onLog: left?.onLog ?? (axes => showLog(axes)),
  }
}

/** Where a workspace keeps them, the address says too that one is off. */
export function showLog({ logX, logY }: Partial<LogAxes>, off: 'off' | null = null): void {
  if (logX !== undefined) change({ logx: logX ? 'on' : off })
  if (logY !== undefined) change({ log: logY ? 'on' : off })
}

function showWindow(view: Extent | null): void {
  moveView(view, rested => change({ x: viewText(rested) }, { replace: true }))
}

/** `lacking`: the logs of all that is drawn are known not to tell how far they were in these units. */
export function PanelControls({
  settings,
  lacking = [],
}: {
  readonly settings: PanelSettings
  readonly lacking?: readonly ProgressUnit[]
}) {
  const say = useSay()
  const { along, smoothing, logY, view, onView, onLog } = settings
  return (
    <div className="controls">
      {siteIndex === null && (
        <Choice
          label={say('web.axis', {})}
          value={along}
          choices={UNITS.map(unit => {
            const name = say(`web.axis.${unit}`, {})
            const isLacking = lacking.includes(unit)
            return [unit, isLacking ? say('web.axis.not-logged', { name }) : name, isLacking] as const
          })}
          onValue={unit => change({ along: unit === 'steps' ? null : unit, x: null })}
        />
      )}
      <Choice
        label={say('web.smoothing', {})}
        value={SMOOTHINGS.find(each => Number(each) === smoothing) ?? '1'}
        choices={SMOOTHINGS.map(each => [each, each === '1' ? say('web.smoothing.off', {}) : each] as const)}
        onValue={value => change({ smooth: value === '1' ? null : value })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={isLogX(settings)}
          disabled={along === 'time'}
          onChange={event => onLog({ logX: event.target.checked })}
        />
        <span>{say('web.log.x', {})}</span>
      </label>
      <label className="check">
        <input type="checkbox" checked={logY} onChange={event => onLog({ logY: event.target.checked })} />
        <span>{say('web.log', {})}</span>
      </label>
      {view !== undefined && (
        <button type="button" onClick={() => onView(null)}>
          {say('web.chart.reset', {})}
        </button>
      )}
    </div>
  )
}
