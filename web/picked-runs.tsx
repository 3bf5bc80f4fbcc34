import { hrefTo } from './location.js'
import { Link, RunName } from './parts.js'
import { clearPicked, toggleHidden, togglePicked, usePicked } from './picked.js'
import { siteIndex } from './site.js'
import { useAsk } from './use-ask.js'
import { useSay } from './words.js'

/** The runs that are picked, each with an eye that takes it out of the charts and puts it back. */
export function PickedRuns() {
  const say = useSay()
  const picked = usePicked()
  const names = useNames(picked.ids)
  return (
    <div className="picked">
      <h2>{say('web.picked', {})}</h2>
      {picked.ids.length === 0 && <p className="hint">{say('web.picked.none', {})}</p>}
      <ul>
        {picked.ids.map(id => {
          const name = names.get(id) ?? id
          const isHidden = picked.hidden.has(id)
          return (
            <li key={id} className={isHidden ? 'hidden' : ''}>
              <button
                type="button"
                className="icon"
                aria-pressed={!isHidden}
                aria-label={say(isHidden ? 'web.picked.show' : 'web.picked.hide', { name })}
                onClick={() => toggleHidden(picked, id)}
              >
                <Eye isShut={isHidden} />
              </button>
              <Link href={hrefTo(['run', id])} title={name} label={name}>
                <RunName name={name} />
              </Link>
              <button
                type="button"
                className="icon"
                aria-label={say('web.picked.remove', { name })}
                onClick={() => togglePicked(picked, id)}
              >
                ×
              </button>
            </li>
          )
        })}
      </ul>
      {picked.ids.length > 0 && (
        <div className="picked-actions">
          {picked.ids.length > 1 && siteIndex === null && (
            <Link className="button primary" href={hrefTo(['compare'], { side: picked.ids })}>
              {say('web.picked.compare', { n: picked.ids.length })}
            </Link>
          )}
          {siteIndex === null && (
            <Link className="button" href={hrefTo(['curves'])}>
              {say('web.nav.curves', {})}
            </Link>
          )}
          <button type="button" onClick={clearPicked}>
            {say('web.picked.clear', {})}
          </button>
        </div>
      )}
    </div>
  )
}

function Eye({ isShut }: { readonly isShut: boolean }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M1 8c3-5 11-5 14 0-3 5-11 5-14 0z" fill="none" stroke="currentColor" strokeWidth="1.3" />
      {isShut ? (
        <path d="M3 13 13 3" stroke="currentColor" strokeWidth="1.3" />
      ) : (
        <circle cx="8" cy="8" r="2.2" fill="currentColor" />
      )}
    </svg>
  )
}

/** What runs are called, for ids that stand in an address. */
export function useNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const { answer } = useAsk('run-table', ids.length === 0 ? null : { ids }, { touching: ids, keeps: true })
  return new Map(answer?.runs.map(({ id, name }) => [id, name]))
}
