import type { ReactNode } from 'react'
import { scoreTitle } from '../src/core/present/runs.js'
import type { Answers } from './api.js'
import { change, usePlace } from './location.js'
import { columnTitle } from './names.js'
import { breakable } from './parts.js'
import { useLanguage } from './preferences.js'
import { useSay } from './words.js'

const SORTABLE = [
  ['name', 'web.runs.col.name', 'name'],
  ['status', 'web.runs.col.status', 'status-cell'],
  ['steps', 'web.runs.col.steps', 'number'],
] as const

/** The titles of the columns; a click sorts by one. */
export function RunTableHead({
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
      <SortButton name="duration" title={say('web.runs.col.duration', {})} className="duration" />
      <SortButton name="source" title={say('web.runs.col.source', {})} className="source" />
      <SortButton name="logged" title={say('web.runs.col.logged', {})} className="started" />
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
  const sort = query.get('sort') ?? '-logged'
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
