import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { klens, klensJson } from './cli.js'

/** A report against the logs of its own two runs. */

const EXAMPLE = fileURLToPath(new URL('../examples/userrl-intentiongym', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'klens-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Finding {
  readonly rule: string
  readonly kind: string
  readonly severity: string
  readonly line: number
  readonly found: string
  readonly expected: string
}

const REPORT = `# Reward of two runs

| Step | base | with penalty |
|---|---|---|
| 5 | 1.818 | 1.695 |
| 10 | 2.140 | 1.992 |
| 15 | 1.840 | 1.786 |
| 20 | 1.830 | 1.915 |
| 25 | 1.750 | 1.970 |
| 30 | 1.788 | 1.828 |

The run with penalty is more stable.
The penalty costs nothing: both runs perform about the same.
If more steps are run, the penalty may be better.
`

function audited(path: string, ...words: readonly string[]): readonly Finding[] {
  const { out, error } = klens(folder, ['audit', path, '--json', ...words])
  expect(error).toBe('')
  const { files }: { files: readonly { readonly findings: readonly Finding[] }[] } = JSON.parse(out)
  return files[0].findings
}

beforeAll(() => {
  klensJson(folder, ['import', join(EXAMPLE, 'kl'), join(EXAMPLE, 'no-kl')])
  writeFileSync(join(folder, 'report.md'), REPORT)
})

describe('klens audit --data', () => {
  const both = ['--data', 'no-kl', '--data', 'kl']

  it('finds the one figure that the log does not have, under whatever name the report prints the run', () => {
    const values = audited('report.md', ...both).filter(({ rule }) => rule === 'data-value')
    expect(values).toMatchObject([
      { line: 7, kind: 'data', severity: 'error', found: '1.786', expected: expect.stringMatching(/^1\.768$/) },
    ])
  })

  it('answers claims by the comparison of the two runs, and leaves what is only supposed', () => {
    const verdicts = audited('report.md', ...both).filter(({ rule }) => rule === 'data-verdict')
    expect(verdicts.map(({ line, expected }) => [line, expected])).toEqual([
      [12, 'undetermined'],
      [13, 'undetermined'],
    ])
  })

  it('says nothing of the logs without --data, and judges no claim by one run alone', () => {
    expect(audited('report.md').filter(({ kind }) => kind === 'data')).toEqual([])
    const single = audited('report.md', '--data', 'kl').filter(({ kind }) => kind === 'data')
    expect(single.map(({ rule }) => rule)).toEqual(['data-value'])
  })

  it('sets estimates against what was measured, as a warning', () => {
    const found = audited(join(EXAMPLE, 'estimates.md'), ...both).filter(({ rule }) => rule === 'data-value')
    expect(found.map(({ line, severity, expected }) => [line, severity, expected])).toEqual([
      [8, 'warning', '2.14'],
      [9, 'warning', '1.84'],
      [10, 'warning', '1.83'],
      [11, 'warning', '1.75'],
      [12, 'warning', '1.788'],
      [13, 'warning', '2.04'],
      [14, 'warning', '2.003'],
    ])
  })

  it('ends with 1 for a wrong figure and with 0 for warnings alone', () => {
    expect(klens(folder, ['audit', 'report.md', ...both]).code).toBe(1)
    expect(klens(folder, ['audit', join(EXAMPLE, 'estimates.md'), ...both]).code).toBe(0)
  })
})
