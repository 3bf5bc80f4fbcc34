import { describe, expect, test } from 'vitest'
import { auditReports, auditWithReader } from './audit.js'
import { parseProposals } from './reader.js'

/** A wording that klens does not read by itself. */
const TEXT = 'Latency used to be 80 ms; we are now at 60 ms, which makes it half as slow again (40 %).\n'
const PROPOSAL = {
  relation: 'change',
  quote: '80 ms; we are now at 60 ms, which makes it half as slow again (40 %)',
  figures: [
    { role: 'from', text: '80' },
    { role: 'to', text: '60' },
    { role: 'result', text: '40 %' },
  ],
}

const report = [{ file: 'report.md', text: TEXT }]
const rulesOf = (files: ReturnType<typeof auditReports>) => files[0]?.findings.map(({ rule }) => rule)

describe('assertions that somebody else read', () => {
  test('are bound and checked like those of klens', () => {
    expect(rulesOf(auditReports(report))).toEqual([])
    const proposals = parseProposals(JSON.stringify([PROPOSAL]), 'a.json')
    expect(rulesOf(auditReports(report, { proposals }))).toEqual(['percent-change'])
  })

  test.each([
    ['quote what nobody wrote', { ...PROPOSAL, quote: 'from 80 ms to 60 ms (40 %)' }],
    ['name figures that the quotation does not hold', { ...PROPOSAL, figures: [{ role: 'from', text: '90' }] }],
    ['say what is true', { ...PROPOSAL, figures: PROPOSAL.figures.slice(0, 2) }],
  ])('add nothing where they %s', (_, proposal) => {
    const proposals = parseProposals(JSON.stringify([proposal]), 'a.json')
    expect(rulesOf(auditReports(report, { proposals }))).toEqual([])
  })

  test('of another form are refused with the place', () => {
    expect(() => parseProposals('[{"relation":"guess","quote":"x"}]', 'a.json')).toThrow(/a\.json/)
    expect(() => parseProposals('no JSON', 'a.json')).toThrow(/a\.json/)
  })
})

test('a model may wrap its answer in prose, and what it gets wrong is dropped', async () => {
  const complete = async () =>
    `Here you are:\n\`\`\`json\n${JSON.stringify([PROPOSAL, { relation: 'nonsense' }])}\n\`\`\``
  expect(rulesOf(await auditWithReader(report, { complete, address: 'http://here#m' }))).toEqual(['percent-change'])
  const silent = async () => 'I found nothing to check.'
  expect(rulesOf(await auditWithReader(report, { complete: silent, address: 'http://here#m' }))).toEqual([])
})
