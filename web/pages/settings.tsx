import { useMemo } from 'react'
import { doseChart } from '../../src/core/charts/dose.js'
import { type ParallelRun, parallelChart } from '../../src/core/charts/parallel.js'
import { inlineText } from '../../src/core/present/blocks.js'
import { sweepBlocks } from '../../src/core/present/sweep.js'
import { differenceOf } from '../../src/core/present/verdict.js'
import { settingLabel } from '../../src/text/vocabulary.js'
import type { Answers } from '../api.js'
import { Blocks, useSpeaker } from '../blocks.js'
import { ChartView } from '../charts/chart-view.js'
import { overlayRequest } from '../curves/asked.js'
import { Fold } from '../fold.js'
import { change, hrefOf, hrefTo, usePlace } from '../location.js'
import { columnTitle } from '../names.js'
import { Link, Loading, ProblemBox, Section, shownFigure } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { FilterAdder, FilterChips, KnownNames } from '../run-filters.js'
import { TypedField } from '../typed-field.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** Over all runs: what each setting that differs does to the score, as far as the data can tell, and all of them at once. */

const MOST_RUNS = 200
const MOST_KEYS = 8

export function SettingsPage() {
  const say = useSay()
  const { query } = usePlace()
  const { answer, problem } = useAsk(
    'overlay',
    { ...overlayRequest(query), group: undefined, draw: MOST_RUNS },
    { touching: 'all', keeps: true },
  )
  const ids = (answer?.drawn ?? []).map(({ id }) => id)
  const wanted = query.get('over')
  const keys = (answer?.settings ?? []).slice(0, MOST_KEYS).map(({ key }) => key)
  const names = [...new Set([...(wanted === null ? [] : [wanted]), ...keys])]
  const isAsked = names.length > 0 && ids.length > 1
  const options = { touching: ids, keeps: true }
  const first = useAsk('effects', isAsked ? { runs: ids, over: names.slice(0, 1) } : null, options).answer
  // The others take as long again, each: what is drawn large does not wait for them.
  const rest = first === null || names.length < 2 ? null : { runs: ids, over: names.slice(1) }
  const others = useAsk('effects', rest, options).answer
  // In others they differ only from runs that cannot be compared with them.
  const effects = [...(first?.effects ?? []), ...(others?.effects ?? [])].filter(
    ({ key, sweep }) => sweep !== null || key === wanted,
  )
  const chosen = effects.find(({ key }) => key === wanted) ?? effects[0]
  return (
    <div className="page wide">
      <header className="page-head">
        <h1>{say('web.settings.title', {})}</h1>
      </header>
      <div className="controls">
        <TypedField
          name="q"
          label={say('web.runs.search-label', {})}
          placeholder={say('web.runs.search', {})}
          width={300}
        />
        <FilterAdder />
        <KnownNames />
      </div>
      <FilterChips />
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading rows={8} />}
      {answer !== null &&
        (!isAsked || (first !== null && (rest === null || others !== null) && chosen === undefined)) && (
          <p className="lead">
            {say('web.settings.none', {})} <Link href={hrefOf('runs')}>{say('web.suggested.runs', {})}</Link>
          </p>
        )}
      {isAsked && chosen === undefined && (first === null || others === null) && <Loading rows={8} />}
      {isAsked && chosen !== undefined && (
        <>
          <Scatter effect={chosen} />
          <Section title={say('web.settings.effect', {})}>
            <p className="hint">{say('web.settings.about', {})}</p>
            <table className="settings-effects stack">
              <tbody>
                {effects.map(effect => (
                  <SettingRow key={effect.key} effect={effect} ids={ids} isChosen={effect === chosen} />
                ))}
              </tbody>
            </table>
          </Section>
          <Parallel ids={ids} effects={effects} />
        </>
      )}
    </div>
  )
}

type Effect = Answers['effects']['effects'][number]
type Sweep = NonNullable<Effect['sweep']>

/** The widest difference that it makes, a trend before single values. */
function mainVerdict({ verdicts }: Sweep): Sweep['verdicts'][number] | undefined {
  const size = ({ estimate }: Sweep['verdicts'][number]): number => Math.abs(Number(estimate ?? 0))
  return (
    verdicts.find(({ question, estimate }) => question === 'trend' && estimate !== null) ??
    verdicts.filter(({ estimate }) => estimate !== null).toSorted((a, b) => size(b) - size(a))[0]
  )
}

function SettingRow({
  effect: { key, sweep, reason },
  ids,
  isChosen,
}: {
  readonly effect: Effect
  readonly ids: readonly string[]
  readonly isChosen: boolean
}) {
  const say = useSay()
  const speaker = useSpeaker()
  const { query } = usePlace()
  const verdict = sweep === null ? undefined : mainVerdict(sweep)
  const difference = verdict === undefined ? null : differenceOf(verdict, speaker)
  const setting = settingLabel(key, speaker.language)
  const chosen = { where: query.getAll('where'), q: query.get('q') }
  return (
    <tr>
      <th scope="row">
        <button type="button" aria-pressed={isChosen} title={key} onClick={() => change({ over: key })}>
          {setting}
        </button>
      </th>
      <td className="muted">
        {sweep !== null &&
          say('web.settings.values', {
            values: sweep.cells.length,
            runs: sweep.cells.flatMap(cell => cell.runs).length,
          })}
      </td>
      <td>
        {verdict !== undefined && (
          <p>
            <span className={`answer ${verdict.answer}`}>{say(`answer.${verdict.answer}`, {})}</span>{' '}
            {difference !== null && (
              <>
                {difference.of} <b>{inlineText(difference.size)}</b> {difference.interval}
              </>
            )}
          </p>
        )}
        <p className="muted">{speaker.sentence(sweep?.sentence ?? reason ?? '')}</p>
      </td>
      <td>
        <Link href={hrefTo(['curves'], { ...chosen, group: key })}>{say('web.nav.curves', {})}</Link>{' '}
        <Link href={hrefTo(['frontier'], { run: ids, over: key })}>{say('web.nav.frontier', {})}</Link>
      </td>
    </tr>
  )
}

/** Each run's score by the value it had, and the mean over seeds with its interval: no line is drawn through noise. */
function Scatter({ effect: { key: over, sweep: answer, reason } }: { readonly effect: Effect }) {
  const say = useSay()
  const speaker = useSpeaker()
  const chart = useMemo(() => {
    if (answer === null) return null
    const { language } = speaker
    return doseChart({
      language,
      metric: { name: columnTitle(answer.metric, language), goal: answer.goal },
      setting: settingLabel(over, language),
      arms: answer.cells.map(({ values, mean, interval, runScores }) => {
        const value = values[over] ?? Object.values(values)[0]
        const dose = typeof value === 'number' ? value : shownFigure(value)
        return { dose, mean, interval, values: runScores.filter(score => score !== null) }
      }),
    })
  }, [answer, over, speaker])
  if (chart === null || answer === null) return <p className="hint">{speaker.sentence(reason ?? '')}</p>
  return (
    <div className="beside">
      <ChartView chart={chart} />
      <div>
        <p className="headline">{speaker.sentence(answer.sentence)}</p>
        {answer.take !== null && <p>{speaker.sentence(speaker.clauses(answer.take.why))}</p>}
        <Fold id="sweep" summary={say('web.strip.details', { label: settingLabel(over, speaker.language) })}>
          {() => <Blocks blocks={sweepBlocks(answer, speaker)} />}
        </Fold>
      </div>
    </div>
  )
}

/** Runs that are judged by another metric than most are left out: their scores have another unit. */
function Parallel({ ids, effects }: { readonly ids: readonly string[]; readonly effects: readonly Effect[] }) {
  const say = useSay()
  const { language } = useLanguage()
  const columns = effects.map(({ key }) => key).join(',')
  const goal = effects[0]?.sweep?.goal ?? null
  const { answer } = useAsk('run-table', { ids, columns }, { touching: ids, keeps: true })
  const chart = useMemo(() => {
    const metric = answer?.scores[0]?.metric
    if (answer === null || metric === undefined) return null
    const runs = answer.runs.flatMap(({ scores: [score], columns: values }): readonly ParallelRun[] =>
      typeof score === 'number' ? [{ score, values: values.map(plainValue) }] : [],
    )
    const settings = columns.split(',').map(key => settingLabel(key, language))
    return parallelChart({ language, metric: { name: columnTitle(metric, language), goal }, settings, runs })
  }, [answer, columns, goal, language])
  if (chart === null) return null
  return (
    <Section title={say('web.settings.parallel', {})}>
      <ChartView chart={chart} />
    </Section>
  )
}

function plainValue(value: unknown): number | string | null {
  return typeof value === 'number' || value === null || value === undefined ? (value ?? null) : shownFigure(value)
}
