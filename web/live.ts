import { useSyncExternalStore } from 'react'
import type { WorkspaceChange } from '../src/app/ask/changes.js'
import type { Job } from '../src/app/server/jobs.js'
import { withSession } from './first-questions.js'
import { siteIndex } from './site.js'

/**
 * What happens while the page is open. Each change gives runs a new revision; a question about a run is asked again when its
 * revision is another. When the server was away, everything may have changed.
 */

interface Live {
  readonly isConnected: boolean
  /** Of everything, and of single runs. */
  readonly revision: number
  readonly runs: ReadonlyMap<string, number>
  readonly jobs: ReadonlyMap<string, Job>
}

let live: Live = { isConnected: true, revision: 0, runs: new Map(), jobs: new Map() }
const listeners = new Set<() => void>()

function set(next: Partial<Live>): void {
  live = { ...live, ...next }
  for (const listener of listeners) listener()
}

export function useLive(): Live {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => live,
  )
}

/** Both are numbers that only grow. */
export function revisionOf({ revision, runs }: Live, touching: readonly string[] | 'all'): number {
  if (touching === 'all') return revision
  return touching.reduce((sum, id) => sum + (runs.get(id) ?? 0), runs.get(EVERY_RUN) ?? 0)
}

const EVERY_RUN = '*'

const AGAIN_MS = 1000

/** Which server the page has heard last. */
let server: string | null = null

export function listen(): void {
  if (siteIndex !== null) return
  hear().then(hasEnded => {
    if (hasEnded) return
    if (live.isConnected) set({ isConnected: false })
    window.setTimeout(listen, AGAIN_MS)
  })
}

/**
 * Reads the stream of events until it breaks. Not with EventSource, which cannot send the session as a header. Whether the
 * session has ended; then the page begins again, and asks for a token.
 */
async function hear(): Promise<boolean> {
  try {
    const response = await fetch('/api/events', withSession({}))
    if (response.status === 401) {
      window.location.reload()
      return true
    }
    const reader = response.ok ? response.body?.pipeThrough(new TextDecoderStream()).getReader() : undefined
    let text = ''
    for (;;) {
      const piece = await reader?.read()
      if (piece?.value === undefined) return false
      const events = (text + piece.value).split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) take(event)
    }
  } catch {
    return false
  }
}

/** An event as the server writes it: its name and its data, a line each. Heartbeats have neither. */
function take(event: string): void {
  const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/m.exec(event) ?? []
  if (name === 'hello') {
    const { server: now, events } = JSON.parse(data) as { readonly server: string; readonly events: number }
    if (server === null && events === oldestAnswer) set({ isConnected: true })
    else everythingMayHaveChanged()
    server = now
    heardSince = events
  }
  if (name === 'runs') runsChanged(JSON.parse(data) as WorkspaceChange)
  if (name === 'jobs') {
    const job = JSON.parse(data) as Job
    const isTurn = live.jobs.get(job.id)?.state !== job.state
    set({ jobs: new Map([...live.jobs, [job.id, job]]), revision: live.revision + (isTurn ? 1 : 0) })
  }
}

/** How many events the server had sent when it first answered, and when this page began to listen. */
let oldestAnswer = Number.POSITIVE_INFINITY
let heardSince = 0

/** Pages ask before they listen: of a change in between they would not hear. Once is enough, for all is asked again. */
export function noteAnswer(events: number): void {
  oldestAnswer = Math.min(oldestAnswer, events)
  if (events >= heardSince) return
  heardSince = 0
  everythingMayHaveChanged()
}

/** Also after this page changed something that makes no event of a run. */
export function everythingMayHaveChanged(isConnected = true): void {
  const runs = new Map([...live.runs, [EVERY_RUN, (live.runs.get(EVERY_RUN) ?? 0) + 1]])
  set({ isConnected, revision: live.revision + 1, runs })
}

function runsChanged({ changed, removed, stops }: WorkspaceChange): void {
  const runs = new Map(live.runs)
  for (const id of [...changed.map(run => run.id), ...removed, ...stops]) runs.set(id, (runs.get(id) ?? 0) + 1)
  set({ revision: live.revision + 1, runs })
}
