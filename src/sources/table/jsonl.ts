import { isJsonObject, type Json } from '../../model/json.js'
import { isConfigFile } from '../config-file.js'
import { parseLooseJson } from '../loose-json.js'
import type { Source, SourceFile } from '../source.js'
import { isComment, readTableHead } from './head.js'
import { lineTable } from './line-table.js'
import { objectRowReader } from './objects.js'
import { samplesShape } from './samples.js'
import { hasNumbers } from './step.js'
import type { LastLine } from './stream.js'
import { note } from './tally.js'
import { headLines } from './text.js'

/** JSONL: one JSON object per line, the format that most training loops of one's own write. */
export const jsonl: Source = {
  id: 'jsonl',
  role: 'steps',
  grows: true,
  keep: 'all',

  recognise(file) {
    if (isConfigFile(file.path)) return false
    const head = readTableHead(file)
    if (head?.format !== 'jsonl' || !hasNumbers(head)) return false
    return !isVerlLine(parseLooseJson(firstLine(file))) && samplesShape(file) === null
  },

  ...lineTable({
    format: 'jsonl',
    firstRecord: firstLine,

    open({ start, runs, hints }, emit) {
      const { plan, tally } = start
      const toRow = objectRowReader(plan, hints, tally, runs.filter)

      function take(line: string, number: number): void {
        if (!runs.mayHold(line) || isBlank(line) || isComment(line)) return
        const object = parseLooseJson(line)
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
            if (isComment(line) || !isJsonObject(parseLooseJson(line))) return 'cut'
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

const VERL_KEYS = new Set(['step', 'data', 'elapsed_seconds'])

/** What verl's file logger writes, which has a source of its own. */
function isVerlLine(value: Json | undefined): boolean {
  if (!isJsonObject(value)) return false
  return 'step' in value && isJsonObject(value.data) && Object.keys(value).every(key => VERL_KEYS.has(key))
}
