import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { putImported, sharedFolder } from './workspace.js'

/** How a comparison reads on a terminal. What it says is tested in src/app/ask/compare.test.ts. */

const ADDITION = fileURLToPath(new URL('../examples/grpo-addition', import.meta.url))

describe('klens compare', () => {
  const folder = sharedFolder()
  beforeAll(async () => {
    await putImported(ADDITION, folder)
  })
  const compared = async (...words: string[]) => (await klensInside(folder, ['compare', ...words])).out

  it('puts the answer into one line', async () => {
    const words = ['kl-0.0/seed0@100', 'kl-0.0/seed0@400', '--metric', 'val-aux/addition/exact/mean@1']
    expect(await compared(...words)).toContain('kl-0.0/seed0@400 is better than kl-0.0/seed0@100')
  })

  it('explains each verdict by numbers, formula and measured error rate, in both languages', async () => {
    const words = ['kl-0.0/seed0', 'kl-0.1/seed0', '--explain']
    const out = await compared(...words)
    expect(out).toContain('SE² = SE²(curve)')
    expect(out).toMatch(/autocorrelation used +0\.\d+/)
    expect(out).toContain('metrics.jsonl')
    expect(await compared(...words, '--lang', 'zh')).toMatch(/采用的自相关 +0\.\d+/)
  })

  it('tabulates all shared metrics side by side with --all', async () => {
    const out = await compared('kl-0.0/seed0', 'kl-0.1/seed0', '--all')
    expect(out).toMatch(/actor\/entropy .*@\d+/)
    expect(out.match(/^ +400 /m)).not.toBeNull()
  })

  it('has in its table the difference that its headline has, with digits enough to see it', async () => {
    await putImported(fileURLToPath(new URL('../examples/plan-six', import.meta.url)), folder)
    const out = await compared('plan-five', 'plan-six')
    expect(out).toMatch(/plan-six − plan-five +0\.0102/)
    expect(out).toMatch(/^ +2 +5\.1413 +5\.1515 +\+0\.0102$/m)
    const ranked = (await klensInside(folder, ['checkpoints', 'plan-six'])).out
    expect(ranked.match(/^ +[123] +5\.15\d+/gm)?.map(row => row.trim().split(/ +/)[1])).toEqual([
      '5.1515',
      '5.1533',
      '5.1536',
    ])
    await klensInside(folder, ['report', 'plan-six', '--lang', 'zh', '-o', 'six.md'])
    const report = readFileSync(join(folder, 'six.md'), 'utf8')
    expect(report).toContain('报告的最优 Val Loss')
    expect(report).not.toContain('真实得分')
  })

  it('ends with 2 and one sentence for what is wrong', async () => {
    const { code, error } = await klensInside(folder, ['compare', 'kl-0.0/seed0', 'kl-0.1/seed0', '--margin', '-1'])
    expect([code, error]).toEqual([2, 'klens: --margin is "-1"; it must be a positive number or a percentage\n'])
  })
})
