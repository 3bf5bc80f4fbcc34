import { useEffect, useRef, useState } from 'react'
import type { Job } from '../src/app/server/jobs.js'
import { type Answers, type Asked, askServer, listJobs, ServerProblem, type Session } from './api.js'
import { earlyReplies } from './first-questions.js'
import { noteAnswer, revisionOf, useLive } from './live.js'
import { useLanguage } from './preferences.js'
import { siteIndex } from './site.js'

/**
 * An answer of the server, asked again when a run that it is about has changed. What was answered before stays until the
 * new answer is there, so that nothing jumps; the same question is not sent twice.
 */
export interface Asking<Answer> {
  readonly answer: Answer | null
  readonly problem: ServerProblem | null
  readonly isAsking: boolean
}

interface Options {
  /** Ids of runs whose change makes it ask again. */
  readonly touching?: readonly string[] | 'all'
  /** Keep showing the answer to another request until this one is answered. */
  readonly keeps?: boolean
}

const NOTHING = { answer: null, problem: null, isAsking: false }
const remembered = new Map<string, { readonly revision: number; readonly answer: unknown }>()
const MOST_REMEMBERED = 60

export function useAsk<Name extends keyof Answers>(
  name: Name,
  request: Asked | null,
  { touching = [], keeps = false }: Options = {},
): Asking<Answers[Name]> {
  const { language } = useLanguage()
  const revision = revisionOf(useLive(), touching)
  const body = request === null ? null : JSON.stringify({ ...request, lang: language })
  const key = body === null ? null : `${name} ${body}`
  const [state, setState] = useState<{ readonly key: string | null; readonly asking: Asking<Answers[Name]> }>(() => ({
    key,
    asking: before(name, key),
  }))
  const latest = useRef(state)
  latest.current = state
  const current = useRef(revision)
  current.current = revision
  const askAgain = useRef<() => void>(() => {})

  useEffect(() => {
    if (key === null || body === null) return
    const stop = new AbortController()
    const askOnce = async (): Promise<void> => {
      const asked = current.current
      if (remembered.get(key)?.revision === asked) {
        setState({ key, asking: before(name, key) })
        return
      }
      setState({ key, asking: { ...shownFor(latest.current, key, keeps), isAsking: true } })
      try {
        const answer = await askServer(name, JSON.parse(body), stop.signal)
        remember(key, asked, answer)
        if (!stop.signal.aborted) setState({ key, asking: { answer, problem: null, isAsking: false } })
      } catch (error) {
        if (stop.signal.aborted) return
        const problem = error instanceof ServerProblem ? error : new ServerProblem(0, 'internal', String(error))
        const { answer } = shownFor(latest.current, key, keeps)
        // While the server is away, what it last said stays in sight.
        setState({ key, asking: { answer: problem.status === 0 ? answer : null, problem, isAsking: false } })
      }
    }
    let isBusy = false
    const askUntilCurrent = async (): Promise<void> => {
      if (isBusy) return
      isBusy = true
      let asked: number
      do {
        asked = current.current
        await askOnce()
      } while (asked !== current.current && !stop.signal.aborted)
      isBusy = false
    }
    askAgain.current = () => void askUntilCurrent()
    return () => {
      askAgain.current = () => {}
      stop.abort()
    }
  }, [name, key, body, keeps])

  // A run that changes every second must not take back a question whose answer takes two: it is asked again afterwards.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question or revision is what makes it ask
  useEffect(() => askAgain.current(), [key, keeps, revision])

  if (key === null) return NOTHING
  if (state.key === key) return state.asking
  const known = before(name, key)
  return known.answer === null && keeps ? { ...state.asking, isAsking: true } : { ...known, isAsking: true }
}

function shownFor<Answer>(
  state: { readonly key: string | null; readonly asking: Asking<Answer> },
  key: string,
  keeps: boolean,
): Asking<Answer> {
  return state.key === key || keeps ? state.asking : NOTHING
}

function before<Name extends keyof Answers>(_: Name, key: string | null): Asking<Answers[Name]> {
  const known = key === null ? undefined : remembered.get(key)
  // Under its key only an answer to that very question was put away.
  return known === undefined ? NOTHING : { answer: known.answer as Answers[Name], problem: null, isAsking: false }
}

function remember(key: string, revision: number, answer: unknown): void {
  remembered.delete(key)
  remembered.set(key, { revision, answer })
  const [oldest] = remembered.keys()
  if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest)
}

/** What came while the page's script was read is known from the first turn on: the session comes back, other answers are put away. */
export function takeEarlyAnswers(): Session | null {
  let session: Session | null = null
  for (const { url, body, reply } of earlyReplies()) {
    noteAnswer(reply.events)
    if (url === '/api/session') session = reply.body as Session
    else remember(`${url.slice('/api/'.length)} ${body}`, 0, reply.body)
  }
  return session
}

/** Jobs of this server, running and ended, the newest first; kept up to date by its events. */
export function useJobs(): readonly Job[] {
  const { jobs: changed } = useLive()
  const [listed, setListed] = useState<readonly Job[]>([])
  useEffect(() => {
    if (siteIndex === null) listJobs().then(setListed, () => {})
  }, [])
  const known = new Map([...listed, ...changed.values()].map(job => [job.id, job]))
  return [...known.values()].toSorted((a, b) => b.began - a.began)
}
