import { describe, expect, it } from 'vitest'
import { auditReports } from '../src/audit/audit.js'
import { readTokens } from '../src/logs/document/quantity.js'
import { klensInside } from './cli-inside.js'
import { put } from './hostile.js'
import { HOSTILE_SHAPES } from './support/hostile-reports.js'
import { baitFor, patternsIn } from './support/patterns.js'
import { temporaryFolder } from './workspace.js'

/** Reports made to exhaust, confuse or crash the audit. A hang is a failure by the test's own time limit. */

function findingsIn(text: string) {
  const [{ findings }] = auditReports([{ file: 'report.md', text }])
  return findings
}

function errorsIn(text: string): readonly string[] {
  return findingsIn(text).flatMap(({ severity, rule }) => (severity === 'error' ? [rule] : []))
}

/**
 * A sixth of the length that test/long/hostile-audit.test.ts tries, in a thirty-sixth of its time: work that grows with the
 * square of the length fails in both or in neither. In seconds of the processor, since other tests run beside this one; an
 * audit of so much takes a fortieth of one.
 */
const LENGTH = 10_000
const LIMIT = 60 / 36

describe('an audit ends, whatever the report repeats', () => {
  for (const [name, shape] of HOSTILE_SHAPES) {
    it(name, { timeout: 60_000 }, () => {
      const before = process.cpuUsage()
      expect(findingsIn(shape(LENGTH))).toBeDefined()
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1e6).toBeLessThan(LIMIT)
    })
  }
})

/** As long as a statement can be. */
const LONGEST_BAIT = 4_000
/** A few dozen repetitions one by one show exponential time before it hangs the test; length shows the rest. */
const REPETITIONS = [8, 12, 16, 20, 24, 28, 32, 36, 40]

it('no pattern of the audit hangs on bait made for it', { timeout: 120_000 }, async () => {
  const patterns = patternsIn(new URL('../src/audit', import.meta.url).pathname)
  for (const { pattern } of patterns) {
    for (const unit of baitFor(pattern)) {
      for (const count of [...REPETITIONS, LONGEST_BAIT / unit.length]) pattern.test(`${unit.repeat(count)}!`)
    }
  }
})

it('reads numbers that never end', { timeout: 60_000 }, async () => {
  for (const unit of ['1', '1,', '123,', '1.', '1e', '+', 'a1', 'step ', 'step 1 to ', '20240101_', '1 - ', '第1']) {
    expect(readTokens(unit.repeat(100_000 / unit.length)).quantities).toBeDefined()
  }
})

describe('what is no report has no findings', () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * index * 31 + (index >> 3)) % 256)

  it.each([
    ['an empty file', ''],
    ['a byte-order mark', '\uFEFF'],
    ['one line break', '\n'],
    ['binary data', Buffer.from(bytes).toString('utf8')],
    ['binary data as Latin letters', Buffer.from(bytes).toString('latin1')],
    ['HTML and script', '<html><script>if (1 < 2) { best = 3 > 4 }</script><td>5</td></html>\n'.repeat(500)],
    ['a header without rows', '| step | best | diff |\n|---|---|---|\n'],
    ['a table of empty cells', `| step | A | diff |\n|---|---|---|\n${'| | | |\n'.repeat(50)}`],
  ])('%s', async (_, text) => {
    expect(findingsIn(text)).toEqual([])
  })

  it('and the command line says of binary data that it is no text', async () => {
    const folder = temporaryFolder()
    put(folder, 'empty.md', '')
    put(folder, 'binary.md', bytes)
    expect(await klensInside(folder, ['audit', 'empty.md'])).toMatchObject({ code: 0, error: '' })
    const { code, error } = await klensInside(folder, ['audit', 'binary.md', '--lang', 'en'])
    expect(code).toBe(2)
    expect(error).toContain('binary.md is not a text file')
  })
})

it('reads two megabytes, and finds the fault at their end', { timeout: 120_000 }, async () => {
  const filler = 'The run was repeated. 训练在同一台机器上进行，没有其他变化。\n\n'
  const fault =
    '| step | A | B | diff |\n|---|---|---|---|\n| 5 | 1.818 | 1.695 | -0.123 |\n| 10 | 1.902 | 1.911 | +0.009 |\n| 15 | 1.934 | 1.951 | +0.017 |\n| 20 | 2.011 | 1.955 | -0.056 |\n| 25 | 2.140 | 1.992 | -0.184 |\n'
  const text = filler.repeat(800_000 / Buffer.byteLength(filler)) + fault
  const [{ rule, line }] = findingsIn(text).filter(({ severity }) => severity === 'error')
  expect({ rule, line }).toEqual({ rule: 'difference-column', line: text.split('\n').length - 1 })
})

it('knows the place of a fault at the end of one endless line', async () => {
  const text = `${'👍 '.repeat(100_000)}From 1.00 to 2.00 (+30%).`
  const [finding] = findingsIn(text).filter(({ rule }) => rule === 'percent-change')
  expect(finding?.line).toBe(1)
  expect(finding?.column).toBe([...text].length - '+30%).'.length + 1)
})

describe('sound figures in odd dress are not called wrong', () => {
  it.each([
    ['full-width digits and punctuation', '准确率从５０．０％提升到５５．０％（＋１０．０％）。'],
    ['thousands separators', 'Tokens rose from 12,000 to 18,000 (+50%), a difference of 6,000.'],
    ['percentage points', 'Accuracy rose from 50.0% to 55.0%, a gain of 5.0 percentage points (10%).'],
    ['ranges with an en dash', 'Step time went from 193–205 s to 205–220 s (+12–15 s).'],
    [
      'minus signs of typography',
      '| step | A | B | diff |\n|---|---|---|---|\n| 5 | 2.0 | 1.5 | −0.5 |\n| 10 | 2.2 | 2.4 | +0.2 |',
    ],
    ['LaTeX', 'Accuracy rose from $50.0\\%$ to $\\textbf{55.0}\\%$ ($+10.0\\%$).'],
    [
      'units behind every number',
      '| | A | B | diff |\n|---|---|---|---|\n| time | 10 s | 15 s | +5 s |\n| loss | 2.0 | 1.0 | -50% |',
    ],
    [
      'ragged rows',
      '| step | A | B | diff |\n|---|---|---|---|\n| 5 | 2.0 |\n| 10 | 2.2 | 2.4 | 0.2 | 7 | 8 |\n| 15 |\n',
    ],
    [
      'HTML in cells',
      '| step | A | B | diff |\n|---|---|---|---|\n| 5 | <b>2.0</b> | 1.5<br> | <sub>-0.5</sub> |\n| 10 | 2.2 | 2.4 | 0.2 |',
    ],
    ['ten thousand columns', `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n|${'1.5|'.repeat(10_000)}\n`],
  ])('%s', async (_, text) => {
    expect(errorsIn(text)).toEqual([])
  })

  it('and wrong ones are, in the same dress', async () => {
    expect(errorsIn('奖励从２．００提升到３．００（＋２０．０％）。')).toContain('percent-change')
    expect(errorsIn('Tokens rose from 12,000 to 18,000 (+20%).')).toContain('percent-change')
    expect(errorsIn('Reward rose from $2.00$ to $3.00$ ($+20.0\\%$).')).toContain('percent-change')
  })
})
