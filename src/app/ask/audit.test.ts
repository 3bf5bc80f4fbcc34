import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedFolder, sharedWorkspace, temporaryFolder } from '../../../test/workspace.js'
import { audit, auditRules } from './audit.js'
import { report } from './report.js'

/** A report against the logs of its own two runs. */

const EXAMPLE = fileURLToPath(new URL('../../../examples/userrl-intentiongym', import.meta.url))

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

const workspace = sharedWorkspace(join(EXAMPLE, 'kl'), join(EXAMPLE, 'no-kl'))
const path = join(sharedFolder(), 'report.md')
beforeAll(() => writeFileSync(path, REPORT))

const findingsIn = async (report: string, ...data: string[]) => {
  const { files } = await answerTo(workspace(), audit, { reports: [report], data })
  return files[0].findings
}

describe('audit with the runs that a report is about', () => {
  const both = ['no-kl', 'kl']

  it('reads a text that is no file like the file', async () => {
    const texts = [{ name: 'dropped.md', text: `\ufeff${REPORT.replaceAll('\n', '\r\n')}` }]
    const { files } = await answerTo(workspace(), audit, { texts, data: both })
    expect(files).toMatchObject([{ file: 'dropped.md' }])
    expect(files[0].findings).toEqual(await findingsIn(path, ...both))
  })

  it('finds the one figure that the log does not have, under whatever name the report prints the run', async () => {
    const values = (await findingsIn(path, ...both)).filter(({ rule }) => rule === 'data-value')
    expect(values).toMatchObject([{ line: 7, kind: 'data', severity: 'error', found: '1.786', expected: '1.768' }])
  })

  it('answers claims by the comparison of the two runs, and leaves what is only supposed', async () => {
    const verdicts = (await findingsIn(path, ...both)).filter(({ rule }) => rule === 'data-verdict')
    expect(verdicts.map(({ line, expected }) => [line, expected])).toEqual([[13, 'undetermined']])
  })

  it('says nothing of the logs where no run is named, and judges no claim by one run alone', async () => {
    expect((await findingsIn(path)).filter(({ kind }) => kind === 'data')).toEqual([])
    const single = (await findingsIn(path, 'kl')).filter(({ kind }) => kind === 'data')
    expect(single.map(({ rule }) => rule)).toEqual(['data-value'])
  })

  it('sets estimates against what was measured, as a warning', async () => {
    const found = (await findingsIn(join(EXAMPLE, 'estimates.md'), ...both)).filter(({ rule }) => rule === 'data-value')
    expect(found.map(({ line, severity, expected }) => [line, severity, expected])).toEqual([
      [8, 'warning', '2.14'],
      [9, 'warning', '1.84'],
      [10, 'warning', '1.83'],
      [11, 'warning', '1.75'],
      [12, 'warning', '1.79'],
      [13, 'warning', '2.04'],
      [14, 'warning', '2.00'],
    ])
  })
})

describe('audit of a report that klens wrote', () => {
  const both = ['no-kl', 'kl']
  const place = join(sharedFolder(), 'own.md')
  beforeAll(() => answerTo(workspace(), report, { runs: both, output: place }))
  const changed = async (change: (text: string) => string, data: readonly string[] = both) => {
    const texts = [{ name: 'own.md', text: change(readFileSync(place, 'utf8')) }]
    const { files } = await answerTo(workspace(), audit, { texts, data })
    const [{ findings, ledger }] = files
    const open = ledger?.filter(({ state }) => state === 'contradicted' || state === 'untraced') ?? []
    return { findings: findings.map(({ found, expected }) => [found, expected]), open: open.map(({ text }) => text) }
  }

  it('makes the report again: a figure that was doctored is told with the right one, once', async () => {
    expect(await changed(text => text)).toEqual({ findings: [], open: [] })
    expect(await changed(text => text.replace('1.768', '1.786'))).toEqual({
      findings: [['1.786', '1.768']],
      open: ['1.786'],
    })
    expect(await changed(text => text.replace('× 1.11', '× 1.71'))).toMatchObject({ findings: [['1.71', '1.11']] })
  })

  it('believes nothing that the report says of its sources', async () => {
    const { findings, open } = await changed(text => text.replace('"metric":"val.score"', '"metric":"actor/entropy"'))
    expect([findings.length > 0 || open.length > 20, open.length > 0]).toEqual([true, true])
    const swapped = await changed(text => text.replace('"runs":[0]', '"runs":[1]'))
    expect(swapped.findings.length + swapped.open.length).toBeGreaterThan(10)
  })

  it('traces nothing to runs that are not given', async () => {
    expect((await changed(text => text, ['kl'])).open.length).toBeGreaterThan(20)
  })
})

describe('audit', () => {
  it('gives the same findings as SARIF where it is asked for', async () => {
    const { files, sarif } = await answerTo(workspace(), audit, { reports: [path], sarif: true })
    expect(sarif).toMatchObject({
      version: '2.1.0',
      runs: [{ results: files[0].findings.map(({ rule, message }) => ({ ruleId: rule, message: { text: message } })) }],
    })
  })

  it('lists what it looks for', async () => {
    const { rules } = await answerTo(workspace(), auditRules, {})
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    expect(rules.filter(({ example }) => example.faulty !== '').length).toBeGreaterThan(15)
  })

  it.each([
    ['nothing', [], { key: 'audit.needs-file' }],
    ['a file that is not there', ['/nowhere.md'], { key: 'audit.no-file', params: { path: '/nowhere.md' } }],
    ['a folder', [EXAMPLE], { key: 'audit.unreadable' }],
  ])('refuses %s', async (_, reports, sentence) => {
    await expect(answerTo(workspace(), audit, { reports })).rejects.toMatchObject({ sentence })
  })
})

describe('audit of what is no report', () => {
  it('refuses a file that would not fit into memory as a document, and a device without an end', async () => {
    const huge = join(temporaryFolder(), 'huge.md')
    writeFileSync(huge, '')
    truncateSync(huge, 60_000_000)
    await expect(findingsIn(huge)).rejects.toMatchObject({ sentence: { key: 'audit.too-large' } })
    await expect(findingsIn('/dev/zero')).rejects.toMatchObject({ sentence: { key: 'audit.binary' } })
  })
})
