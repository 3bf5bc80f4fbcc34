import { groupBy } from '../../model/group-by.js'
import { message } from '../../text/say.js'
import type { AuditDocument, Cell, Section, Statement, Table } from '../document.js'
import { mentionsOf } from '../mentions.js'
import type { AuditRule, Fault } from '../rule.js'
import { mainQuantity, viewOf } from '../table-view.js'
import { valueCells } from '../value-cells.js'

const OPEN =
  /待评估|待评测|待测|待补充?|未评估|尚未评估|(?<![a-z])(?:pending|to be (?:evaluated|filled|done)|not (?:yet )?evaluated|tbd)(?![a-z])/i

/** A list of runs to do may hold numbers too: their settings. */
const RESULTS =
  /结果|对比|指标|表现|准确率|(?<![a-z])(?:results?|comparison|metrics?|scores?|accuracy|evaluations?)(?![a-z])/i

/** A heading or an open task about cells that are filled by now; or a ticked task whose cells are not. */
export const pendingButFilled: AuditRule = {
  id: 'pending-but-filled',
  kind: 'stale',
  severity: 'warning',
  example: {
    faulty: '## Results (pending)\n| run | accuracy |\n|---|---|\n| A | 57.0 |\n| B | 58.1 |',
    sound: '## Results (pending)\n| run | accuracy |\n|---|---|\n| A | 57.0 |\n| B | ? |',
  },
  *check(document) {
    for (const statement of document.statements) {
      if (statement.kind === 'heading') {
        const word = RESULTS.test(statement.text) ? OPEN.exec(statement.text) : null
        const filled = word === null ? undefined : tablesUnder(document, statement.section).find(isFull)
        if (word === null || filled === undefined) continue
        const { line } = document.placeOf(filled.offset)
        yield {
          offset: statement.offsetOf(word.index),
          message: message('audit.pending-but-filled', { found: word[0], line, count: filled.rows.length }),
          found: word[0],
          expected: `${filled.rows.length}`,
        }
      } else if (statement.kind === 'item' && TASK.test(statement.text)) {
        yield* taskFaults(document, statement)
      }
    }
  },
}

/** Under one heading; each task is looked for in each. */
const MOST_TABLES = 10
const TASK = /^\[( |x|X)\]\s/

function* taskFaults(document: AuditDocument, statement: Statement): Generator<Fault> {
  const isDone = /^\[[xX]/.test(statement.text)
  const tables = statement.section === null ? [] : (tablesOf(document).get(statement.section) ?? [])
  for (const table of tables.slice(0, MOST_TABLES)) {
    const named = mentionsOf(
      statement.text,
      table.rows.map(([label]) => label.text),
    )
    if (named.length !== 1) continue
    const row = table.rows.find(([label]) => label.text === named[0].name)
    const cells = row === undefined ? [] : valueCells(viewOf(table), row)
    if (cells.length === 0 || !cells.every(({ pending }) => pending === isDone) || (!isDone && cells.some(isEmpty)))
      continue
    const { line } = document.placeOf(cells[0].offset)
    yield {
      offset: statement.offsetOf(0),
      message: message(isDone ? 'audit.done-but-pending' : 'audit.open-but-filled', { name: named[0].name, line }),
      found: statement.text.slice(0, 3),
      expected: isDone ? '[ ]' : '[x]',
    }
  }
}

function isEmpty({ text }: Cell): boolean {
  return text === ''
}

function isFull(table: Table): boolean {
  const view = viewOf(table)
  const cells = table.rows.flatMap(row => valueCells(view, row))
  return cells.length > 1 && cells.every(cell => !cell.pending && mainQuantity(cell) !== null)
}

const bySection = new WeakMap<AuditDocument, ReadonlyMap<Section | null, readonly Table[]>>()

function tablesOf(document: AuditDocument): ReadonlyMap<Section | null, readonly Table[]> {
  const before = bySection.get(document)
  if (before !== undefined) return before
  const grouped = groupBy(document.tables, ({ section }) => section)
  bySection.set(document, grouped)
  return grouped
}

/** They stand together: from the section's heading to the next one of its level. */
function tablesUnder({ tables }: AuditDocument, section: Section | null): readonly Table[] {
  const first = section === null ? 0 : firstBehind(tables, section.offset)
  let end = first
  while (end < tables.length && isUnder(tables[end].section, section)) end += 1
  return tables.slice(first, end)
}

function firstBehind(tables: readonly Table[], offset: number): number {
  let low = 0
  let high = tables.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (tables[middle].offset < offset) low = middle + 1
    else high = middle
  }
  return low
}

function isUnder(section: Section | null, ancestor: Section | null): boolean {
  for (let at = section; at !== null; at = at.parent) if (at === ancestor) return true
  return false
}
