import { appendFileSync, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answerTo } from '../../../test/ask.js'
import { sharedFolder, sharedWorkspace, temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { importLogs } from '../../core/store/ingest.js'
import { audit } from './audit.js'
import { ask } from './question.js'
import { report, reports, savedReport } from './report.js'

/** Reports of every kind, in both languages, from the shipped examples. */

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url))
const EXACT = 'val-aux/addition/exact/mean@1'
const BETAS = ['kl-0.12', 'kl-0.145', 'kl-0.15', 'kl-0.155', 'kl-0.18']

/** Every kind and both languages; all kinds in both, of many more runs: test/long/own-reports.test.ts. */
const KINDS = {
  pair: { runs: ['no-kl', 'kl'], margin: '5%' },
  'pair-of-settings': { runs: ['kl-0.0/*', 'kl-0.3/*'], languages: ['zh'] },
  'pair-of-checkpoints': { runs: ['kl-0.0/seed0@100', 'kl-0.0/seed0@400'], metric: EXACT, languages: ['en'] },
  run: { runs: ['sick-length-bonus/seed0'], languages: ['zh'] },
  'run-by-its-loss': { runs: ['plan-six'], metric: 'Val Loss', languages: ['zh'] },
  sweep: { runs: ['kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*'], languages: ['zh'] },
  decision: { runs: ['kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*'], decide: 'score', languages: ['en'] },
  'sweep-with-copies': { runs: BETAS, over: ['kl.loss.coef'], languages: ['en'] },
}

describe('report', () => {
  const workspace = sharedWorkspace(
    ...['grpo-addition', 'userrl-intentiongym', 'kl-beta-sweep', 'plan-six'].map(name => join(EXAMPLES, name)),
  )
  const folder = sharedFolder()
  const place = (file: string): string => join(folder, file)
  const written = (file: string): string => readFileSync(place(file), 'utf8')

  it('is told as blocks to whoever shows it themselves, and writes no file', async () => {
    const told = await answerTo(workspace(), report, { runs: ['no-kl', 'kl'], write: false })
    expect(told.files).toEqual([])
    expect(new Set(told.blocks?.map(({ kind }) => kind))).toEqual(
      new Set(['headline', 'heading', 'paragraph', 'list', 'table', 'pairs', 'verdict', 'section', 'chart', 'command']),
    )
  })

  it('is kept in the workspace as it was written, under no path', async () => {
    const asked = { runs: ['no-kl', 'kl'], margin: '5%', lang: 'zh' }
    await answerTo(workspace(), report, { ...asked, output: place('first.html') })
    await answerTo(workspace(), report, { ...asked, output: place('kept.html'), margin: '10%' })
    await answerTo(workspace(), report, { ...asked, output: place('kept.html') })
    const { reports: known } = await answerTo(workspace(), reports, {})
    expect(known.map(({ file }) => file)).toEqual(['kept.html', 'first.html'])
    expect(known[0]).toMatchObject({ language: 'zh', runs: ['no-kl', 'kl'], margin: '5%' })
    const { blocks, text, title } = await answerTo(workspace(), savedReport, { id: known[0].id })
    const anew = await answerTo(workspace(), report, { ...asked, write: false })
    expect(title).toBe(anew.title)
    expect(blocks.filter(({ kind }) => kind === 'table')).toEqual(anew.blocks?.filter(({ kind }) => kind === 'table'))
    expect(JSON.stringify({ known, text })).not.toContain(folder)
    await expect(ask(workspace(), savedReport, { id: '../../run' })).rejects.toMatchObject({ code: 'not-found' })
  })

  it('writes what its own audit finds nothing in, whatever the kind and the language', async () => {
    const reports: string[] = []
    for (const [name, { languages = ['en', 'zh'], ...input }] of Object.entries<{
      runs: string[]
      languages?: string[]
    }>(KINDS)) {
      for (const lang of languages) {
        const output = place(`${name}.${lang}.${lang === 'zh' ? 'html' : 'md'}`)
        const { files } = await answerTo(workspace(), report, { ...input, output, lang })
        expect(files[0]).toBe(output)
        reports.push(output)
      }
    }
    const { files } = await answerTo(workspace(), audit, { reports })
    expect(files.filter(({ findings }) => findings.length > 0)).toEqual([])
    expect(files.every(({ quantities }) => quantities > 20)).toBe(true)
    const some = ['pair.en.md', 'run.zh.html', 'sweep.zh.html', 'pair-of-checkpoints.en.md'].map(place)
    const traced = await answerTo(workspace(), audit, { reports: some, data: ['*'] })
    expect(traced.files.flatMap(({ findings }) => findings)).toEqual([])
    for (const { ledger } of traced.files) {
      const open = ledger?.filter(({ state }) => state !== 'traced' && state !== 'derived')
      expect([open, (ledger?.length ?? 0) > 20]).toEqual([[], true])
    }
  }, 120_000)

  it('is byte for byte the same for the same data, pictures included', async () => {
    const ask = () => answerTo(workspace(), report, { ...KINDS.pair, output: place('twice.md') })
    const { files } = await ask()
    expect(files.map(file => file.slice(folder.length + 1))).toEqual(
      expect.arrayContaining(['twice.md', 'twice-charts/curves.svg', 'twice-charts/difference-1.svg']),
    )
    const before = files.map(file => readFileSync(file, 'utf8'))
    await ask()
    expect(files.map(file => readFileSync(file, 'utf8'))).toEqual(before)
  })

  it('begins with the answer, the next step and what not to conclude', async () => {
    await answerTo(workspace(), report, { ...KINDS.pair, output: place('first.md') })
    const [title, answer, , next] = written('first.md').split('\n\n')
    expect(title).toBe('# kl vs no-kl')
    expect(answer).toMatch(
      /^\*\*9 evaluations are too few to separate the two runs\.\*\* .*0\.031 below no-kl.*−0\.220 to \+0\.159/,
    )
    expect(next).toContain('84 more than were used here')
    expect(written('first.md')).toContain('klens report no-kl kl --margin 5% -o first.md')
    await answerTo(workspace(), report, { runs: ['no-kl', 'kl'], output: place('first.zh.md'), lang: 'zh' })
    expect(written('first.zh.md')).toContain('仅凭 9 次验证，分不出这两个 run 孰优孰劣。')
  })

  it('is one page on what to ship and what to run next where that is asked', async () => {
    const runs = ['kl-0.0/*', 'kl-0.3/*']
    await answerTo(workspace(), report, { runs, decide: 'score', output: place('ship.md') })
    expect(written('ship.md')).toMatch(
      /^# What to ship, and what to run next\n\n\*\*Ship kl-0\.0\/seed2 at step 395\.\*\*/,
    )
    expect(written('ship.md')).toContain(`klens report 'kl-0.0/*' 'kl-0.3/*' --decide score -o ship.md`)
    await answerTo(workspace(), report, { runs, decide: 'cost', output: place('ship.zh.md'), lang: 'zh' })
    expect(written('ship.zh.md')).toContain('**无从得知一个 run 的成本，因此无法指出哪个配置最便宜。**')
  })

  it('is one file of HTML with the pictures inside, that asks nobody for anything', async () => {
    const input = { runs: ['kl-0.0/*', 'kl-0.3/*'], output: place('one.html'), date: '2026-01-31' }
    expect((await answerTo(workspace(), report, input)).files).toEqual([place('one.html')])
    const html = written('one.html')
    expect(html.match(/<svg/g)?.length).toBeGreaterThanOrEqual(4)
    expect(html).not.toMatch(/<script|src=|href=|url\((?!#)/)
    expect(html).toContain('As of 2026-01-31.')
    expect(html).toMatch(/title="[^"]+at step 400"/)
  })

  it('says what changed when the log has grown since', async () => {
    const own = await temporaryWorkspace()
    const logs = join(temporaryFolder(), 'logs')
    cpSync(join(EXAMPLES, 'userrl-intentiongym'), logs, { recursive: true })
    const output = join(logs, '..', 'living.md')
    await answerTo(own, report, { runs: [join(logs, 'no-kl'), join(logs, 'kl')], output })
    for (const run of ['no-kl', 'kl']) {
      const row = { step: 50, data: { 'val-core/interact_intention/reward/mean@1': 2.1 } }
      appendFileSync(join(logs, run, 'metrics.jsonl'), `${JSON.stringify(row)}\n`)
    }
    await importLogs(own, [logs])
    await answerTo(own, report, { runs: ['no-kl', 'kl'], output })
    expect(readFileSync(output, 'utf8')).toContain('1 evaluation was added (9 then, 10 now).')
  })

  it.each([
    ['another format', { runs: ['kl'], output: 'x.pdf' }, { key: 'report.bad-output' }],
    ['another date', { runs: ['kl'], date: 'today' }, { key: 'report.bad-date', params: { value: 'today' } }],
    ['a run of which there is none', { runs: ['nobody'] }, { key: 'run.unknown' }],
    ['replicates without anything to compare them with', { runs: ['kl-0.0/*'] }, { key: 'compare.needs-two' }],
  ])('refuses %s', async (_, input, sentence) => {
    await expect(answerTo(workspace(), report, input)).rejects.toMatchObject({ sentence })
  })
})
