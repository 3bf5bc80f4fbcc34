import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { klens, klensJson } from './cli.js'
import { temporaryFolder } from './workspace.js'

/** Verdicts as a user meets them: on the shipped examples, and on logs that say too little. */

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))
const ADDITION = join(EXAMPLES, 'grpo-addition')

interface ComparisonJson {
  readonly verdicts: readonly {
    readonly question: string
    readonly answer: string
    readonly scope: string
    readonly estimate: number | string | null
    readonly interval: readonly number[] | null
    readonly tags: readonly string[]
    readonly reasons: readonly string[]
  }[]
  readonly choose: object | null
  readonly attribution: readonly { readonly knobs: readonly string[]; readonly smallestFix: string | null }[]
}

const on = ({ verdicts }: ComparisonJson, question: string) => verdicts.find(verdict => verdict.question === question)

describe('klens compare on real runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'klens-verdicts-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeAll(() => {
    klensJson(folder, ['import', ADDITION])
  })

  it('says that KL 0.3 is worse, about the settings, from three seeds each', () => {
    const comparison = klensJson<ComparisonJson>(folder, ['compare', 'kl-0.0/*', 'kl-0.3/*'])
    expect(on(comparison, 'final')).toMatchObject({ answer: 'worse', scope: 'configs' })
    expect(on(comparison, 'final')?.reasons.join()).toContain('200 prompts')
  })

  it('speaks of two runs only when there are two, and says how much replicates differ in this workspace', () => {
    const comparison = klensJson<ComparisonJson>(folder, ['compare', 'kl-0.0/seed0', 'kl-0.3/seed0'])
    expect(comparison.verdicts.every(({ scope }) => scope === 'runs')).toBe(true)
    const claimed = comparison.verdicts.filter(
      ({ question, answer }) => question === 'level' && answer !== 'undetermined',
    )
    for (const { reasons } of claimed)
      expect(reasons.join()).toMatch(/two runs of one setting differ as much in \d+ of \d+ pairs/)
  })

  it('compares checkpoints prompt by prompt', () => {
    const words = ['compare', 'kl-0.0/seed0@100', 'kl-0.0/seed0@400', '--metric', 'val-aux/addition/exact/mean@1']
    const checkpoint = on(klensJson<ComparisonJson>(folder, words), 'checkpoint')
    expect(checkpoint).toMatchObject({ scope: 'checkpoints', answer: 'better' })
    expect(checkpoint?.reasons.join()).toMatch(/200 prompts answered by both: \d+ turned better, \d+ worse/)
    expect(klens(folder, words).out).toContain('kl-0.0/seed0@400 is better than kl-0.0/seed0@100')
  })

  it('explains each verdict by numbers, formula and measured error rate, in both languages', () => {
    const words = ['compare', 'kl-0.0/seed0', 'kl-0.1/seed0', '--explain']
    const { out } = klens(folder, words)
    expect(out).toContain('SE² = SE²(course)')
    expect(out).toMatch(/autocorrelation used +0\.\d+/)
    expect(out).toContain('metrics.jsonl')
    expect(klens(folder, [...words, '--lang', 'zh']).out).toMatch(/采用的自相关 +0\.\d+/)
  })

  it('tabulates all shared metrics side by side with --all', () => {
    const { out } = klens(folder, ['compare', 'kl-0.0/seed0', 'kl-0.1/seed0', '--all'])
    expect(out).toMatch(/actor\/entropy .*@\d+/)
    expect(out.match(/^ +400 /m)).not.toBeNull()
  })

  it('names what else differed in the confounded treatment', () => {
    const { attribution } = klensJson<ComparisonJson>(folder, ['compare', 'kl-0.0/seed0', 'kl-ent-cosine/*'])
    expect(attribution[0]).toMatchObject({ knobs: ['kl', 'entropy', 'lr'], smallestFix: 'kl' })
  })
})

describe('klens compare on logs that say too little', () => {
  function runWith(folder: string, name: string, rows: readonly string[]): string {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, 'log.csv'), `step,acc\n${rows.join('\n')}\n`)
    return join(folder, name, 'log.csv')
  }
  const curve = (values: readonly (number | string)[], from = 1): string[] =>
    values.map((value, i) => `${from + i},${value}`)
  const compared = (first: readonly string[], second: readonly string[]) => {
    const folder = temporaryFolder()
    const [a, b] = [runWith(folder, 'a', first), runWith(folder, 'b', second)]
    return klensJson<ComparisonJson>(folder, ['compare', a, b, '--metric', 'acc'])
  }

  it('names the lack of shared steps', () => {
    const comparison = compared(curve([0.1, 0.2, 0.3]), curve([0.1, 0.2, 0.3], 100))
    expect(on(comparison, 'level')).toMatchObject({ answer: 'undetermined', estimate: null, interval: null })
    expect(on(comparison, 'level')?.reasons).toContain('no evaluation step is shared')
  })

  it('gives one shared point no interval', () => {
    const level = on(compared(curve([0.1]), curve([0.3])), 'level')
    expect(level).toMatchObject({ answer: 'undetermined', interval: null })
    expect(level?.estimate).toBeCloseTo(0.2)
  })

  it('finds nothing in equal values, and no noise in a constant gap', () => {
    const flat = Array(12).fill(0.5)
    expect(on(compared(curve(flat), curve(flat)), 'level')).toMatchObject({ answer: 'undetermined', estimate: 0 })
    expect(on(compared(curve(flat), curve(flat)), 'level')?.reasons[0]).toMatch(/equal at every shared step/)
    const gap = on(compared(curve(flat), curve(Array(12).fill(0.6))), 'level')
    expect(gap).toMatchObject({ answer: 'undetermined', interval: null })
    expect(gap?.reasons[0]).toMatch(/no noise to measure it against/)
  })

  it('takes NaN in the middle for a missing evaluation', () => {
    const first = curve([0.1, 0.2, 'nan', 0.35, 0.3, 0.42, 0.4, 0.5])
    const second = curve([0.12, 0.25, 0.3, 0.33, 0.34, 'inf', 0.41, 0.52])
    expect(on(compared(first, second), 'level')?.reasons[0]).toContain('6 shared evaluations')
  })

  it('wants a step for every side or for none, and a metric that all have', () => {
    const folder = temporaryFolder()
    const [a, b] = [runWith(folder, 'a', curve([1, 2])), runWith(folder, 'b', curve([1, 2]))]
    expect(klens(folder, ['compare', `${a}@1`, b, '--metric', 'acc'])).toMatchObject({
      code: 2,
      error: expect.stringContaining('give a step for every side'),
    })
    const { code, error } = klens(folder, ['compare', a, b, '--metric', 'nope'])
    expect([code, error]).toEqual([2, expect.stringContaining('--metric (shared: acc)')])
  })

  it('says that there is no evaluation at a step that has none', () => {
    const folder = temporaryFolder()
    const a = runWith(folder, 'a', curve([0.1, 0.2]))
    const comparison = klensJson<ComparisonJson>(folder, ['compare', `${a}@1`, `${a}@9`, '--metric', 'acc'])
    expect(on(comparison, 'checkpoint')?.reasons).toEqual(['there is no evaluation at step 9'])
  })
})
