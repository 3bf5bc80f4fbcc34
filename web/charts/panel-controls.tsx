import { useEffect, useMemo } from 'react'
import type { Extent, ProgressUnit } from '../../src/core/charts/chart.js'
import { change, usePlace } from '../location.js'
import { Choice } from '../parts.js'
import { siteIndex } from '../site.js'
import { useSay } from '../words.js'
import { axisIn, UNITS, viewIn, viewText } from './lines.js'
import type { PanelSettings } from './metric-chart.js'
import { forgetMove, moveView } from './moving-view.js'

/** What holds for all charts of a page, and stands in its address. */

const SMOOTHINGS = ['1', '5', '15', '50'] as const

export function usePanelSettings(): PanelSettings {
  const { query } = usePlace()
  const x = query.get('x')
  const view = useMemo(() => viewIn(x), [x])
  useEffect(() => forgetMove, [])
  return {
    along: axisIn(query).along,
    smoothing: Number(SMOOTHINGS.find(each => each === query.get('smooth')) ?? 1),
    log: query.get('log') === 'on',
    view,
    onView: showWindow,
  }
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
  const { along, smoothing, log, view, onView } = settings
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
        <input type="checkbox" checked={log} onChange={event => change({ log: event.target.checked ? 'on' : null })} />
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
