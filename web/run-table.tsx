import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { scoreTitle } from '../src/core/present/runs.js'
import { count } from '../src/text/numbers.js'
import type { Answers, Asked, ServerProblem } from './api.js'
import type { SentSeries } from './charts/lines.js'
import { BLOCK, firstRows } from './first-questions.js'
import { change, hrefTo, usePlace } from './location.js'
import { columnTitle } from './names.js'
import {
  breakable,
  Link,
  Loading,
  Prose,
  RunName,
  SeveritySign,
  StatusChip,
  shownFigure,
  shownScore,
  shownTime,
} from './parts.js'
import { togglePicked, usePicked } from './picked.js'
import { useLanguage } from './preferences.js'
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
        <Head columns={columns} scores={scores} />
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

const SORTABLE = [
  ['name', 'web.runs.col.name', 'name'],
  ['status', 'web.runs.col.status', 'status-cell'],
  ['steps', 'web.runs.col.steps', 'number'],
] as const

function Head({
  columns,
  scores,
}: {
  readonly columns: readonly string[]
  readonly scores: Answers['run-table']['scores']
}) {
  const say = useSay()
  const { language } = useLanguage()
  return (
    <div className="run-row head" role="row">
      <span role="columnheader" className="pick">
        <span className="visually-hidden">{say('web.run.pick', {})}</span>
      </span>
      {SORTABLE.map(([key, title, className]) => (
        <SortButton key={key} name={key} title={say(title, {})} className={className} />
      ))}
      {scores.map(({ metric }) => (
        <SortButton key={metric} name={metric} title={breakable(scoreTitle(metric))} className="number score" />
      ))}
      <span role="columnheader" className="course">
        {say('web.runs.col.course', {})}
      </span>
      {columns.map(column => (
        <SortButton key={column} name={column} title={columnTitle(column, language)} className="number extra">
          <button
            type="button"
            className="icon"
            aria-label={say('web.runs.column.remove', { column })}
            onClick={() => change({ columns: columns.filter(each => each !== column).join(','), sort: null })}
          >
            ×
          </button>
        </SortButton>
      ))}
      <span role="columnheader" className="finding">
        {say('web.runs.col.finding', {})}
      </span>
      <SortButton name="source" title={say('web.runs.col.source', {})} className="source" />
      <SortButton name="started" title={say('web.runs.col.started', {})} className="started" />
    </div>
  )
}

function SortButton({
  name,
  title,
  className,
  children,
}: {
  readonly name: string
  readonly title: string
  readonly className: string
  readonly children?: ReactNode
}) {
  const { query } = usePlace()
  const sort = query.get('sort') ?? '-started'
  const direction = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'
  return (
    <span role="columnheader" aria-sort={direction} className={className}>
      <button
        type="button"
        className="sort"
        title={name}
        onClick={() => change({ sort: direction === 'descending' ? name : `-${name}` })}
      >
        <span>{title}</span>
        {direction !== 'none' && <span aria-hidden="true">{direction === 'ascending' ? ' ↑' : ' ↓'}</span>}
      </button>
      {children}
    </span>
  )
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
      <span role="cell" className="source">
        {run.source}
      </span>
      <span role="cell" className="started">
        {shownTime(run.startedAt, language)}
      </span>
    </div>
  )
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
const WIDTH = 96
const HEIGHT = 22
const EDGE = 2

export function SparkLine({ series, label }: { readonly series: SentSeries; readonly label: string }) {
  const points = pointsOf(series).filter(([, y]) => Number.isFinite(y))
  if (points.length < 2) return null
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const across = (x: number): number => EDGE + ((x - left) / (right - left || 1)) * (WIDTH - 2 * EDGE)
  const up = (y: number): number => HEIGHT - EDGE - ((y - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE)
  const path = points.map(([x, y]) => `${across(x).toFixed(1)},${up(y).toFixed(1)}`).join(' ')
  const [lastX, lastY] = points[points.length - 1]
  return (
    <svg className="spark" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <polyline points={path} fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      <circle cx={across(lastX)} cy={up(lastY)} r="2" fill="currentColor" />
    </svg>
  )
}

function pointsOf(series: SentSeries): readonly (readonly [number, number])[] {
  if (series.shown === 'exact') return series.x.map((x, i) => [x, Number(series.y[i])])
  return series.from.map((from, i) => [from, Number(series.mean[i])])
}
