import { describe, expect, test } from 'vitest'
import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import type { Framework } from './framework.js'
import { trapsFor, trapsOfRelease } from './traps.js'

function keys(name: string, framework: Framework | null, versions = {}) {
  return trapsFor(name, framework, versions).map(trap => trap.key)
}

describe('verl', () => {
  test('0.4 logs the KL of the last micro-batch only', () => {
    expect(keys('actor/kl_loss', 'verl', { verl: '0.4.0.dev' })).toEqual(['trap.verl-kl-last-micro-batch'])
    expect(trapsFor('actor/kl_loss', 'verl', { verl: '0.4.1' })[0]?.params).toEqual({ version: '0.4.1' })
  })

  test('0.4 logs a plain mean of the policy loss', () => {
    expect(keys('actor/pg_loss', 'verl', { verl: '0.4.0' })).toEqual([])
  })

  test.each(['0.5.0', 'v0.6.1'])('%s scales the losses twice', version => {
    expect(keys('actor/pg_loss', 'verl', { verl: version })).toEqual(['trap.verl-losses-scaled'])
    expect(keys('actor/kl_loss', 'verl', { verl: version })).toEqual(['trap.verl-losses-scaled'])
  })

  test('from 0.7 losses are sums, also that of the critic', () => {
    expect(keys('actor/kl_loss', 'verl', { verl: '0.7.0' })).toEqual(['trap.verl-losses-summed'])
    expect(keys('critic/vf_loss', 'verl', { verl: '0.8.0' })).toEqual(['trap.verl-losses-summed'])
  })

  test('from 0.7 the policy loss may hold the entropy term', () => {
    expect(keys('actor/pg_loss', 'verl', { verl: '0.7.0' })).toContain('trap.verl-pg-holds-entropy')
  })

  test('up to 0.4 the entropy may be measured against the wrong mask', () => {
    expect(keys('actor/entropy', 'verl', { verl: '0.3.0' })).toEqual(['trap.verl-entropy-misordered'])
    expect(keys('actor/entropy', 'verl', { verl: '0.6.0' })).toEqual([])
  })

  test('klens’s own trainer has none of them under the same names', () => {
    expect(keys('actor/kl_loss', 'verl', { klens: '0.1.0' })).toEqual([])
  })

  test('an unknown version is said to be unknown, once', () => {
    expect(keys('actor/kl_loss', 'verl')).toEqual(['trap.verl-losses-unknown'])
    expect(keys('critic/vf_loss', 'verl')).toEqual(['trap.verl-losses-unknown'])
    expect(keys('actor/entropy', 'verl')).toEqual(['trap.verl-entropy-unknown'])
    expect(keys('actor/pg_loss', 'verl', { verl: 'main' })).toEqual([
      'trap.verl-losses-unknown',
      'trap.verl-pg-holds-entropy-unknown',
    ])
  })

  test('a development version of the release that changed things counts as unknown', () => {
    expect(keys('actor/kl_loss', 'verl', { verl: '0.7.0.dev' })).toEqual(['trap.verl-losses-unknown'])
  })

  test('names that only verl uses are known without being told the framework', () => {
    expect(keys('actor/kl_loss', null, { verl: '0.7.0' })).toEqual(['trap.verl-losses-summed'])
    expect(keys('kl_loss', null)).toEqual([])
  })
})

describe('TRL', () => {
  test('a row is a mean over as many steps as the config says, and of one step no mean at all', () => {
    const said = (every: number | null) =>
      trapsFor('grad_norm', 'trl', {}, every).map(({ key, params }) => [key, params])
    expect(said(null)).toEqual([['trap.trl-window-means', {}]])
    expect(said(0.05)).toEqual([['trap.trl-window-means', {}]])
    expect(said(2)).toEqual([['trap.trl-window-means-of', { steps: 2 }]])
    expect(said(1)).toEqual([])
  })

  test('reward_std has changed its meaning', () => {
    expect(keys('reward_std', 'trl')).toContain('trap.trl-reward-std')
    expect(keys('train/reward_std', null)).toContain('trap.trl-reward-std')
  })

  test('metrics of the loss path weigh a short last window wrongly', () => {
    for (const name of ['kl', 'train/entropy', 'clip_ratio/low_mean']) {
      expect(keys(name, 'trl')).toContain('trap.trl-uneven-windows')
    }
    expect(keys('reward', 'trl')).not.toContain('trap.trl-uneven-windows')
  })

  test('rows are means over the logging window', () => {
    for (const name of ['kl', 'reward', 'loss']) expect(keys(name, 'trl')).toContain('trap.trl-window-means')
    expect(keys('epoch', 'trl')).toEqual([])
  })

  test('a loss of 0 is no fault', () => {
    expect(keys('loss', 'trl')).toContain('trap.trl-loss-near-zero')
  })
})

describe('Lever-Plus', () => {
  test('KL and ratio are measured against the model before RCE', () => {
    for (const name of ['kl', 'KL值', 'mean_ratio'])
      expect(keys(name, 'lever-plus')).toEqual(['trap.lever-plus-reference'])
  })

  test('the spread of the advantages is a constant of the data', () => {
    for (const name of ['std_advantage', 'Adv Max']) {
      expect(keys(name, 'lever-plus')).toEqual(['trap.lever-plus-advantage-of-data'])
    }
  })

  test('the logged beta is the last of the epoch', () => {
    for (const name of ['kl_beta', 'KL Loss']) expect(keys(name, 'lever-plus')).toEqual(['trap.lever-plus-last-beta'])
  })
})

describe('classic RL', () => {
  test('the KL of Stable-Baselines3 is of the last pass, and up to 1.0 an estimate that may be negative', () => {
    expect(keys('train/approx_kl', 'sb3')).toEqual(['trap.sb3-last-epoch-kl'])
    expect(keys('train/approx_kl', 'sb3', { sb3: '1.0' })).toEqual(['trap.sb3-last-epoch-kl', 'trap.sb3-kl-k1'])
    expect(keys('train/approx_kl', 'sb3', { sb3: '1.1.0' })).toEqual(['trap.sb3-last-epoch-kl'])
  })

  test('the return of DDPG in baselines is a mean since the start, its history one over a window', () => {
    expect(keys('rollout/return', 'baselines')).toEqual(['trap.baselines-ddpg-since-start'])
    expect(keys('rollout/return_history', 'baselines')).toEqual(['trap.baselines-episode-window'])
  })

  test.each(['learners/default_policy/mean_kl_loss', 'info.learner.default_policy.learner_stats.kl'])(
    'RLlib logs 0 as %s where it measures none',
    name => expect(keys(name, 'rllib')).toEqual(['trap.rllib-kl-off']),
  )
})

test('NeMo-RL logs a KL of 0 where it measures none', () => {
  expect(keys('train/kl_penalty', 'nemo-rl')).toEqual(['trap.nemo-rl-kl-off'])
})

test('OpenRLHF’s return is centred, in the progress bar as well', () => {
  for (const name of ['return', 'train/return', 'ret']) expect(keys(name, 'openrlhf')).toEqual(['trap.openrlhf-return'])
})

test('a metric without a trap has none', () => {
  expect(keys('actor/lr', 'verl')).toEqual([])
  expect(keys('custom', null)).toEqual([])
  expect(keys('actor/kl_loss', 'trl', { verl: '0.4.0' })).toEqual([])
})

test('a launch is told what holds for its release alone', () => {
  const keysOf = (version: string) => trapsOfRelease('verl', version).map(({ trap }) => trap.key)
  expect(keysOf('0.4.1')).toEqual(['trap.verl-kl-last-micro-batch', 'trap.verl-entropy-misordered'])
  expect(keysOf('0.6.0')).toEqual(['trap.verl-losses-scaled'])
  expect(keysOf('0.7.0')).toEqual(['trap.verl-losses-summed', 'trap.verl-pg-holds-entropy'])
  expect(keysOf('userrl')).toEqual([])
  expect(trapsOfRelease('trl', '1.0.0')).toEqual([])
})

test('every trap names its source, once, and its blanks in both languages', () => {
  const traps = FRAMEWORK_DATA.flatMap(data => data.traps ?? [])
  expect(new Set(traps.map(({ id }) => id)).size).toBe(traps.length)
  for (const { source, says, from, before } of traps) {
    expect(source).toMatch(/\S{4}/)
    for (const text of [says.en, says.zh]) {
      const isOfRelease = from !== undefined || before !== undefined
      expect(/\{(?!version\})/.test(text)).toBe(false)
      expect(text.includes('{version}') && !isOfRelease).toBe(false)
    }
  }
})
