import type { Config } from '../../model/run.js'

/**
 * Figures of the outcome that stand among the settings, because a report gave no more: `report.` followed by the
 * metric's name, often as a range. They are no difference in settings, and a range never becomes a number.
 */
export interface Range {
  readonly low: number
  readonly high: number
}

const REPORTED = 'report.'

export function isReported(key: string): boolean {
  return key.startsWith(REPORTED)
}

/** Ranges such as `193-205` by the name of the metric. */
export function reportedRanges(config: Config): ReadonlyMap<string, Range> {
  const ranges = new Map<string, Range>()
  for (const [key, value] of Object.entries(config)) {
    if (!isReported(key)) continue
    const found = /^\s*(\d+(?:\.\d+)?)\s*(?:-|–|~|…|to|至)\s*(\d+(?:\.\d+)?)\s*$/.exec(String(value))
    if (found !== null) ranges.set(key.slice(REPORTED.length), { low: Number(found[1]), high: Number(found[2]) })
  }
  return ranges
}
