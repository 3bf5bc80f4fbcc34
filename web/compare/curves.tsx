import { useMemo } from 'react'
import { differenceChartOf, intervalsChartOf } from '../../src/core/present/comparison-charts.js'
import { metricLabel } from '../../src/text/vocabulary.js'
import type { Answers } from '../api.js'
import { useSpeaker } from '../blocks.js'
import { ChartView } from '../charts/chart-view.js'
import { sized, USUAL_SIZE, WHOLE_ROW } from '../charts/lines.js'
import { PanelControls, usePanelSettings } from '../charts/panel-controls.js'
import { PanelGrid } from '../charts/panel-grid.js'
import { Fold } from '../fold.js'
import { columnTitle } from '../names.js'
import { showOrigin } from '../origin-link.js'
import { Section } from '../parts.js'
import { PhoneFold } from '../phone-fold.js'
import { usePicked } from '../picked.js'
import { useLanguage } from '../preferences.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'
import { chartedRuns, namedBefore, panelsFor } from './asked.js'

/** Curves of all sides over each other, and the difference with its interval. */

type Comparison = Answers['compare']

/** They do not wait for the verdict: which runs are meant is known long before. */
export function Curves({
  sides,
  metric,
  answer,
  onShown,
}: {
  readonly sides: readonly string[]
  readonly metric: string
  readonly answer: Comparison | null
  /** The first of each kind stand in the page. */
  readonly onShown: () => void
}) {
  const say = useSay()
  const { language } = useLanguage()
  const settings = usePanelSettings()
  const { hidden } = usePicked()
  const { answer: meant } = useAsk('sides', { sides }, { touching: 'all', keeps: true })
  const runs = meant === null ? [] : chartedRuns(meant, hidden)
  const [own, beside] = panelsFor(metric)
  const named = namedBefore(sides)
  const title = columnTitle(metric, language)
  return (
    <Section
      title={say('web.compare.curves', {})}
      aside={
        <PhoneFold label={say('web.axis', {})}>
          <PanelControls settings={settings} />
        </PhoneFold>
      }
    >
      <div className={answer !== null && answer.others.length > BESIDE ? '' : 'beside'}>
        <PanelGrid
          runs={runs}
          named={named}
          panels={own.map(each => sized(each, WHOLE_ROW, sides.length > 2 ? TALL : USUAL_SIZE.height))}
          titleOf={() => title}
          settings={settings}
        />
        {answer !== null && answer.others.length <= BESIDE && <Difference answer={answer} name={title} />}
      </div>
      {answer !== null && answer.others.length > BESIDE && (
        <Fold id="differences" summary={say('web.compare.differences', {})}>
          {() => <Difference answer={answer} name={title} />}
        </Fold>
      )}
      <PanelGrid
        runs={runs}
        named={named}
        panels={beside.map(metric => ({ metric, ...USUAL_SIZE }))}
        titleOf={each => metricLabel(each, language)}
        settings={settings}
        onShown={onShown}
      />
    </Section>
  )
}

const TALL = 320

/** The intervals of more sides are longer than the curves are high. */
const BESIDE = 3

/** Of two sides the difference step by step; of more, each with its interval. */
function Difference({ answer, name }: { readonly answer: Comparison; readonly name: string }) {
  const speaker = useSpeaker()
  const chart = useMemo(
    () =>
      answer.others.length > 1 ? intervalsChartOf(answer, speaker, name) : differenceChartOf(answer, 0, speaker, name),
    [answer, name, speaker],
  )
  if (chart === null) return null
  return (
    <ChartView
      chart={chart}
      onPick={({ reading: { x: step } }) => {
        if (typeof step !== 'number') return
        showOrigin(answer.sides.flatMap(({ runs, metric }) => runs.map(run => ({ run, metric, step }))))
      }}
    />
  )
}
