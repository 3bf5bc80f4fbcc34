/**
 * `<!-- klens-ignore rule-id: reason -->` explains a finding away, on its own line or the next; `rule-id` may be a list
 * or `all`. Without a reason it does nothing: who silences a linter owes the reader an explanation.
 */
const COMMENT = /<!--\s*klens-ignore\s+([\w*, -]{1,400}?)\s*[:：]\s*(\S[^\n]{0,400}?)\s*-->/g

export function suppressions(text: string): (rule: string, line: number) => boolean {
  const byLine = new Map<number, Set<string>>()
  let line = 1
  let counted = 0
  for (const { 1: rules, index } of text.matchAll(COMMENT)) {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) {
      line += 1
      counted = at + 1
    }
    const names = rules.split(/[\s,]+/).filter(name => name !== '')
    for (const covered of [line, line + 1]) {
      const known = byLine.get(covered) ?? new Set<string>()
      for (const name of names) known.add(name)
      byLine.set(covered, known)
    }
  }
  return (rule, at) => {
    const known = byLine.get(at)
    return known !== undefined && (known.has(rule) || known.has('all'))
  }
}
