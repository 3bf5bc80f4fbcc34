import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/workspace.js'
import { auditReports } from './audit.js'
import { fixPatch } from './findings-output.js'

const REPORT = [
  '# Report',
  '',
  'Accuracy rose from 40.0% to 50.0% (+15%), loss fell from 2.00 to 1.00 (-30%).',
  '',
  'The gain is significant.',
  'A line that ends in spaces.  ',
  '',
  'Over the week it went from 10.0 s to 12.0 s (+40%).',
]

const patchOf = (file: string, raw: string): string => {
  const text = raw.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  const [audited] = auditReports([{ file, text }])
  return audited === undefined ? '' : fixPatch(audited, raw)
}

test.each([
  ['a plain file', `${REPORT.join('\n')}\n`],
  ['a file whose last line has no end', REPORT.join('\n')],
  ['a file of Windows with its mark', `\ufeff${REPORT.join('\r\n')}\r\n`],
])('corrections come as a patch that git applies to %s, of arithmetic alone', (_, raw) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'reports'))
  writeFileSync(join(folder, 'reports/r.md'), raw)
  const input = patchOf('reports/r.md', raw)
  execFileSync('git', ['apply'], { cwd: folder, input })
  const fixed = raw.replace('+15%', '+25%').replace('-30%', '-50%').replace('+40%', '+20%')
  expect(readFileSync(join(folder, 'reports/r.md'), 'utf8')).toBe(fixed)
})

test('a report without wrong figures has no patch', () => {
  expect(patchOf('r.md', 'The gain is significant.\n')).toBe('')
})
