import { useEffect, useState } from 'react'
import type { Answers } from '../api.js'
import { hrefTo } from '../location.js'
import { Link, Section, shownTime } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSay } from '../words.js'

/**
 * What has changed since this browser was last here. What is seen now is remembered for the next visit; a reload within one
 * tab is no new visit.
 */

type Run = Pick<Answers['run-table']['runs'][number], 'id' | 'name' | 'status' | 'steps' | 'loggedAt'>

interface Visit {
  /** Unix seconds. */
  readonly at: number
  /** Of each run that was among the newest: its status and last step. */
  readonly runs: { readonly [id: string]: readonly [status: string, lastStep: number] }
}

/** A run that was not seen then is new only if its log is: it may have been too old to be among the newest. */
function changesSince({ at, runs: seen }: Visit, runs: readonly Run[]) {
  const known = runs.flatMap(run => {
    const before = Object.hasOwn(seen, run.id) ? seen[run.id] : undefined
    return before === undefined ? [] : [{ run, status: before[0], steps: lastStep(run) - before[1] }]
  })
  const isFew = Object.keys(seen).length < MOST_REMEMBERED
  return {
    added: runs.filter(({ id, loggedAt }) => !Object.hasOwn(seen, id) && (isFew || loggedAt > at)),
    ended: known.filter(({ run, status }) => status === 'running' && run.status !== 'running').map(({ run }) => run),
    grown: known
      .filter(({ run, status, steps }) => steps > 0 && !(status === 'running' && run.status !== 'running'))
      .map(({ run }) => run),
  }
}

/** As many as the page asks for. */
const MOST_REMEMBERED = 100

function lastStep({ steps }: Run): number {
  return steps?.[1] ?? -1
}

const NAME = 'klens-visit'

/** The last visit that was not this one; null at the first. */
function useLastVisit(workspace: string, runs: readonly Run[]): Visit | null {
  const key = `${NAME} ${workspace}`
  const [last] = useState(() => {
    const begun = window.sessionStorage.getItem(key)
    const before = begun ?? window.localStorage.getItem(key)
    window.sessionStorage.setItem(key, before ?? '')
    return visitIn(before)
  })
  useEffect(() => {
    const seen = Object.fromEntries(runs.map(run => [run.id, [run.status, lastStep(run)]]))
    window.localStorage.setItem(key, JSON.stringify({ at: Date.now() / 1000, runs: seen }))
  }, [key, runs])
  return last
}

/** Written above, by this page alone; what another page put there is dropped. */
function visitIn(text: string | null): Visit | null {
  try {
    return JSON.parse(text ?? '') as Visit
  } catch {
    return null
  }
}

const MOST_NAMED = 6

export function SinceLastVisit({ workspace, runs }: { readonly workspace: string; readonly runs: readonly Run[] }) {
  const say = useSay()
  const { language } = useLanguage()
  const last = useLastVisit(workspace, runs)
  if (last === null) return null
  const { added, ended, grown } = changesSince(last, runs)
  const lines = [
    { key: 'web.home.since.added', runs: added },
    { key: 'web.home.since.ended', runs: ended },
    { key: 'web.home.since.grown', runs: grown },
  ] as const
  const filled = lines.filter(line => line.runs.length > 0)
  return (
    <Section title={say('web.home.since', { time: shownTime(last.at, language) })}>
      {filled.length === 0 && <p className="muted">{say('web.home.since.nothing', {})}</p>}
      {filled.length > 0 && (
        <dl className="pairs">
          {filled.map(({ key, runs: changed }) => (
            <div key={key}>
              <dt>{say(key, { n: changed.length })}</dt>
              <dd className="named-runs">
                {changed.slice(0, MOST_NAMED).map(({ id, name }) => (
                  <Link key={id} href={hrefTo(['run', id])}>
                    {name}
                  </Link>
                ))}
                {changed.length > MOST_NAMED && (
                  <span className="muted">{say('web.home.attention.more', { n: changed.length - MOST_NAMED })}</span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  )
}
