import { type FormEvent, useDeferredValue, useEffect, useState } from 'react'
import { settingLabel } from '../../src/text/vocabulary.js'
import { askServer } from '../api.js'
import { columnsIn, STATUSES, statusIn, tableRequest } from '../first-questions.js'
import { change, usePlace } from '../location.js'
import { Choice, Field, ProblemBox } from '../parts.js'
import { clearPicked, usePicked } from '../picked.js'
import { useNames } from '../picked-runs.js'
import { useLanguage } from '../preferences.js'
import { FilterAdder, FilterChips, KnownNames, NameAdder } from '../run-filters.js'
import { RunTable } from '../run-table.js'
import { useSession } from '../session.js'
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
      <RunActions />
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

type Action = 'rename' | 'tag' | 'remove'

/** What a person does to the runs that are picked: rename one, tag all, remove all after a second word. Needs the write token. */
function RunActions() {
  const say = useSay()
  const { right } = useSession()
  const { ids } = usePicked()
  const [action, setAction] = useState<Action | null>(null)
  if (right !== 'write' || ids.length === 0) return null
  const actions: readonly Action[] = ids.length === 1 ? ['rename', 'tag', 'remove'] : ['tag', 'remove']
  return (
    <div className="run-actions">
      <span>{say('web.runs.picked', { n: ids.length })}</span>
      {action === null || !actions.includes(action) ? (
        actions.map(each => (
          <button key={each} type="button" onClick={() => setAction(each)}>
            {say(`web.runs.${each}`, {})}
          </button>
        ))
      ) : (
        <ActionForm key={action} action={action} ids={ids} onDone={() => setAction(null)} />
      )}
    </div>
  )
}

function ActionForm({
  action,
  ids,
  onDone,
}: {
  readonly action: Action
  readonly ids: readonly string[]
  readonly onDone: () => void
}) {
  const say = useSay()
  const { language: lang } = useLanguage()
  const names = useNames(ids)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const act = async (): Promise<void> => {
    if (action === 'rename') await askServer('rename', { run: ids[0], name: text, lang })
    else if (action === 'remove') await askServer('remove', { runs: ids, lang })
    else for (const run of ids) await askServer('tag', { run, tag: text.split(/[\s,]+/).filter(Boolean), lang })
    if (action === 'remove') clearPicked()
    onDone()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    act().catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
  }
  return (
    <form onSubmit={submit}>
      {action === 'remove' ? (
        <span>{say('web.runs.remove.sure', { n: ids.length })}</span>
      ) : (
        <Field
          label={say(action === 'rename' ? 'web.runs.new-name' : 'web.runs.tag', {})}
          placeholder={action === 'rename' ? (names.get(ids[0]) ?? '') : say('web.runs.tag.hint', {})}
          value={text}
          onValue={setText}
          width={240}
        />
      )}
      <button type="submit" className={action === 'remove' ? 'danger' : 'primary'}>
        {say(`web.runs.${action}`, {})}
      </button>
      <button type="button" onClick={onDone}>
        {say('web.runs.cancel', {})}
      </button>
      {problem !== '' && <span role="alert">{problem}</span>}
    </form>
  )
}
