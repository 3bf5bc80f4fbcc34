import { dirname } from 'node:path'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import { runNameFromPath } from '../run-identity.js'
import type { Belonging, SourceFile } from '../source.js'
import { warning } from '../source-helpers.js'
import type { RunFilter } from './rows.js'

/** The runs of a table: the file itself, or those that one of its columns names. */

/** Each run is read by its own pass over the file. */
const MOST_RUNS = 10_000

/** Enough of the first row to know a file again by. */
const FIRST_RECORD_LENGTH = 1000

export function wholeFile(file: SourceFile, firstRecord: string, metrics: readonly string[] = []): Belonging {
  return {
    run: file.path,
    name: runNameFromPath(file.path),
    folder: dirname(file.path),
    order: 0,
    firstRecord: firstRecord.slice(0, FIRST_RECORD_LENGTH),
    metrics,
  }
}

export function namedRuns(whole: Belonging, names: Iterable<string>): Belonging[] {
  return [...names].map(name => ({
    ...whole,
    run: `${whole.run}#${name}`,
    member: name,
    name: name === '' ? whole.name : name,
  }))
}

/** The run's name in the table, from the name that `namedRuns` gave it. */
export function runInTable(file: SourceFile, run: string): string {
  return run.slice(file.path.length + 1)
}

/** Which rows to read, and what there is to say about that at the end. */
export interface RunChoice {
  readonly filter: RunFilter
  /** False for a line that need not be looked at. */
  mayHold(line: string): boolean
  warnings(): RunEvent[]
}

/** A table of one run. */
export const everyRow: RunChoice = { filter: () => true, mayHold: () => true, warnings: () => [] }

/** Gathers the names of the runs while none of their rows is wanted. */
export function runCollector(): RunChoice & { readonly names: ReadonlySet<string> } {
  const names = new Set<string>()
  let last: string | null = null
  return {
    ...everyRow,
    names,
    filter: name => {
      if (name !== last && names.size < MOST_RUNS) names.add(name)
      last = name
      return false
    },
  }
}

/**
 * One run's rows. A line that does not hold the run's name is passed over unread, which makes reading one run of many
 * nearly free; not so where the name might be written with escapes. The run that comes first in the file also counts
 * the others, so that a table of too many runs is told of once.
 */
export function oneRun(wanted: string): RunChoice {
  const isPlain = /^[\w.-]+$/.test(wanted)
  const seen = new Set<string>()
  let comesFirst: boolean | null = null
  return {
    filter: name => {
      comesFirst ??= name === wanted
      if (comesFirst && seen.size <= MOST_RUNS) seen.add(name)
      return name === wanted
    },
    mayHold: line => !isPlain || comesFirst !== false || line.includes(wanted),
    warnings: () => (seen.size > MOST_RUNS ? [warning(say('table.too-many-runs', { limit: MOST_RUNS }))] : []),
  }
}

const say = sentences({
  'table.too-many-runs': {
    en: 'the file names more than {limit} runs; only the first {limit} were imported',
    zh: '文件里的 run 超过 {limit} 个，只导入了前 {limit} 个',
  },
})
