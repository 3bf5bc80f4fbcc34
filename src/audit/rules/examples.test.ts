import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { render } from '../../text/sentences.js'
import { auditReports } from '../audit.js'
import { AUDIT_RULES } from './registry.js'

/** Every rule's example, run with all rules together, and printed in docs/audit.md. */

const docs = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8')

/** Examples have headings too: a section ends where another rule's begins. */
function sectionOf(id: string): string {
  const places = AUDIT_RULES.map(rule => docs.indexOf(`\n### ${rule.id}\n`))
  const start = docs.indexOf(`\n### ${id}\n`)
  return start < 0 ? '' : docs.slice(start, Math.min(docs.length, ...places.filter(place => place > start)))
}

test('no two rules have one id', () => {
  const ids = AUDIT_RULES.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)])
})

describe.each(AUDIT_RULES.map(rule => [rule.id, rule] as const))('%s', (id, { kind, severity, example }) => {
  const { faulty, sound, beside } = example
  const findingsIn = (text: string) => {
    const reports = [{ file: 'here.md', text }, ...(beside === undefined ? [] : [{ file: 'there.md', text: beside }])]
    return auditReports(reports)[0].findings.filter(({ rule }) => rule === id)
  }

  test('finds its own example of a fault, and says it in both languages', () => {
    const findings = findingsIn(faulty)
    expect(findings).not.toEqual([])
    for (const { message } of findings) {
      for (const language of ['en', 'zh'] as const) expect(render(message, language)).not.toMatch(/\{|undefined|NaN/)
    }
  })

  test('says nothing to its own example without one', () => {
    expect(findingsIn(sound)).toEqual([])
  })

  test('stands in docs/audit.md with its kind, severity and example', () => {
    const section = sectionOf(id)
    expect(section).toContain(`*${severity}*, ${kind}`)
    for (const text of [faulty, sound, ...(beside === undefined ? [] : [beside])]) {
      expect(section).toContain(`\`\`\`markdown\n${text.trimEnd()}\n\`\`\``)
    }
  })
})
