import { useDeferredValue, useEffect, useState } from 'react'
import { settingLabel } from '../../src/text/vocabulary.js'
import { columnsIn, STATUSES, statusIn, tableRequest } from '../first-questions.js'
import { change, usePlace } from '../location.js'
import { Choice, Field, ProblemBox } from '../parts.js'
import { usePicked } from '../picked.js'
import { useLanguage } from '../preferences.js'
import { RunActions } from '../run-actions.js'
import { FilterAdder, FilterChips, KnownNames, NameAdder } from '../run-filters.js'
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
      <KnownNames />
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
            <FilterAdder />
            <NameAdder
              label={say('web.runs.columns', {})}
              onAdd={name => change({ columns: [...columns, name].join(',') })}
            />
            <Grouping group={group} />
          </>
        )}
      </div>
      <FilterChips />
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
