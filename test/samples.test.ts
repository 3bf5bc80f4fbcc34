import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { klens, klensJson } from './cli.js'
import { fixture } from './support/reading.js'

/** `klens samples` as users run it, on real TRL completions and on dumps written by verl's own writer. */

interface Samples {
  readonly sides: readonly { readonly prompts: number; readonly answers: number }[]
  readonly metric: string
  readonly n: number
  readonly paired: { readonly [kind: string]: number | string } | null
  readonly test: { readonly answer: string; readonly p: number } | null
  readonly flips: readonly {
    readonly id: string
    readonly scores: readonly number[]
    readonly outputs?: readonly string[]
  }[]
  readonly failures: readonly { readonly class: string; readonly counts: readonly number[] }[]
  readonly agreement: { readonly n: number; readonly identical: number } | null
  readonly warnings: readonly string[]
}

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'klens-samples-'))
  cpSync(fixture('completions'), join(folder, 'logs'), { recursive: true })
  const dump = readFileSync(fixture('completions/verl/kl/val_dump/45.jsonl'), 'utf8')
  mkdirSync(join(folder, 'logs/other/val'), { recursive: true })
  writeFileSync(join(folder, 'logs/other/val/45.jsonl'), dump.replaceAll('What is', 'How much is'))
  expect(klens(folder, ['import', 'logs']).code).toBe(0)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('klens samples', () => {
  it('counts flips, tests them, and classes failures', () => {
    const found = klensJson<Samples>(folder, ['samples', 'no-kl@40', 'kl@45'])
    expect(found).toMatchObject({
      metric: 'val/score',
      n: 40,
      paired: { bothRight: 20, bothWrong: 3, toRight: 12, toWrong: 5 },
      test: { answer: 'undetermined' },
    })
    expect(found.test?.p).toBeCloseTo(0.1435, 4)
    expect(found.flips).toHaveLength(17)
    expect(found.flips[0]).toMatchObject({ scores: [1, 0] })
    expect(found.flips[0].outputs?.[0]).toContain('\\boxed{')
    expect(found.failures.map(failure => [failure.class, ...failure.counts])).toEqual([
      ['environment', 3, 0],
      ['truncated', 3, 3],
      ['unparsable', 5, 0],
      ['wrong', 4, 5],
    ])
  })

  it('gives compare the same pairs', () => {
    const { verdicts } = klensJson<{ verdicts: { question: string; p: number; method: { id: string } }[] }>(folder, [
      'compare',
      'no-kl@40',
      'kl@45',
    ])
    expect(verdicts.find(({ question }) => question === 'checkpoint')).toMatchObject({
      method: { id: 'paired-prompts' },
    })
    expect(verdicts[0].p).toBeCloseTo(0.1435, 4)
  })

  it('averages several answers to a prompt, and says plainly when all are the same', () => {
    const first = klensJson<Samples>(folder, ['samples', 'slow@1', 'fast@1'])
    expect(first).toMatchObject({ n: 40, paired: { kind: 'graded', equal: 40 } })
    expect(first.sides[0]).toMatchObject({ prompts: 40, answers: 80 })
    const twice = klens(folder, ['samples', 'kl@45', 'kl@45'])
    expect(twice.out).toContain('klens weights diff')
  })

  it('shows answers side by side, in both languages', () => {
    const { out } = klens(folder, ['samples', 'no-kl@40', 'kl@45', '--flips', '--limit', '1'])
    expect(out).toContain('flipped to right  12')
    expect(out).toMatch(/no-kl@40 +│ kl@45/)
    expect(klens(folder, ['samples', 'no-kl@40', '--failures', '--lang', 'zh']).out).toContain('被截断')
  })

  it.each([
    [['samples', 'kl'], 'several steps: 1, 20, 45'],
    [['samples', 'kl@7'], 'no samples at step 7'],
    [['samples', 'kl@45', 'other@45'], 'share no prompt'],
    [['samples', 'kl@45', '--metric', 'nonsense'], 'val/format'],
    [['samples', 'kl@45', 'kl@45', 'kl@45'], 'one or two'],
    [['samples', 'kl@45', '--condition', 'colour=red'], 'dataset='],
  ])('says what is wrong with %j', (words, sentence) => {
    const { code, error } = klens(folder, words)
    expect({ code, told: error.includes(sentence) }).toEqual({ code: 2, told: true })
  })

  it('takes in steps that were dumped since', () => {
    writeFileSync(
      join(folder, 'logs/verl/kl/val_dump/50.jsonl'),
      readFileSync(join(folder, 'logs/verl/kl/val_dump/45.jsonl'), 'utf8').replaceAll('"step": 45', '"step": 50'),
    )
    expect(klens(folder, ['import', 'logs/verl/kl']).code).toBe(0)
    expect(klensJson<Samples>(folder, ['samples', 'kl@50']).n).toBe(40)
  })
})
