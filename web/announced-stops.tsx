import { useEffect, useState } from 'react'
import { type Answers, askServer } from './api.js'
import { everythingMayHaveChanged } from './live.js'
import { hrefTo } from './location.js'
import { Link, SeveritySign } from './parts.js'
import { useLanguage } from './preferences.js'
import { useSession } from './session.js'
import { siteIndex } from './site.js'
import { useAsk } from './use-ask.js'
import { useSay } from './words.js'

/** Trainings that `klens watch` will stop, unless the reader says no while there is time. */

type Stop = Answers['stops']['stops'][number]

export function useAnnouncedStops(): readonly Stop[] {
  const { answer } = useAsk('stops', siteIndex === null ? {} : null, { touching: 'all', keeps: true })
  return answer?.stops ?? []
}

/** Of one run, on its own page. */
export function AnnouncedStopOf({ run }: { readonly run: string }) {
  const stop = useAnnouncedStops().find(each => each.run === run)
  if (stop === undefined) return null
  return (
    <ul className="attention">
      <AnnouncedStop stop={stop} />
    </ul>
  )
}

export function AnnouncedStop({ stop }: { readonly stop: Stop }) {
  const { run, name, rule, message } = stop
  const say = useSay()
  const { language } = useLanguage()
  const { right } = useSession()
  const seconds = useCountdown(stop)
  const [problem, setProblem] = useState('')
  const keep = (): void => {
    askServer('keep-running', { runs: [run], lang: language }).then(
      () => everythingMayHaveChanged(),
      error => setProblem(String(error.message)),
    )
  }
  return (
    <li>
      <SeveritySign severity="error" />
      <Link href={hrefTo(['run', run])}>{name}</Link>
      <span>
        {say('web.stop.announced', { seconds })} <code>{rule}</code>: {message}{' '}
        {right === 'write' && (
          <button type="button" onClick={keep}>
            {say('web.stop.keep', {})}
          </button>
        )}
        {problem !== '' && <span role="alert">{problem}</span>}
      </span>
    </li>
  )
}

const TICK_MS = 1000

/** From what the server said was left when it answered: its clock may be another. */
function useCountdown(stop: Stop): number {
  const [answered, setAnswered] = useState({ stop, at: Date.now() })
  if (answered.stop !== stop) setAnswered({ stop, at: Date.now() })
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS)
    return () => window.clearInterval(timer)
  }, [])
  return Math.max(0, Math.round(stop.seconds - Math.max(0, now - answered.at) / 1000))
}
