import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/workspace.js'
import { auditReports } from './audit.js'
import { fixPatch } from './fix.js'

const LOGGED = {
  run: 'alpha',
  metric: 'val/reward',
  file: 'alpha.csv',
  canonical: 'val.score',
  goal: 'max',
  isValidation: true,
  steps: [10, 20, 30, 40],
  values: [1.5204, 1.9101, 1.7437, 1.6059],
} as const

const REPORT = [
  '# Report',
  '',
  '| Step | alpha |',
  '|---|---|',
  '| 10 | 1.520 |',
  '| 20 | 1.910 |',
  '| 30 | 1.744 |',
  '| 40 | 1.660 |',
  '',
  'The reward of alpha went 1.520 → 1.910 (+15.7%).',
  'A line that ends in spaces.  ',
  '',
  'The price went from 10.0 to 12.0 (+40%).',
]

const patchOf = (raw: string, logs = true): string => {
  const text = raw.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
  const runs = { logs: { series: [LOGGED], settings: [], verdicts: [] } }
  const [audited] = auditReports([{ file: 'reports/r.md', text }], logs ? runs : {})
  return audited === undefined ? '' : fixPatch(audited, raw)
}

test.each([
  ['a plain file', `${REPORT.join('\n')}\n`],
  ['a file whose last line has no end', REPORT.join('\n')],
  ['a file of Windows with its mark', `\ufeff${REPORT.join('\r\n')}\r\n`],
])('what the log contradicts, and sums of traced figures, come as a patch that git applies to %s', (_, raw) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'reports'))
  writeFileSync(join(folder, 'reports/r.md'), raw)
  execFileSync('git', ['apply'], { cwd: folder, input: patchOf(raw) })
  const fixed = raw.replace('1.660', '1.606').replace('+15.7%', '+25.7%')
  expect(readFileSync(join(folder, 'reports/r.md'), 'utf8')).toBe(fixed)
})

test('arithmetic whose operands no log vouches for is left alone', () => {
  expect(patchOf('The price went from 10.0 to 12.0 (+40%).\n')).toBe('')
  expect(patchOf(REPORT.join('\n'), false)).toBe('')
})
