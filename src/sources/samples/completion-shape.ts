import type { SourceFile } from '../source.js'
import { readTableHead, type TableHead } from '../table/head.js'
import { cellsAt, isNumeric } from '../table/plan.js'
import { placeOf } from './completion-place.js'
import { columnsOf } from './completion-records.js'
import { holdsScores } from './shape.js'

/** Is a table one of completions? It holds answers, their scores, and something to know the prompts by. */
export function isCompletions(file: SourceFile): boolean {
  const { step } = placeOf(file)
  if (beginsWithLongPrompt(file)) return step !== null
  const head = readTableHead(file)
  if (head === null || head.format === 'json') return false
  const { at } = columnsOf(head.columns)
  if (at.input === undefined && at.sample === undefined) return false
  if (at.output === undefined || at.score === undefined || !holdsScores(head, head.columns[at.score])) return false
  return at.step === undefined || (isNumeric(cellsAt(head, at.step)) && (step !== null || !isLog(head, at.step)))
}

/** Of a prompt longer than the piece that is looked at, nothing but its beginning can be seen. verl writes it first. */
export function beginsWithLongPrompt({ head, size }: SourceFile): boolean {
  if (size <= head.length || head.includes(NEWLINE)) return false
  return LONG_PROMPT.test(Buffer.from(head.subarray(0, 100)).toString('utf8'))
}

const NEWLINE = 0x0a
const LONG_PROMPT = /^\s*\{\s*"(?:input|prompt|question|query|problem|instruction|messages)"\s*:\s*["[]/

/** A log may show one answer at each step; its numbers are the step's, not the answer's. */
function isLog(head: TableHead, step: number): boolean {
  const steps = new Set(head.rows.map(row => JSON.stringify(row[step])))
  return head.rows.length > 1 && steps.size === head.rows.length
}
