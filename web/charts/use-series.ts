import { useEffect, useLayoutEffect, useState } from 'react'
import type { Answers } from '../api.js'
import { type Asking, useAsk } from '../use-ask.js'
import { seriesRequest } from './lines.js'
import type { ChartedRun, PanelSettings } from './metric-chart.js'

/** The series of some panels: asked for when these come into sight, and again for another window. */

export interface WantedSeries {
  readonly runs: readonly ChartedRun[]
  /** By what words to ask for the runs, where it need not wait until it is known which they are. */
  readonly named?: readonly string[] | undefined
  readonly metrics: readonly string[]
  readonly settings: PanelSettings
  /** Told once the first curves stand in the page, or it is known why they do not. */
  readonly onShown?: (() => void) | undefined
}

/** `box` is the element that must be seen. */
export function useSeries({
  runs,
  named,
  metrics,
  settings,
  onShown,
}: WantedSeries): Asking<Answers['series']> & { readonly box: (element: HTMLElement | null) => void } {
  const [box, isSeen] = useIsSeen()
  const ids = runs.map(({ id }) => id)
  const asked = named ?? ids
  const request = seriesRequest(asked, metrics, settings)
  const isAsked = isSeen && asked.length > 0 && metrics.length > 0
  const { answer, problem, isAsking } = useAsk('series', isAsked ? request : null, { touching: ids, keeps: true })
  const isShown = ids.length > 0 && (answer !== null || problem !== null)
  useEffect(() => {
    if (isShown) onShown?.()
  }, [isShown, onShown])
  return { answer: ids.length === 0 ? null : answer, problem: ids.length === 0 ? null : problem, isAsking, box }
}

const NEAR = 600

function useIsSeen(): [(element: HTMLElement | null) => void, boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [isSeen, setIsSeen] = useState(false)
  useLayoutEffect(() => {
    if (element === null || isSeen) return
    // Most are, and need not wait for the browser to paint before they ask.
    const { top, bottom } = element.getBoundingClientRect()
    if (top < window.innerHeight + NEAR && bottom > -NEAR) {
      setIsSeen(true)
      return
    }
    const observer = new IntersectionObserver(entries => setIsSeen(entries.some(entry => entry.isIntersecting)), {
      rootMargin: `${NEAR}px`,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, isSeen])
  return [setElement, isSeen]
}
