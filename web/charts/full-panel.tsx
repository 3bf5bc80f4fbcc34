import type { ChartFinding } from '../../src/core/charts/chart.js'
import { change, usePlace } from '../location.js'
import { TypedField } from '../typed-field.js'
import { useSay } from '../words.js'
import { Legend } from './legend.js'
import { rangeIn, rangeName } from './lines.js'
import type { ChartedRun, PanelSettings } from './metric-chart.js'
import { MetricPanels } from './metric-panels.js'
import { PanelControls } from './panel-controls.js'

/** Head, controls, legend and foot around the picture, in pixels. */
const AROUND = 290
/** Its line above the picture and its sentence below. */
const FINDING = 40
const LEAST_HEIGHT = 260

/** One panel over the whole window, with the range of its values to choose. */
export function FullPanel({
  metric,
  title,
  runs,
  settings,
  findings = [],
}: {
  readonly metric: string
  readonly title: string
  readonly runs: readonly ChartedRun[]
  readonly settings: PanelSettings
  readonly findings?: readonly ChartFinding[]
}) {
  const say = useSay()
  const { query } = usePlace()
  return (
    <div className="page wide full-panel">
      <header className="page-head">
        <h1>{title}</h1>
        <button type="button" onClick={() => change({ full: null })}>
          {say('web.curves.all-panels', {})}
        </button>
      </header>
      <div className="controls">
        <PanelControls settings={settings} />
        <TypedField
          name={rangeName(metric)}
          label={say('web.curves.range', {})}
          placeholder={say('web.curves.range.hint', {})}
          width={110}
        />
      </div>
      <Legend runs={runs} label={say('web.curves.choose', {})} />
      <MetricPanels
        title={title}
        runs={runs}
        metrics={[metric]}
        titleOf={() => title}
        findings={findings}
        ranges={{ [metric]: rangeIn(query, metric) }}
        settings={settings}
        height={Math.max(LEAST_HEIGHT, window.innerHeight - AROUND - FINDING * findings.length)}
        isBare
      />
    </div>
  )
}
