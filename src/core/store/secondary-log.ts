import type { RunEvent } from '../../logs/model/events.js'
import { plainName } from '../../logs/sources/metric-names.js'
import type { FoundRun, RunFile } from '../../logs/sources/run-identity.js'
import { nameLists } from '../../logs/sources/source-helpers.js'
import { isAppendedTo, isBeingWritten } from './log-file.js'
import type { RunState } from './run-state.js'

/**
 * What a further log of a training adds to what its first log told: settings and facts that the first lacks, how the
 * training ended where the first does not know, and points outside the steps that the first covers (it was cut off, or
 * begun again when the training was resumed). Nothing is said twice, and nothing the first log said is changed.
 */
type Witness = (events: readonly RunEvent[]) => RunEvent[]

export function secondaryLog(
  { logs }: FoundRun,
  { metricAs, countsOtherwise }: NonNullable<RunFile['mergesInto']>,
  state: RunState,
): Witness {
  // A log that is being written lags behind others by what it holds back; it will tell those steps itself. One that says
  // how it ended, or that was copied here in one go, will not, however young its file is.
  const { status: known, statusTold: first = known } = state.manifest()
  const mayGoOn = first === 'running' || (first === 'unknown' && isBeingWritten(logs))
  const mayAddPoints = !countsOtherwise && !(logs.every(({ source }) => isAppendedTo(source)) && mayGoOn)
  const shared = nameLists()
  const plain = new Map<string, string>()
  for (const name of state.manifest().metrics.keys()) plain.set(plainName(name), name)

  /** What the first log calls the metric, where it has it. */
  function nameOf(metric: string): string {
    const name = metricAs(metric)
    return state.metricState(name) === undefined ? (plain.get(plainName(name)) ?? name) : name
  }

  function points(row: RunEvent & { readonly type: 'row' }): RunEvent[] {
    const kept = row.metrics.flatMap((metric, i) => {
      const name = nameOf(metric)
      const known = state.metricState(name)
      // Rows that tell only their epoch are in no order with steps.
      if (row.axis === 'epoch' && known?.axis !== 'epoch') return []
      const isTold = known !== undefined && row.step >= known.firstStep && row.step <= known.lastStep
      return isTold ? [] : [{ i, name }]
    })
    if (kept.length === 0) return []
    return [
      {
        ...row,
        metrics: shared(kept.map(({ name }) => name)),
        values: kept.map(({ i }) => row.values[i]),
        ...(row.qualities && { qualities: kept.map(({ i }) => row.qualities?.[i] ?? 'measured') }),
        ...(row.decimals && { decimals: kept.map(({ i }) => row.decimals?.[i] ?? null) }),
      },
    ]
  }

  function added(event: RunEvent): RunEvent[] {
    if (event.type === 'row') return mayAddPoints ? points(event) : []
    const { about, config, status, statusTold = status, ending } = state.manifest()
    switch (event.type) {
      case 'about': {
        const { name: _, ...others } = event.about
        return [{ type: 'about', about: { ...others, ...about } }]
      }
      case 'config':
        return [{ type: 'config', config: { ...event.config, ...config } }]
      case 'status': {
        const knowsMore = statusTold === 'unknown' || (statusTold === event.status && ending.length === 0)
        return knowsMore && event.status !== 'unknown' ? [event] : []
      }
      case 'warning':
      case 'tail':
        return [event]
      default:
        return []
    }
  }

  return events => events.flatMap(added)
}
