import { type FormEvent, useDeferredValue, useEffect, useState } from 'react'
import { settingLabel } from '../../src/text/vocabulary.js'
import { columnsIn, STATUSES, statusIn, tableRequest } from '../first-questions.js'
import { change, usePlace } from '../location.js'
import { KNOWN_NAMES } from '../names.js'
import { Choice, Field, ProblemBox } from '../parts.js'
import { usePicked } from '../picked.js'
import { useLanguage } from '../preferences.js'
import { RunActions } from '../run-actions.js'
import { RunTable } from '../run-table.js'
import { siteIndex } from '../site.js'
import { useSay } from '../words.js'

/** All runs: searched, filtered, sorted and grouped by the server, so that ten thousand are as quick as ten. */

export function RunsPage() {
  const say = useSay()
  const { query } = usePlace()
  const [search, setSearch] = useState(query.get('q') ?? '')
  const deferred = useDeferredValue(search)
  useEffect(() => change({ q: deferred }, { replace: true }), [deferred])
  const columns = columnsIn(query)
  const where = query.getAll('where')
  const status = statusIn(query)
  const group = query.get('group') ?? ''
  const [total, setTotal] = useState<{ readonly found: number; readonly total: number } | null>(null)
  const request = { ...tableRequest(query), search: deferred }
  const { ids } = usePicked()
  return (
    <div className="page wide">
      <header className="page-head">
        <h1>{say('web.runs.title', {})}</h1>
        {total !== null && <span className="count">{say('web.runs.count', total)}</span>}
      </header>
      <datalist id="known-names">
        {KNOWN_NAMES.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="controls">
        <Field
          label={say('web.runs.search-label', {})}
          placeholder={say('web.runs.search', {})}
          value={search}
          onValue={setSearch}
          isSearch
          width={300}
        />
        <Choice
          label={say('web.runs.status', {})}
          value={status ?? ''}
          choices={[
            ['', say('web.runs.any-status', {})],
            ...STATUSES.map(each => [each, say(`web.status.${each}`, {})] as const),
          ]}
          onValue={value => change({ status: value })}
        />
        {siteIndex === null && (
          <>
            <NameAdder label={say('web.runs.where', {})} onAdd={text => change({ where: [...where, text] })} isFilter />
            <NameAdder
              label={say('web.runs.columns', {})}
              onAdd={name => change({ columns: [...columns, name].join(',') })}
            />
            <Grouping group={group} />
          </>
        )}
      </div>
      {where.length > 0 && (
        <ul className="chips">
          {where.map(filter => (
            <li key={filter}>
              {filter}
              <button
                type="button"
                className="icon"
                aria-label={say('web.runs.filter.remove', { filter })}
                onClick={() => change({ where: where.filter(each => each !== filter) })}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <RunActions ids={ids} />
      <RunTable
        request={request}
        columns={columns}
        onTotal={setTotal}
        problem={problem => <ProblemBox problem={problem} />}
      />
    </div>
  )
}

function Grouping({ group }: { readonly group: string }) {
  const say = useSay()
  const { language } = useLanguage()
  const usual = ['source', 'status', 'kl.loss.coef', 'seed', 'lr']
  const keys = group === '' || usual.includes(group) ? usual : [...usual, group]
  return (
    <Choice
      label={say('web.runs.group', {})}
      value={group}
      choices={[['', say('web.runs.no-group', {})], ...keys.map(key => [key, settingLabel(key, language)] as const)]}
      onValue={value => change({ group: value })}
    />
  )
}

/** A name of a metric or a setting, or with `isFilter` a condition on one. */
function NameAdder({
  label,
  onAdd,
  isFilter = false,
}: {
  readonly label: string
  readonly onAdd: (text: string) => void
  readonly isFilter?: boolean
}) {
  const [text, setText] = useState('')
  const add = (event: FormEvent): void => {
    event.preventDefault()
    const given = text.trim()
    if (given === '' || (isFilter && !/[=<>]/.test(given))) return
    onAdd(given)
    setText('')
  }
  return (
    <form onSubmit={add}>
      <Field
        label={label}
        value={text}
        onValue={setText}
        placeholder={isFilter ? 'kl.loss.coef>=0.1' : 'entropy'}
        list="known-names"
        width={180}
      />
    </form>
  )
}
