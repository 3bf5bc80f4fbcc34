import { useSyncExternalStore } from 'react'
import type { ProgressUnit } from '../../src/core/charts/chart.js'

/** Where the reader points, shared by all charts of a page that run along the same axis. */

interface Pointed {
  readonly x: number
  readonly unit: ProgressUnit
}

let pointed: Pointed | null = null
const listeners = new Set<() => void>()

export function pointAt(next: Pointed | null): void {
  if (pointed?.x === next?.x && pointed?.unit === next?.unit) return
  pointed = next
  for (const listener of listeners) listener()
}

export function usePointed(): Pointed | null {
  return useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pointed,
  )
}
