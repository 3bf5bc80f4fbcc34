import type { ReactNode } from 'react'
import { change } from './location.js'
import { siteIndex } from './site.js'
import { useSay } from './words.js'

/** A number of a run whose origin is asked for; they stand in the address, so that a link shows the same line of the log. */
export interface OriginPoint {
  readonly run: string
  readonly metric: string
  readonly step: number
  /** Of a range of points, its last step. */
  readonly to?: number
}

/** The metric comes last: a name of a metric may contain anything. */
export function originText({ run, metric, step, to }: OriginPoint): string {
  return `${run}@${to === undefined ? step : `${step}:${to}`}@${metric}`
}

export function originIn(text: string): OriginPoint | null {
  const [, run, step, to, metric] = /^([^@]+)@([^@:]+)(?::([^@:]+))?@(.+)$/s.exec(text) ?? []
  if (run === undefined || !Number.isFinite(Number(step))) return null
  const end = to === undefined || !Number.isFinite(Number(to)) ? {} : { to: Number(to) }
  return { run, metric, step: Number(step), ...end }
}

/** The panel shows a few and says how many more there are. */
export function showOrigin(points: readonly OriginPoint[]): void {
  if (points.length > 0) change({ origin: points.map(originText) })
}

export function hideOrigin(): void {
  change({ origin: null })
}

/** A figure that leads to the line of the log that it was read from. In a copy without its server it is the figure alone. */
export function OriginLink({
  points,
  what,
  children,
}: {
  readonly points: readonly OriginPoint[]
  /** What it is a figure of, in words. */
  readonly what: string
  readonly children: ReactNode
}) {
  const say = useSay()
  if (siteIndex !== null || points.length === 0) return children
  return (
    <button
      type="button"
      className="figure-origin"
      title={say('web.origin.open', { what })}
      onClick={() => showOrigin(points)}
    >
      {children}
    </button>
  )
}
