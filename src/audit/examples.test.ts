import { describe, expect, test } from 'vitest'
import { render } from '../text/sentences.js'
import { auditReports } from './audit.js'
import { RULE_CARDS } from './registry.js'

/** What the docs and `klens audit --rules` show of a rule must be what the rule does. */
describe.each(RULE_CARDS)('$id', ({ id, kind, severity, example, isOnRequest: checklist = false }) => {
  const audited = (text: string) => {
    const beside = example.beside === undefined ? [] : [{ file: 'beside.md', text: example.beside }]
    return auditReports([{ file: 'report.md', text }, ...beside], { checklist })[0]?.findings ?? []
  }

  test('is found in its faulty example, and says so in both languages', () => {
    const found = audited(example.faulty).filter(({ rule }) => rule === id)
    expect(found.map(finding => [finding.kind, finding.severity])).toContainEqual([kind, severity])
    for (const { message } of found) {
      for (const language of ['en', 'zh'] as const) expect(render(message, language)).not.toMatch(/[{}]|undefined/)
    }
  })

  test('is not found in its sound example, nor is an error', () => {
    const found = audited(example.sound)
    expect(found.filter(({ rule, severity: grave }) => rule === id || grave === 'error')).toEqual([])
  })
})
