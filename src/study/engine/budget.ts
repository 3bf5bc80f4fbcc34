import type { StudyEvent } from '../events.js'

/** The hours of a study's budget: those of epochs as they are told, those of programs, which tell none, while they run. */
interface BudgetClock {
  onEvent(event: StudyEvent): void
  isSpent(): boolean
  stop(): void
}

const TICK_MS = 1_000

/** `limit` in hours; null: there is none. */
export function budgetClock(limit: number | null, hoursSpent: number, onSpent: () => void): BudgetClock {
  let hours = hoursSpent
  let programs = 0
  const isSpent = (): boolean => limit !== null && hours >= limit
  const add = (more: number): void => {
    hours += more
    if (isSpent()) onSpent()
  }
  const ticking = setInterval(() => add((programs * TICK_MS) / 3_600_000), TICK_MS)
  if (isSpent()) clearInterval(ticking)
  return {
    onEvent(event) {
      if (event.event === 'epoch') add(event.report.volatile['time.step'] / 3600)
      if (event.event !== 'program') return
      if (event.what === 'begun' || event.what === 'found') programs += 1
      if (event.what === 'ended') programs = Math.max(0, programs - 1)
    },
    isSpent,
    stop: () => clearInterval(ticking),
  }
}
