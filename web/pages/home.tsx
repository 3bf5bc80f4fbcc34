import { type ReactNode, useState } from 'react'
import type { SiteIndex } from '../../src/app/server/site.js'
import { inlineText } from '../../src/core/present/blocks.js'
import { scoreTitle } from '../../src/core/present/runs.js'
import { differenceOf, verdictSentence } from '../../src/core/present/verdict.js'
import { count } from '../../src/text/numbers.js'
import { type Answers, ServerProblem, uploadLog } from '../api.js'
import { useSpeaker } from '../blocks.js'
import { DropFile } from '../drop-file.js'
import { Attention } from '../home/attention.js'
import { SinceLastVisit } from '../home/since.js'
import { hrefTo } from '../location.js'
import {
  breakable,
  Link,
  Loading,
  ProblemBox,
  RunName,
  Section,
  StatusChip,
  shownDuration,
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
import { suggestedComparisons } from '../suggestions.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'

/** What is running, what needs a look, and what was judged last. Where there is nothing yet: what to do. */

type Run = Answers['run-table']['runs'][number]

const MOST_NEWEST = 12
/** Of more than are shown it is told what has changed. */
const NEWEST_RUNS = { sort: '-logged', most: 100, mostScores: 40 }

export function HomePage() {
  const say = useSay()
  const { workspace } = useSession()
  const newest = useAsk('run-table', NEWEST_RUNS, { touching: 'all', keeps: true })
  const running = useAsk(
    'run-table',
    { status: 'running', most: 20, sort: '-logged', ...ALL_SCORES },
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
      <Attention />
      {running.answer !== null && running.answer.runs.length > 0 && (
        <Section title={say('web.home.running', {})}>
          <RunList table={running.answer} isRunning />
        </Section>
      )}
      {siteIndex === null && <SinceLastVisit workspace={workspace} runs={runs} />}
      <Verdicts runs={runs} />
      <Section
        title={say('web.home.newest', {})}
        aside={<Link href={hrefTo(['runs'])}>{say('web.home.all-runs', { n: count(total) })}</Link>}
      >
        <RunList table={{ ...newest.answer, runs: runs.slice(0, MOST_NEWEST) }} />
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

function Ends({ endsAt }: { readonly endsAt: number | null }) {
  const say = useSay()
  const { language } = useLanguage()
  if (endsAt === null) return <span className="muted">{say('web.runs.ends.unknown', {})}</span>
  const left = endsAt - Date.now() / 1000
  const time = shownTime(endsAt, language)
  return left > 0 ? say('web.runs.ends.in', { time, left: shownDuration(left) }) : time
}

/** Of all that runs are judged by, the first that these runs have; further ones are on the page of runs. */
const ALL_SCORES = { mostScores: 40 }
const MOST_SCORES = 2

function scoresShown({ runs, scores }: Answers['run-table']): readonly number[] {
  const filled = (column: number): number => runs.filter(run => run.scores[column] !== null).length
  const columns = [...scores.keys()].filter(column => filled(column) > 0)
  return columns.sort((a, b) => filled(b) - filled(a)).slice(0, MOST_SCORES)
}

/** Of runs that go on: how far they are, and when they end. */
function RunList({ table, isRunning = false }: { readonly table: Answers['run-table']; readonly isRunning?: boolean }) {
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
          {!isRunning && <th className="status-cell">{say('web.runs.col.status', {})}</th>}
          <th className="number">{say('web.runs.col.steps', {})}</th>
          {shown.map(column => (
            <th key={column} className="number score" title={scores[column].metric}>
              {breakable(scoreTitle(scores[column].metric))}
            </th>
          ))}
          <th className="course">{say('web.runs.col.course', {})}</th>
          <th className={isRunning ? 'ends' : 'started'}>
            {say(isRunning ? 'web.runs.col.ends' : 'web.runs.col.logged', {})}
          </th>
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
              {!isRunning && (
                <td className="status-cell">
                  <StatusChip status={run.status} />
                </td>
              )}
              <td className="number">
                {run.steps === null ? '–' : count(run.steps[1])}
                {run.planned !== null && <span className="muted"> / {count(run.planned)}</span>}
              </td>
              {shown.map(column => (
                <td key={column} className="number score">
                  {shownScore(run.scores[column])}
                </td>
              ))}
              <td className="course">
                {course !== undefined && <SparkLine series={course} label={`${course.metric}, ${run.name}`} />}
              </td>
              {isRunning ? (
                <td className="ends">
                  <Ends endsAt={run.endsAt} />
                </td>
              ) : (
                <td className="muted started">{shownTime(run.loggedAt, language)}</td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Verdicts({ runs }: { readonly runs: readonly Run[] }) {
  const say = useSay()
  const { workspace } = useSession()
  const recent = recentComparisons(workspace)
  const suggested = siteIndex === null ? (suggestedComparisons(runs)[0] ?? null) : null
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
