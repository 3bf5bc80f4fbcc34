import type { ReportDocument } from '../document/document.js'
import type { LedgerEntry, LedgerState } from './ledger.js'

const COLOURS: { readonly [state in LedgerState]: string } = {
  traced: '#cdeccd',
  derived: '#d6e4f7',
  contradicted: '#f7c6c5',
  untraced: '#f3ecc4',
}

/** The report as one page with each figure marked; a figure tells on hover where it comes from. */
export function ledgerHtml(
  { text, file }: Pick<ReportDocument, 'text' | 'file'>,
  entries: readonly LedgerEntry[],
): string {
  let body = ''
  let at = 0
  for (const { offset, text: printed, state, source } of entries) {
    const start = text.indexOf(printed, offset)
    if (start < at || start - offset > 8) continue
    body += escapeHtml(text.slice(at, start))
    body += `<mark class="${state}" title="${escapeHtml(titleOf(state, source))}">${escapeHtml(printed)}</mark>`
    at = start + printed.length
  }
  body += escapeHtml(text.slice(at))
  const style = Object.entries(COLOURS)
    .map(([state, colour]) => `mark.${state}{background:${colour}}`)
    .join('')
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(file)}</title><style>pre{white-space:pre-wrap;font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto}${style}</style><pre>${body}</pre>\n`
}

function titleOf(state: LedgerState, source: LedgerEntry['source']): string {
  if (source === null) return state
  if ('derived' in source) return `${state}: ${source.derived}`
  const from = 'from' in source ? source.from : source
  const place = from.step === null ? (from.aggregate ?? '') : `step ${from.step}`
  const logged = 'logged' in source ? ` = ${source.logged}` : ''
  return `${state}: ${from.run} ${from.metric} ${place}${logged}${from.file === null ? '' : ` (${from.file})`}`
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}
