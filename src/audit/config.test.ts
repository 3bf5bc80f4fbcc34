import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/workspace.js'
import { auditReports } from './audit.js'
import { readBaseline, writeBaseline } from './baseline.js'
import { findAuditConfig, readAuditConfig } from './config.js'

const FAULT = 'Accuracy rose from 40.0% to 50.0% (+15%).'
const REPORT = `# Report\n\n${FAULT}\n\n## Appendix A\n\n### Tables\n\n12/80 (25.0%) failed.\n`

function written(content: unknown): string {
  const path = join(temporaryFolder(), 'klens-audit.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function auditedWith(content: unknown) {
  const config = await readAuditConfig(written(content))
  const [file] = auditReports([{ file: 'r.md', text: REPORT }], { config })
  return file?.findings.map(({ rule, severity }) => [rule, severity])
}

test('a rule is switched off or given another severity', async () => {
  expect(await auditedWith({})).toEqual([
    ['percent-change', 'error'],
    ['wrong-share', 'error'],
  ])
  expect(await auditedWith({ rules: { 'percent-change': 'off', 'wrong-share': 'note' } })).toEqual([
    ['wrong-share', 'note'],
  ])
})

test('a section is left out with all that stands below it', async () => {
  expect(await auditedWith({ sections: { skip: ['appendix*'] } })).toEqual([['percent-change', 'error']])
})

test.each([
  ['no JSON', 'rules: off', /audit.bad-config/],
  ['a member that nobody knows', { ruels: {} }, /audit.bad-config/],
  ['a severity that nobody knows', { rules: { 'wrong-share': 'fatal' } }, /audit.bad-config/],
  ['a rule that does not exist', { rules: { 'wrong-shares': 'off' } }, /wrong-shares/],
])('%s is refused', async (_, content, said) => {
  await expect(readAuditConfig(written(content))).rejects.toThrow(said)
})

test('the nearest configuration counts, and none beyond the repository', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'repo/.git'), { recursive: true })
  mkdirSync(join(root, 'repo/docs/deep'), { recursive: true })
  writeFileSync(join(root, 'klens-audit.json'), '{}')
  expect(await findAuditConfig(join(root, 'repo/docs/deep'))).toBeNull()
  writeFileSync(join(root, 'repo/klens-audit.json'), '{}')
  expect(await findAuditConfig(join(root, 'repo/docs/deep'))).toBe(join(root, 'repo/klens-audit.json'))
})

test('a baseline hides what it holds, wherever its line has moved, and nothing new', async () => {
  const path = join(temporaryFolder(), 'baseline.json')
  await writeBaseline(path, auditReports([{ file: './docs/r.md', text: REPORT }]))
  expect(JSON.parse(readFileSync(path, 'utf8')).files['docs/r.md']).toHaveLength(2)
  const text = `# New title\n\nMore.\n\n${REPORT}\nScore 1.00 → 2.00 (+30%).\n`
  const known = auditReports([{ file: 'docs/r.md', text }]).map(await readBaseline(path))
  expect(known.map(one => [one.known, one.findings.map(({ found }) => found)])).toEqual([[2, ['+30%']]])
})

test('a baseline that is missing or broken is refused', async () => {
  await expect(readBaseline(join(temporaryFolder(), 'none.json'))).rejects.toThrow(/baseline/)
  await expect(readBaseline(written({ version: 2 }))).rejects.toThrow(/baseline/)
})
