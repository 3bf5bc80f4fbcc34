import { extname } from 'node:path'
import type { Source, SourceFile } from '../source.js'
import { openCsv } from './csv-rows.js'
import { isCutInFirstRow, readTableHead, type TableHead } from './head.js'
import { lineTable } from './line-table.js'
import { planTable } from './plan.js'
import { samplesShape } from './samples.js'
import { hasNumbers } from './step.js'
import { headLines } from './text.js'

/** CSV and its relatives: fields between commas, tabs or semicolons, under a line of column names. */
export const csv: Source = {
  id: 'csv',
  role: 'table',
  grows: true,
  keep: 'all',

  recognise(file) {
    const head = readTableHead(file)
    if (head?.format !== 'csv' || samplesShape(file) !== null) return false
    if (!hasNumbers(head) && !isCutInFirstRow(head)) return false
    if (['.csv', '.tsv'].includes(extname(file.path).toLowerCase())) return true
    // Prose and listings have commas too; by another name a table must speak for itself.
    const isEven = head.csv !== undefined && head.csv.evenShare > 0.9
    return head.rows.length >= 2 && isEven && planTable(head, {}) !== null
  },

  ...lineTable({ format: 'csv', firstRecord: namesAndFirstRow, open: openCsv }),
}

function namesAndFirstRow(file: SourceFile, { csv }: TableHead): string {
  const head = headLines(file)
  if (head === null || csv === undefined) return ''
  return [...head.lines, head.rest].slice(csv.headerLine - 1, csv.headerLine + 1).join('\n')
}
