import type { ReactNode } from 'react'
import { change, usePlace } from './location.js'

/** What can be unfolded: which of it is open stands in the address, so that a link shows it open, too. */

export function useFold(id: string): readonly [isOpen: boolean, set: (isOpen: boolean) => void] {
  const { query } = usePlace()
  const open = query.getAll('open')
  const set = (isOpen: boolean): void => {
    const others = open.filter(each => each !== id)
    change({ open: isOpen ? [...others, id] : others }, { replace: true })
  }
  return [open.includes(id), set]
}

/** `children` are made only when it is open. */
export function Fold({
  id,
  summary,
  className,
  children,
}: {
  /** What it is called in the address; alone on its page. */
  readonly id: string
  readonly summary: ReactNode
  readonly className?: string
  readonly children: () => ReactNode
}) {
  const [isOpen, set] = useFold(id)
  return (
    <details
      className={className}
      open={isOpen}
      onToggle={event => {
        if (event.currentTarget.open !== isOpen) set(event.currentTarget.open)
      }}
    >
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  )
}
