import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { sweepIn } from '../../../../test/support/sweep.js'
import { putImported, temporaryFolder } from '../../../../test/workspace.js'

const EXAMPLES = fileURLToPath(new URL('../../../../examples', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'klens-test-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const sweepOf = sweepIn(home)

/** A run of its own making: a config and a table. */
function writeRun(folder: string, name: string, config: object, rows: readonly (readonly (string | number)[])[]): void {
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, name, 'config.json'), JSON.stringify(config))
  writeFileSync(join(folder, name, 'metrics.csv'), rows.map(row => row.join()).join('\n'))
}

const values = (places: readonly { readonly run: { readonly knobs: readonly { readonly effective: unknown }[] } }[]) =>
  places.map(({ run }) => run.knobs[0].effective)

describe('the sweep over KL_BETA', async () => {
  const sweep = await sweepOf([join(EXAMPLES, 'kl-beta-sweep')])

  it('finds the row that was copied from 0.145 to 0.18, and which of the two it belongs to', () => {
    expect(sweep.copied).toHaveLength(1)
    const [{ step, metrics, runs, implied }] = sweep.copied
    expect(step).toBe(2)
    expect(metrics).toEqual([
      { metric: 'loss.total', value: 0.02235 },
      { metric: 'loss.policy', value: 0.01164 },
    ])
    expect(runs.map(({ knobs }) => knobs[0].effective)).toEqual([0.145, 0.18])
    expect(implied[0]).toBeCloseTo(0.145, 3)
    expect(implied[1]).toBeCloseTo(0.153, 3)
  })

  it('finds the same four scores in four settings, at six evaluations', () => {
    expect(sweep.identical).toHaveLength(1)
    const [{ places, metrics }] = sweep.identical
    expect(metrics).toEqual(['shot_num=1', 'shot_num=2', 'shot_num=3', 'shot_num=4'])
    expect(values(places)).toEqual([0.12, 0.145, 0.155, 0.18])
    expect(places.flatMap(({ steps }) => steps)).toHaveLength(6)
  })

  it('does not call advantage statistics copied, which are the same in two runs by construction', () => {
    expect(sweep.copied.flatMap(({ metrics }) => metrics.map(({ metric }) => metric))).not.toContain('adv.std')
  })

  it('names every evaluation that is pending or was never made, and the setting without training figures', () => {
    const of = (kind: string, marked: boolean) =>
      sweep.missing
        .filter(cell => cell.kind === kind && cell.marked === marked)
        .map(cell => [cell.values[0], ...cell.steps])
    expect(of('evaluation', true)).toEqual([
      [0.145, 2, 3],
      [0.15, 2],
      [0.155, 2, 3],
    ])
    expect(of('evaluation', false)).toEqual([
      [0.12, 3],
      [0.15, 3],
      [0.18, 3],
    ])
    expect(sweep.missing.filter(({ kind }) => kind === 'training').map(cell => cell.values[0])).toEqual([0.15])
    expect(sweep.missing.every(({ kind, metrics }) => kind !== 'evaluation' || metrics.length === 4)).toBe(true)
  })

  it('knows an accuracy to ±6.8 points, and wants about 52,000 paired prompts for the largest gap', () => {
    const { resolution } = sweep
    expect(resolution?.n).toBe(200)
    expect((100 * (resolution?.halfWidth ?? 0)).toFixed(1)).toBe('6.8')
    expect((100 * (resolution?.unpaired ?? 0)).toFixed(1)).toBe('13.9')
    expect(resolution?.paired.map(share => (100 * share).toFixed(1))).toEqual(['4.4', '8.9'])
    expect(resolution?.toConfirm?.gap).toBeCloseTo(0.00275, 10)
    expect(Math.round((resolution?.toConfirm?.paired ?? 0) / 1000)).toBe(52)
    expect(Math.round((resolution?.toConfirm?.pairedTwice ?? 0) / 1000)).toBe(104)
  })

  it('concludes nothing about the knob, because four settings have one and the same score', () => {
    expect(sweep.matters).toBeNull()
    expect(sweep.verdicts.every(({ answer }) => answer === 'undetermined')).toBe(true)
    const trend = sweep.verdicts.find(({ question }) => question === 'trend')
    expect(trend?.tags).toEqual(['suspect'])
    expect(trend?.reasons[0].key).toBe('sweep.suspect')
    expect(sweep.verdicts.some(({ scope }) => scope === 'configs')).toBe(false)
  })

  it('shows no trend of the KL itself with the coefficient either', async () => {
    const { verdicts, columns } = await sweepOf([join(EXAMPLES, 'kl-beta-sweep')], { carriers: 'kl.ref', goal: null })
    expect(columns[0].shared).toEqual([1, 2])
    expect(verdicts.every(({ answer }) => answer === 'undetermined')).toBe(true)
    expect(verdicts[0].reasons.map(({ key }) => key)).toContain('sweep.too-few-for-trend')
  })
})

describe('the 0.12/0.15 curves', () => {
  const folder = join(EXAMPLES, 'kl-012-015')

  it('say nothing about which is better: one summary each, and mean, last and best do not even agree in sign', async () => {
    const estimates = []
    for (const carriers of ['Val Loss/mean', 'Val Loss/final', 'Val Loss/initial']) {
      const { verdicts, matters } = await sweepOf([folder], { carriers, goal: 'min' })
      expect(matters).toBeNull()
      expect(verdicts.map(({ answer, scope }) => [answer, scope])).toEqual([['undetermined', 'runs']])
      estimates.push(verdicts[0].estimate)
    }
    expect(estimates[0]).toBeCloseTo(-0.00627, 6)
    expect(estimates[1]).toBeCloseTo(-0.005223, 6)
    expect(estimates[2]).toBeCloseTo(0.00567, 6)
  })

  it('have their best values at different epochs, which are never set against each other', async () => {
    const { columns, verdicts } = await sweepOf([folder], { carriers: 'Val Loss/min', goal: 'min' })
    expect(columns[0].shared).toEqual([])
    expect(verdicts[0].estimate).toBeNull()
    expect(verdicts[0].answer).toBe('undetermined')
  })

  it('hold KL losses that are coefficient times KL to the last digit: no evidence, but proof that no controller moved it', async () => {
    const value = async (carriers: string): Promise<number[]> => {
      const { columns } = await sweepOf([folder], { carriers })
      return [...columns[0].points.values()].map(points => [...points.values()][0])
    }
    for (const part of ['mean', 'initial', 'final']) {
      const [loss, kl] = [await value(`KL Loss/${part}`), await value(`KL/${part}`)]
      expect(loss[0] / kl[0]).toBeCloseTo(0.12, 4)
      expect(loss[1] / kl[1]).toBeCloseTo(0.15, 4)
    }
  })
})

describe('plan six', () => {
  const folder = join(EXAMPLES, 'plan-six')

  it('shares one evaluation with plan five, so the tenfold rate is neither better nor worse', async () => {
    const { verdicts, matters, columns } = await sweepOf([folder], { over: ['lr'], carriers: 'val.loss', goal: 'min' })
    expect(columns[0].window).toEqual([2])
    expect(matters).toBeNull()
    expect(verdicts).toHaveLength(1)
    expect(verdicts[0]).toMatchObject({ answer: 'undetermined', scope: 'runs', interval: null })
    expect(verdicts[0].estimate).toBeCloseTo(0.0102, 6)
  })

  it('logs a KL coefficient a hundred times smaller than the one configured, which is said', async () => {
    const own = temporaryFolder()
    const config = { KL_BETA: 0.1, GRPO_LR: 5e-5, USE_RANK_ADVANTAGE: false }
    writeRun(own, 'six', config, [
      ['epoch', 'Val Loss', 'KL', 'Beta'],
      [2, 5.15152, 0.03565, '0.0010'],
    ])
    writeRun(own, 'other', { ...config, KL_BETA: 0.2 }, [
      ['epoch', 'Val Loss', 'KL', 'Beta'],
      [2, 5.15, 0.035, '0.2'],
    ])
    const { loaded } = await sweepOf([own], { carriers: 'val.loss', goal: 'min' })
    expect(loaded.logged.map(({ configured, logged }) => [configured, logged])).toEqual([[0.1, 0.001]])
  })
})

describe('a sweep', () => {
  const switched = (coefficient: number, on: boolean) => ({
    'actor_rollout_ref.actor.kl_loss_coef': coefficient,
    'actor_rollout_ref.actor.use_kl_loss': on,
  })
  const course = (level: number) => [
    ['step', 'val/reward'],
    ...Array.from({ length: 8 }, (_, i) => [5 * (i + 1), level + 0.01 * Math.sin(7 * i + 100 * level)]),
  ]

  it('puts a coefficient that is switched off into the cell of 0, whatever was configured', async () => {
    const folder = temporaryFolder()
    writeRun(folder, 'off', switched(0.1, false), course(0.5))
    writeRun(folder, 'zero', switched(0, true), course(0.51))
    writeRun(folder, 'on', switched(0.1, true), course(0.4))
    const { settings } = await sweepOf([folder])
    expect(settings.map(({ values: [value], runs }) => [value, runs.length])).toEqual([
      [0, 2],
      [0.1, 1],
    ])
    expect(settings[0].runs.map(({ knobs }) => knobs[0].configured).sort()).toEqual([0, 0.1])
  })

  it('credits nothing to a knob that never moves alone', async () => {
    const folder = temporaryFolder()
    for (const seed of [0, 1, 2]) {
      writeRun(
        folder,
        `a${seed}`,
        { ...switched(0, true), seed, 'actor_rollout_ref.actor.entropy_coeff': 0 },
        course(0.5 + 0.01 * seed),
      )
      writeRun(
        folder,
        `b${seed}`,
        { ...switched(0.1, true), seed, 'actor_rollout_ref.actor.entropy_coeff': 0.01 },
        course(0.2 + 0.01 * seed),
      )
    }
    const { verdicts, matters } = await sweepOf([folder])
    expect(matters).toBeNull()
    expect(verdicts[0].reasons[0]).toMatchObject({ key: 'sweep.also-differ', params: { others: 'entropy.coef' } })
  })

  it('takes a run that was copied under another name for no replicate', async () => {
    const folder = temporaryFolder()
    for (const seed of [0, 1, 2]) {
      writeRun(folder, `a${seed}`, { ...switched(0, true), seed }, course(0.5 + 0.01 * Math.min(seed, 1)))
      writeRun(folder, `b${seed}`, { ...switched(0.1, true), seed }, course(0.2 + 0.01 * seed))
    }
    const { repeated, verdicts } = await sweepOf([folder])
    expect(repeated).toHaveLength(1)
    expect(verdicts[0].scope).toBe('runs')
  })

  it('leaves NaN out, and names the cells that are then missing', async () => {
    const folder = temporaryFolder()
    writeRun(folder, 'a', switched(0, true), [...course(0.5).slice(0, 4), [20, 'nan'], ...course(0.5).slice(5)])
    writeRun(folder, 'b', switched(0.1, true), course(0.4))
    const { columns, missing } = await sweepOf([folder])
    expect(columns[0].shared).toEqual([5, 10, 15, 25, 30, 35, 40])
    expect(missing.filter(({ kind }) => kind === 'evaluation').map(({ steps }) => steps)).toEqual([[20]])
  })

  it('names the combinations of two knobs that nobody ran', async () => {
    const folder = temporaryFolder()
    for (const [coefficient, lr] of [
      [0, 1e-5],
      [0.1, 1e-5],
      [0, 1e-6],
    ]) {
      writeRun(
        folder,
        `${coefficient}-${lr}`,
        { ...switched(coefficient, true), 'actor_rollout_ref.actor.optim.lr': lr },
        course(0.5 + coefficient + 1000 * lr),
      )
    }
    const { missing } = await sweepOf([folder], { over: ['kl.loss.coef', 'lr'] })
    expect(missing.filter(({ kind }) => kind === 'run').map(cell => cell.values)).toEqual([[0.1, 1e-6]])
  })
})

/** All eight of each: test/long/sweep-of-labs.test.ts. */
describe('the three seeds of each coefficient in the examples', () => {
  it('show that 0.3 is worse than 0, and claim nothing about 0.1', async () => {
    await putImported(join(EXAMPLES, 'grpo-addition'), home)
    const { verdicts, matters } = await sweepOf(
      ['kl-0.0', 'kl-0.1', 'kl-0.3'].map(name => join(EXAMPLES, 'grpo-addition', name)),
    )
    const of = (other: string) => verdicts.find(verdict => verdict.question !== 'trend' && verdict.other === other)
    expect(of('kl.loss.coef=0.1')?.answer).toBe('undetermined')
    expect(of('kl.loss.coef=0.3')?.estimate).toBeLessThan(-0.02)
    expect(matters === true || matters === null).toBe(true)
  })
})
