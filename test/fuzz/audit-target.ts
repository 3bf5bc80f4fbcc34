import { type AuditFinding, auditReports } from '../../src/audit/audit.js'
import { RULE_CARDS } from '../../src/audit/registry.js'
import { type ReportDocument, readDocument, type Table } from '../../src/logs/document/document.js'
import { checkMessage, demand } from './check.js'
import type { Seed } from './corpus.js'
import type { Target } from './targets.js'

/** The audit of reports: damaged ones, and the example of every rule, alone and beside another report. */

export function auditTarget(reports: readonly Seed[]): Target {
  const examples = RULE_CARDS.flatMap(({ id, example }) =>
    [example.faulty, example.sound].map(text => ({ name: `${id}/report.md`, bytes: Buffer.from(text) })),
  )
  return {
    name: 'audit',
    seeds: [...reports, ...examples],
    async check({ bytes }) {
      const text = bytes.toString('utf8')
      checkDocument(readDocument('report.md', text))
      const half = text.slice(0, text.length / 2)
      for (const file of auditReports([
        { file: 'report.md', text },
        { file: 'half.md', text: half },
      ])) {
        const lines = (file.file === 'half.md' ? half : text).split('\n')
        for (const finding of file.findings) checkFinding(finding, lines)
      }
    },
  }
}

function checkDocument({ text, statements, tables }: ReportDocument): void {
  for (const { text: words, quantities, steps, offsetOf } of statements) {
    const [first, last] = [offsetOf(0), offsetOf(words.length)]
    demand(first >= 0 && first <= last && last <= text.length, 'a statement stands in the text', { first, last })
    for (const { from, to } of [...quantities, ...steps]) {
      demand(from >= 0 && from < to && to <= words.length, 'what is read in a statement stands in it', { from, to })
    }
    for (const { value, range } of quantities) {
      demand(Number.isNaN(value) === false && range.low <= range.high, 'a quantity has a range', { value, range })
    }
  }
  for (const table of tables) checkTable(table, text.length)
}

function checkTable({ header, rows }: Table, length: number): void {
  for (const row of rows) {
    demand(row.length === header.length, 'rows are as wide as their header', { row: row.length, of: header.length })
    for (const { offset } of row) demand(offset >= 0 && offset <= length, 'a cell stands in the text', offset)
  }
}

function checkFinding({ line, column, message }: AuditFinding, lines: readonly string[]): void {
  checkMessage(message)
  const characters = lines[line - 1]?.length ?? -1
  demand(column >= 1 && column <= characters + 1, 'a finding stands in the text', { line, column, characters })
}
