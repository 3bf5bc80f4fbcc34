import { groupBy } from '../model/group-by.js'
import { statementsClaiming } from './claimed.js'
import type { Claim } from './claims.js'
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
  return statementsClaiming(document, 'extremum-high', 'extremum-low').flatMap(statement => {
    const { cell, table, claims, text } = statement
    if (cell === null || table === null || !claims.some(isExtremum)) return []
    if (viewOf(table).roles[cell.column] !== 'remark') return []
    const here = (byTable.get(table) ?? []).filter(({ items }) => items.length > 1)
    if (here.length === 0) return []
    return claims.flatMap((claim): Remark[] => {
      if (claim.negated || !isExtremum(claim)) return []
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

function isExtremum({ kind }: Claim): boolean {
  return kind === 'extremum-high' || kind === 'extremum-low'
}

function partAround(text: string, at: number): string {
  const start = Math.max(...[',', ';', '、', '，'].map(mark => text.lastIndexOf(mark, at)))
  const end = text.slice(at).search(/[,;、，]/)
  return text.slice(start + 1, end < 0 ? undefined : at + end)
}
