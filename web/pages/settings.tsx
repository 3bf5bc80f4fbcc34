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
import { change, hrefTo, usePlace } from '../location.js'
import { columnTitle, KNOWN_NAMES } from '../names.js'
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
  // What klens knows first: a key that it does not know may be a mere note.
  const isKnown = (key: string): boolean => KNOWN_NAMES.includes(key)
  const keys = (answer?.settings ?? [])
    .toSorted((a, b) => Number(isKnown(b.key)) - Number(isKnown(a.key)))
    .slice(0, MOST_KEYS)
  const over = query.get('over') ?? keys[0]?.key
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
      {answer !== null && over === undefined && <p className="lead">{say('web.settings.none', {})}</p>}
      {over !== undefined && ids.length > 1 && (
        <>
          <Scatter ids={ids} over={over} />
          <Section title={say('web.settings.effect', {})}>
            <p className="hint">{say('web.settings.about', {})}</p>
            <table className="settings-effects stack">
              <tbody>
                {keys.map(({ key, values }) => (
                  <SettingRow key={key} name={key} values={values} ids={ids} isChosen={key === over} />
                ))}
              </tbody>
            </table>
          </Section>
          <Parallel ids={ids} keys={keys.map(({ key }) => key)} />
        </>
      )}
    </div>
  )
}

type Sweep = Answers['sweep']

function useSweep(ids: readonly string[], over: string) {
  return useAsk('sweep', { runs: ids, over: [over] }, { touching: ids, keeps: true })
}

/** The widest difference that it makes, a trend before single values. */
function mainVerdict({ verdicts }: Sweep): Sweep['verdicts'][number] | undefined {
  const size = ({ estimate }: Sweep['verdicts'][number]): number => Math.abs(Number(estimate ?? 0))
  return (
    verdicts.find(({ question, estimate }) => question === 'trend' && estimate !== null) ??
    verdicts.filter(({ estimate }) => estimate !== null).toSorted((a, b) => size(b) - size(a))[0]
  )
}

function SettingRow({
  name,
  values,
  ids,
  isChosen,
}: {
  readonly name: string
  readonly values: number
  readonly ids: readonly string[]
  readonly isChosen: boolean
}) {
  const say = useSay()
  const speaker = useSpeaker()
  const { query } = usePlace()
  const { answer, problem } = useSweep(ids, name)
  const verdict = answer === null ? undefined : mainVerdict(answer)
  const difference = verdict === undefined ? null : differenceOf(verdict, speaker)
  const setting = settingLabel(name, speaker.language)
  const chosen = { where: query.getAll('where'), q: query.get('q') }
  return (
    <tr>
      <th scope="row">
        <button type="button" aria-pressed={isChosen} title={name} onClick={() => change({ over: name })}>
          {setting}
        </button>
      </th>
      <td className="muted">{say('web.settings.values', { values, runs: ids.length })}</td>
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
        <p className="muted">{problem?.message ?? (answer === null ? '…' : speaker.sentence(answer.sentence))}</p>
      </td>
      <td>
        <Link href={hrefTo(['curves'], { ...chosen, group: name })}>{say('web.nav.curves', {})}</Link>{' '}
        <Link href={hrefTo(['frontier'], { run: ids, over: name })}>{say('web.nav.frontier', {})}</Link>
      </td>
    </tr>
  )
}

/** Each run's score by the value it had, and the mean over seeds with its interval: no line is drawn through noise. */
function Scatter({ ids, over }: { readonly ids: readonly string[]; readonly over: string }) {
  const say = useSay()
  const speaker = useSpeaker()
  const { answer, problem } = useSweep(ids, over)
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
  if (problem !== null) return <p className="hint">{problem.message}</p>
  if (chart === null || answer === null) return <Loading rows={8} />
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
function Parallel({ ids, keys }: { readonly ids: readonly string[]; readonly keys: readonly string[] }) {
  const say = useSay()
  const { language } = useLanguage()
  const { answer } = useAsk('run-table', { ids, columns: keys.join(',') }, { touching: ids, keeps: true })
  const chart = useMemo(() => {
    const metric = answer?.scores[0]?.metric
    if (answer === null || metric === undefined) return null
    const runs = answer.runs.flatMap(({ scores: [score], columns }): readonly ParallelRun[] =>
      typeof score === 'number' ? [{ score, values: columns.map(plainValue) }] : [],
    )
    const settings = keys.map(key => settingLabel(key, language))
    return parallelChart({ language, metric: { name: columnTitle(metric, language) }, settings, runs })
  }, [answer, keys, language])
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
