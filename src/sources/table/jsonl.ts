import { isJsonObject } from '../../model/json.js'
import { isConfigFile } from '../config/config-file.js'
import { headLines } from '../encoding.js'
import { parsePythonJson } from '../python-json.js'
import type { Source, SourceFile } from '../source.js'
import { isComment, readTableHead } from './head.js'
import { type LastLine, lineTable } from './line-table.js'
import { hasNumbers } from './plan.js'
import { objectRowReader } from './rows.js'
import { note } from './tally.js'

/** JSONL: one JSON object per line, the format that most training loops of one's own write. */
export const jsonl: Source = {
  id: 'jsonl',
  role: 'steps',
  grows: true,
  keep: 'all',

  recognise(file) {
    if (isConfigFile(file.path)) return false
    const head = readTableHead(file)
    return head?.format === 'jsonl' && hasNumbers(head)
  },

  ...lineTable({
    format: 'jsonl',
    firstRecord: firstLine,

    open({ start, runs, hints }, emit) {
      const { plan, tally } = start
      const toRow = objectRowReader(plan, hints, tally, runs.filter)

      function take(line: string, number: number): void {
        if (!runs.mayHold(line) || isBlank(line) || isComment(line)) return
        const object = parsePythonJson(line)
        const row = isJsonObject(object) ? toRow(object) : null
        if (row !== null) emit(row)
        else if (!isJsonObject(object)) note(tally, 'badLine', number)
      }

      return {
        tally,
        columns: () => null,
        warnings: runs.warnings,
        reader: {
          take,
          isOpen: () => false,
          takeLast(line, number): LastLine {
            if (isBlank(line)) return 'whole'
            if (isComment(line) || !isJsonObject(parsePythonJson(line))) return 'cut'
            // An object that is closed cannot grow.
            take(line, number)
            return 'whole'
          },
        },
      }
    },
  }),
}

function firstLine(file: SourceFile): string {
  const head = headLines(file)
  if (head === null) return ''
  return [...head.lines, head.rest].find(line => !isBlank(line) && !isComment(line)) ?? ''
}

function isBlank(line: string): boolean {
  return line === '' || line.trim() === ''
}
