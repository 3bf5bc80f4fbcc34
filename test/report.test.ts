import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { klens, klensJson } from './cli.js'
import { temporaryFolder } from './workspace.js'

/** Reports as a user gets them, of every kind, in both languages, from the shipped examples. */

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))

/** Each kind in both languages; variants of a kind in one. */
const KINDS: readonly (readonly [name: string, words: readonly string[], languages?: readonly string[]])[] = [
  ['pair', ['no-kl', 'kl', '--margin', '5%']],
  ['pair of settings', ['kl-0.0/*', 'kl-0.3/*'], ['zh']],
  [
    'pair of checkpoints',
    ['kl-0.0/seed0@100', 'kl-0.0/seed0@400', '--metric', 'val-aux/addition/exact/mean@1'],
    ['en'],
  ],
  ['run', ['sick-length-bonus/seed0']],
  ['run by its loss', ['plan-six', '--metric', 'Val Loss'], ['zh']],
  ['sweep', ['kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*']],
  ['sweep with copies', ['kl-0.12', 'kl-0.145', 'kl-0.15', 'kl-0.155', 'kl-0.18', '--over', 'kl.loss.coef'], ['en']],
]

describe('klens report', () => {
  const folder = mkdtempSync(join(tmpdir(), 'klens-report-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeAll(() => {
    klensJson(folder, [
      'import',
      ...['grpo-addition', 'userrl-intentiongym', 'kl-beta-sweep', 'plan-six'].map(name => join(EXAMPLES, name)),
    ])
  })
  const written = (name: string): string => readFileSync(join(folder, name), 'utf8')

  it('writes what its own audit finds nothing in, whatever the kind and the language', () => {
    const files = KINDS.flatMap(([name, words, languages = ['en', 'zh']]) =>
      languages.map(lang => {
        const file = `${name.replaceAll(' ', '-')}.${lang}.md`
        const { code, error } = klens(folder, ['report', ...words, '-o', file, '--lang', lang])
        expect([code, error]).toEqual([0, ''])
        return file
      }),
    )
    const audit = klensJson<{ files: { file: string; findings: object[]; quantities: number }[] }>(folder, [
      'audit',
      ...files,
    ])
    expect(audit.files.filter(({ findings }) => findings.length > 0)).toEqual([])
    expect(audit.files.every(({ quantities }) => quantities > 20)).toBe(true)
  }, 120_000)

  it('is byte for byte the same for the same data, pictures included', () => {
    const [, words] = KINDS[0]
    klens(folder, ['report', ...words, '-o', 'twice.md'])
    const before = ['twice.md', 'twice-charts/curves.svg', 'twice-charts/difference-1.svg'].map(written)
    klens(folder, ['report', ...words, '-o', 'twice.md'])
    expect(['twice.md', 'twice-charts/curves.svg', 'twice-charts/difference-1.svg'].map(written)).toEqual(before)
  })

  it('begins with the answer, the next step and what not to conclude', () => {
    klens(folder, ['report', 'no-kl', 'kl', '--margin', '5%', '-o', 'first.md'])
    const [title, answer, , next] = written('first.md').split('\n\n')
    expect(title).toBe('# kl against no-kl')
    expect(answer).toMatch(
      /^\*\*9 evaluations cannot tell the two runs apart\.\*\* .*0\.031 below no-kl.*−0\.220 to \+0\.159/,
    )
    expect(next).toContain('84 more than were used here')
    const zh = klens(folder, ['report', 'no-kl', 'kl', '-o', 'first.zh.md', '--lang', 'zh'])
    expect(zh.out).toContain('已写入')
    expect(written('first.zh.md')).toContain('仅凭 9 次验证，分不出这两个 run 孰优孰劣。')
  })

  it('is one file of HTML with the pictures inside, that asks nobody for anything', () => {
    klens(folder, ['report', 'kl-0.0/*', 'kl-0.3/*', '-o', 'one.html', '--date', '2026-01-31'])
    const html = written('one.html')
    expect(html.match(/<svg/g)?.length).toBeGreaterThanOrEqual(4)
    expect(html).not.toMatch(/<script|src=|href=|url\((?!#)/)
    expect(html).toContain('As of 2026-01-31.')
    expect(html).toMatch(/title="[^"]+at step 400"/)
  })

  it('says what changed when the log has grown since', () => {
    const own = temporaryFolder()
    cpSync(join(EXAMPLES, 'userrl-intentiongym'), join(own, 'logs'), { recursive: true })
    klens(own, ['report', 'logs/no-kl', 'logs/kl', '-o', 'living.md'])
    for (const run of ['no-kl', 'kl']) {
      appendFileSync(
        join(own, 'logs', run, 'metrics.jsonl'),
        `${JSON.stringify({ step: 50, data: { 'val-core/interact_intention/reward/mean@1': 2.1 } })}\n`,
      )
    }
    klens(own, ['import', 'logs'])
    klens(own, ['report', 'no-kl', 'kl', '-o', 'living.md'])
    expect(readFileSync(join(own, 'living.md'), 'utf8')).toContain('1 evaluations were added (9 then, 10 now).')
  })

  it('refuses other formats, dates and runs in a sentence', () => {
    const sentence = (words: readonly string[]): string => klens(folder, ['report', ...words]).error
    expect(sentence(['kl', '-o', 'x.pdf'])).toContain('written as .md or .html')
    expect(sentence(['kl', '--date', 'today', '-o', 'x.md'])).toContain('--date is "today"')
    expect(sentence(['nobody', '-o', 'x.md'])).toContain('no run is called "nobody"')
  })
})
