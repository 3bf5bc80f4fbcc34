import type { RunEvent } from '../model/events.js'
import { sayCommon, warning } from './complaints.js'

/** What counts as a step, and when a log has gone back to an earlier one. */

/** Beyond 2^53 whole numbers are no longer told apart, so such a step is no place on an axis. */
const LARGEST_STEP = 2 ** 53

export function isUsableStep(step: number): boolean {
  return Math.abs(step) <= LARGEST_STEP
}

export interface StepGate {
  /** False, and counted, for what is no place on an axis. `shown` is what the complaint quotes. */
  admits(step: number | null | undefined, shown?: unknown): step is number
  complaints(): RunEvent[]
}

/** A hostile cell must not make a complaint of a megabyte. */
const LONGEST_QUOTE = 60

export function stepGate(isPlace: (step: number) => boolean = isUsableStep): StepGate {
  let count = 0
  let first = ''
  return {
    admits(step, shown = step): step is number {
      if (step !== null && step !== undefined && isPlace(step)) return true
      if (count === 0) first = String(shown).slice(0, LONGEST_QUOTE)
      count += 1
      return false
    },
    complaints: () => (count === 0 ? [] : [warning(sayCommon('source.bad-step', { count, step: first }))]),
  }
}

/**
 * When a step lower than the last one means that the process was started again. Going back alone does not: a fully
 * asynchronous verl logs a validation at the step whose weights it judged, long after later steps. Logging the same
 * metrics at a lower step does.
 */
export interface StepOrder {
  /** The highest step of the process that writes now; null before its first. */
  lastStep: number | null
  /** The first metric logged at that step. */
  lastMetric: string
}

export function goesBack(order: StepOrder, step: number, metrics: readonly string[]): boolean {
  return order.lastStep !== null && step < order.lastStep && metrics[0] === order.lastMetric
}

export function noteStep(order: StepOrder, step: number, metrics: readonly string[]): void {
  if (order.lastStep !== null && step < order.lastStep) return
  order.lastStep = step
  order.lastMetric = metrics[0]
}
