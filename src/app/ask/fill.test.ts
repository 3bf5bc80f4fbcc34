import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { klensInside } from '../../../test/cli-inside.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import type { Workspace } from '../../core/store/workspace.js'
import { audit } from './audit.js'
import { fill } from './fill.js'
import { parseReference } from './fill-reference.js'
import { report } from './report.js'

/** Two settings of three seeds whose order turns round in the second half. */
function writeLogs(folder: string, last: number): void {
  for (const [setting, level] of [['kl-0.0', 0.5] as const, ['kl-0.1', 0.6] as const]) {
    for (const seed of [0, 1, 2]) {
      const place = join(folder, 'runs', setting, `seed${seed}`)
      mkdirSync(place, { recursive: true })
      writeFileSync(
        join(place, 'config.json'),
        JSON.stringify({ algorithm: { kl_coef: Number(setting.slice(3)) }, seed }),
      )
      const lines = Array.from({ length: last / 10 }, (_, i) => {
        const step = 10 * (i + 1)
        const value = (step > 400 ? 1.1 - level : level) + 0.01 * Math.sin(7 * i + seed)
        return JSON.stringify({ step, 'val/reward': Number(value.toFixed(4)) })
      })
      writeFileSync(join(place, 'metrics.jsonl'), `${lines.join('\n')}\n`)
    }
  }
}

async function project(text: string, last = 400) {
  const folder = temporaryFolder()
  writeLogs(folder, last)
  const workspace = await temporaryWorkspace()
  await importLogs(workspace, [join(folder, 'runs')])
  const path = join(folder, 'report.md')
  writeFileSync(path, text)
  return { folder, workspace, path, read: () => readFileSync(path, 'utf8') }
}

const states = async (workspace: Workspace, path: string, more = {}) =>
  (await answerTo(workspace, fill, { report: path, ...more })).references.map(({ state }) => state)

const REPORT = `{{show kl-0.1/seed0 val.score last : 3}} at the end, {{show kl-0.1/seed0 val.score @10 : 1%}} at first.

| setting | last |
|---|---|
| 0.1 | {{show kl-0.1/* val.score last : 3}} |

KL helps: {{compare kl-0.0/* kl-0.1/* final estimate}}.

\`{{show RUN METRIC}}\` is how it is written.
`

describe('fill', () => {
  it('puts figures in with their sources, leaves code alone, and finds them the same again', async () => {
    const { workspace, path, read } = await project(REPORT)
    expect(await states(workspace, path)).toEqual(['filled', 'filled', 'filled', 'filled'])
    const text = read()
    expect(text).toMatch(
      /^0\.6\d\d<!-- klens: show kl-0\.1\/seed0 val\.score last : 3 = 0\.6\d\d --> at the end, 6\d\.\d%</,
    )
    expect(text).toMatch(/\| 0\.1 \| 0\.\d{3} ± 0\.\d{3}<!-- /)
    expect(text).toMatch(/KL helps: \+0\.1\d*<!-- klens: compare .* \[better\] -->\./)
    expect(text).toContain('`{{show RUN METRIC}}` is how it is written.')
    expect(await states(workspace, path)).toEqual(['same', 'same', 'same', 'same'])
    expect(read()).toBe(text)
  })

  it('updates figures after new data, and leaves a verdict that turned to its author', async () => {
    const { folder, workspace, path, read } = await project(REPORT)
    await states(workspace, path)
    const before = read()
    writeLogs(folder, 800)
    await importLogs(workspace, [join(folder, 'runs')])
    expect(await states(workspace, path, { check: true })).toEqual(['changed', 'same', 'changed', 'turned'])
    expect(read()).toBe(before)
    expect(await states(workspace, path)).toEqual(['changed', 'same', 'changed', 'turned'])
    expect(read()).toMatch(/KL helps: \+0\.1\d*<!-- klens: compare .* \[better\] -->/)
    expect(await states(workspace, path, { accept: true })).toEqual(['same', 'same', 'same', 'changed'])
    expect(read()).toMatch(/KL helps: −0\.\d*<!-- klens: compare .* \[worse\] -->/)
  })

  it('tells of a figure that was changed by hand, and of references that lead nowhere', async () => {
    const { workspace, path, read } = await project(
      'A {{show kl-0.1/seed0 val.score last : 3}} B\n\n{{show nobody val.score last}} {{show kl-0.1/seed0 val.score soon}}\n',
    )
    await states(workspace, path)
    writeFileSync(path, read().replace(/A 0\.\d+/, 'A 0.999'))
    expect(await states(workspace, path)).toEqual(['edited', 'failed', 'failed'])
    expect(read()).toContain('A 0.999<')
    await states(workspace, path, { accept: true })
    expect(read()).toMatch(/^A 0\.6\d\d<!-- klens: show kl-0\.1\/seed0 val\.score last : 3 = 0\.6\d\d --> B\n/)
  })

  it('refreshes the verdicts of a report that klens wrote, and its comments are no words of the report', async () => {
    const { folder, workspace } = await project('')
    const output = join(folder, 'own.md')
    await answerTo(workspace, report, { runs: ['kl-0.0/*', 'kl-0.1/*'], output })
    const written = await states(workspace, output)
    expect(written.length).toBeGreaterThan(3)
    expect(new Set(written)).toEqual(new Set(['same']))
    const { files } = await answerTo(workspace, audit, { reports: [output], data: ['kl-0.0/*', 'kl-0.1/*'] })
    expect(files[0].findings).toEqual([])
    expect(files[0].ledger?.filter(({ state }) => state === 'untraced' || state === 'contradicted')).toEqual([])
    writeLogs(folder, 800)
    await importLogs(workspace, [join(folder, 'runs')])
    expect(await states(workspace, output)).toContain('turned')
  })

  it('exits with 1 for what is wrong, and with --check for what is old', async () => {
    const folder = temporaryFolder()
    writeLogs(folder, 400)
    writeFileSync(join(folder, 'r.md'), '{{show kl-0.1/seed0 val.score last : 3}}\n')
    await klensInside(folder, ['import', 'runs'])
    expect(await klensInside(folder, ['fill', 'r.md', '--check'])).toMatchObject({ code: 1 })
    expect(await klensInside(folder, ['fill', 'r.md'])).toMatchObject({ code: 0 })
    expect(await klensInside(folder, ['fill', 'r.md', '--check'])).toMatchObject({ code: 0 })
    expect(await klensInside(folder, ['fill', 'none.md'])).toMatchObject({ code: 2 })
  })
})

describe('a reference', () => {
  it('names runs in quotation marks, a question, a part and options', () => {
    expect(parseReference('compare "my run" b+c level interval --metric val.score --margin 5%', 'en')).toMatchObject({
      sides: ['my run', 'b+c'],
      asked: 'level',
      part: 'interval',
      metric: 'val.score',
      margin: '5%',
    })
    expect(parseReference('show a loss : 2%', 'en')).toMatchObject({
      part: 'last',
      format: { decimals: 2, isPercent: true },
    })
  })

  it.each([
    'show a',
    'show a b last first',
    'compare a b sometimes',
    'compare a b --colour red',
    'compare a b --metric',
  ])('is refused as %s', text => {
    expect(() => parseReference(text, 'en')).toThrow(/bad-reference/)
  })
})
