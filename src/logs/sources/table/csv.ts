import { extname } from 'node:path'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { headLines } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import type { Source, SourceFile } from '../source.js'
import { isAsWide, isBlank, recordAssembler, splitFields } from './csv-records.js'
import { headerFields, isCutInFirstRow, readTableHead, type TableHead, uniqueNames } from './head.js'
import { type LastLine, lineTable, type OpenTable, type TableReading } from './line-table.js'
import { hasNumbers, planTable, type TablePlan } from './plan.js'
import { type FieldRowReader, fieldRowReader, plainNumber } from './rows.js'
import { note } from './tally.js'

/** CSV and its relatives: fields between commas, tabs or semicolons, under a line of column names. */
export const csv: Source = {
  id: 'csv',
  role: 'table',
  grows: true,
  keep: 'all',

  recognise(file) {
    const head = readTableHead(file)
    if (head?.format !== 'csv') return false
    if (!hasNumbers(head) && !isCutInFirstRow(head)) return false
    if (['.csv', '.tsv'].includes(extname(file.path).toLowerCase())) return true
    // Prose and listings have commas too; by another name a table must speak for itself.
    const isEven = head.csv !== undefined && head.csv.evenShare > 0.9
    return head.rows.length >= 2 && isEven && planTable(head, {}) !== null
  },

  ...lineTable({ format: 'csv', settings: settingsAbove, firstRecord: namesAndFirstRow, firstStep, open: openCsv }),
}

/** Monitors write `#{"t_start": …, "env_id": …}` above the names of their columns. */
function settingsAbove(file: SourceFile): Config | null {
  const [line = ''] = headLines(file)?.lines ?? []
  const settings = line.startsWith('#{') ? parsePythonJson(line.slice(1)) : null
  return isJsonObject(settings) ? settings : null
}

function namesAndFirstRow(file: SourceFile, { csv }: TableHead): string {
  const head = headLines(file)
  if (head === null || csv === undefined) return ''
  return [...head.lines, head.rest].slice(csv.headerLine - 1, csv.headerLine + 1).join('\n')
}

/** Only where the step stands first in its line can it be found by its text. */
function firstStep(file: SourceFile, head: TableHead, { step }: TablePlan): string | null {
  const first =
    namesAndFirstRow(file, head)
      .split('\n')[1]
      ?.split(head.csv?.delimiter ?? ',')[0] ?? ''
  return head.columns[0] === step && plainNumber(first) !== undefined ? `\n${first}` : null
}

/**
 * Rows out of the lines of a CSV. A loop that is restarted often writes its header again, perhaps with more columns:
 * such a line changes the columns from there on, and says that a new segment begins.
 */
function openCsv({ head, start, runs, hints }: TableReading, emit: (event: RunEvent) => void): OpenTable {
  const { delimiter = ',', headerLine = 1, decimalComma = false } = head.csv ?? {}
  const { plan, tally } = start
  let columns = start.columns
  let stepAt = 0
  let toRow: FieldRowReader = () => null
  if (columns !== null) useColumns(columns)

  function useColumns(names: string[]): void {
    columns = names
    stepAt = names.indexOf(plan.step)
    toRow = fieldRowReader({ columns: names, decimalComma }, plan, hints, tally, runs.filter, start.count)
  }

  function useHeader(fields: readonly string[]): void {
    const names = uniqueNames(fields)
    const renamed = names.filter((name, index) => name !== fields[index]?.trim())
    if (renamed.length > 0) note(tally, 'repeatedColumn', renamed.join(', '))
    useColumns(names)
  }

  function onRecord(fields: string[], line: number): void {
    if (isBlank(fields)) return
    const isEven = isAsWide(fields, columns?.length ?? 0)
    if (isEven && plainNumber(fields[stepAt] ?? '') !== undefined) {
      say(fields)
    } else if (isHeader(fields)) {
      if (plan.run === null) emit({ type: 'restart' })
      useHeader(headerFields(fields))
    } else if (!fields[0]?.startsWith('#')) {
      if (isEven) say(fields)
      else note(tally, 'unevenRow', line)
    }
  }

  /** Names, the step's among them, and no number. */
  function isHeader(fields: readonly string[]): boolean {
    return (
      headerFields(fields).includes(plan.step || (columns?.[0] ?? '')) &&
      fields.every(field => plainNumber(field) === undefined)
    )
  }

  function say(fields: readonly string[]): void {
    const row = toRow(fields)
    if (row !== null) emit(row)
  }

  const assembler = recordAssembler(delimiter, { onRecord, onBroken: line => note(tally, 'brokenQuote', line) })

  function take(line: string, number: number): void {
    if (columns === null) {
      if (number === headerLine) useHeader(headerFields(splitFields(line, delimiter) ?? []))
    } else if (mayMatter(line)) {
      assembler.take(line, number)
    }
  }

  /** Lines of other runs are passed over, but not headers, nor what may be part of a longer record. */
  function mayMatter(line: string): boolean {
    return runs.mayHold(line) || assembler.isOpen() || line.includes('"') || line.includes(plan.step)
  }

  function takeLast(line: string, number: number): LastLine {
    const isOpen = assembler.isOpen()
    if (line.trim() === '' && !isOpen) return 'whole'
    if (columns !== null && !isOpen && (splitFields(line, delimiter)?.length ?? 0) < columns.length) return 'cut'
    take(line, number)
    assembler.finish()
    return 'may-grow'
  }

  return {
    tally,
    columns: () => columns,
    warnings: runs.warnings,
    reader: { take, takeLast, isOpen: assembler.isOpen },
  }
}
