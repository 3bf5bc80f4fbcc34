import type { RunEvent } from '../../model/events.js'
import { isAsWide, recordAssembler, splitFields } from './csv-records.js'
import { type FieldRowReader, fieldRowReader, plainNumber } from './fields.js'
import { headerFields, uniqueNames } from './head.js'
import type { TableReading } from './line-table.js'
import type { LastLine, OpenTable } from './stream.js'
import { note } from './tally.js'

/**
 * Rows out of the lines of a CSV. A loop that is restarted often writes its header again, perhaps with more columns:
 * such a line changes the columns from there on, and says that a new segment begins.
 */
export function openCsv({ head, start, runs, hints }: TableReading, emit: (event: RunEvent) => void): OpenTable {
  const { delimiter = ',', headerLine = 1, decimalComma = false } = head.csv ?? {}
  const { plan, tally } = start
  let columns = start.columns
  let stepAt = 0
  let toRow: FieldRowReader = () => null
  if (columns !== null) useColumns(columns)

  function useColumns(names: string[]): void {
    columns = names
    stepAt = names.indexOf(plan.step)
    toRow = fieldRowReader({ columns: names, decimalComma }, plan, hints, tally, runs.filter)
  }

  function useHeader(fields: readonly string[]): void {
    const names = uniqueNames(fields)
    const renamed = names.filter((name, index) => name !== fields[index].trim())
    if (renamed.length > 0) note(tally, 'repeatedColumn', renamed.join(', '))
    useColumns(names)
  }

  function onRecord(fields: string[], line: number): void {
    if (fields.length === 1 && fields[0].trim() === '') return
    const isEven = isAsWide(fields, columns?.length ?? 0)
    if (isEven && plainNumber(fields[stepAt]) !== undefined) {
      say(fields)
    } else if (isHeader(fields)) {
      if (plan.run === null) emit({ type: 'restart' })
      useHeader(headerFields(fields))
    } else if (!fields[0].startsWith('#')) {
      if (isEven) say(fields)
      else note(tally, 'unevenRow', line)
    }
  }

  /** Names, the step's among them, and no number. */
  function isHeader(fields: readonly string[]): boolean {
    return headerFields(fields).includes(plan.step) && fields.every(field => plainNumber(field) === undefined)
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
