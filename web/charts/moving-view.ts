import { useSyncExternalStore } from 'react'
import type { Extent } from '../../src/core/charts/chart.js'

/**
 * The window while a reader moves it: charts follow it, once in a frame; the address, and with it the page and what it asks
 * the server, only when it has come to rest.
 */

interface Moving {
  readonly view: Extent | null
  readonly rest: (view: Extent | null) => void
}

const REST_MS = 160

let moving: Moving | null = null
let [frame, timer] = [0, 0]
const listeners = new Set<() => void>()

export function moveView(view: Extent | null, rest: Moving['rest']): void {
  moving = { view, rest }
  window.clearTimeout(timer)
  timer = window.setTimeout(settle, REST_MS)
  if (frame === 0) frame = window.requestAnimationFrame(tell)
}

function tell(): void {
  frame = 0
  for (const listener of listeners) listener()
}

function settle(): void {
  moving?.rest(moving.view)
  forgetMove()
}

/** A page that is left takes its window along. */
export function forgetMove(): void {
  window.clearTimeout(timer)
  moving = null
  tell()
}

/** Where it rests, or where it is being moved. */
export function useMovingView(resting: Extent | undefined): Extent | undefined {
  const current = useSyncExternalStore(subscribe, () => moving)
  return current === null ? resting : (current.view ?? undefined)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
