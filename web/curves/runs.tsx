import { memo, useDeferredValue, useEffect, useState } from 'react'
import type { Answers } from '../api.js'
import { LookSign } from '../charts/legend.js'
import type { ChartedRun } from '../charts/metric-chart.js'
import { change, hrefTo, usePlace } from '../location.js'
import { Field, Link, RunName } from '../parts.js'
import { PhoneFold } from '../phone-fold.js'
import { togglePicked, usePicked } from '../picked.js'
import { FilterAdder, FilterChips, KnownNames } from '../run-filters.js'
import { useSay } from '../words.js'

/** Which runs are drawn: those that fit what is searched and filtered, or only those that are ticked. Their signs are the legend. */
export function RunChooser({
  overlay,
  charted,
}: {
  readonly overlay: Answers['overlay']
  readonly charted: readonly ChartedRun[]
}) {
  const say = useSay()
  const { query } = usePlace()
  const picked = usePicked()
  const [search, setSearch] = useState(query.get('q') ?? '')
  const deferred = useDeferredValue(search)
  useEffect(() => change({ q: deferred }, { replace: true }), [deferred])
  const { drawn, found } = overlay
  return (
    <PhoneFold className="run-chooser" label={say('web.curves.choose', {})}>
      <KnownNames />
      <Field
        label={say('web.runs.search-label', {})}
        placeholder={say('web.runs.search', {})}
        value={search}
        onValue={setSearch}
        isSearch
      />
      <FilterAdder />
      <FilterChips />
      <p className="hint">
        {picked.ids.length > 0
          ? say('web.curves.only-ticked', { n: picked.ids.length })
          : drawn.length < found
            ? say('web.curves.more-runs', { n: drawn.length })
            : say('web.curves.runs', { drawn: drawn.length, found })}
      </p>
      {picked.ids.length > 0 && (
        <button type="button" onClick={() => change({ pick: null, hide: null })}>
          {say('web.curves.untick', {})}
        </button>
      )}
      <RunTicks overlay={overlay} charted={charted} pick={query.get('pick') ?? ''} />
      {overlay.none.map(sentence => (
        <p key={sentence} className="hint">
          {sentence}
        </p>
      ))}
    </PhoneFold>
  )
}

/** Not drawn again in every frame of a zoom. `pick`: the ticks, as they stand in the address. */
const RunTicks = memo(function RunTicks({
  overlay: { runs, drawn },
  charted,
  pick,
}: {
  readonly overlay: Answers['overlay']
  readonly charted: readonly ChartedRun[]
  readonly pick: string
}) {
  const say = useSay()
  const ids = pick.split(',').filter(Boolean)
  const looks = new Map(charted.map(({ id, look }) => [id, look]))
  const others = drawn.filter(({ id }) => runs.every(run => run.id !== id))
  return (
    <ul className="run-ticks">
      {[...others, ...runs].map(({ id, name }) => {
        const look = looks.get(id)
        return (
          <li key={id}>
            <input
              type="checkbox"
              aria-label={say('web.runs.pick', { name })}
              checked={ids.includes(id)}
              onChange={() => togglePicked({ ids, hidden: new Set() }, id)}
            />
            <span className="run-sign">{look !== undefined && <LookSign look={look} />}</span>
            <Link href={hrefTo(['run', id])} title={name} label={name}>
              <RunName name={name} />
            </Link>
          </li>
        )
      })}
    </ul>
  )
})
