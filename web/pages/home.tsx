import { type ReactNode, useState } from 'react'
import type { SiteIndex } from '../../src/app/server/site.js'
import { inlineText } from '../../src/core/present/blocks.js'
import { scoreTitle } from '../../src/core/present/runs.js'
import { differenceOf, verdictSentence } from '../../src/core/present/verdict.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import { count } from '../../src/text/numbers.js'
import { AnnouncedStop, useAnnouncedStops } from '../announced-stops.js'
import { type Answers, ServerProblem, uploadLog } from '../api.js'
import { useSpeaker } from '../blocks.js'
import { DropFile } from '../drop-file.js'
import { hrefTo } from '../location.js'
import {
  asSentence,
  breakable,
  Link,
  Loading,
  ProblemBox,
  RunName,
  Section,
  SeveritySign,
  StatusChip,
  shownScore,
  shownTime,
  Typed,
} from '../parts.js'
import { useNames } from '../picked-runs.js'
import { useLanguage } from '../preferences.js'
import { type RecentComparison, recentComparisons } from '../recent.js'
import { useSession } from '../session.js'
import { siteIndex } from '../site.js'
import { SparkLine } from '../spark-line.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** What is running, what needs a look, and what was judged last. Where there is nothing yet: what to do. */

type Run = Answers['run-table']['runs'][number]

const MOST_NEWEST = 12

export function HomePage() {
  const say = useSay()
  const { workspace } = useSession()
  const newest = useAsk(
    'run-table',
    { sort: '-started', most: MOST_NEWEST, ...ALL_SCORES },
    { touching: 'all', keeps: true },
  )
  const running = useAsk(
    'run-table',
    { status: 'running', most: 20, sort: '-started', ...ALL_SCORES },
    { touching: 'all', keeps: true },
  )
  if (newest.answer === null) {
    return (
      <div className="page">
        {newest.problem === null ? <Loading rows={8} /> : <ProblemBox problem={newest.problem} />}
      </div>
    )
  }
  const { runs, total } = newest.answer
  if (total === 0) return <EmptyHome />
  return (
    <div className="page">
      <header className="page-head">
        <h1>{workspace}</h1>
        {running.answer?.runs.length === 0 && siteIndex === null && (
          <span className="count">{say('web.home.running.none', {})}</span>
        )}
      </header>
      {running.answer !== null && running.answer.runs.length > 0 && (
        <Section title={say('web.home.running', {})}>
          <RunList table={running.answer} />
        </Section>
      )}
      <Attention runs={runs} />
      <Verdicts runs={runs} />
      <Section
        title={say('web.home.newest', {})}
        aside={<Link href={hrefTo(['runs'])}>{say('web.home.all-runs', { n: count(total) })}</Link>}
      >
        <RunList table={newest.answer} />
      </Section>
      {siteIndex === null ? <LogDrop /> : <CopiedReports reports={siteIndex.reports} />}
    </div>
  )
}

/** Files of the copy itself. */
function CopiedReports({ reports }: { readonly reports: SiteIndex['reports'] }) {
  const say = useSay()
  if (reports.length === 0) return null
  return (
    <Section title={say('web.home.reports', {})}>
      <ul>
        {reports.map(({ title, href }) => (
          <li key={href}>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Of all that runs are judged by, the first that these runs have; further ones are on the page of runs. */
const ALL_SCORES = { mostScores: 40 }
const MOST_SCORES = 2

function scoresShown({ runs, scores }: Answers['run-table']): readonly number[] {
  const filled = (column: number): number => runs.filter(run => run.scores[column] !== null).length
  const columns = [...scores.keys()].filter(column => filled(column) > 0)
  return columns.sort((a, b) => filled(b) - filled(a)).slice(0, MOST_SCORES)
}

function RunList({ table }: { readonly table: Answers['run-table'] }) {
  const { runs, scores } = table
  const shown = scoresShown(table)
  const say = useSay()
  const { language } = useLanguage()
  const ids = runs.map(({ id }) => id)
  const { answer } = useAsk(
    'series',
    ids.length === 0 ? null : { runs: ids, metric: ['val.score', 'score.mean', 'loss.total'], most: 48 },
    { touching: ids, keeps: true },
  )
  return (
    <table className="run-list">
      <thead>
        <tr>
          <th>{say('web.runs.col.name', {})}</th>
          <th className="status-cell">{say('web.runs.col.status', {})}</th>
          <th className="number">{say('web.runs.col.steps', {})}</th>
          {shown.map(column => (
            <th key={column} className="number score" title={scores[column].metric}>
              {breakable(scoreTitle(scores[column].metric))}
            </th>
          ))}
          <th className="course">{say('web.runs.col.course', {})}</th>
          <th className="started">{say('web.runs.col.started', {})}</th>
        </tr>
      </thead>
      <tbody>
        {runs.map(run => {
          const course = answer?.series.find(each => each.run === run.id)
          return (
            <tr key={run.id}>
              <td>
                <Link href={hrefTo(['run', run.id])} title={`${run.name} · ${run.id}`} label={run.name}>
                  <RunName name={run.name} />
                </Link>
              </td>
              <td className="status-cell">
                <StatusChip status={run.status} />
              </td>
              <td className="number">{run.steps === null ? '–' : count(run.steps[1])}</td>
              {shown.map(column => (
                <td key={column} className="number score">
                  {shownScore(run.scores[column])}
                </td>
              ))}
              <td className="course">
                {course !== undefined && <SparkLine series={course} label={`${course.metric}, ${run.name}`} />}
              </td>
              <td className="muted started">{shownTime(run.startedAt, language)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** A line for each rule: what is wrong with ten runs of one sweep is one thing to look at. */
function Attention({ runs }: { readonly runs: readonly Run[] }) {
  const say = useSay()
  const ids = runs.map(({ id }) => id)
  const { answer, problem } = useAsk('health', { runs: ids }, { touching: ids, keeps: true })
  const stops = useAnnouncedStops()
  const sick = (answer?.runs ?? []).flatMap(({ id, worst }) =>
    worst === null || worst.severity === 'note'
      ? []
      : [{ ...worst, id, name: runs.find(run => run.id === id)?.name ?? id }],
  )
  return (
    <Section
      title={say('web.home.attention', {})}
      aside={<span className="muted">{say('web.home.attention.among', { n: runs.length })}</span>}
    >
      {problem !== null && <ProblemBox problem={problem} />}
      {answer === null && problem === null && <Loading />}
      {answer !== null && sick.length + stops.length === 0 && (
        <p className="muted">{say('web.home.attention.none', {})}</p>
      )}
      <ul className="attention">
        {stops.map(stop => (
          <AnnouncedStop key={stop.run} stop={stop} />
        ))}
        {[...groupBy(sick, ({ rule }) => rule)].map(([rule, members]) => (
          <SickRuns key={rule} members={members} />
        ))}
      </ul>
    </Section>
  )
}

type Sick = NonNullable<Answers['health']['runs'][number]['worst']> & { readonly id: string; readonly name: string }

/** More are named on the page of runs. */
const MOST_NAMED = 5

function SickRuns({ members }: { readonly members: readonly Sick[] }) {
  const say = useSay()
  const { language } = useLanguage()
  const [first] = members
  const isOneSentence = members.every(({ message }) => message === first.message)
  const more = members.length - MOST_NAMED
  return (
    <li>
      <SeveritySign severity={first.severity} />
      {members.length === 1 ? (
        <RunLink run={first} />
      ) : (
        <span>
          <strong>{say('web.home.attention.runs', { n: members.length })}</strong>
        </span>
      )}
      <div>
        <p>
          {!isOneSentence && <span className="muted">{first.name}: </span>}
          {asSentence(first.message, language)}
        </p>
        {members.length > 1 && (
          <p className="named-runs">
            {members.slice(0, MOST_NAMED).map(run => (
              <RunLink key={run.id} run={run} />
            ))}
            {more > 0 && <span className="muted">{say('web.home.attention.more', { n: more })}</span>}
          </p>
        )}
      </div>
    </li>
  )
}

function RunLink({ run: { id, name } }: { readonly run: Sick }) {
  return (
    <Link href={hrefTo(['run', id])} title={name} label={name}>
      <RunName name={name} />
    </Link>
  )
}

function Verdicts({ runs }: { readonly runs: readonly Run[] }) {
  const say = useSay()
  const { workspace } = useSession()
  const recent = recentComparisons(workspace)
  const suggested = siteIndex === null ? suggestion(runs) : null
  if (recent.length === 0 && suggested === null) return null
  return (
    <Section title={say('web.home.verdicts', {})}>
      <ul className="verdicts">
        {recent.map(comparison => (
          <VerdictLine key={comparison.sides.join(' ')} comparison={comparison} />
        ))}
        {recent.length === 0 && suggested !== null && (
          <VerdictLine comparison={suggested} note={say('web.home.suggested', {})} />
        )}
      </ul>
      <p className="hint">{say('web.home.verdicts.hint', {})}</p>
    </Section>
  )
}

/** The two newest settings with the same score: replicates, which are named alike before a slash, are one side. */
function suggestion(runs: readonly Run[]): RecentComparison | null {
  const scored = runs.filter(({ score, status }) => score !== null && status !== 'running')
  const groups = groupBy(scored, ({ name, score }) => `${settingOf(name)} ${score?.metric}`)
  const [newest, ...others] = [...groups.values()]
  const other = others.find(([one]) => one.score?.metric === newest?.[0].score?.metric)
  if (newest === undefined || other === undefined) return null
  const sides = [other, newest].map(([one, ...more]) => (more.length === 0 ? one.id : `${settingOf(one.name)}/*`))
  return { sides, metric: null, margin: null }
}

function settingOf(name: string): string {
  return name.replace(/\/[^/]+$/, '')
}

function VerdictLine({ comparison, note }: { readonly comparison: RecentComparison; readonly note?: string }) {
  const say = useSay()
  const speaker = useSpeaker()
  const { sides, metric, margin } = comparison
  const request = { sides, ...(metric && { metric }), ...(margin && { margin }) }
  const { answer, problem } = useAsk('compare', request, { touching: 'all', keeps: true })
  const names = useNames(sides)
  const verdict = answer === null ? null : answer.verdicts[answer.headline.verdict]
  const difference = verdict === null ? null : differenceOf(verdict, speaker)
  const title = sides.map(side => names.get(side) ?? side).join(' · ')
  return (
    <li>
      <span className={`answer ${verdict?.answer ?? ''}`}>
        {verdict !== null && say(`answer.${verdict.answer}`, {})}
      </span>
      <div>
        <Link href={hrefTo(['compare'], { side: sides, ...(metric && { metric }), ...(margin && { margin }) })}>
          {verdict === null ? title : verdictSentence(verdict, speaker)}
        </Link>
        {problem !== null && <p className="muted">{problem.message}</p>}
        {verdict !== null && (
          <p className="muted">
            {[inlineText(difference?.size ?? '–'), difference?.interval, note].filter(Boolean).join(' · ')}
          </p>
        )}
      </div>
    </li>
  )
}

function EmptyHome() {
  const say = useSay()
  return (
    <div className="page">
      <div className="empty-home">
        <h1>{say('web.home.empty.title', {})}</h1>
        <LogDrop>
          <p>{say('web.home.empty.about', {})}</p>
        </LogDrop>
        <dl className="pairs commands">
          <div>
            <dt>
              <Typed>klens import wandb/</Typed>
            </dt>
            <dd>{say('web.home.empty.import', {})}</dd>
          </div>
          <div>
            <dt>
              <Typed>klens serve wandb/</Typed>
            </dt>
            <dd>{say('web.home.empty.follow', {})}</dd>
          </div>
          <div>
            <dt>
              <Typed>klens train --task digits</Typed>
            </dt>
            <dd>{say('web.home.empty.train', {})}</dd>
          </div>
        </dl>
      </div>
    </div>
  )
}

function LogDrop({ children }: { readonly children?: ReactNode }) {
  const say = useSay()
  const { language } = useLanguage()
  const { right } = useSession()
  const [said, setSaid] = useState('')
  const read = async (file: File): Promise<void> => {
    setSaid(say('web.loading', {}))
    try {
      const { runs, skipped } = await uploadLog(file, language)
      setSaid(
        runs.length > 0
          ? say('web.drop.done', { n: runs.length, file: file.name })
          : say('web.drop.nothing', { file: file.name, reason: skipped[0]?.reason ?? '–' }),
      )
    } catch (error) {
      setSaid(error instanceof ServerProblem ? error.message : String(error))
    }
  }
  if (right !== 'write') return <p className="hint">{say('web.drop.read-only', {})}</p>
  return (
    <DropFile onFile={file => void read(file)}>
      {children ?? <p className="muted">{say('web.home.empty.about', {})}</p>}
      {said !== '' && <p role="status">{said}</p>}
    </DropFile>
  )
}
