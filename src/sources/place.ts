import type { LogPosition, RunEvent } from '../model/events.js'

/**
 * Marks where in its file what was just read stands: the rows behind `from`. Readers do so only where they are asked to
 * (`ReadRequest.places`); an import has no use for it. A reader that holds a row back until it knows its step marks where
 * it let it go, which is a little further on.
 */
export function markPlaces(events: RunEvent[], from: number, unit: LogPosition['unit'], number: number): void {
  for (let i = from; i < events.length; i += 1) {
    const event = events[i]
    if (event.type === 'row') events[i] = { ...event, at: { unit, number } }
  }
}
