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
