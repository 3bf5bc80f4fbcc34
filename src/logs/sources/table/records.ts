import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json } from '../../model/json.js'
import { readTextLines } from '../encoding.js'
import { flatten, parsePythonJson } from '../python-json.js'
import type { SourceFile } from '../source.js'
import { nameLists } from '../source-helpers.js'
import { isAsWide, isBlank, recordAssembler, splitFields } from './csv-records.js'
import { headerFields, isComment, type TableHead, uniqueNames } from './head.js'
import { note, type TableTally, tallyWarnings } from './tally.js'

/**
 * The records of a CSV or JSONL file as bare values under their column names: for readers that make of a table
 * something other than rows of metrics.
 */
export interface TableRecord {
  /** The same array as before while the columns are the same. */
  readonly columns: readonly string[]
  /** Strings for CSV, typed values for JSONL. */
  readonly values: readonly Json[]
}

export async function* readRecords(
  file: SourceFile,
  head: TableHead,
  tally: TableTally,
): AsyncGenerator<readonly TableRecord[]> {
  let records: TableRecord[] = []
  const keep = (record: TableRecord): void => void records.push(record)
  const { take, finish } = head.format === 'csv' ? csvLines(head, tally, keep) : jsonLines(tally, keep)
  let number = 0
  for await (const batch of readTextLines(file)) {
    if (batch.overlong > 0) note(tally, 'overlongLine', '', batch.overlong)
    for (const line of batch.lines) {
      number += 1
      take(line, number)
    }
    if (batch.rest !== '') take(batch.rest, number + 1)
    yield records
    records = []
  }
  finish()
  yield records
}

interface RecordReader {
  take(record: TableRecord, emit: (event: RunEvent) => void): void
  /** Behind the last record. */
  finish(emit: (event: RunEvent) => void): void
}

/** What a reader makes of a table's records, and last what could not be read. */
export async function* eventsOfRecords(
  file: SourceFile,
  head: TableHead,
  tally: TableTally,
  reader: RecordReader,
): AsyncGenerator<readonly RunEvent[]> {
  let events: RunEvent[] = []
  const emit = (event: RunEvent): void => void events.push(event)
  for await (const records of readRecords(file, head, tally)) {
    for (const record of records) reader.take(record, emit)
    if (events.length > 0) yield events
    events = []
  }
  reader.finish(emit)
  yield [...events, ...tallyWarnings(tally)]
}

interface LineTaker {
  take(line: string, number: number): void
  finish(): void
}

function csvLines(head: TableHead, tally: TableTally, keep: (record: TableRecord) => void): LineTaker {
  const { delimiter = ',', headerLine = 1 } = head.csv ?? {}
  let columns: readonly string[] | null = null
  const assembler = recordAssembler(delimiter, {
    onRecord: (values, line) => {
      if (columns === null || isBlank(values)) return
      if (isAsWide(values, columns.length)) keep({ columns, values })
      else note(tally, 'unevenRow', line)
    },
    onBroken: line => note(tally, 'brokenQuote', line),
  })
  return {
    take(line, number) {
      if (columns !== null) assembler.take(line, number)
      else if (number === headerLine) columns = uniqueNames(headerFields(splitFields(line, delimiter) ?? []))
    },
    finish: assembler.finish,
  }
}

function jsonLines(tally: TableTally, keep: (record: TableRecord) => void): LineTaker {
  const shared = nameLists()
  return {
    take(line, number) {
      if (line.trim() === '' || isComment(line)) return
      const object = parsePythonJson(line)
      if (isJsonObject(object)) {
        const { leaves } = flatten(object)
        keep({ columns: shared([...leaves.keys()]), values: [...leaves.values()] })
      } else {
        note(tally, 'badLine', number)
      }
    },
    finish: () => {},
  }
}
