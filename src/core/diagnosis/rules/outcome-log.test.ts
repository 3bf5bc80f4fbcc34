import { describe, expect, it } from 'vitest'
import { testMessage } from '../../../../test/support/message.js'
import { type MadeUp, madeUpSubject } from '../../../../test/support/subject.js'
import { seededRandom } from '../../../stats/random.js'
import type { FileRecord } from '../../store/manifest.js'
import { examine } from '../diagnose.js'
import type { RunRule } from '../run-rule.js'
import { klRunaway } from './kl-runaway.js'
import { loggingTrap, nonFinite } from './logging.js'
import { seriesConstant, seriesDuplicated, seriesJump } from './series.js'

const random = seededRandom(3)
const varying = Array.from({ length: 60 }, () => random.normal())
const other = Array.from({ length: 60 }, () => random.normal())

const LOG_FILE: FileRecord = {
  path: '/run/metrics.jsonl',
  source: 'verl',
  role: 'log',
  size: 1,
  modifiedMs: 0,
  headBytes: 0,
  headHash: '',
  tailHash: null,
  complete: true,
  cursor: null,
  unreadBytes: 0,
  warnings: [],
}

function findingsOf(rule: RunRule, madeUp: MadeUp) {
  return examine(madeUpSubject(madeUp), [rule]).findings
}

describe('series-constant', () => {
  it('lists what must vary and does not', () => {
    const metrics = {
      'critic/rewards/mean': Array(60).fill(0.5),
      'actor/grad_norm': Array(60).fill(0),
      'actor/entropy': varying,
    }
    expect(findingsOf(seriesConstant, { metrics })).toMatchObject([
      {
        severity: 'note',
        steps: [1, 60],
        evidence: { metrics: ['critic/rewards/mean', 'actor/grad_norm'], values: [0.5, 0] },
      },
    ])
  })

  it.each([
    [
      'rates, coefficients, limits and clip fractions',
      { 'actor/lr': 1e-6, 'actor/kl_coef': 0.001, 'response_length/max': 1_024, 'actor/pg_clipfrac': 0 },
    ],
    ['the loss of an on-policy TRL run', { loss: 0, 'clip_ratio/region_mean': 0 }],
    ['a KL that nobody asked for', { 'actor/kl_loss': 0 }],
  ])('leaves alone %s', (_, levels) => {
    const constant = Object.entries(levels).map(([name, level]) => [name, Array<number>(60).fill(level)])
    const metrics = { 'actor/entropy': varying, ...Object.fromEntries(constant) }
    expect(findingsOf(seriesConstant, { metrics })).toEqual([])
  })

  it('needs twenty points', () => {
    expect(findingsOf(seriesConstant, { metrics: { 'actor/entropy': Array(19).fill(0.3) } })).toEqual([])
    expect(findingsOf(seriesConstant, { metrics: { 'actor/entropy': Array(20).fill(0.3) } })).toHaveLength(1)
  })
})

describe('series-duplicated', () => {
  it.each([
    ['score and reward without a KL in the reward', ['critic/score/mean', 'critic/rewards/mean']],
    ['two names for the time of a step', ['perf/time_per_step', 'timing_s/step']],
    ['returns and advantages of GRPO', ['critic/returns/mean', 'critic/advantages/mean']],
    ['lengths where nothing was aborted', ['response_length/mean', 'response_length_non_aborted/mean']],
    ['reward and accuracy of one data set', ['val-core/a/acc/mean@1', 'val-aux/a/reward/mean@1']],
    ['a single reward function', ['reward', 'rewards/accuracy/mean']],
    ['lengths where nothing was cut off', ['completions/mean_length', 'completions/mean_terminated_length']],
    ['one rank’s tokens', ['global_seqlen/min', 'global_seqlen/max']],
    ['names that klens does not know', ['mine/a', 'mine/b']],
  ])('knows %s', (_, [first, second]) => {
    expect(findingsOf(seriesDuplicated, { metrics: { [first]: varying, [second]: varying } })).toEqual([])
  })

  it.each([
    ['entropy logged as KL', 'actor/entropy', 'actor/kl_loss'],
    ['one data set evaluated twice', 'val-core/a/acc/mean@1', 'val-core/b/acc/mean@1'],
    ['training reward logged as validation', 'critic/rewards/mean', 'val-core/a/reward/mean@1'],
    ['one reward function twice', 'rewards/format/mean', 'rewards/accuracy/mean'],
  ])('sees %s', (_, first, second) => {
    const metrics = { [first]: varying, [second]: varying, 'actor/grad_norm': other }
    expect(findingsOf(seriesDuplicated, { metrics })).toMatchObject([
      { severity: 'note', steps: [1, 60], evidence: { metrics: [first, second] } },
    ])
  })

  it('misses a KL penalty that the config puts into the reward', () => {
    const metrics = { 'critic/score/mean': varying, 'critic/rewards/mean': varying }
    const config = { 'algorithm.use_kl_in_reward': true, 'algorithm.kl_ctrl.kl_coef': 0.01 }
    expect(findingsOf(seriesDuplicated, { metrics, config })).toHaveLength(1)
  })

  it('takes two shares that both go to their limit for what they are', () => {
    const shares = [0.975, ...Array<number>(12).fill(1)]
    const metrics = { 'completions/clipped_ratio': shares, frac_reward_zero_std: shares, reward: other.slice(0, 13) }
    expect(findingsOf(seriesDuplicated, { metrics })).toEqual([])
    const telling = { 'completions/clipped_ratio': varying, frac_reward_zero_std: varying, reward: other }
    expect(findingsOf(seriesDuplicated, { metrics: telling })).toHaveLength(1)
  })

  it('does not judge by four points', () => {
    const metrics = { 'actor/entropy': [1, 2, 3, 4], 'actor/kl_loss': [1, 2, 3, 4] }
    expect(findingsOf(seriesDuplicated, { metrics })).toEqual([])
  })
})

describe('non-finite', () => {
  const broken = (from: number, to: number): number[] =>
    varying.map((value, i) => (i + 1 >= from && i + 1 <= to ? Number.NaN : value))

  it('tells where numbers first fail', () => {
    const metrics = { 'actor/kl_loss': broken(30, 60), 'actor/lr': varying }
    expect(findingsOf(nonFinite, { metrics })).toMatchObject([
      { severity: 'error', steps: [30, 60], evidence: { metrics: ['actor/kl_loss'], lost: [31], firstSteps: [30] } },
    ])
  })

  it('is milder about a single skipped update', () => {
    const metrics = { 'actor/grad_norm': broken(30, 30), 'actor/lr': varying }
    expect(findingsOf(nonFinite, { metrics })).toMatchObject([{ severity: 'warning', steps: [30, 30] }])
  })

  it('is milder about a KL that is lost while loss and gradient are numbers', () => {
    const metrics = { kl: broken(10, 20), loss: other, grad_norm: varying, reward: varying }
    expect(findingsOf(nonFinite, { metrics })).toMatchObject([{ severity: 'warning', evidence: { metrics: ['kl'] } }])
    const hit = { ...metrics, loss: broken(10, 20) }
    expect(findingsOf(nonFinite, { metrics: hit })).toMatchObject([{ severity: 'error' }])
  })

  it('only notes averages over nothing', () => {
    const metrics = { 'completions/mean_terminated_length': broken(1, 5), reward: varying }
    expect(findingsOf(nonFinite, { metrics })).toMatchObject([{ severity: 'note' }])
  })

  it('counts infinities', () => {
    const metrics = {
      'actor/kl_loss': varying.map((value, i) => (i === 9 ? Number.POSITIVE_INFINITY : value)),
      'actor/lr': varying,
    }
    expect(findingsOf(nonFinite, { metrics })).toMatchObject([{ steps: [10, 10], evidence: { lost: [1] } }])
  })

  it('finds the steps of nulls, which verl writes for both and no store keeps', () => {
    const subject = madeUpSubject({
      metrics: {
        'actor/kl_loss': varying.map((value, i): [number, number] => [i + 1, value]).filter(([step]) => step < 40),
        'actor/lr': varying,
      },
    })
    const warnings = [testMessage('verl.null-values', { count: 21, metric: 'actor/kl_loss', step: 40 })]
    const file = { ...LOG_FILE, warnings }
    const { findings } = examine({ ...subject, manifest: { ...subject.manifest, files: [file] } }, [nonFinite])
    expect(findings).toMatchObject([{ severity: 'error', steps: [40, 60], evidence: { lost: [21] } }])
  })

  it('has nothing to say about numbers', () => {
    expect(findingsOf(nonFinite, { metrics: { 'actor/kl_loss': varying } })).toEqual([])
  })
})

describe('series-jump', () => {
  const at = (value: number, values = varying) => values.map((usual, i) => (i === 40 ? value : usual))
  const usual = varying.map(Math.abs).toSorted((a, b) => a - b)[30]

  it('notes a value that lies orders of magnitude beyond the others, in a metric that nobody knows', () => {
    expect(findingsOf(seriesJump, { metrics: { 'optim/strange': at(1e7), 'actor/lr': other } })).toMatchObject([
      { severity: 'note', steps: [41, 41], evidence: { metrics: ['optim/strange'], values: [1e7] } },
    ])
  })

  it('warns where it is a loss (public data: 6e11 among 1e4)', () => {
    const loss = at(
      6.08e11,
      varying.map(value => 1e4 * value),
    )
    expect(findingsOf(seriesJump, { metrics: { 'train/my_loss': loss } })).toMatchObject([
      { severity: 'warning', message: { key: 'series-jump.loss' }, steps: [41, 41] },
    ])
  })

  it.each([
    ['above', 1.1e5, 1],
    ['below', 0.9e5, 0],
  ])('draws its line at 1e5 times the usual: %s', (_, times, expected) => {
    expect(findingsOf(seriesJump, { metrics: { odd: at(times * usual) } })).toHaveLength(expected)
  })

  it('sees a metric that ends there', () => {
    const values = varying.map((value, i) => (i > 55 ? 1e9 : value))
    expect(findingsOf(seriesJump, { metrics: { odd: values } })).toMatchObject([{ steps: [57, 60] }])
  })

  it.each([
    ['rounding errors, however far apart', varying.map((value, i) => (i === 40 ? 1e-3 : 1e-9 * value))],
    ['a counter', varying.map((_, i) => 1e8 * i + 1)],
    ['a level that changes for good', varying.map((value, i) => (i < 10 ? value : 1e7 + value))],
  ])('is silent about %s', (_, values) => {
    expect(findingsOf(seriesJump, { metrics: { odd: values } })).toEqual([])
  })

  it('leaves gradients and divergences to their own rules', () => {
    expect(
      findingsOf(seriesJump, { metrics: { 'actor/grad_norm': at(1e8), 'actor/kl_loss': at(1e8, other) } }),
    ).toEqual([])
  })
})

describe('logging-trap', () => {
  it('lists the metrics that mislead in one finding', () => {
    const metrics = { 'actor/pg_loss': varying, 'actor/kl_loss': other, 'actor/lr': varying }
    expect(findingsOf(loggingTrap, { metrics, versions: { verl: '0.7.0' } })).toMatchObject([
      { severity: 'note', steps: [1, 60], evidence: { metrics: ['actor/pg_loss', 'actor/kl_loss'] } },
    ])
  })

  it('says a single trap in its own words', () => {
    const metrics = { 'actor/kl_loss': varying, 'actor/lr': varying }
    expect(findingsOf(loggingTrap, { metrics, versions: { verl: '0.4.0' } })).toMatchObject([
      { message: { key: 'trap.verl-kl-last-micro-batch' } },
    ])
  })

  it('leaves what depends on an unknown version, or holds for every one, to klens show', () => {
    expect(findingsOf(loggingTrap, { metrics: { 'actor/pg_loss': varying, 'actor/kl_loss': other } })).toEqual([])
    expect(findingsOf(loggingTrap, { metrics: { reward: varying, reward_std: other, loss: other } })).toEqual([])
  })

  it('speaks up where another finding rests on the metric', () => {
    const far = varying.map(value => 100 + value)
    const subject = madeUpSubject({ metrics: { 'actor/pg_loss': varying, 'actor/kl_loss': far } })
    expect(examine(subject, [klRunaway, loggingTrap]).findings).toMatchObject([
      { rule: 'kl-runaway' },
      { rule: 'logging-trap', evidence: { metrics: ['actor/kl_loss'] } },
    ])
  })

  it('keeps silent where the version has none', () => {
    expect(findingsOf(loggingTrap, { metrics: { 'actor/lr': varying, 'actor/ppo_kl': other } })).toEqual([])
  })
})
