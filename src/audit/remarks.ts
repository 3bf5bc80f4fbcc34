import { groupBy } from '../model/group-by.js'
import type { ComparisonSet } from './comparison-sets.js'
import type { AuditDocument, Statement } from './document.js'
import { mentionsOf } from './mentions.js'
import { viewOf } from './table-view.js'

/** "KL highest" in a row's last column: a superlative about that row, in the column that it names. */
export interface Remark {
  readonly statement: Statement
  readonly set: ComparisonSet
  readonly direction: 'high' | 'low'
}

export function remarks(document: AuditDocument, sets: readonly ComparisonSet[]): readonly Remark[] {
  const byTable = groupBy(sets, ({ table }) => table)
  const tableOf = new Map(document.tables.flatMap(table => table.rows.flat().map(cell => [cell, table])))
  return document.statements.flatMap(statement => {
    const { cell, claims, text } = statement
    const table = cell === null ? undefined : tableOf.get(cell)
    const here = table === undefined ? [] : (byTable.get(table) ?? []).filter(({ items }) => items.length > 1)
    if (cell === null || table === undefined || here.length === 0) return []
    if (viewOf(table).roles[cell.column] !== 'remark') return []
    return claims.flatMap((claim): Remark[] => {
      if (claim.negated || (claim.kind !== 'extremum-high' && claim.kind !== 'extremum-low')) return []
      const part = partAround(text, claim.from)
      const [mention, ...more] = mentionsOf(
        part,
        here.map(({ metric }) => metric),
      )
      const set = here.find(({ metric }) => metric === mention?.name)
      if (set === undefined || more.length > 0) return []
      return [{ statement, set, direction: claim.kind === 'extremum-high' ? 'high' : 'low' }]
    })
  })
}

function partAround(text: string, at: number): string {
  const start = Math.max(...[',', ';', '、', '，'].map(mark => text.lastIndexOf(mark, at)))
  const end = text.slice(at).search(/[,;、，]/)
  return text.slice(start + 1, end < 0 ? undefined : at + end)
}
