import type { Subject } from '../subject.js'

/** From the first step to the last of whatever was logged: where a setting was wrong, it was wrong all the time. */
export function wholeRun({ manifest, lastStep }: Subject): readonly [number, number] {
  const first = Math.min(...[...manifest.metrics.values()].map(({ firstStep }) => firstStep))
  return Number.isFinite(first) && Number.isFinite(lastStep) ? [first, lastStep] : [0, 0]
}
