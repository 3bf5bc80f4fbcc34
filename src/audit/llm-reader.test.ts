import { describe, expect, test } from 'vitest'
import { auditReports, auditWithReader } from './audit.js'
import { parseProposals } from './llm-reader.js'

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

const ROLES = ['from', 'to', 'result']
const swapped = ({ text }: { text: string }, i: number) => ({ role: ROLES[i], text })
const asShare = ({ text }: { text: string }, i: number) => ({ role: ['part', 'whole', 'result'][i], text })

const report = [{ file: 'report.md', text: TEXT }]
const rulesOf = (files: ReturnType<typeof auditReports>) => files[0]?.findings.map(({ rule }) => rule)

describe('assertions that somebody else read', () => {
  test('are bound and checked like those of klens', () => {
    expect(rulesOf(auditReports(report))).toEqual([])
    const proposals = parseProposals(JSON.stringify([PROPOSAL]), 'a.json')
    expect(rulesOf(auditReports(report, { proposals }))).toEqual(['percent-change'])
  })

  test('may be shares', () => {
    const text = 'Read by hand: 34 of 53, which is to say two in three (74 %).\n'
    const figures = ['34', '53', '74 %'].map((one, i) => asShare({ text: one }, i))
    const proposals = parseProposals(JSON.stringify([{ relation: 'share', quote: text.trim(), figures }]), 'a.json')
    expect(rulesOf(auditReports([{ file: 'report.md', text }], { proposals }))).toEqual(['wrong-share'])
  })

  test.each([
    ['quote what nobody wrote', { ...PROPOSAL, quote: 'from 80 ms to 60 ms (40 %)' }],
    ['name figures that the quotation does not hold', { ...PROPOSAL, figures: [{ role: 'from', text: '90' }] }],
    ['say what is true', { ...PROPOSAL, figures: PROPOSAL.figures.slice(0, 2) }],
    ['turn the change round', { ...PROPOSAL, figures: PROPOSAL.figures.toReversed().map(swapped) }],
    ['call it a share', { ...PROPOSAL, relation: 'share', figures: PROPOSAL.figures.map(asShare) }],
    ['call it a span', { ...PROPOSAL, relation: 'span', figures: [{ role: 'span', text: '60' }] }],
    ['clip a number', { ...PROPOSAL, figures: [{ role: 'from', text: '8' }, ...PROPOSAL.figures.slice(1)] }],
  ])('add nothing where they %s', (_, proposal) => {
    const proposals = parseProposals(JSON.stringify([proposal]), 'a.json')
    expect(rulesOf(auditReports(report, { proposals }))).toEqual([])
  })

  test.each([
    ['a figure of something else', 'It fell from 80 ms to 60 ms, of which 40 % is I/O.\n', ['80', '60', '40 %']],
    ['settings', 'With rate 0.5 and then 0.7 we kept a dropout of 12 %.\n', ['0.5', '0.7', '12 %']],
    ['a bound', 'On 1/3 of the tasks the gap stays within ±0.7 %.\n', ['1', '3', '0.7 %']],
    ['a rise and a fall', '渗漏从增加 5.7% → 降低 2.7%（改善 8.4 个百分点）\n', ['5.7%', '2.7%', '8.4']],
    ['ranges', 'Lines have 30 to 50 words (11-18 words) now.\n', ['30', '50', '11-18']],
    ['changes of changes', 'Gains of +89.2 to +11.2 (+700 %) were seen.\n', ['+89.2', '+11.2', '+700 %']],
  ])('make no change of %s', (_, text, figures) => {
    const proposal = {
      relation: 'change',
      quote: text.trim(),
      figures: figures.map((one, i) => swapped({ text: one }, i)),
    }
    const proposals = parseProposals(JSON.stringify([proposal]), 'a.json')
    const alone = rulesOf(auditReports([{ file: 'report.md', text }]))
    expect(rulesOf(auditReports([{ file: 'report.md', text }], { proposals }))).toEqual(alone)
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
