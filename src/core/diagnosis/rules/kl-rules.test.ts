import { describe } from 'vitest'
import { cases } from '../../../../test/support/rule-cases.js'
import { repeated, uneven } from '../../../../test/support/series.js'
import { klRunaway } from './kl-runaway.js'
import { klCoefficientMismatch, klSwitchedOff } from './kl-settings.js'
import { klStartNonzero } from './kl-start-nonzero.js'
import { klControllerSaturated, klInert, klTooStrong } from './kl-strength.js'
import { klRatioImpossible } from './ratio.js'

const KL_ON = { 'actor_rollout_ref.actor.use_kl_loss': true, 'actor_rollout_ref.actor.kl_loss_coef': 0.01 }

describe('kl-start-nonzero', () => {
  cases(klStartNonzero, [
    {
      name: 'passes a KL of numerical noise',
      metrics: { 'actor/kl_loss_first_minibatch': [0.0015, 0.02, 0.1], 'actor/kl_loss': [0.3, 0.3, 0.3] },
      config: KL_ON,
      expected: null,
    },
    {
      name: 'notes a KL somewhat above noise',
      metrics: { 'actor/kl_loss_first_minibatch': [0.005, 0.02] },
      config: KL_ON,
      expected: ['note', 'kl-start-nonzero', 1, 1],
    },
    {
      name: 'warns of another reference',
      metrics: { 'actor/kl_loss_first_minibatch': [0.3, 0.3], 'actor/ratio_mean_first_minibatch': [1, 1] },
      config: KL_ON,
      expected: ['warning', 'kl-start-nonzero', 1, 1],
    },
    {
      name: 'only notes it where the KL has no weight',
      metrics: { 'actor/kl_loss_first_minibatch': [0.3, 0.3], 'actor/kl_coef': [0, 0] },
      expected: ['note', 'kl-start-nonzero', 1, 1],
    },
    {
      name: 'calls a ratio off 1 an error, as long as it is off',
      metrics: { 'actor/ratio_mean_first_minibatch': [0.94, 1.02, 0.97, 1.001], 'actor/kl_loss': [1, 1, 1, 1] },
      config: KL_ON,
      expected: ['error', 'kl-start-nonzero.ratio', 1, 3],
    },
    {
      name: 'is not deceived by a first step that happens to be near 1',
      metrics: { 'actor/ratio_mean_first_minibatch': [1.004, 0.94, 1.03, 0.97], 'actor/kl_loss': [1, 1, 1, 1] },
      config: KL_ON,
      expected: ['error', 'kl-start-nonzero.ratio', 2, 4],
    },
    {
      name: 'accepts a ratio within numerical noise',
      metrics: { 'actor/ratio_mean_first_minibatch': [1.002, 1], 'actor/kl_loss_first_minibatch': [0, 0] },
      config: KL_ON,
      expected: null,
    },
    {
      name: 'is unsure about the KL of a step that may hold several updates',
      metrics: { 'actor/kl_loss': [0.03, 0.1], 'actor/pg_loss': [0.1, 0.1] },
      config: KL_ON,
      expected: ['note', 'kl-start-nonzero.unsure', 1, 1],
    },
    {
      name: 'passes what a few mini-batches may do within such a step',
      metrics: { 'actor/kl_loss': [0.009, 0.1], 'actor/pg_loss': [0.1, 0.1] },
      config: KL_ON,
      expected: null,
    },
    {
      name: 'says nothing where the step is known to hold several',
      metrics: { 'actor/kl_loss': [0.3, 0.4] },
      config: { ...KL_ON, 'data.train_batch_size': 1024, 'actor_rollout_ref.actor.ppo_mini_batch_size': 256 },
      expected: 'unchecked',
    },
    {
      name: 'is sure where the step is known to hold one',
      metrics: { 'actor/kl_loss': [0.02, 0.4] },
      config: { ...KL_ON, 'data.train_batch_size': 64, 'actor_rollout_ref.actor.ppo_mini_batch_size': 64 },
      expected: ['warning', 'kl-start-nonzero', 1, 1],
    },
    {
      name: 'says nothing of a log that begins later, such as a window mean of TRL',
      metrics: { kl: [[10, 0.02]], frac_reward_zero_std: [[10, 0]], reward_std: [[10, 0.3]] },
      config: { beta: 0.04, num_generations: 8 },
      expected: 'unchecked',
    },
    {
      name: 'sees dropout in TRL’s very first step (TRL #3500)',
      metrics: { kl: [1200, 900], frac_reward_zero_std: [0, 0], reward_std: [0.3, 0.3] },
      config: { beta: 0.04, num_generations: 8 },
      expected: ['error', 'kl-start-nonzero', 1, 1],
    },
    {
      name: 'notes what the KL of Lever-Plus is measured from',
      metrics: { 'PPO Loss': [0.006, 0.008], KL: [0.081, 0.072], 'Adv Std': [0.17, 0.23] },
      config: { KL_BETA: 0.12, GRPO_LR: 5e-6 },
      expected: ['note', 'kl-start-nonzero.lever-plus', 1, 2],
    },
  ])
})

describe('kl-too-strong', () => {
  const strong = (coefficient: number) => ({ ...KL_ON, 'actor_rollout_ref.actor.kl_loss_coef': coefficient })
  const held = { 'actor/kl_loss': uneven(0.004, 60), 'critic/score/mean': uneven(0.4, 60) }
  const rising = uneven(0.4, 60).map((value, i) => value + i / 200)
  cases(klTooStrong, [
    {
      name: 'warns where the policy cannot leave its reference (lab 2: a coefficient of 30)',
      metrics: held,
      config: strong(30),
      expected: ['warning', 'kl-too-strong', 1, 60],
    },
    {
      name: 'draws its line at a coefficient of 3',
      metrics: held,
      config: strong(3),
      expected: ['warning', 'kl-too-strong', 1, 60],
    },
    { name: 'and not below', metrics: held, config: strong(2.9), expected: null },
    {
      name: 'believes the logged coefficient before the configured one',
      metrics: { ...held, 'actor/kl_coef': repeated(0.01, 60) },
      config: strong(30),
      expected: null,
    },
    {
      name: 'passes a policy that moves all the same',
      metrics: { ...held, 'actor/kl_loss': uneven(0.06, 60) },
      config: strong(30),
      expected: null,
    },
    {
      name: 'passes one that learns all the same',
      metrics: { ...held, 'critic/score/mean': rising },
      config: strong(30),
      expected: null,
    },
    {
      name: 'waits: at the start every policy is near its reference',
      metrics: { 'actor/kl_loss': uneven(0.004, 19), 'critic/score/mean': uneven(0.4, 19) },
      config: strong(30),
      expected: 'unchecked',
    },
    {
      name: 'does not weigh a KL in the reward, whose scale nobody tells',
      metrics: { 'actor/reward_kl_penalty': uneven(0.004, 60), 'critic/score/mean': uneven(0.4, 60) },
      config: { 'algorithm.use_kl_in_reward': true, 'algorithm.kl_ctrl.kl_coef': 30 },
      expected: 'unchecked',
    },
  ])
})

describe('kl-inert', () => {
  const losses = (kl: number) => ({ 'actor/kl_loss': uneven(kl, 10), 'actor/pg_loss': uneven(0.175, 10) })
  cases(klInert, [
    {
      name: 'notes a term of half a per cent',
      metrics: losses(0.0875),
      config: KL_ON,
      expected: ['note', 'kl-inert', 1, 10],
    },
    { name: 'passes a term of two per cent', metrics: losses(0.35), config: KL_ON, expected: null },
    { name: 'leaves a policy that never moved to lr-negligible', metrics: losses(1e-8), config: KL_ON, expected: null },
    { name: 'needs a coefficient', metrics: losses(0.1), expected: 'unchecked' },
    {
      name: 'waits: after a few steps the KL is small by construction',
      metrics: { 'actor/kl_loss': [0, 1e-4, 1e-4, 2e-4], 'actor/pg_loss': uneven(0.175, 4) },
      config: KL_ON,
      expected: 'unchecked',
    },
    {
      name: 'looks at where the KL has come to, not at where it began',
      metrics: { 'actor/kl_loss': [...uneven(0.001, 11), ...uneven(0.35, 9)], 'actor/pg_loss': uneven(0.175, 20) },
      config: KL_ON,
      expected: null,
    },
  ])
})

describe('kl-runaway', () => {
  const score = [...repeated(0.6, 20), ...repeated(0.1, 20)]
  cases(klRunaway, [
    {
      name: 'passes the KL of a language model, with its outliers',
      metrics: { 'actor/kl_loss': repeated(0.3, 40).map((value, i) => (i % 9 === 4 ? 13 : value)) },
      expected: null,
    },
    {
      name: 'warns from where the KL stays above one nat',
      metrics: { 'actor/kl_loss': [...repeated(0.9, 20), ...repeated(1.1, 20)] },
      expected: ['warning', 'kl-runaway', 21, 40],
    },
    {
      name: 'calls it an error when the score falls with it',
      metrics: { 'actor/kl_loss': [...repeated(0.2, 20), ...repeated(5, 20)], 'critic/score/mean': score },
      expected: ['error', 'kl-runaway', 21, 40],
    },
    {
      name: 'tells a spike that came back from a run that left, and never calls it more than a warning',
      metrics: {
        'actor/kl_loss': [...repeated(10_000, 9), ...repeated(0.08, 4), ...repeated(0.1, 27)],
        'critic/score/mean': score,
      },
      expected: ['warning', 'kl-runaway.back', 1, 9],
    },
    {
      name: 'does not take one odd batch at the end for a return',
      metrics: { 'actor/kl_loss': [...repeated(0.2, 20), ...repeated(5, 19), 0.3] },
      expected: ['warning', 'kl-runaway', 21, 39],
    },
    {
      name: 'sees a KL that leaves its course before it is large',
      metrics: { 'actor/kl_loss': [...repeated(0.02, 150), ...repeated(0.4, 50)] },
      expected: ['warning', 'kl-runaway.pace', 151, 200],
    },
    {
      name: 'dates it at the bend, not where it crosses the line',
      metrics: {
        'actor/kl_loss': Array.from({ length: 2_000 }, (_, i) => 0.05 * Math.exp(Math.max(0, i - 1_100) / 180)),
      },
      expected: ['warning', 'kl-runaway.bend', 1_251, 2_000],
    },
    {
      name: 'sees a KL that grows a thousandfold to 0.1',
      metrics: { 'actor/kl_loss': Array.from({ length: 2_000 }, (_, i) => 1e-4 * 10 ** ((3 * i) / 2_000)) },
      expected: ['warning', 'kl-runaway.pace', 401, 2_000],
    },
    {
      name: 'but not one that grows a thousandfold from nothing and levels off, as all do',
      metrics: { 'actor/kl_loss': Array.from({ length: 2_000 }, (_, i) => 1e-4 + 0.1 * (1 - Math.exp(-i / 400))) },
      expected: null,
    },
    {
      name: 'nor a hundredfold growth that ends below a twentieth of a nat',
      metrics: { 'actor/kl_loss': Array.from({ length: 2_000 }, (_, i) => 4e-5 * 10 ** ((3 * i) / 2_000)) },
      expected: null,
    },
    {
      name: 'passes a KL that grows steadily',
      metrics: { 'actor/kl_loss': Array.from({ length: 200 }, (_, i) => (0.9 * i ** 2) / 200 ** 2) },
      expected: null,
    },
    {
      name: 'passes a KL that rises after a long warm-up',
      metrics: { 'actor/kl_loss': [...repeated(0.0001, 60), ...repeated(0.4, 140)] },
      expected: null,
    },
    {
      name: 'names a negative coefficient, from the first step on',
      metrics: { 'actor/kl_loss': [0.05, 0.3, 1, 4], 'actor/kl_coef': repeated(-0.05, 4) },
      expected: ['error', 'kl-runaway.sign', 1, 4],
    },
    {
      name: 'allows for the sum over mini-batches that newer verl logs',
      metrics: { 'actor/kl_loss': repeated(1.6, 40) },
      config: { ...KL_ON, 'data.train_batch_size': 1024, 'actor_rollout_ref.actor.ppo_mini_batch_size': 64 },
      expected: null,
    },
    { name: 'needs five points', metrics: { 'actor/kl_loss': [2, 2, 2] }, expected: 'unchecked' },
  ])
})

describe('kl-coefficient-mismatch', () => {
  const lever = (rows: readonly (readonly [total: number, policy: number, kl: number])[]) => ({
    'Train Loss': rows.map(([total]) => total),
    'PPO Loss': rows.map(([, policy]) => policy),
    KL: rows.map(([, , kl]) => kl),
  })
  cases(klCoefficientMismatch, [
    {
      name: 'passes the configured coefficient',
      metrics: { 'actor/kl_coef': repeated(0.01, 5), 'actor/kl_loss': uneven(0.1, 5) },
      config: KL_ON,
      expected: null,
    },
    {
      name: 'passes what rounds to it on a console of three decimals',
      metrics: { 'actor/kl_coef': repeated(0.001, 5), 'actor/kl_loss': repeated(0.084, 5) },
      config: { ...KL_ON, 'actor_rollout_ref.actor.kl_loss_coef': 0.0012 },
      expected: null,
    },
    {
      name: 'sees the same difference where the log has all digits',
      metrics: { 'actor/kl_coef': repeated(0.001, 5), 'actor/kl_loss': uneven(0.1, 5) },
      config: { ...KL_ON, 'actor_rollout_ref.actor.kl_loss_coef': 0.0012 },
      expected: ['warning', 'kl-coefficient-mismatch', 1, 5],
    },
    {
      name: 'passes a schedule that was asked for',
      metrics: { 'actor/kl_coef': [0.001, 0.01, 0.02, 0.03, 0.05], 'actor/kl_loss': uneven(0.1, 5) },
      config: { 'kl.loss.coef': 0.001, 'kl.controller': 'scheduled', 'kl.final': 0.05 },
      expected: null,
    },
    {
      name: 'calls it an error where the config says off',
      metrics: { 'actor/kl_coef': repeated(0.001, 5), 'actor/kl_loss': uneven(0.1, 5) },
      config: { 'actor_rollout_ref.actor.use_kl_loss': false },
      expected: ['error', 'kl-coefficient-mismatch', 1, 5],
    },
    {
      name: 'believes no default against a log',
      metrics: { 'actor/kl_coef': repeated(0.05, 5) },
      config: { 'actor_rollout_ref.actor.optim.lr': 1e-6 },
      expected: 'unchecked',
    },
    {
      name: 'tells where a controller has taken it',
      metrics: { Beta: [0.001], 'PPO Loss': [0.00005], KL: [0.03565], 'Adv Std': [0.0062] },
      config: { KL_BETA: 0.1, GRPO_LR: 5e-5 },
      expected: ['warning', 'kl-coefficient-mismatch.controller', 1, 1],
    },
    {
      name: 'passes losses that imply the configured one',
      metrics: lever([
        [0.0162, 0.0065, 0.08082],
        [0.01721, 0.0086, 0.07178],
      ]),
      config: { KL_BETA: 0.12, GRPO_LR: 5e-6 },
      expected: null,
    },
    {
      name: 'sees when all rows imply another',
      metrics: lever([
        [0.0162, 0.0065, 0.08082],
        [0.01721, 0.0086, 0.07178],
      ]),
      config: { KL_BETA: 0.3, GRPO_LR: 5e-6, disable_adaptive_kl: true },
      expected: ['warning', 'kl-coefficient-mismatch.implied', 1, 2],
    },
    {
      name: 'divides a weighted KL by the KL',
      metrics: { kl_loss: [0.00952625, 0.00645507], kl: [0.079385, 0.053792], mean_ratio: [0.838, 0.916] },
      config: { kl_beta: 0.15, grpo_lr: 5e-6, disable_adaptive_kl: true },
      expected: ['warning', 'kl-coefficient-mismatch.weighted', 1, 2],
    },
  ])
})

describe('kl-switched-off', () => {
  const metrics = { 'actor/pg_loss': [0.1, 0.1], 'actor/entropy': [0.3, 0.3] }
  const filler = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`data.other_${i}`, i]))
  cases(klSwitchedOff, [
    {
      name: 'warns of a coefficient without its flag',
      metrics,
      config: { 'actor_rollout_ref.actor.kl_loss_coef': 0.01, 'actor_rollout_ref.actor.optim.lr': 1e-6 },
      expected: ['warning', 'kl-switched-off', 1, 2],
    },
    {
      name: 'warns of the quickstart’s kl_coef, typed for nothing (verl #455)',
      metrics,
      config: { 'algorithm.kl_ctrl.kl_coef': 0.001, 'actor_rollout_ref.actor.optim.lr': 1e-6 },
      expected: ['warning', 'kl-switched-off', 1, 2],
    },
    {
      name: 'warns of a controller that controls nothing',
      metrics,
      config: { 'algorithm.kl_ctrl.type': 'adaptive', 'algorithm.use_kl_in_reward': false },
      expected: ['warning', 'kl-switched-off', 1, 2],
    },
    {
      name: 'is silent about defaults in a resolved config',
      metrics,
      config: {
        ...filler,
        'actor_rollout_ref.actor.use_kl_loss': false,
        'actor_rollout_ref.actor.kl_loss_coef': 0.001,
        'actor_rollout_ref.actor.kl_loss_type': 'low_var_kl',
        'algorithm.use_kl_in_reward': false,
        'algorithm.kl_ctrl.kl_coef': 0.001,
        'algorithm.kl_ctrl.type': 'fixed',
      },
      expected: null,
    },
    {
      name: 'is silent about verl’s untouched default beside its flag, however short the config',
      metrics,
      config: { 'algorithm.use_kl_in_reward': false, 'algorithm.kl_ctrl.kl_coef': 0.001 },
      expected: null,
    },
    {
      name: 'is silent about a default among other defaults',
      metrics,
      config: {
        'algorithm.kl_ctrl.kl_coef': 0.001,
        'algorithm.kl_ctrl.type': 'fixed',
        'algorithm.kl_ctrl.horizon': 10_000,
      },
      expected: null,
    },
    {
      name: 'still warns of a value beside its flag that nobody fills in',
      metrics,
      config: { 'algorithm.use_kl_in_reward': false, 'algorithm.kl_ctrl.kl_coef': 0.002 },
      expected: ['warning', 'kl-switched-off', 1, 2],
    },
    {
      name: 'does not point at the other penalty where this one was set to 0',
      metrics,
      config: {
        'actor_rollout_ref.actor.use_kl_loss': true,
        'actor_rollout_ref.actor.kl_loss_coef': 0,
        'algorithm.kl_ctrl.kl_coef': 0.001,
      },
      expected: null,
    },
    {
      name: 'does not point at a default of the other way where the KL acts',
      metrics,
      config: { ...KL_ON, 'algorithm.kl_ctrl.kl_coef': 0.001 },
      expected: null,
    },
    {
      name: 'is silent about a coefficient of 0',
      metrics,
      config: { 'actor_rollout_ref.actor.use_kl_loss': false, 'actor_rollout_ref.actor.kl_loss_coef': 0 },
      expected: null,
    },
    {
      name: 'only notes it where the KL acts by the other way',
      metrics,
      config: { ...KL_ON, 'algorithm.kl_ctrl.kl_coef': 0.05 },
      expected: ['note', 'kl-switched-off.elsewhere', 1, 2],
    },
    { name: 'needs a config', metrics, expected: 'unchecked' },
  ])
})

describe('kl-controller-saturated', () => {
  const falling = Array.from({ length: 20 }, (_, i) => 0.1 * 0.8 ** i)
  cases(klControllerSaturated, [
    {
      name: 'sees Lever-Plus at its floor',
      metrics: { Beta: [0.0667, 0.001, 0.001], KL: [0.03, 0.03, 0.03], 'PPO Loss': [0.1, 0.1, 0.1] },
      config: { KL_BETA: 0.1, GRPO_LR: 5e-5 },
      expected: ['warning', 'kl-controller-saturated', 2, 3],
    },
    {
      name: 'passes Lever-Plus within its range',
      metrics: { Beta: [0.1, 0.0667, 0.1], KL: [0.03, 0.03, 0.03], 'PPO Loss': [0.1, 0.1, 0.1] },
      config: { KL_BETA: 0.1, GRPO_LR: 5e-5 },
      expected: null,
    },
    {
      name: 'sees a coefficient that fell and then stood still',
      metrics: { 'actor/kl_coef': [...falling, ...repeated(0.001, 15)] },
      expected: ['warning', 'kl-controller-saturated', 21, 35],
    },
    { name: 'passes one that still moves', metrics: { 'actor/kl_coef': falling }, expected: null },
    { name: 'passes one that is fixed', metrics: { 'actor/kl_coef': repeated(0.01, 50) }, expected: null },
  ])
})

describe('kl-ratio-impossible', () => {
  const lever = (kl: readonly number[], ratio: readonly number[]) => ({
    kl,
    mean_ratio: ratio,
    ppo_loss: uneven(0.1, kl.length),
  })
  const k3 = { ...KL_ON, 'actor_rollout_ref.actor.kl_loss_type': 'low_var_kl' }
  cases(klRatioImpossible, [
    {
      name: 'rejects a negative k3',
      metrics: { 'actor/kl_loss': [0.1, -0.02, 0.1, -0.01, 0.1] },
      config: k3,
      expected: ['error', 'kl-ratio-impossible.negative', 2, 4],
    },
    { name: 'allows float noise', metrics: { 'actor/kl_loss': [1e-9, -3e-8, 1e-8] }, config: k3, expected: null },
    {
      name: 'allows a negative k1',
      metrics: { 'actor/kl_loss': [0.1, -0.02] },
      config: { ...KL_ON, 'actor_rollout_ref.actor.kl_loss_type': 'kl' },
      expected: null,
    },
    {
      name: 'rejects a KL that is too small for its ratio',
      metrics: lever([0.0794, 0.01], [0.838, 0.7]),
      expected: ['error', 'kl-ratio-impossible', 2, 2],
    },
    {
      name: 'allows the ratios and KLs of a real report',
      metrics: lever([0.079385, 0.053792], [0.838018, 0.916408]),
      expected: null,
    },
    {
      name: 'warns of a ratio that is pinned at 1 while the policy is far away',
      metrics: lever(repeated(0.08, 5), repeated(1, 5)),
      expected: ['warning', 'kl-ratio-impossible.pinned', 1, 5],
    },
    {
      name: 'rejects an update KL below −log of the mean ratio',
      metrics: { 'actor/ratio_mean': uneven(0.7, 3), 'actor/ppo_kl': uneven(0.1, 3), 'actor/kl_loss': uneven(0.1, 3) },
      config: KL_ON,
      expected: ['error', 'kl-ratio-impossible', 1, 3],
    },
    {
      name: 'allows a ratio that prints as 1.000',
      metrics: {
        'actor/ratio_mean': repeated(1, 30),
        'actor/ppo_kl': repeated(0.002, 30),
        'actor/kl_loss': repeated(0.1, 30),
      },
      config: KL_ON,
      expected: null,
    },
  ])
})
