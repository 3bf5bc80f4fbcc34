import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { klensInside } from './cli-inside.js'
import { sharedFolder, temporaryFolder } from './workspace.js'

/** The verbs as a person meets them, on the examples. What they answer is tested in src/app/ask. */

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))

const folder = sharedFolder()
beforeAll(async () => {
  await klensInside(folder, ['import', join(EXAMPLES, 'userrl-intentiongym')])
})
const printed = async (...words: string[]) => (await klensInside(folder, words)).out

describe('klens import', () => {
  it('says what was read, how much and how fast, and what to do next', async () => {
    const { code, out } = await klensInside(temporaryFolder(), ['import', join(EXAMPLES, 'plan-six')])
    expect(code).toBe(0)
    expect(out).toMatch(/plan-six +csv +unknown +steps 1–50/)
    expect(out).toMatch(/\d+ runs, [\d,]+ points in [\d.]+ s/)
    expect(out).toContain('klens show')
  })

  it('ends with 2 and a sentence when nothing could be read', async () => {
    const { code, error, out } = await klensInside(temporaryFolder(), ['import', 'nowhere'])
    expect([code, error]).toEqual([2, 'klens: no run could be read\n'])
    expect(out).toContain('nowhere: no such file or folder')
  })
})

describe('klens runs', () => {
  it('prints a table that starts with ids and names, in the language asked for', async () => {
    expect(await printed('runs')).toMatch(
      /^id +name +status +steps +interact_intention\/reward\/mean@1 +best +Validation reward +source +points +metrics\n/,
    )
    expect(await printed('runs', '--lang', 'zh')).toMatch(
      /^id +名称 +状态 +step +interact_intention\/reward\/mean@1 +最佳 +Validation reward +来源 +点数 +指标数\n/,
    )
    expect((await klensInside(folder, ['runs'], { LANG: 'zh_CN.UTF-8' })).out).toContain('名称')
    expect(await printed('runs', '--columns', 'actor/pg_loss')).toMatch(/^id .* actor\/pg_loss /)
  })

  it('says so where there are none, or none that fits', async () => {
    expect((await klensInside(temporaryFolder(), ['runs'])).error).toContain('no runs here yet')
    expect((await klensInside(folder, ['runs', '--tag', 'nix'])).error).toContain('no run matches')
  })

  it('says what there is where a condition or a pattern fits nothing', async () => {
    const where = ['runs', '--where', 'kl.loss.coef>=0.5']
    expect((await klensInside(folder, where)).error).toContain('the values of kl.loss.coef here are 0.01\n')
    expect((await klensInside(folder, [...where, '--lang', 'zh'])).error).toContain('这里 kl.loss.coef 的取值有 0.01\n')
    expect((await klensInside(folder, [...where, '--json'])).out).toBe('[]\n')
    expect(await printed('runs', '--where', 'kl.loss.coef>=0.01')).toMatch(/ kl +killed/)
    const { error } = await klensInside(folder, ['compare', 'no-k?x*', 'kl'])
    expect(error).toContain('(similar: no-kl, no-kl, partly estimated)')
  })
})

describe('klens show', () => {
  it('shows settings, curves, metrics and whether the log is whole, in both languages', async () => {
    const out = await printed('show', 'no-kl')
    expect(out).toMatch(/KL in the loss +false/)
    expect(out).toMatch(/validation score {2}val\.score {2}val-core.*9 points/)
    expect(out).toMatch(/val-core\S+ +val\.score +9 +1\.818 +2\.202 +\+0\.384 +1\.75 @ 25 +2\.202 @ 45/)
    expect(await printed('show', 'no-kl', '--lang', 'zh')).toMatch(/KL 计入 loss +false/)
  })

  it('says what it takes metrics for, and why, in both languages', async () => {
    const judge =
      /\n +val-core\S+ +val\.score +optimised reward · judges the run +interact_intention +the training reward on/
    expect(await printed('show', 'no-kl')).toMatch(judge)
    expect(await printed('show', 'no-kl')).not.toMatch(/training metric/)
    expect(await printed('show', 'no-kl', '--all')).toMatch(/training metric +\S* *known by its name/)
    expect(await printed('show', 'no-kl', '--lang', 'zh')).toMatch(
      /被优化的奖励 · 判定依据 +interact_intention +验证集上的/,
    )
    const { metrics } = JSON.parse(await printed('show', 'no-kl', '--json', '--lang', 'zh'))
    expect(metrics).toContainEqual(expect.objectContaining({ role: 'optimised', reason: '验证集上的训练奖励' }))
  })

  it('writes the series of a run one by one, as one JSON', async () => {
    const { series, run, integrity } = JSON.parse(await printed('show', 'no-kl', '--json'))
    expect(series).toHaveLength(run.metrics)
    expect(series[0].points.length).toBeGreaterThan(0)
    expect(integrity).toBeInstanceOf(Array)
  })
})

describe('klens rename, tag, rm and export', () => {
  it('say what they did', async () => {
    const own = temporaryFolder()
    const log = join(EXAMPLES, 'plan-six', 'plan-five')
    await klensInside(own, ['import', log])
    expect((await klensInside(own, ['rename', 'plan-five', 'the fifth'])).out).toMatch(/ is now called the fifth\n$/)
    expect((await klensInside(own, ['tag', 'the fifth', 'good', '+old'])).out).toBe('the fifth: good, old\n')
    expect((await klensInside(own, ['tag', 'the fifth', '--remove', 'old'])).out).toBe('the fifth: good\n')
    expect((await klensInside(own, ['rm', 'the fifth'])).out).toMatch(/^removed the fifth \(/)
    expect(existsSync(log)).toBe(true)
  })

  it('writes points to the standard output or to a file', async () => {
    const csv = (await printed('export', 'no-kl', '--metric', 'val.score')).trim().split('\n')
    expect(csv[0]).toBe('run,metric,step,value,time')
    expect(csv[9]).toMatch(/^[a-z0-9]+,val-core\/interact_intention\/reward\/mean@1,45\.0,2\.202,$/)
    const path = join(folder, 'points.parquet')
    expect(await printed('export', 'no-kl', 'kl', '-o', path)).toContain('of 2 runs written')
    expect(readFileSync(path).subarray(0, 4).toString()).toBe('PAR1')
  })
})
