import { useSyncExternalStore } from 'react'
import type { WorkspaceChange } from '../src/app/ask/changes.js'
import type { Job } from '../src/app/server/jobs.js'
import { siteIndex } from './site.js'

/**
 * What happens while the page is open. Each change gives runs a new revision; a question about a run is asked anew when its
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

/** The browser connects again by itself, except after an answer that is an error. */
const AGAIN_MS = 2000

export function listen(): void {
  if (siteIndex !== null) return
  let server: string | null = null
  const source = new EventSource('/api/events')
  source.addEventListener('hello', event => {
    const { server: now, events } = JSON.parse(event.data) as { readonly server: string; readonly events: number }
    if (server === null && events === oldestAnswer) set({ isConnected: true })
    else everythingMayHaveChanged()
    server = now
    heardSince = events
  })
  source.addEventListener('runs', event => runsChanged(JSON.parse(event.data) as WorkspaceChange))
  source.addEventListener('jobs', event => {
    const job = JSON.parse(event.data) as Job
    const isTurn = live.jobs.get(job.id)?.state !== job.state
    set({ jobs: new Map([...live.jobs, [job.id, job]]), revision: live.revision + (isTurn ? 1 : 0) })
  })
  source.addEventListener('error', () => {
    if (live.isConnected) set({ isConnected: false })
    if (source.readyState === EventSource.CLOSED) window.setTimeout(listenAgain, AGAIN_MS)
  })
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

function listenAgain(): void {
  everythingMayHaveChanged(false)
  listen()
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
