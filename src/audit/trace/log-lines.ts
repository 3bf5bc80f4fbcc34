import type { RunView } from '../../core/analysis/run-view.js'
import { shownName } from '../../core/store/manifest.js'
import { type LoggedNumber, linesOf } from '../../core/store/origin.js'
import type { AuditedFile } from '../audit.js'
import type { LedgerEntry, LoggedPlace } from './entry.js'
import type { LoggedRuns } from './log.js'
import { sourceWords } from './source-words.js'

/** So many runs are read again for the lines of their figures; the figures of further ones say their file only. */
const MOST_RUNS = 64

/** Every figure that is one logged value, with the line of the log that it stands in, where the format has lines. */
export async function withLogLines(
  files: readonly AuditedFile[],
  runs: readonly RunView[],
  { series }: LoggedRuns,
): Promise<readonly AuditedFile[]> {
  const logged = new Map(series.map(one => [`${one.run}\n${one.metric}`, one]))
  const wanted = new Map<string, Map<string, LoggedNumber>>()
  const numberOf = (place: LoggedPlace): LoggedNumber | undefined => {
    const { run, metric, step, across } = place
    const of = logged.get(`${run}\n${metric}`)
    const value = step === null || across !== null ? undefined : of?.values[of.steps.lastIndexOf(step)]
    if (step === null || value === undefined) return undefined
    const own = wanted.get(run) ?? new Map<string, LoggedNumber>()
    const number = own.get(`${metric}\n${step}`) ?? { metric, step, value }
    wanted.set(run, own.set(`${metric}\n${step}`, number))
    return number
  }
  const numbers = new Map(
    files.flatMap(({ ledger }) =>
      (ledger ?? []).flatMap(entry => {
        const place = placeIn(entry)
        return place === null ? [] : [[entry, numberOf(place)] as const]
      }),
    ),
  )
  const lines = new Map<LoggedNumber, { readonly path: string; readonly line: number }>()
  for (const run of runs.filter(({ manifest }) => wanted.has(shownName(manifest))).slice(0, MOST_RUNS)) {
    const own = [...(wanted.get(shownName(run.manifest))?.values() ?? [])]
    for (const [number, line] of await linesOf(run.manifest, own)) lines.set(number, line)
  }
  const told = (entry: LedgerEntry): LedgerEntry => {
    const number = numbers.get(entry)
    const found = number === undefined ? undefined : lines.get(number)
    if (found === undefined || entry.source === null) return entry
    const at = { file: found.path, line: found.line }
    const source =
      'from' in entry.source
        ? { ...entry.source, from: { ...entry.source.from, ...at } }
        : { ...(entry.source as LoggedPlace), ...at }
    return { ...entry, source, says: sourceWords({ ...entry, source }) }
  }
  return files.map(file => ({ ...file, ledger: file.ledger?.map(told) ?? null }))
}

function placeIn({ source }: LedgerEntry): LoggedPlace | null {
  if (source === null || 'derived' in source) return null
  return 'from' in source ? source.from : source
}
