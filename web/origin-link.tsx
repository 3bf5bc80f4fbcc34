import type { ReactNode } from 'react'
import { type OriginPoint, showOrigin } from './origin-point.js'
import { siteIndex } from './site.js'
import { useSay } from './words.js'

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
