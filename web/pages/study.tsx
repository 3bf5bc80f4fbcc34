import { useMemo, useState } from 'react'
import { doseChart } from '../../src/core/charts/dose.js'
import { settlingBlocks } from '../../src/core/present/study/settle.js'
import { armVerdictBlocks } from '../../src/core/present/study/words.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import { count, decimalsFor, fixed } from '../../src/text/numbers.js'
import { metricLabel, settingLabel } from '../../src/text/vocabulary.js'
import { type Answers, askServer } from '../api.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { ChartView } from '../charts/chart-view.js'
import { MetricPanels } from '../charts/metric-panels.js'
import { PanelControls, usePanelSettings } from '../charts/panel-controls.js'
import { everythingMayHaveChanged } from '../live.js'
import { hrefTo } from '../location.js'
import { NotThere } from '../not-there.js'
import { asSentence, Link, Loading, Scroll, Section, shownFigure, shownTime } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSession } from '../session.js'
import { CostText } from '../study/cost.js'
import { Matrix, StateSign } from '../study/matrix.js'
import { StudyWork } from '../study/work.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'
import { StateCounts } from './studies.js'

/** One study: which cells stand how, what the arms came to, whether it is settled, and what it took. */

type Study = Answers['study']

export function StudyPage({ name }: { readonly name: string }) {
  const { answer, problem } = useAsk('study', { name }, { touching: 'all', keeps: true })
  return (
    <div className="page">
      {problem !== null && <NotThere title={name} problem={problem} page="study" />}
      {answer === null && problem === null && <Loading rows={8} />}
      {answer !== null && problem === null && <Whole study={answer} />}
    </div>
  )
}

function Whole({ study }: { readonly study: Study }) {
  const say = useSay()
  const { language } = useLanguage()
  const metric = metricLabel(study.metric, language)
  const settle = study.settle !== null && <SettleProgress settle={study.settle} study={study} metric={metric} />
  // What was found comes first; what is only planned can wait.
  const hasLooked = study.settle?.others.some(({ looks }) => looks.length > 0) ?? false
  return (
    <>
      <Head study={study} />
      <StudyWork study={study} />
      <Verdicts study={study} />
      {hasLooked && settle}
      <Section title={say('web.study.matrix', {})} aside={<StateCounts states={statesOf(study.cells)} />}>
        {[...groupBy(study.cells, ({ table }) => table)].map(([table, cells]) => (
          <div key={table} className="matrix-of">
            <h3>{table === '' ? metric : table}</h3>
            <Matrix cells={cells} label={table === '' ? metric : table} />
          </div>
        ))}
        <p className="hint">{say('web.study.matrix.about', {})}</p>
      </Section>
      <Trouble study={study} />
      <ArmTable study={study} />
      {!hasLooked && settle}
      <Dose study={study} metric={metric} />
      <Course study={study} metric={metric} />
    </>
  )
}

/** The same verdicts as `klens study status`, `run` and the report give. */
function Verdicts({ study: { baseline, verdicts, judgedBy, within } }: { readonly study: Study }) {
  const say = useSay()
  const speaker = useSpeaker()
  const blocks = useMemo(
    () => armVerdictBlocks({ baseline, verdicts, judgedBy, within }, speaker),
    [baseline, verdicts, judgedBy, within, speaker],
  )
  return blocks.length === 0 ? null : (
    <Section title={say('web.study.verdicts', { baseline })}>
      <Blocks blocks={blocks} />
    </Section>
  )
}

/** The interim analyses of `klens study settle`, with the bounds that they are compared with. */
function SettleProgress({
  settle,
  study: { margin, direction },
  metric,
}: {
  readonly settle: NonNullable<Study['settle']>
  readonly study: Study
  readonly metric: string
}) {
  const say = useSay()
  const speaker = useSpeaker()
  const blocks = useMemo(
    () => settlingBlocks(settle, { metric, margin, direction }, speaker),
    [settle, metric, margin, direction, speaker],
  )
  return (
    <Section title={say('web.study.settle', {})}>
      <Blocks blocks={blocks} />
    </Section>
  )
}

function statesOf(cells: Study['cells']): { readonly [state in Study['cells'][number]['state']]?: number } {
  const counts: { [state in Study['cells'][number]['state']]?: number } = {}
  for (const { state } of cells) counts[state] = (counts[state] ?? 0) + 1
  return counts
}

function Head({
  study: { study, question, frozen, cost, budget, expectations, unplanned },
}: {
  readonly study: Study
}) {
  const say = useSay()
  const { language } = useLanguage()
  return (
    <header className="page-head run-head">
      <p className="crumbs">
        <Link href={hrefTo(['study'])}>{say('web.studies.title', {})}</Link>
        <span>{study}</span>
      </p>
      <h1>{question}</h1>
      <p className="facts">
        <span>
          <CostText cost={cost} budget={budget} />
        </span>
        <span title={frozen.hash}>
          {say('web.study.frozen', { hash: frozen.hash.slice(0, 12), time: shownTime(frozen.at, language) })}
        </span>
      </p>
      {unplanned > 0 && <p className="warning-line">{say('web.study.unplanned', { n: count(unplanned) })}</p>}
      {expectations.length > 0 && (
        <dl className="pairs">
          <div>
            <dt>{say('web.study.expectations', {})}</dt>
            {expectations.map(expected => (
              <dd key={expected}>{expected}</dd>
            ))}
          </div>
        </dl>
      )}
    </header>
  )
}

/** Why a cell is not what it should be, in words: a colour alone explains nothing. */
function Trouble({ study: { cells } }: { readonly study: Study }) {
  const say = useSay()
  const { language } = useLanguage()
  const troubled = cells.filter(({ why }) => why.length > 0)
  if (troubled.length === 0) return null
  return (
    <Section title={say('web.study.trouble', {})}>
      <ul className="attention">
        {troubled.map(({ trial, table, step, state, run, why }) => (
          <li key={`${trial} ${table} ${step}`}>
            <StateSign state={state} />
            {run === null ? <span>{trial}</span> : <Link href={hrefTo(['run', run])}>{trial}</Link>}
            <span>{why.map(each => asSentence(each, language)).join(' ')}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function ArmTable({ study: whole }: { readonly study: Study }) {
  const { study, arms, metric, margin } = whole
  const say = useSay()
  const { right } = useSession()
  const { language } = useLanguage()
  const sides = arms.slice(0, 2).map(({ arm }) => `${study}/${arm}/*`)
  const href = hrefTo(['compare'], { side: sides, metric, ...(margin !== null && { margin: String(margin) }) })
  const decimals = Math.min(...arms.flatMap(({ interval }) => (interval === null ? [] : [decimalsFor(interval)])), 4)
  return (
    <Section
      title={say('web.study.arms', {})}
      aside={arms.length > 1 && <Link href={href}>{say('web.study.compare', {})}</Link>}
    >
      <Scroll label={say('web.study.arms', {})}>
        <table className="numbers">
          <thead>
            <tr>
              <th>{say('web.study.arm', {})}</th>
              <th>{say('web.study.mean', {})}</th>
              <th>{say('web.study.interval', {})}</th>
              <th>{say('web.study.seeds', {})}</th>
              <th className="sets-column">{say('web.study.sets', {})}</th>
              {right === 'write' && <th />}
            </tr>
          </thead>
          <tbody>
            {arms.map(({ arm, settings, values, mean, interval, standing, drop }, i) => (
              <tr key={arm}>
                <td>
                  {arm}
                  {standing !== 'open' && <span className="tag">{say(`web.study.standing.${standing}`, {})}</span>}
                  {drop !== null && (
                    <p className="muted drop-why">
                      {drop.why} {shownTime(drop.at, language)}
                    </p>
                  )}
                </td>
                <td>{mean === null ? '–' : fixed(mean, decimals)}</td>
                <td className={interval === null ? 'muted' : undefined}>
                  {interval === null
                    ? say('web.study.few-seeds', {})
                    : interval.map(end => fixed(end, decimals)).join(' … ')}
                </td>
                <td>{values.length}</td>
                <td className="sets-column">
                  {Object.entries(settings)
                    .map(([key, value]) => `${settingLabel(key, language)} ${shownFigure(value)}`)
                    .join(', ')}
                </td>
                {right === 'write' && <td>{i > 0 && <ArmWord study={whole} arm={arm} standing={standing} />}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Section>
  )
}

/** A person's word: nothing more is trained of an arm, or a rule may not drop it, which is also the veto beforehand. */
function ArmWord({
  study: { study, cells, dropsByRule },
  arm,
  standing,
}: {
  readonly study: Study
  readonly arm: string
  readonly standing: Study['arms'][number]['standing']
}) {
  const say = useSay()
  const [problem, setProblem] = useState('')
  const isOpen = cells.some(cell => cell.arm === arm && cell.state !== 'done')
  const tell = (word: 'drop' | 'keep') => (): void => {
    askServer('study-arm', { name: study, arm, word }).then(
      () => everythingMayHaveChanged(),
      error => setProblem(String(error.message)),
    )
  }
  return (
    <span className="arm-words">
      {standing !== 'dropped' && isOpen && (
        <button type="button" title={say('web.study.drop.about', {})} onClick={tell('drop')}>
          {say('web.study.drop', {})}
        </button>
      )}
      {(standing === 'dropped' || (standing === 'open' && isOpen && dropsByRule)) && (
        <button type="button" title={say('web.study.keep.about', {})} onClick={tell('keep')}>
          {say(standing === 'dropped' ? 'web.study.take-back' : 'web.study.keep', {})}
        </button>
      )}
      {problem !== '' && <span role="alert">{problem}</span>}
    </span>
  )
}

/** Of fewer doses there is a difference and no course. */
const FEWEST_DOSES = 3

function Dose({ study, metric }: { readonly study: Study; readonly metric: string }) {
  const say = useSay()
  const { language } = useLanguage()
  const chart = useMemo(() => {
    const { dose, arms, direction } = study
    if (dose === null || arms.filter(({ mean }) => mean !== null).length < FEWEST_DOSES) return null
    return doseChart({
      language,
      metric: { name: metric, goal: direction },
      setting: settingLabel(dose.key, language),
      arms: arms.map(({ mean, interval, values }, i) => ({ dose: dose.doses[i], mean, interval, values })),
    })
  }, [study, metric, language])
  return chart === null ? null : (
    <Section title={say('web.study.dose', {})}>
      <ChartView chart={chart} />
    </Section>
  )
}

/** Every run as it goes, by arm; those that are running grow. */
function Course({ study: { cells, metric }, metric: title }: { readonly study: Study; readonly metric: string }) {
  const say = useSay()
  const settings = usePanelSettings()
  const arms = [...new Set(cells.map(({ arm }) => arm))]
  const runs = cells.flatMap(({ run: id, arm, trial, table }) =>
    id === null || table !== '' ? [] : [{ id, look: arms.indexOf(arm), side: arm, name: trial }],
  )
  if (runs.length === 0) return null
  return (
    <Section title={say('web.study.course', {})} aside={<PanelControls settings={settings} />}>
      <MetricPanels title={title} runs={runs} metrics={[metric]} settings={settings} />
    </Section>
  )
}
