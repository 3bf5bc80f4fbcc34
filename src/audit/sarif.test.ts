import { expect, test } from 'vitest'
import { z } from 'zod'
import { auditReports } from './audit.js'
import { RULE_CARDS } from './registry.js'
import { sarif } from './sarif.js'

/** What SARIF 2.1.0 demands of the members that klens writes; the whole output was validated against the OASIS schema. */
const Log = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.literal('klens'),
          version: z.string().min(1),
          rules: z.array(
            z.strictObject({
              id: z.string().min(1),
              shortDescription: z.strictObject({ text: z.string().min(1) }),
              help: z.strictObject({ text: z.string().min(1), markdown: z.string().min(1) }),
              properties: z.strictObject({ kind: z.string() }),
              defaultConfiguration: z.strictObject({ level: z.enum(['error', 'warning', 'note']) }),
            }),
          ),
        }),
      }),
      columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          ruleIndex: z.int().min(0),
          level: z.enum(['error', 'warning', 'note']),
          message: z.strictObject({ text: z.string().min(1) }),
          locations: z.tuple([
            z.strictObject({
              physicalLocation: z.strictObject({
                artifactLocation: z.strictObject({ uri: z.string().regex(/^[^\s\\]+$/) }),
                region: z.strictObject({ startLine: z.int().min(1), startColumn: z.int().min(1) }),
              }),
            }),
          ]),
          partialFingerprints: z.strictObject({ 'klensFinding/v1': z.string().regex(/^[0-9a-f]{16}$/) }),
          properties: z.strictObject({ kind: z.string(), found: z.string(), expected: z.string() }),
        }),
      ),
    }),
  ]),
})

function written(reports: readonly { readonly file: string; readonly text: string }[], checklist = false) {
  const log = sarif(auditReports(reports, { checklist }), { version: '1.0', language: 'en' })
  return Log.parse(JSON.parse(JSON.stringify(log))).runs[0]
}

test('is well formed for the example of every rule', () => {
  for (const { id, example, isOnRequest } of RULE_CARDS) {
    const beside = example.beside === undefined ? [] : [{ file: 'there.md', text: example.beside }]
    const { results, tool } = written([{ file: 'here.md', text: example.faulty }, ...beside], isOnRequest)
    expect(results.map(({ ruleId }) => ruleId)).toContain(id)
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
  }
})

test('has no results, and still a tool, for a report without faults', () => {
  const { results, tool } = written([{ file: 'a.md', text: '# Nothing\n\nAll is well.\n' }])
  expect(results).toEqual([])
  expect(tool.driver.rules).toEqual([])
})

test('writes file names as URIs', () => {
  const text = 'Accuracy rose from 40.0% to 50.0% (+15%).'
  const [result] = written([{ file: 'my reports\\周报 1.md', text }]).results
  expect(result?.locations[0].physicalLocation.artifactLocation.uri).toBe('my%20reports/%E5%91%A8%E6%8A%A5%201.md')
})

test('knows a finding again when lines are added before it, and tells equal lines apart', () => {
  const fault = 'Accuracy rose from 40.0% to 50.0% (+15%).'
  const marksOf = (text: string) =>
    written([{ file: 'a.md', text }]).results.map(({ partialFingerprints }) => partialFingerprints['klensFinding/v1'])
  const [first, second] = marksOf(`${fault}\n\n${fault}\n`)
  expect(marksOf(`# Title\n\nMore words.\n\n**Accuracy** rose from 40.0% to 50.0% (+15%).\n\n${fault}\n`)).toEqual([
    first,
    second,
  ])
  expect(first).not.toBe(second)
  expect(marksOf('Accuracy rose from 40.0% to 50.0% (+16%).')).not.toContain(first)
})
