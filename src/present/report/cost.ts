import type { RunSide } from '../../analysis/compare/evidence.js'
import { reportedRanges } from '../../analysis/compare/reported.js'
import type { RunView } from '../../analysis/run-view.js'
import { numberOf } from '../../model/vocabulary/config-value.js'
import { meanOf } from '../../store/manifest.js'

/** What one more run like this one would cost, in GPU-hours, as a range where only a range is known. */
export interface RunCost {
  readonly low: number
  readonly high: number
}

export function costOf({ manifest, config, settings, meaningOf, metricsNamed }: RunView): RunCost | null {
  const logged = metricsNamed('time.step')[0]
  const record = logged === undefined ? undefined : manifest.metrics.get(logged)
  const told = [...reportedRanges(config)].find(([name]) => meaningOf(name).canonical === 'time.step')?.[1]
  const seconds = record === undefined ? (told ?? null) : { low: meanOf(record), high: meanOf(record) }
  const lastStep = Math.max(0, ...[...manifest.metrics.values()].map(metric => metric.lastStep))
  const steps = numberOf(settings.get('steps')?.effective) ?? lastStep
  if (seconds === null || !(steps > 0)) return null
  const cards = (numberOf(settings.get('gpus')?.effective) ?? 1) * (numberOf(settings.get('nodes')?.effective) ?? 1)
  const hours = (size: number): number => (size * steps * cards) / 3600
  return { low: hours(seconds.low), high: hours(seconds.high) }
}

/** The dearest of a side's runs stands for the next one. */
export function sideCost({ runs }: RunSide): RunCost | null {
  const costs = runs.map(costOf).filter(cost => cost !== null)
  return costs.reduce<RunCost | null>((most, cost) => (most === null || cost.high > most.high ? cost : most), null)
}
