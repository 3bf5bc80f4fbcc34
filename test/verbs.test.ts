import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { klens, klensJson } from './cli.js'
import { temporaryFolder } from './workspace.js'

/** The verbs as a user or a script meets them, on the examples. */

const EXAMPLES = fileURLToPath(new URL('../examples', import.meta.url))

interface RunJson {
  readonly id: string
  readonly name: string
  readonly source: string
  readonly status: string
  readonly steps: readonly [number, number]
  readonly metrics: number
  readonly points: number
  readonly config: { readonly [key: string]: unknown }
  readonly tags: readonly string[]
  readonly summary: { readonly [metric: string]: { readonly [member: string]: number | string | null } }
}

const folder = mkdtempSync(join(tmpdir(), 'klens-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  klensJson(folder, ['import', join(EXAMPLES, 'grpo-addition', 'kl-0.1'), join(EXAMPLES, 'userrl-intentiongym')])
})

describe('klens import', () => {
  it('reads every example without a warning, leaving out only the data to train on', () => {
    const own = temporaryFolder()
    const { runs, skipped, seconds } = klensJson<{
      runs: RunJson[]
      skipped: { path: string }[]
      seconds: number
    }>(own, ['import', EXAMPLES])
    expect(new Set(skipped.map(({ path }) => basename(dirname(path))))).toEqual(
      new Set(['identical-results', 'lever-digits']),
    )
    expect(runs.flatMap(run => (run as unknown as { warnings: string[] }).warnings)).toEqual([])
    expect(new Set(runs.map(({ source }) => source))).toEqual(new Set(['verl', 'csv', 'report']))
    expect(runs.length).toBeGreaterThanOrEqual(25)
    expect(seconds).toBeGreaterThan(0)
    expect(Object.keys(runs[0])).toEqual(['id', 'name', 'source', 'status', 'points', 'metrics', 'steps', 'warnings'])
  })

  it('ends with 2 and a sentence when nothing could be read', () => {
    const { code, error, out } = klens(temporaryFolder(), ['import', 'nowhere'])
    expect(code).toBe(2)
    expect(error).toBe('klens: no run could be read\n')
    expect(out).toContain('nowhere: no such file or folder')
  })
})

describe('klens runs', () => {
  it('lists in natural order, filters by config and tag, and sorts by a metric', () => {
    const names = (words: readonly string[]): string[] =>
      klensJson<RunJson[]>(folder, ['runs', ...words]).map(run => run.name)
    expect(names([])).toEqual([
      'kl',
      'kl-0.1/seed0',
      'kl-0.1/seed1',
      'kl-0.1/seed2',
      'kl, partly estimated',
      'no-kl',
      'no-kl, partly estimated',
    ])
    expect(names(['--where', 'seed=1'])).toEqual(['kl-0.1/seed1'])
    expect(names(['--where', 'actor_rollout_ref.actor.kl_loss_coef>0.05', '--where', 'seed!=1'])).toEqual([
      'kl-0.1/seed0',
      'kl-0.1/seed2',
    ])
    const byScore = klensJson<RunJson[]>(folder, ['runs', '--where', 'seed<9', '--sort', '-critic/score/mean'])
    const scores = byScore.map(run => Number(run.summary['critic/score/mean'].last))
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
  })

  it('prints a table that starts with ids and names, in the language asked for', () => {
    expect(klens(folder, ['runs']).out.split('\n')[0]).toMatch(/^id +name +source +status +steps +metrics +points$/)
    expect(klens(folder, ['runs', '--lang', 'zh']).out.split('\n')[0]).toMatch(
      /^id +名称 +来源 +状态 +step +指标数 +点数$/,
    )
    expect(klens(folder, ['runs'], { LANG: 'zh_CN.UTF-8' }).out).toContain('名称')
  })

  it('is empty, not wrong, where there is no workspace', () => {
    const nowhere = temporaryFolder()
    expect(klensJson(nowhere, ['runs'])).toEqual([])
    expect(klens(nowhere, ['runs']).error).toContain('there are no runs here yet')
  })
})

describe('klens show', () => {
  it('gives every point of a metric, by its raw or its canonical name', () => {
    const raw = klensJson<{
      series: { metric: string; canonical: string; goal: string; points: [number, number][] }[]
    }>(folder, ['show', 'no-kl', '--metric', 'val-core/interact_intention/reward/mean@1'])
    expect(raw.series[0]).toEqual({
      metric: 'val-core/interact_intention/reward/mean@1',
      canonical: 'val.score',
      unit: null,
      goal: 'max',
      points: [
        [5, 1.818],
        [10, 2.14],
        [15, 1.84],
        [20, 1.83],
        [25, 1.75],
        [30, 1.788],
        [35, 2.04],
        [40, 2.003],
        [45, 2.202],
      ],
    })
    expect(klensJson<{ series: object[] }>(folder, ['show', 'no-kl', '--metric', 'val.score']).series).toEqual(
      raw.series,
    )
  })

  it('says which settings take effect, in both languages', () => {
    expect(klens(folder, ['show', 'no-kl']).out).toMatch(/KL in the loss +false/)
    expect(klens(folder, ['show', 'no-kl', '--lang', 'zh']).out).toMatch(/KL 计入 loss +false/)
  })

  it('keeps estimates out of the points and shows them as estimates', () => {
    const { series, integrity } = klensJson<{
      series: { metric: string; points: object[]; estimates?: [number, number][] }[]
      integrity: string[]
    }>(folder, ['show', 'no-kl, partly estimated'])
    const estimated = series.find(({ estimates }) => estimates !== undefined && estimates.length > 1)
    expect(estimated?.estimates?.[0]).toEqual([10, 1.85])
    expect(estimated?.points).toHaveLength(2)
    expect(integrity.join()).toContain('marked as estimates')
  })

  it('imports a path on the fly', () => {
    const own = temporaryFolder()
    const { run } = klensJson<{ run: RunJson }>(own, ['show', join(EXAMPLES, 'plan-six', 'plan-six')])
    expect(run).toMatchObject({ name: 'plan-six', source: 'csv', steps: [1, 50] })
  })
})

describe('klens rename, tag, rm and export', () => {
  it('keep a name and tags over a later import', () => {
    const own = temporaryFolder()
    const log = join(EXAMPLES, 'plan-six', 'plan-five')
    klensJson(own, ['import', log])
    expect(klens(own, ['rename', 'plan-five', 'the fifth']).code).toBe(0)
    expect(klens(own, ['tag', 'the fifth', 'good', '+old']).out).toBe('the fifth: good, old\n')
    klensJson(own, ['import', log])
    expect(klensJson<RunJson[]>(own, ['runs', '--tag', 'good'])[0]).toMatchObject({
      name: 'the fifth',
      tags: ['good', 'old'],
    })
    expect(klens(own, ['tag', 'the fifth', '--remove', 'old']).out).toBe('the fifth: good\n')
    expect(klens(own, ['rm', 'the fifth']).code).toBe(0)
    expect(klensJson(own, ['runs'])).toEqual([])
    expect(existsSync(log)).toBe(true)
  })

  it('writes the same points as CSV, JSONL and Parquet', () => {
    const own = folder
    const csv = klens(own, ['export', 'no-kl', '--metric', 'val.score']).out.trim().split('\n')
    expect(csv[0]).toBe('run,metric,step,value,time')
    expect(csv[9]).toMatch(/^[a-z0-9]+,val-core\/interact_intention\/reward\/mean@1,45\.0,2\.202,$/)
    const jsonl = klens(own, ['export', 'no-kl', '--metric', 'val.score', '--format', 'jsonl']).out.trim().split('\n')
    expect(jsonl.map(line => JSON.parse(line).value)).toEqual(csv.slice(1).map(line => Number(line.split(',')[3])))
    const path = join(own, 'points.parquet')
    expect(klens(own, ['export', 'no-kl', 'kl-0.1/*', '-o', path]).out).toContain('of 4 runs written')
    expect(readFileSync(path).subarray(0, 4).toString()).toBe('PAR1')
  })
})
