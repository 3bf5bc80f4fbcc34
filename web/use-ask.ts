import { useEffect, useRef, useState } from 'react'
import { type Answers, type Asked, askServer, ServerProblem } from './api.js'
import { revisionOf, useLive } from './live.js'
import { useLanguage } from './preferences.js'

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

  useEffect(() => {
    if (key === null || body === null) return
    const known = remembered.get(key)
    if (known?.revision === revision) {
      setState({ key, asking: before(name, key) })
      return
    }
    const stop = new AbortController()
    setState({ key, asking: { ...shownFor(latest.current, key, keeps), isAsking: true } })
    askServer(name, JSON.parse(body), stop.signal).then(
      answer => {
        remember(key, revision, answer)
        setState({ key, asking: { answer, problem: null, isAsking: false } })
      },
      (error: unknown) => {
        if (stop.signal.aborted) return
        const problem = error instanceof ServerProblem ? error : new ServerProblem(0, 'internal', String(error))
        const { answer } = shownFor(latest.current, key, keeps)
        // While the server is away, what it last said stays in sight.
        setState({ key, asking: { answer: problem.status === 0 ? answer : null, problem, isAsking: false } })
      },
    )
    return () => stop.abort()
  }, [name, key, body, revision, keeps])

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
