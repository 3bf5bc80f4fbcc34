import type { RunEvent } from '../../src/logs/model/events.js'
import type { Config, RunAbout, RunStatus } from '../../src/logs/model/run.js'
import type { Source, SourceFile } from '../../src/logs/sources/source.js'
import { isRow, lastCursor } from './reading.js'

/** What a source says about one run of a file with several, gathered as the store would. For tests only. */
export interface ReadRun {
  readonly about: RunAbout
  readonly config: Config
  readonly status: RunStatus | null
  /** Step, value and time of every point, by metric. */
  readonly points: { readonly [metric: string]: readonly (readonly [number, number, number | null])[] }
  readonly warnings: readonly string[]
  readonly cursor: ReturnType<typeof lastCursor>
  readonly events: readonly RunEvent[]
}

export async function readRun(
  source: Source,
  file: SourceFile,
  run: string,
  cursor: ReadRun['cursor'] = null,
): Promise<ReadRun> {
  const events: RunEvent[] = []
  for await (const batch of source.read(file, { run, cursor, hints: {} })) events.push(...batch)
  return gathered(events)
}

function gathered(events: readonly RunEvent[]): ReadRun {
  let about: RunAbout = {}
  let config: Config = {}
  let status: RunStatus | null = null
  const points: { [metric: string]: [number, number, number | null][] } = {}
  for (const event of events) {
    if (event.type === 'about') about = { ...about, ...event.about }
    if (event.type === 'config') config = { ...config, ...event.config }
    if (event.type === 'status') status = event.status
    if (!isRow(event)) continue
    for (const [at, metric] of event.metrics.entries()) {
      points[metric] ??= []
      points[metric].push([event.step, event.values[at], event.time])
    }
  }
  const warnings = events.flatMap(event => (event.type === 'warning' ? [event.message.key] : []))
  return { about, config, status, points, warnings, cursor: lastCursor(events), events }
}
