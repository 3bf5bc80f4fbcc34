import { z } from 'zod'
import { sentences } from '../../../text/sentences.js'
import type { RunEvent } from '../../model/events.js'
import type { Json } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { canResume, readTextLines } from '../encoding.js'
import type { Hints, Source, SourceFile } from '../source.js'
import { markPlaces, warning } from '../source-helpers.js'
import { readTableHead, type TableHead } from './head.js'
import { hasMetrics, metricsIn, planTable, type TablePlan, tablePlan } from './plan.js'
import { everyRow, namedRuns, oneRun, type RunChoice, runCollector, runInTable, wholeFile } from './runs.js'
import { newStepCount, type StepCount, stepCount } from './step.js'
import { note, type TableTally, tableTally, tallyWarnings } from './tally.js'
import {
  mayBeginAgain,
  nextPlace,
  type TrainingPlace,
  trainingAsked,
  trainingPlace,
  trainingsOf,
  trainingsUpTo,
} from './trainings.js'

/**
 * What CSV and JSONL have in common as sources: a head that tells the columns, one run or several, and a reading line by
 * line that can go on where it stopped. Offsets, line numbers, half-written last lines and cursors live here; what
 * differs is a `LineReader`.
 */

export interface TableReading {
  readonly head: TableHead
  readonly start: TableCursor
  readonly runs: RunChoice
  readonly hints: Hints
  readonly places?: boolean
}

interface LineFormat {
  readonly format: TableHead['format']
  /** The settings that the file begins with. */
  settings(file: SourceFile): Config | null
  /** What a run is known again by. */
  firstRecord(file: SourceFile, head: TableHead): string
  /** The step of the first row with what stands before it, as it is written; null where it has no such text. */
  firstStep(file: SourceFile, head: TableHead, plan: TablePlan): string | null
  /** A reader of lines that says rows through `emit`. */
  open(reading: TableReading, emit: (event: RunEvent) => void): OpenTable
}

export function lineTable({
  format,
  settings,
  firstRecord,
  firstStep,
  open,
}: LineFormat): Pick<Source, 'describe' | 'read'> {
  function headOf(file: SourceFile): TableHead | null {
    const head = readTableHead(file)
    return head?.format === format ? head : null
  }

  function readRows(
    file: SourceFile,
    reading: TableReading,
    training: number | null = null,
  ): AsyncGenerator<readonly RunEvent[]> {
    const { start, head, places = false } = reading
    return readTable(file, { start, settled: head.settled, places, training }, emit => open(reading, emit))
  }

  async function trainingsIn(file: SourceFile, reading: TableReading): Promise<number> {
    const { head, start } = reading
    if (['sum', 'place'].includes(start.plan.stepForm)) return 1
    const again = firstStep(file, head, start.plan)
    if (start.plan.long !== null || (again !== null && !(await mayBeginAgain(file, again)))) return 1
    let place: TrainingPlace | null = null
    for await (const events of readRows(file, reading)) {
      for (const event of events) if (event.type === 'row') place = nextPlace(place, event)
    }
    return trainingsUpTo(place)
  }

  return {
    async describe(file, hints) {
      const head = headOf(file)
      const start = startOf(null, head === null ? null : planTable(head, hintsFor(file, hints)))
      if (head === null || start === null || !hasMetrics(head, start.plan)) return []
      const whole = wholeFile(file, firstRecord(file, head), metricsIn(head, start.plan))
      if (start.plan.run === null) {
        return trainingsOf(whole, await trainingsIn(file, { head, start, runs: everyRow, hints }))
      }
      const runs = runCollector()
      for await (const _ of readRows(file, { head, start, runs, hints }));
      return namedRuns(whole, runs.names)
    },

    async *read(file, { run, cursor, hints, places = false }) {
      const head = headOf(file)
      const start = startOf(cursor, head === null ? null : planTable(head, hintsFor(file, hints)))
      if (head === null || start === null) return
      const runs = start.plan.run === null ? everyRow : oneRun(runInTable(file, run))
      const config = cursor === null ? settings(file) : null
      const first = [
        ...(config === null ? [] : [{ type: 'config', config } as const]),
        ...stepWarnings(hints, start.plan),
      ]
      if (first.length > 0) yield first
      yield* readRows(file, { head, start, runs, hints, places }, trainingAsked(run))
    },
  }
}

/** A column that was named for a file once holds for it from then on. */
export function hintsFor({ path }: SourceFile, hints: Hints): Hints {
  const step = hints.step ?? hints.steps?.get(path)
  return step === undefined ? hints : { ...hints, step }
}

/**
 * What a step is where it is not what people take it for. And a misspelt --step must not pass unnoticed only because the
 * table also has a column that klens knows.
 */
export function stepWarnings({ step: asked }: Hints, { step, stepForm }: TablePlan): RunEvent[] {
  const taken = step.trim()
  const events: RunEvent[] = []
  if (asked !== undefined && asked.trim().toLowerCase() !== taken.toLowerCase()) {
    events.push(warning(say('table.step-hint-absent', { asked, taken })))
  }
  if (stepForm === 'place') events.push(warning(say('table.step-is-place', {})))
  else if (asked === undefined && /^epochs?$/i.test(taken)) events.push(warning(say('table.step-is-epoch', { taken })))
  return events
}

/** Of a step that began again with every epoch. */
export function withinWarnings({ step, outer }: TablePlan, { total }: StepCount): RunEvent[] {
  return outer === null || total === 0
    ? []
    : [warning(say('table.step-within', { step: step.trim(), outer: outer.trim() }))]
}

interface LineReader {
  /** Says what the line holds. `number` counts lines from 1. */
  take(line: string, number: number): void
  /** Whether the lines so far end inside a record, where no later reading could begin. */
  isOpen(): boolean
  /** The last line, which has no line end (yet): may it be trusted? */
  takeLast(line: string, number: number): LastLine
}

/** `whole`: nothing more can come. `may-grow`: it was taken as it is. `cut`: it was left for a later reading. */
export type LastLine = 'whole' | 'may-grow' | 'cut'

/** Where a reading stands. All of it is needed to go on. */
const tableCursor = z.object({
  offset: z.int().nonnegative(),
  line: z.number(),
  plan: tablePlan,
  tally: tableTally,
  /** Of a CSV: the names on the header that holds for the next row. */
  columns: z.array(z.string()).nullable(),
  count: stepCount,
  training: trainingPlace.nullable().default(null),
})

type TableCursor = z.infer<typeof tableCursor>

/** The place a cursor names, or the file's beginning. */
function startOf(cursor: Json, plan: TablePlan | null): TableCursor | null {
  const resumed = tableCursor.safeParse(cursor)
  if (resumed.success) return resumed.data
  return plan === null
    ? null
    : { offset: 0, line: 0, plan, tally: {}, columns: null, count: newStepCount(), training: null }
}

export interface OpenTable {
  readonly reader: LineReader
  readonly tally: TableTally
  /** The column names for the cursor. */
  columns(): string[] | null
  /** What is to be said at the end besides the tally. */
  warnings(): RunEvent[]
}

/**
 * `open` gets a function to say events with. A table whose head may still change with the next rows is not resumed
 * but read again: it is small, and what was decided from it may turn out differently.
 */
async function* readTable(
  file: SourceFile,
  {
    start,
    settled,
    places,
    training,
  }: {
    readonly start: TableCursor
    readonly settled: boolean
    readonly places: boolean
    readonly training: number | null
  },
  open: (emit: (event: RunEvent) => void) => OpenTable,
): AsyncGenerator<readonly RunEvent[]> {
  let events: RunEvent[] = []
  let place = start.training
  const { reader, tally, columns, warnings } = open(event => {
    if (event.type === 'row') place = nextPlace(place, event)
    if (training === null || place?.nth === training) events.push(event)
  })
  const resumable = settled && canResume(file)
  let line = start.line
  let end = start.offset
  let rest = ''
  let restBytes = 0

  const cursorAt = (offset: number): RunEvent => ({
    type: 'cursor',
    // Cloned, because the tally goes on counting.
    cursor: structuredClone({
      offset,
      line,
      plan: start.plan,
      tally,
      columns: columns(),
      count: start.count,
      training: place,
    }),
  })

  for await (const batch of readTextLines(file, start.offset)) {
    if (batch.overlong > 0) note(tally, 'overlongLine', '', batch.overlong)
    for (const text of batch.lines) {
      const before = events.length
      line += 1
      reader.take(text, line)
      if (places) markPlaces(events, before, 'line', line)
    }
    ;({ end, rest, restBytes } = batch)
    if (batch.lines.length === 0) continue
    if (resumable && !reader.isOpen()) events.push(cursorAt(end))
    yield events
    events = []
  }

  // A line too long to hold came as nothing; where it ends is not known yet.
  const last = rest === '' && restBytes > 0 ? 'may-grow' : reader.takeLast(rest, line + 1)
  if (places) markPlaces(events, 0, 'line', line + 1)
  events.push(...tallyWarnings(tally), ...withinWarnings(start.plan, start.count), ...warnings())
  events.push({ type: 'tail', unreadBytes: last === 'cut' ? restBytes : 0 })
  if (!resumable || last === 'may-grow') events.push({ type: 'cursor', cursor: null })
  else events.push(cursorAt(last === 'whole' ? end + restBytes : end))
  yield events
}

const say = sentences({
  'table.step-hint-absent': {
    en: 'there is no column "{asked}"; the step was taken from "{taken}"',
    zh: '没有名为“{asked}”的列，step 改取自“{taken}”',
  },
  'table.step-is-epoch': {
    en: 'no column counts steps: the steps of this run are epochs ("{taken}")',
    zh: '没有列记录 step，此 run 的 step 是 epoch（“{taken}”）',
  },
  'table.step-within': {
    en: '"{step}" restarts with every "{outer}"; the steps are counted on from one to the next',
    zh: '“{step}”在每个“{outer}”重新从头计数，step 已逐个“{outer}”累加',
  },
  'table.step-is-place': {
    en: 'there is no step column: the step of a row is its position in the file, from 0',
    zh: '没有记录 step，以行在文件中的位置（从 0 起）作为 step',
  },
})
