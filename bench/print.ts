import type { Figures, Table } from './benchmark.js'

/** A table with aligned columns, as Markdown, so that it can be pasted into the README as it is. */
export function tableText({ title, rows }: Table): string {
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))]
  const cells = [columns, ...rows.map(row => columns.map(column => cellText(row, column)))]
  const widths = columns.map((_, i) => Math.max(...cells.map(line => line[i].length)))
  const isNumber = columns.map(column => rows.some(row => typeof row[column] === 'number'))
  const lines = cells.map(line => `| ${line.map((cell, i) => pad(cell, widths[i], isNumber[i])).join(' | ')} |`)
  const rule = `|${widths.map((width, i) => `${'-'.repeat(width + 1)}${isNumber[i] ? ':' : '-'}`).join('|')}|`
  return [title, '', lines[0], rule, ...lines.slice(1)].join('\n')
}

function cellText(row: Figures, column: string): string {
  const value = row[column]
  if (value === undefined) return ''
  return typeof value === 'number' ? numberText(value) : value
}

/** Three digits that mean something; more would claim a precision that no timing has. */
function numberText(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}

function pad(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width)
}
