import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useState } from 'react'
import { endSession, openSession, ServerProblem, type Session } from './api.js'
import { keptSession } from './first-questions.js'
import { listen } from './live.js'
import { Loading, Prose } from './parts.js'
import { useSay } from './words.js'

/**
 * Who the reader is to the server. On loopback no token is needed; elsewhere one opens the session. One behind # in the address
 * was never sent anywhere; it is handed over once and taken out of the address.
 */

const Context = createContext<Session>({ right: null, version: '', workspace: '' })

export function useSession(): Session {
  return useContext(Context)
}

const AGAIN_MS = 2000

export function SessionProvider({
  known,
  children,
}: {
  /** What the server has said already. */
  readonly known: Session | null
  readonly children: ReactNode
}) {
  const [session, setSession] = useState(known)
  useEffect(() => {
    if (known !== null) {
      listen()
      return
    }
    let isOver = false
    const token = tokenInAddress()
    const open = (): void => {
      openSession(token).then(
        found => {
          if (isOver) return
          setSession(found)
          if (found.right !== null) listen()
        },
        () => window.setTimeout(open, AGAIN_MS),
      )
    }
    open()
    return () => {
      isOver = true
    }
  }, [known])
  if (session === null) return <Loading />
  if (session.right === null) return <TokenForm onSession={setSession} />
  return <Context.Provider value={session}>{children}</Context.Provider>
}

function tokenInAddress(): string | null {
  const token = /^#token=(.+)$/.exec(window.location.hash)?.[1] ?? null
  if (token !== null) window.history.replaceState(null, '', window.location.pathname + window.location.search)
  return token
}

function TokenForm({ onSession }: { readonly onSession: (session: Session) => void }) {
  const say = useSay()
  const [token, setToken] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const enter = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      const session = await openSession(token.trim())
      if (session.right === null) return setProblem(say('web.token.wrong', {}))
      listen()
      onSession(session)
    } catch (error) {
      if (!(error instanceof ServerProblem)) throw error
      setProblem(error.message || say('web.problem.unreachable', {}))
    }
  }
  return (
    <main className="token" id="content">
      <form onSubmit={event => void enter(event)}>
        <h1>{say('web.token.title', {})}</h1>
        <p>
          <Prose text={say('web.token.about', {})} />
        </p>
        <label className="field">
          <span>{say('web.token.field', {})}</span>
          <input type="password" value={token} autoComplete="off" onChange={event => setToken(event.target.value)} />
        </label>
        {problem !== null && (
          <p className="problem-text" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" className="primary">
          {say('web.token.enter', {})}
        </button>
      </form>
    </main>
  )
}

/** The way out, where a session was opened; the page begins again, without what it knew. */
export function SignOut() {
  const say = useSay()
  if (keptSession() === null) return null
  const leave = (): Promise<void> => endSession().then(() => window.location.reload())
  return (
    <button type="button" onClick={() => void leave()}>
      {say('web.session.leave', {})}
    </button>
  )
}
