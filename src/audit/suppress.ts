import { placesIn } from '../document/places.js'

/**
 * `<!-- klens-ignore rule-id: reason -->` explains a finding away, on its own line or the next; `rule-id` may be a list
 * or `all`. Without a reason it does nothing: who silences a linter owes the reader an explanation.
 */
const COMMENT = /<!--\s*klens-ignore\s+([\w*, -]{1,400}?)\s*[:：]\s*(\S[^\n]{0,400}?)\s*-->/g

export function suppressions(text: string): (rule: string, line: number) => boolean {
  const explained = new Set<string>()
  const placeOf = placesIn(text)
  for (const { 1: rules, index } of text.matchAll(COMMENT)) {
    const { line } = placeOf(index)
    for (const rule of rules.split(/[\s,]+/)) explained.add(`${rule} ${line}`).add(`${rule} ${line + 1}`)
  }
  return (rule, line) => explained.has(`${rule} ${line}`) || explained.has(`all ${line}`)
}
