import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { count } from '../src/text/numbers.js'
import type { Answers, Asked, ServerProblem } from './api.js'
import { BLOCK, firstRows } from './first-questions.js'
import { hrefTo } from './location.js'
import {
  Link,
  Loading,
  Prose,
  RunName,
  SeveritySign,
  StatusChip,
  shownDuration,
  shownFigure,
  shownScore,
  shownTime,
} from './parts.js'
import { togglePicked, usePicked } from './picked.js'
import { useLanguage } from './preferences.js'
import { RunTableHead } from './run-table-head.js'
import { SparkLine } from './spark-line.js'
import { useAsk } from './use-ask.js'
import { type Say, useSay } from './words.js'

/**
 * A table of any length: only the rows in sight exist, fetched a hundred at a time; their courses and findings are asked for
 * twenty at a time, once the reader has come to rest on them.
 */

type Run = Answers['run-table']['runs'][number]
type Group = NonNullable<Answers['run-table']['groups']>[number]

const ROW = 38
const CHUNK = 20
const AHEAD = 8

interface Props {
  readonly request: Asked
  readonly columns: readonly string[]
  readonly onTotal: (total: { readonly found: number; readonly total: number }) => void
  readonly problem: (problem: ServerProblem) => ReactNode
}

export function RunTable({ request, columns, onTotal, problem }: Props) {
  const say = useSay()
  const body = useRef<HTMLDivElement>(null)
  const seen = useSeen(body)
  const first = useAsk('run-table', firstRows(request), { touching: 'all', keeps: true })
  const groups = first.answer?.groups ?? null
  const found = first.answer?.found ?? 0
  const places = useMemo(() => placesOf(found, groups), [found, groups])
  const rows = { from: places.rowAt(seen.from), to: Math.min(found, places.rowAt(seen.to) + 1) }
  const blocks = [Math.floor(rows.from / BLOCK), Math.floor(Math.max(rows.from, rows.to - 1) / BLOCK)]
  const one = useAsk('run-table', blockRequest(request, blocks[0]), { touching: 'all', keeps: false })
  const two = useAsk('run-table', blocks[1] === blocks[0] ? null : blockRequest(request, blocks[1]), {
    touching: 'all',
  })
  const loaded = new Map([
    [0, first.answer?.runs],
    [blocks[0], blocks[0] === 0 ? first.answer?.runs : one.answer?.runs],
    ...(blocks[1] === blocks[0] || blocks[1] === 0 ? [] : ([[blocks[1], two.answer?.runs]] as const)),
  ])
  const runAt = (index: number): Run | undefined => loaded.get(Math.floor(index / BLOCK))?.[index % BLOCK]
  const total = first.answer?.total
  useEffect(() => {
    if (total !== undefined) onTotal({ found, total })
  }, [found, total, onTotal])
  if (first.answer === null) return first.problem === null ? <Loading rows={8} /> : problem(first.problem)
  const { scores, moreScores, none } = first.answer
  const chunks: number[] = []
  for (let chunk = Math.floor(rows.from / CHUNK); chunk * CHUNK < rows.to; chunk += 1) chunks.push(chunk)
  return (
    <>
      {first.answer.unread.map(sentence => (
        <p key={sentence} className="warning-line" role="status">
          {sentence}
        </p>
      ))}
      {moreScores.length > 0 && (
        <p className="hint">{say('web.runs.more-scores', { metrics: moreScores.join(', ') })}</p>
      )}
      <div
        className={`run-table${columns.length + scores.length > 1 ? ' has-extra' : ''}`}
        role="table"
        aria-rowcount={found}
        aria-busy={first.isAsking}
      >
        {first.problem !== null && problem(first.problem)}
        <RunTableHead columns={columns} scores={scores} />
        <div ref={body} className="run-rows" role="rowgroup" style={{ height: places.height }}>
          {found === 0 && (
            <div className="empty">
              <Prose text={say(total === 0 ? 'web.runs.empty' : 'web.runs.none', {})} />
              {none.map(reason => (
                <p key={reason} className="hint">
                  {reason}
                </p>
              ))}
            </div>
          )}
          {places.headers
            .filter(({ top }) => top >= seen.from - ROW && top <= seen.to)
            .map(({ top, group }) => (
              <div key={top} className="group-row" role="row" style={{ top }}>
                <span role="cell">
                  {shownFigure(group.value)} <span className="count">{count(group.runs)}</span>
                </span>
              </div>
            ))}
          {chunks.map(chunk => {
            const indices = Array.from({ length: CHUNK }, (_, i) => chunk * CHUNK + i).filter(
              index => index >= rows.from && index < rows.to,
            )
            const all = Array.from({ length: CHUNK }, (_, i) => runAt(chunk * CHUNK + i))
            return (
              <Chunk
                key={chunk}
                ids={all.flatMap(run => run?.id ?? []).join(' ')}
                rows={indices.map(index => ({ index, top: places.topOf(index), run: runAt(index) }))}
              />
            )
          })}
        </div>
      </div>
    </>
  )
}

function blockRequest(request: Asked, block: number): Asked | null {
  return block === 0 ? null : { ...request, from: block * BLOCK, most: BLOCK }
}

interface Places {
  readonly height: number
  readonly topOf: (row: number) => number
  readonly rowAt: (top: number) => number
  readonly headers: readonly { readonly top: number; readonly group: Group }[]
}

/** Each group begins with a row of its own. */
function placesOf(found: number, groups: readonly Group[] | null): Places {
  const starts: number[] = []
  let before = 0
  for (const { runs } of groups ?? []) {
    starts.push(before)
    before += runs
  }
  const headersUpTo = (row: number): number => starts.findLastIndex(start => start <= row) + 1
  return {
    height: (found + starts.length) * ROW,
    topOf: row => (row + headersUpTo(row)) * ROW,
    rowAt(top) {
      const guess = Math.max(0, Math.floor(top / ROW))
      const past = starts.filter((start, i) => start + i < guess).length
      return Math.min(Math.max(0, found - 1), Math.max(0, guess - past))
    },
    headers: (groups ?? []).map((group, i) => ({ top: (starts[i] + i) * ROW, group })),
  }
}

/** The part of an element that is in sight, with some rows around it. */
function useSeen(body: { readonly current: HTMLElement | null }) {
  const [seen, setSeen] = useState({ from: 0, to: 40 * ROW })
  useEffect(() => {
    const look = (): void => {
      const top = body.current?.getBoundingClientRect().top ?? 0
      const from = Math.floor(Math.max(0, -top - AHEAD * ROW) / ROW) * ROW
      const to = Math.ceil((window.innerHeight - top + AHEAD * ROW) / ROW) * ROW
      setSeen(now => (now.from === from && now.to === to ? now : { from, to }))
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [body])
  return seen
}

interface Row {
  readonly index: number
  readonly top: number
  readonly run: Run | undefined
}

/** Rested on for so long, rows are worth their courses and findings. */
const REST_MS = 150

function Chunk({ ids, rows }: { readonly ids: string; readonly rows: readonly Row[] }) {
  const [isRested, setIsRested] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setIsRested(true), REST_MS)
    return () => window.clearTimeout(timer)
  }, [])
  const runs = ids === '' ? [] : ids.split(' ')
  const asked = isRested && runs.length > 0
  const { answer: courses } = useAsk(
    'series',
    asked ? { runs, metric: ['val.score', 'score.mean', 'val.loss', 'loss.total'], most: 48 } : null,
    { touching: runs, keeps: true },
  )
  const { answer: health } = useAsk('health', asked ? { runs } : null, { touching: runs, keeps: true })
  return (
    <>
      {rows.map(({ index, top, run }) => (
        <RunRow
          key={run?.id ?? index}
          index={index}
          top={top}
          run={run}
          course={run && courses?.series.find(each => each.run === run.id)}
          health={run && health?.runs.find(each => each.id === run.id)}
          unread={run && health?.unread.find(each => each.run === run.id)?.reason}
        />
      ))}
    </>
  )
}

function RunRow({
  index,
  top,
  run,
  course,
  health,
  unread,
}: Row & {
  readonly course: Answers['series']['series'][number] | undefined
  readonly health: Answers['health']['runs'][number] | undefined
  readonly unread: string | undefined
}) {
  const say = useSay()
  const { language } = useLanguage()
  const picked = usePicked()
  if (run === undefined) return <div className="run-row waiting" role="row" style={{ top }} aria-rowindex={index + 1} />
  const isPicked = picked.ids.includes(run.id)
  return (
    <div className={`run-row${isPicked ? ' picked-row' : ''}`} role="row" style={{ top }} aria-rowindex={index + 1}>
      <span role="cell" className="pick">
        <input
          type="checkbox"
          checked={isPicked}
          aria-label={say('web.runs.pick', { name: run.name })}
          onChange={() => togglePicked(picked, run.id)}
        />
      </span>
      <span role="cell" className="name">
        <Link href={hrefTo(['run', run.id])} title={`${run.name} · ${run.id}`} label={run.name}>
          <RunName name={run.name} />
        </Link>
        {run.tags.map(tag => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
        {run.note !== '' && (
          <span className="note-mark" title={run.note}>
            {run.note.slice(0, NOTE_SHOWN).toWellFormed()}
          </span>
        )}
      </span>
      <span role="cell" className="status-cell">
        <StatusChip status={run.status} />
      </span>
      <span role="cell" className="number">
        {run.steps === null ? '–' : count(run.steps[1])}
      </span>
      {run.scores.map((value, i) => (
        <span key={i} role="cell" className="number score">
          {shownScore(value)}
          {run.best[i] !== null && run.best[i] !== value && (
            <small>{say('web.runs.best', { best: shownScore(run.best[i]) })}</small>
          )}
        </span>
      ))}
      <span role="cell" className="course">
        {course !== undefined && <SparkLine series={course} label={`${course.metric}, ${run.name}`} />}
      </span>
      {run.columns.map((value, i) => (
        <span key={i} role="cell" className="number extra">
          {shownFigure(value)}
        </span>
      ))}
      <span role="cell" className="finding">
        {unread !== undefined && (
          <span className="problem-text" title={unread}>
            {unread}
          </span>
        )}
        {health !== undefined && <Health health={health} say={say} />}
      </span>
      <span role="cell" className="duration">
        {lasting(run, say)}
      </span>
      <span role="cell" className="source">
        {run.source}
      </span>
      <span role="cell" className="started" title={shownTime(run.startedAt, language)}>
        {shownTime(run.loggedAt, language)}
      </span>
    </div>
  )
}

/** A note is long; its beginning tells which it is. */
const NOTE_SHOWN = 60

function lasting({ status, startedAt, endedAt, endsAt }: Run, say: Say): string {
  const left = endsAt === null ? 0 : endsAt - Date.now() / 1000
  if (status === 'running' && left > 0) return say('web.runs.left', { left: shownDuration(left) })
  return startedAt === null || endedAt === null || endedAt <= startedAt ? '–' : shownDuration(endedAt - startedAt)
}

function Health({ health, say }: { readonly health: Answers['health']['runs'][number]; readonly say: Say }) {
  const { worst, canTell } = health
  if (worst === null) {
    return <span className="muted">{say(canTell ? 'web.runs.healthy' : 'web.runs.cannot-tell', {})}</span>
  }
  return (
    <span title={worst.message}>
      <SeveritySign severity={worst.severity} /> {worst.rule}{' '}
      <span className="muted since">{say('web.runs.since', { step: worst.since })}</span>
    </span>
  )
}

/** The course of a score, as large as a word: from first to last, lowest to highest, no axes. */
