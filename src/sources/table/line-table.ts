import type { RunEvent } from '../../model/events.js'
import { message } from '../../text/say.js'
import type { Hints, Source, SourceFile } from '../source.js'
import { readTableHead, type TableHead } from './head.js'
import { hasMetrics, planTable, type TablePlan } from './plan.js'
import { everyRow, namedRuns, oneRun, type RunChoice, runCollector, runInTable, wholeFile } from './runs.js'
import { type OpenTable, readTable, startOf, type TableCursor } from './stream.js'

/** What CSV and JSONL have in common as sources: a head that tells the columns, one run or several, cursors. */

export interface TableReading {
  readonly head: TableHead
  readonly start: TableCursor
  readonly runs: RunChoice
  readonly hints: Hints
}

export interface LineFormat {
  readonly format: TableHead['format']
  /** What a run is known again by. */
  firstRecord(file: SourceFile, head: TableHead): string
  /** A reader of lines that says rows through `emit`. */
  open(reading: TableReading, emit: (event: RunEvent) => void): OpenTable
}

export function lineTable({ format, firstRecord, open }: LineFormat): Pick<Source, 'describe' | 'read'> {
  function headOf(file: SourceFile): TableHead | null {
    const head = readTableHead(file)
    return head?.format === format ? head : null
  }

  function readRows(file: SourceFile, reading: TableReading): AsyncGenerator<readonly RunEvent[]> {
    return readTable(file, reading.start, reading.head.settled, emit => open(reading, emit))
  }

  return {
    async describe(file, hints) {
      const head = headOf(file)
      const start = startOf(null, head === null ? null : planTable(head, hints))
      if (head === null || start === null || !hasMetrics(head, start.plan)) return []
      const whole = wholeFile(file, firstRecord(file, head))
      if (start.plan.run === null) return [whole]
      const runs = runCollector()
      for await (const _ of readRows(file, { head, start, runs, hints }));
      return namedRuns(whole, runs.names)
    },

    async *read(file, { run, cursor, hints }) {
      const head = headOf(file)
      const start = startOf(cursor, head === null ? null : planTable(head, hints))
      if (head === null || start === null) return
      const runs = start.plan.run === null ? everyRow : oneRun(runInTable(file, run))
      const warnings = stepHintWarnings(hints, start.plan)
      if (warnings.length > 0) yield warnings
      yield* readRows(file, { head, start, runs, hints })
    },
  }
}

/** A misspelt --step must not pass unnoticed only because the table also has a column that klens knows. */
export function stepHintWarnings({ step: asked }: Hints, plan: TablePlan): RunEvent[] {
  if (asked === undefined || asked.trim().toLowerCase() === plan.step.trim().toLowerCase()) return []
  return [{ type: 'warning', message: message('table.step-hint-absent', { asked, taken: plan.step }) }]
}
