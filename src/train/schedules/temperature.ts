/**
 * The temperature of the RCE weights: a straight line over all steps of the warm-up, first and last included. A warm-up
 * of a single step has the end temperature, as in the original.
 */
export function temperatureAt(
  step: number,
  totalSteps: number,
  { start, end }: { start: number; end: number },
): number {
  if (totalSteps <= 1) return end
  return start + (end - start) * Math.min(1, Math.max(0, step / (totalSteps - 1)))
}
