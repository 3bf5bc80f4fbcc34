import { describe, expect, it } from 'vitest'
import { exampleRun } from '../../../../test/support/example-run.js'
import { repeated } from '../../../../test/support/series.js'
import { type MadeUp, madeUpSubject } from '../../../../test/support/subject.js'
import type { Finding } from '../../../logs/model/finding.js'
import { seededRandom } from '../../../stats/random.js'
import { examine } from '../diagnose.js'
import { RULES } from '../registry.js'

/** The rules about the policy's update, together, on whole runs: real small ones, and logs as language models make them. */

const UPDATE_RULES = RULES.slice(
  0,
  RULES.findIndex(({ id }) => id === 'validation-collapse'),
)

function findingsOf(run: MadeUp): readonly Finding[] {
  return examine(madeUpSubject(run), UPDATE_RULES).findings
}

function told(findings: readonly Finding[]): string[] {
  return findings.filter(({ severity }) => severity !== 'note').map(({ rule }) => rule)
}

describe('real runs that are well', () => {
  const healthy = ['kl-0.0', 'kl-0.1', 'kl-0.3'].flatMap(group => [0, 1, 2].map(seed => `${group}/seed${seed}`))
  it.each([...healthy, 'kl-ent-cosine/seed0'])('get neither error nor warning: %s', folder => {
    expect(told(findingsOf(exampleRun(`grpo-addition/${folder}`)))).toEqual([])
  })
})

describe('real runs that are sick on purpose', () => {
  it.each([
    { run: 'sick-dropout-mismatch', rule: 'kl-start-nonzero', severity: 'error', from: [1, 1], to: [380, 400] },
    { run: 'sick-dropout-mismatch', rule: 'clip-fraction', severity: 'warning', from: [1, 1], to: [400, 400] },
    { run: 'sick-kl-sign', rule: 'kl-runaway', severity: 'error', from: [1, 1], to: [400, 400] },
    { run: 'sick-length-bonus', rule: 'kl-runaway', severity: 'error', from: [2, 10], to: [400, 400] },
    { run: 'sick-lr-high', rule: 'kl-runaway', severity: 'error', from: [1, 1], to: [400, 400] },
    { run: 'sick-lr-high', rule: 'run-dead', severity: 'error', from: [60, 140], to: [400, 400] },
    { run: 'sick-lr-high', rule: 'entropy-collapse', severity: 'error', from: [60, 160], to: [400, 400] },
    { run: 'sick-tied-rewards', rule: 'groups-degenerate', severity: 'error', from: [1, 1], to: [400, 400] },
    { run: 'sick-tied-rewards', rule: 'run-dead', severity: 'error', from: [1, 1], to: [400, 400] },
    { run: 'sick-tied-rewards', rule: 'reward-absorbing', severity: 'error', from: [1, 1], to: [400, 400] },
  ])('$run: $rule', ({ run, rule, severity, from, to }) => {
    const found = findingsOf(exampleRun(`grpo-addition/${run}/seed0`)).find(finding => finding.rule === rule)
    expect(found?.severity).toBe(severity)
    expect(found?.steps[0]).toBeGreaterThanOrEqual(from[0])
    expect(found?.steps[0]).toBeLessThanOrEqual(from[1])
    expect(found?.steps[1]).toBeGreaterThanOrEqual(to[0])
    expect(found?.steps[1]).toBeLessThanOrEqual(to[1])
  })
})

describe('logs of language models that are well', () => {
  const random = seededRandom(7)
  const noisy = (level: (share: number) => number, spread: number, n = 300): number[] =>
    Array.from({ length: n }, (_, i) => level(i / n) * Math.exp(spread * random.normal()))
  const verl = {
    'actor/pg_loss': noisy(() => 0.02, 1).map((value, i) => (i % 2 === 0 ? value : -value)),
    'actor/kl_loss': noisy(share => 1e-4 + 0.3 * share, 0.2),
    'actor/kl_coef': repeated(0.001, 300),
    'actor/entropy': noisy(share => 0.6 - 0.45 * share, 0.05),
    'actor/grad_norm': noisy(() => 0.3, 0.3),
    'actor/ppo_kl': noisy(() => 2e-4, 0.5),
    'actor/pg_clipfrac': noisy(() => 0.004, 0.5),
    'actor/lr': repeated(1e-6, 300),
    'critic/score/mean': noisy(share => 0.3 + 0.4 * share, 0.05),
    'critic/score/max': repeated(1, 300),
    'critic/score/min': repeated(0, 300),
    'critic/advantages/max': repeated(2.4748, 300).map((value, i) => (i % 50 === 3 ? 2.1 : value)),
    'critic/advantages/min': repeated(-2.4748, 300),
  }
  const config = {
    'actor_rollout_ref.actor.use_kl_loss': true,
    'actor_rollout_ref.actor.kl_loss_coef': 0.001,
    'actor_rollout_ref.actor.kl_loss_type': 'low_var_kl',
    'actor_rollout_ref.actor.optim.lr': 1e-6,
    'actor_rollout_ref.rollout.n': 8,
    'algorithm.adv_estimator': 'grpo',
    'data.train_batch_size': 1024,
    'actor_rollout_ref.actor.ppo_mini_batch_size': 256,
    'trainer.total_training_steps': 600,
  }

  it('verl, all digits', () => expect(told(findingsOf({ metrics: verl, config }))).toEqual([]))

  it('verl 0.4, three decimals: a rate and a KL of 0.000', () => {
    const printed = Object.entries(verl).map(([name, values]) => [name, values.map(value => Number(value.toFixed(3)))])
    const findings = findingsOf({ metrics: Object.fromEntries(printed), config })
    expect(told(findings)).toEqual([])
    expect(findings.map(({ rule }) => rule)).toContain('lr-prints-zero')
  })

  it('TRL on-policy: loss 0, no KL, a rate that decays to 0', () => {
    const metrics = {
      loss: noisy(() => 1e-9, 1),
      grad_norm: noisy(() => 0.1, 0.4),
      learning_rate: Array.from({ length: 300 }, (_, i) => 1e-6 * (1 - (i + 1) / 300)),
      reward: noisy(share => 0.4 + 0.3 * share, 0.1),
      reward_std: noisy(() => 0.3, 0.1),
      frac_reward_zero_std: noisy(() => 0.35, 0.3),
      entropy: noisy(share => 0.5 - 0.35 * share, 0.05),
      'clip_ratio/region_mean': repeated(0, 300),
    }
    expect(findingsOf({ metrics, config: { beta: 0, learning_rate: 1e-6, num_generations: 8 } })).toEqual([])
  })
})
