import { describe, expect, test } from 'vitest'
import { auditReports } from '../audit.js'
import { EVIDENCE_RULES } from './evidence.js'

describe.each(EVIDENCE_RULES.map(rule => [rule.id, rule] as const))('%s', (id, rule) => {
  const { faulty, sound, beside } = rule.example
  const findingsIn = (text: string) => {
    const reports = [{ file: 'here.md', text }, ...(beside === undefined ? [] : [{ file: 'there.md', text: beside }])]
    return auditReports(reports, EVIDENCE_RULES)[0].findings.filter(finding => finding.rule === id)
  }

  test('finds its own example of a fault', () => {
    expect(findingsIn(faulty)).not.toEqual([])
  })

  test('says nothing to its own example without one', () => {
    expect(findingsIn(sound)).toEqual([])
  })
})
