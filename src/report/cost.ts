import type { RunSide } from '../analysis/compare/read-side.js'
import { reportedRanges } from '../analysis/compare/reported.js'
import { numberOf } from '../model/vocabulary/config-value.js'
import { meaningOf } from '../model/vocabulary/resolve.js'
import { settingsOf } from '../model/vocabulary/settings.js'
import { meanOf, wholeConfig } from '../store/manifest.js'
import { frameworkOf, metricsNamed, vocabularyOf, type WorkspaceWords } from '../store/meaning.js'
import type { LoadedRun } from '../store/series.js'

/** What one more run like this one would cost, in GPU-hours, as a range where only a range is known. */
export interface RunCost {
  readonly low: number
  readonly high: number
}

export function costOf(run: LoadedRun, words: WorkspaceWords): RunCost | null {
  const { manifest } = run
  const config = wholeConfig(manifest)
  const settings = new Map(settingsOf(config, frameworkOf(manifest)).map(setting => [setting.key, setting.effective]))
  const logged = metricsNamed(manifest, 'time.step', words)[0]
  const record = logged === undefined ? undefined : manifest.metrics.get(logged)
  const vocabulary = vocabularyOf(manifest, words)
  const told = [...reportedRanges(config)].find(([name]) => meaningOf(name, vocabulary).canonical === 'time.step')?.[1]
  const seconds = record === undefined ? (told ?? null) : { low: meanOf(record), high: meanOf(record) }
  const lastStep = Math.max(0, ...[...manifest.metrics.values()].map(metric => metric.lastStep))
  const steps = numberOf(settings.get('steps') ?? null) ?? lastStep
  if (seconds === null || !(steps > 0)) return null
  const cards = (numberOf(settings.get('gpus') ?? null) ?? 1) * (numberOf(settings.get('nodes') ?? null) ?? 1)
  const hours = (size: number): number => (size * steps * cards) / 3600
  return { low: hours(seconds.low), high: hours(seconds.high) }
}

/** The dearest of a side's runs stands for the next one. */
export function sideCost({ runs }: RunSide, words: WorkspaceWords): RunCost | null {
  const costs = runs.map(run => costOf(run, words)).filter(cost => cost !== null)
  return costs.reduce<RunCost | null>((most, cost) => (most === null || cost.high > most.high ? cost : most), null)
}
