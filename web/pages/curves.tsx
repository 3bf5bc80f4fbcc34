import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { searchMatcher } from '../../src/logs/model/run-search.js'
import { metricLabel, settingLabel } from '../../src/text/vocabulary.js'
import type { Answers } from '../api.js'
import { FullPanel } from '../charts/full-panel.js'
import { Legend } from '../charts/legend.js'
import { rangeIn } from '../charts/lines.js'
import type { ChartedRun, PanelSettings } from '../charts/metric-chart.js'
import { PanelControls, usePanelSettings } from '../charts/panel-controls.js'
import { PanelGrid } from '../charts/panel-grid.js'
import { ComparisonStrip } from '../compare/strip.js'
import { FIRST_PANELS, inReadingOrder, overlayRequest } from '../curves/asked.js'
import { chartedRuns } from '../curves/charted.js'
import { type CurvesPanels, useCurvesView, usePanelTools } from '../curves/panel-tools.js'
import { RunChooser } from '../curves/runs.js'
import { SweepStrip } from '../curves/sweep-strip.js'
import { useFold } from '../fold.js'
import { change, hrefOf, hrefTo, usePlace } from '../location.js'
import { metricTitles } from '../names.js'
import { Field, Link, Loading, ProblemBox } from '../parts.js'
import { PhoneFold } from '../phone-fold.js'
import { usePicked } from '../picked.js'
import { useLanguage } from '../preferences.js'
import { TypedField } from '../typed-field.js'
import { useAsk } from '../use-ask.js'
import { useTurn } from '../use-turn.js'
import { useSay } from '../words.js'

/** Any runs and any metrics over each other: chosen by ticking, searching and filtering, and put together by a setting. */
export function CurvesPage() {
  const say = useSay()
  const { query } = usePlace()
  const { language } = useLanguage()
  const picked = usePicked()
  const { answer, problem } = useAsk('overlay', overlayRequest(query), { touching: 'all', keeps: true })
  const group = query.get('group')
  const without = say('web.curves.without-value', {})
  const [pick, hide] = [query.get('pick') ?? '', query.get('hide') ?? '']
  // A zoom changes the address in every frame, and the runs stay the same.
  const shown = useMemo(() => {
    const charted = chartedRuns(answer?.drawn ?? [], pick, group, { language, without })
    return charted.filter(({ id }) => !hide.split(',').includes(id))
  }, [answer, pick, hide, group, language, without])
  const comparison = useMemo(
    () => hrefTo(['compare'], { side: shown.slice(0, MOST_SIDES).map(({ id }) => id) }),
    [shown],
  )
  const [isTurn, takeTurn] = useTurn()
  const full = query.get('full')
  const left = useCurvesView(answer?.kept ?? UNKNOWN)
  const settings = usePanelSettings(left)
  if (answer !== null && full !== null) {
    return <FullPanel metric={full} title={metricLabel(full, language)} runs={shown} settings={settings} />
  }
  return (
    <div className="page wide curves">
      <header className="page-head">
        <h1>{say('web.nav.curves', {})}</h1>
        {group === null && shown.length > 1 && <Link href={comparison}>{say('web.curves.compare', {})}</Link>}
        {group !== null && (
          <Link href={hrefTo(['settings'], { where: query.getAll('where'), q: query.get('q'), over: group })}>
            {say('web.nav.settings', {})}
          </Link>
        )}
      </header>
      <CurvesControls settings={settings} grouping={answer?.settings ?? []} />
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={10} />}
      {answer !== null && answer.total === 0 && (
        <p className="lead">
          {say('web.curves.empty', {})} <Link href={hrefOf('home')}>{say('web.suggested.import', {})}</Link>
        </p>
      )}
      {answer !== null && answer.total > 0 && (
        <>
          <Verdicts runs={isTurn ? shown : []} isTicked={picked.ids.length > 0} group={group} />
          <div className="curves-body">
            <RunChooser overlay={answer} charted={shown} />
            <div className={`curves-panels${group === null ? '' : ' grouped'}`}>
              <Legend runs={shown} label={say('web.curves.choose', {})} />
              <MetricGrid overlay={answer} runs={shown} settings={settings} left={left} onShown={takeTurn} />
            </div>
          </div>
        </>
      )}
    </div>
  )
}

/** So many fit into one comparison. */
const MOST_SIDES = 10

/** Until the server says how the page was left. */
const UNKNOWN = { panels: [], sizes: [], logX: false, logY: false }

function CurvesControls({
  settings,
  grouping,
}: {
  readonly settings: PanelSettings
  readonly grouping: Answers['overlay']['settings']
}) {
  const say = useSay()
  const { query } = usePlace()
  const { language } = useLanguage()
  const [text, setText] = useState(query.get('m') ?? '')
  const deferred = useDeferredValue(text)
  useEffect(() => change({ m: deferred }, { replace: true }), [deferred])
  return (
    <div className="controls">
      <Field
        label={say('web.curves.metrics', {})}
        placeholder={say('web.curves.metrics.hint', {})}
        value={text}
        onValue={setText}
        isSearch
        width={220}
      />
      <TypedField
        name="group"
        label={say('web.curves.group', {})}
        placeholder="kl.loss.coef"
        width={170}
        list="differing-settings"
      />
      <datalist id="differing-settings">
        {grouping.map(({ key }) => (
          <option key={key} value={key} label={settingLabel(key, language)} />
        ))}
      </datalist>
      <PhoneFold label={say('web.axis', {})}>
        <PanelControls settings={settings} />
      </PhoneFold>
    </div>
  )
}

/** Of groups what their setting does to the score; of a few runs that were ticked each against the first. */
function Verdicts({
  runs,
  isTicked,
  group,
}: {
  readonly runs: readonly ChartedRun[]
  readonly isTicked: boolean
  readonly group: string | null
}) {
  const say = useSay()
  const isCompared = group === null && isTicked && runs.length > 1 && runs.length <= MOST_SIDES
  const request = { sides: runs.map(({ id }) => id) }
  const { answer, isAsking } = useAsk('compare', isCompared ? request : null, { touching: 'all', keeps: true })
  if (group !== null) {
    return (
      <>
        <p className="hint">{say('web.curves.group.about', {})}</p>
        {runs.length > 1 && <SweepStrip runs={runs} group={group} />}
      </>
    )
  }
  if (!isCompared) return null
  return <ComparisonStrip labels={runs.map(({ name }) => name)} answer={answer} isAsking={isAsking} />
}

/** Pinned panels, then what fits the search, what a reader looks for first before the rest. */
function MetricGrid({
  overlay,
  runs,
  settings,
  left,
  onShown,
}: {
  readonly overlay: Answers['overlay']
  readonly runs: readonly ChartedRun[]
  readonly settings: PanelSettings
  readonly left: CurvesPanels
  readonly onShown: () => void
}) {
  const say = useSay()
  const { query } = usePlace()
  const { language } = useLanguage()
  const toolsOf = usePanelTools(left)
  const [isAll, setIsAll] = useFold('metrics')
  const text = query.get('m') ?? ''
  const fits = searchMatcher(text)
  const titles = metricTitles(overlay.metrics, language)
  const found = overlay.metrics
    .filter(({ metric, canonical }) =>
      fits({ name: metric, id: canonical ?? '', source: titles.get(metric) ?? '', status: '', tags: [], note: '' }),
    )
    .filter(({ metric }) => text !== '' || left.panels.every(panel => panel.metric !== metric))
  const inOrder = inReadingOrder(found).map(left.sizedAs)
  const rest = isAll ? inOrder : inOrder.slice(0, FIRST_PANELS)
  const panels = text === '' ? [...left.panels, ...rest] : rest
  if (runs.length === 0) return null
  if (panels.length === 0) return <p className="hint">{say('web.curves.no-metric', { text })}</p>
  return (
    <>
      <PanelGrid
        runs={runs}
        panels={panels}
        settings={settings}
        titleOf={metric => titles.get(metric) ?? metricLabel(metric, language)}
        rangeOf={metric => rangeIn(query, metric)}
        toolsOf={toolsOf}
        onSize={left.resize}
        onShown={onShown}
      />
      {found.length > rest.length && (
        <button type="button" onClick={() => setIsAll(true)}>
          {say('web.curves.more', { n: found.length - rest.length })}
        </button>
      )}
    </>
  )
}
