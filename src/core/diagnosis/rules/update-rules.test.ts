import { describe } from 'vitest'
import { cases } from '../../../../test/support/rule-cases.js'
import { repeated, uneven } from '../../../../test/support/series.js'
import { advantageConstant } from './advantage-constant.js'
import { entropyCollapse, entropyExplosion } from './entropy.js'
import { gradSpike, gradVanishing, runDead } from './gradient.js'
import { groupsDegenerate } from './groups-degenerate.js'
import { lrNegligible, lrPrintsZero } from './learning-rate.js'
import { lossIdentity } from './loss-identity.js'
import { clipFraction } from './ratio.js'
import { rewardAbsorbing } from './reward-absorbing.js'

const KL_ON = { 'actor_rollout_ref.actor.use_kl_loss': true, 'actor_rollout_ref.actor.kl_loss_coef': 0.01 }

describe('loss-identity', () => {
  const sweep = { KL_BETA: 0.18, GRPO_LR: 5e-6 }
  const grpo = { 'algorithm.adv_estimator': 'grpo', 'actor_rollout_ref.rollout.n': 8 }
  cases(lossIdentity, [
    {
      name: 'finds the row of a report whose losses imply another coefficient',
      metrics: { 'Train Loss': [0.02038, 0.02235], 'PPO Loss': [0.00574, 0.01164], KL: [0.08134, 0.07002] },
      config: sweep,
      expected: ['error', 'loss-identity.penalty', 2, 2],
    },
    {
      name: 'passes rows that add up as printed',
      metrics: { 'Train Loss': [0.02038, 0.02424], 'PPO Loss': [0.00574, 0.01164], KL: [0.08134, 0.07002] },
      config: sweep,
      expected: null,
    },
    {
      name: 'leaves a coefficient that no row confirms to kl-coefficient-mismatch',
      metrics: { 'Train Loss': [0.0162, 0.01721], 'PPO Loss': [0.0065, 0.0086], KL: [0.08082, 0.07178] },
      config: sweep,
      expected: 'unchecked',
    },
    {
      name: 'adds policy loss and weighted KL',
      metrics: {
        grpo_loss: [0.01771, 0.0145],
        ppo_loss: [0.00818, 0.00806],
        kl_loss: [0.00953, 0.00546],
        kl: [0.079, 0.05],
      },
      expected: ['error', 'loss-identity.sum', 2, 2],
    },
    {
      name: 'sees a reward that is not the score although no KL is in it',
      metrics: { 'critic/rewards/mean': [1.5, 1.6, 1.7, 1.7], 'critic/score/mean': [0.5, 0.4, 0.4, 0.3] },
      config: KL_ON,
      expected: ['warning', 'loss-identity.reward', 1, 4],
    },
    {
      name: 'tells since when they differ, where they were equal before (lab 2: a third of the rewards lost)',
      metrics: {
        'critic/rewards/mean': [...uneven(0.8, 10), ...uneven(0.5, 15)],
        'critic/score/mean': [...uneven(0.8, 10), ...uneven(0.79, 15)],
      },
      config: KL_ON,
      expected: ['warning', 'loss-identity.reward-since', 11, 25],
    },
    {
      name: 'but not after nine rows',
      metrics: {
        'critic/rewards/mean': [...uneven(0.8, 9), ...uneven(0.5, 15)],
        'critic/score/mean': [...uneven(0.8, 9), ...uneven(0.79, 15)],
      },
      config: KL_ON,
      expected: ['warning', 'loss-identity.reward', 10, 24],
    },
    {
      name: 'passes a reward that is the score',
      metrics: { 'critic/rewards/mean': uneven(0.5, 9), 'critic/score/mean': uneven(0.5, 9) },
      config: KL_ON,
      expected: null,
    },
    {
      name: 'does not ask where KL is in the reward',
      metrics: {
        'critic/rewards/mean': uneven(0.4, 9),
        'critic/score/mean': uneven(0.5, 9),
        'actor/reward_kl_penalty': uneven(0.1, 9),
      },
      config: { 'algorithm.use_kl_in_reward': true },
      expected: 'unchecked',
    },
    {
      name: 'sees advantages beyond what a group of eight allows',
      metrics: { 'critic/advantages/max': uneven(3, 9), 'critic/advantages/min': uneven(-1, 9) },
      config: grpo,
      expected: ['warning', 'loss-identity.advantage', 1, 9],
    },
    {
      name: 'passes advantages at the bound',
      metrics: { 'critic/advantages/max': repeated(2.4749, 9), 'critic/advantages/min': uneven(-1, 9) },
      config: grpo,
      expected: null,
    },
  ])
})

describe('entropy-collapse', () => {
  const falling = Array.from({ length: 100 }, (_, i) => 0.3 * 0.97 ** i)
  cases(entropyCollapse, [
    {
      name: 'passes an entropy that falls and stays well above the floor',
      metrics: { 'actor/entropy': Array.from({ length: 100 }, (_, i) => 0.3 * 0.98 ** i) },
      expected: null,
    },
    {
      name: 'warns from where it stays at the floor',
      metrics: { 'actor/entropy': [...repeated(0.3, 30), ...repeated(0.009, 30)] },
      expected: ['warning', 'entropy-collapse', 31, 60],
    },
    {
      name: 'passes an entropy just above the floor',
      metrics: { 'actor/entropy': [...repeated(0.3, 30), ...repeated(0.011, 30)] },
      expected: null,
    },
    {
      name: 'calls it an error when the score has fallen',
      metrics: {
        'actor/entropy': [...repeated(0.3, 30), ...repeated(0, 30)],
        'critic/score/mean': [...repeated(0.6, 30), ...repeated(0.1, 30)],
      },
      expected: ['error', 'entropy-collapse', 31, 60],
    },
    {
      name: 'only notes an entropy that was never there',
      metrics: { 'actor/entropy': repeated(0, 30) },
      expected: ['note', 'entropy-collapse.never', 1, 30],
    },
    {
      name: 'warns ahead when the floor is reached before the run is over and nothing is gained',
      metrics: { 'actor/entropy': falling, 'critic/score/mean': uneven(0.5, 100) },
      config: { ...KL_ON, 'trainer.total_training_steps': 150 },
      expected: ['warning', 'entropy-collapse.soon', 51, 100],
    },
    {
      name: 'does not warn ahead while the score rises',
      metrics: { 'actor/entropy': falling, 'critic/score/mean': falling.map(value => 1 - value) },
      config: { ...KL_ON, 'trainer.total_training_steps': 150 },
      expected: null,
    },
    {
      name: 'does not warn ahead when the run ends first',
      metrics: { 'actor/entropy': falling, 'critic/score/mean': uneven(0.5, 100) },
      config: { ...KL_ON, 'trainer.total_training_steps': 105 },
      expected: null,
    },
    { name: 'needs five points', metrics: { 'actor/entropy': [0.2, 0.2] }, expected: 'unchecked' },
  ])
})

describe('entropy-explosion', () => {
  cases(entropyExplosion, [
    {
      name: 'warns from where it is above one nat and three times its start',
      metrics: { 'actor/entropy': [...repeated(0.3, 20), ...repeated(1.1, 20)] },
      expected: ['warning', 'entropy-explosion', 21, 40],
    },
    {
      name: 'passes a rise below one nat',
      metrics: { 'actor/entropy': [...repeated(0.2, 20), ...repeated(0.95, 20)] },
      expected: null,
    },
    {
      name: 'passes a base model that begins high',
      metrics: { 'actor/entropy': [...repeated(2, 20), ...repeated(4, 20)] },
      expected: null,
    },
    {
      name: 'passes a bump that went away',
      metrics: { 'actor/entropy': [...repeated(0.3, 20), ...repeated(1.5, 20), ...repeated(0.3, 20)] },
      expected: null,
    },
  ])
})

describe('groups-degenerate', () => {
  const tied = (share: number, times = 20) => ({ 'grpo/frac_reward_zero_std': repeated(share, times) })
  cases(groupsDegenerate, [
    { name: 'passes half of the groups', metrics: tied(0.5), expected: null },
    { name: 'passes just below three of five', metrics: tied(0.59), expected: null },
    {
      name: 'notes three of five and more, as a mean of batches that vary',
      metrics: {
        'grpo/frac_reward_zero_std': [
          ...repeated(0.3, 40),
          ...repeated(0.66, 60).map((value, i) => value + (i % 3) / 6 - 1 / 6),
        ],
      },
      expected: ['note', 'groups-degenerate.many', 41, 100],
    },
    {
      name: 'says how many would tie by chance at this score',
      metrics: { ...tied(0.7), 'critic/score/mean': repeated(0.3, 20) },
      config: { 'actor_rollout_ref.rollout.n': 8 },
      expected: ['note', 'groups-degenerate.many-expected', 1, 20],
    },
    {
      name: 'passes ties that a high score must bring',
      metrics: { ...tied(0.62), 'critic/score/mean': repeated(0.93, 20) },
      config: { 'actor_rollout_ref.rollout.n': 8 },
      expected: null,
    },
    {
      name: 'passes ties that are over',
      metrics: { 'grpo/frac_reward_zero_std': [...repeated(0.7, 40), ...repeated(0.4, 40)] },
      expected: null,
    },
    { name: 'warns at four of five', metrics: tied(0.81), expected: ['warning', 'groups-degenerate', 1, 20] },
    { name: 'calls all of them an error', metrics: tied(1), expected: ['error', 'groups-degenerate', 1, 20] },
    {
      name: 'dates the beginning',
      metrics: { 'grpo/frac_reward_zero_std': [...repeated(0.3, 20), ...repeated(1, 20)] },
      expected: ['error', 'groups-degenerate', 21, 40],
    },
    {
      name: 'only notes groups that tie because all is right',
      metrics: { ...tied(0.9), 'critic/score/mean': repeated(0.98, 20), 'critic/score/max': repeated(1, 20) },
      expected: ['note', 'groups-degenerate.solved', 1, 20],
    },
    {
      name: 'reads the deviation of Lever-Plus as the share of informative groups',
      metrics: { 'Adv Std': [0.0063, ...repeated(0.0062, 7)], 'PPO Loss': uneven(0.0001, 8), KL: uneven(0.03, 8) },
      expected: ['warning', 'groups-degenerate', 1, 8],
    },
    {
      name: 'reads all-zero advantages as tied where verl logs no share',
      metrics: { 'critic/advantages/max': repeated(0, 20), 'critic/advantages/min': repeated(0, 20) },
      expected: ['error', 'groups-degenerate', 1, 20],
    },
  ])
})

describe('advantage-constant', () => {
  cases(advantageConstant, [
    {
      name: 'notes a constant of fixed data, with the step of a curriculum',
      metrics: { 'Adv Std': [0.1703, 0.2328, 0.2328], 'PPO Loss': uneven(0.01, 3), KL: uneven(0.08, 3) },
      expected: ['note', 'advantage-constant.data', 1, 3],
    },
    {
      name: 'passes fixed data that changed twice',
      metrics: { 'Adv Std': [0.17, 0.23, 0.21, 0.21], 'PPO Loss': uneven(0.01, 4), KL: uneven(0.08, 4) },
      expected: null,
    },
    {
      name: 'knows that pairs leave no choice',
      metrics: { 'critic/advantages/max': repeated(Math.SQRT1_2, 20) },
      config: { 'actor_rollout_ref.rollout.n': 2 },
      expected: ['note', 'advantage-constant.pairs', 1, 20],
    },
    {
      name: 'passes a maximum at the bound that any large batch reaches',
      metrics: { 'critic/advantages/max': repeated(2.4748, 20) },
      config: { 'actor_rollout_ref.rollout.n': 8 },
      expected: null,
    },
    {
      name: 'passes it where the size of a group is not told',
      metrics: { 'critic/advantages/max': repeated(3.75, 20) },
      expected: null,
    },
    {
      name: 'notes a maximum that is no bound',
      metrics: { 'critic/advantages/max': repeated(1.9, 20) },
      config: { 'actor_rollout_ref.rollout.n': 8 },
      expected: ['note', 'advantage-constant', 1, 20],
    },
    { name: 'passes a maximum that moves', metrics: { 'critic/advantages/max': uneven(2.4, 20) }, expected: null },
    {
      name: 'leaves zeros to groups-degenerate',
      metrics: { 'critic/advantages/max': repeated(0, 20) },
      expected: null,
    },
  ])
})

describe('run-dead', () => {
  const gradient = (...norms: readonly number[]) => ({
    'actor/grad_norm': norms,
    'actor/pg_loss': norms.map(norm => norm / 100),
  })
  cases(runDead, [
    {
      name: 'dates the death',
      metrics: gradient(...uneven(1, 30), ...repeated(0, 30)),
      expected: ['error', 'run-dead', 31, 60],
    },
    {
      name: 'is not misled by a stray gradient',
      metrics: gradient(...uneven(1, 30), ...repeated(0, 15), 2, ...repeated(0, 15)),
      expected: ['error', 'run-dead', 31, 61],
    },
    {
      name: 'sees a run that never lived',
      metrics: gradient(...repeated(0, 20)),
      expected: ['error', 'run-dead.start', 1, 20],
    },
    {
      name: 'passes TRL on-policy, where only the loss is 0',
      metrics: { loss: repeated(0, 30), grad_norm: uneven(0.08, 30), frac_reward_zero_std: repeated(0.2, 30) },
      expected: null,
    },
    {
      name: 'passes a run that came back',
      metrics: gradient(...uneven(1, 20), ...repeated(0, 20), ...uneven(1, 20)),
      expected: null,
    },
    { name: 'needs ten points', metrics: gradient(...repeated(0, 9)), expected: 'unchecked' },
  ])
})

describe('reward-absorbing', () => {
  const scores = (highest: readonly number[], lowest: readonly number[]) => ({
    'critic/score/max': highest,
    'critic/score/min': lowest,
  })
  cases(rewardAbsorbing, [
    {
      name: 'dates the step from which all rewards are equal',
      metrics: scores([...repeated(1, 20), ...repeated(0, 20)], repeated(0, 40)),
      expected: ['error', 'reward-absorbing', 21, 40],
    },
    {
      name: 'only notes a task that has been solved',
      metrics: scores(repeated(1, 40), [...repeated(0, 20), ...repeated(1, 20)]),
      expected: ['note', 'reward-absorbing.solved', 21, 40],
    },
    {
      name: 'passes nine such steps',
      metrics: scores([...repeated(1, 31), ...repeated(0, 9)], repeated(0, 40)),
      expected: null,
    },
    {
      name: 'reads TRL’s deviation',
      metrics: { reward_std: [...uneven(0.3, 20), ...repeated(0, 20)], frac_reward_zero_std: repeated(1, 40) },
      expected: ['error', 'reward-absorbing.deviation', 21, 40],
    },
  ])
})

describe('grad-spike', () => {
  const withSpikes = (norm: number, every: number) => ({
    'actor/grad_norm': uneven(0.5, 100).map((value, i) => (i % every === every - 1 ? norm : value)),
  })
  cases(gradSpike, [
    { name: 'passes norms of nineteen times their neighbours', metrics: withSpikes(9.4, 15), expected: null },
    { name: 'warns of many above twenty', metrics: withSpikes(11, 15), expected: ['warning', 'grad-spike', 15, 90] },
    { name: 'only notes a single one', metrics: withSpikes(11, 90), expected: ['note', 'grad-spike.few', 90, 90] },
    {
      name: 'passes what is not even clipped',
      metrics: { 'actor/grad_norm': uneven(0.01, 100).map((value, i) => (i === 50 ? 0.9 : value)) },
      expected: null,
    },
  ])
})

describe('grad-vanishing', () => {
  cases(gradVanishing, [
    {
      name: 'warns from where a hundredth is left',
      metrics: { 'actor/grad_norm': [...uneven(1, 50), ...uneven(0.009, 50)] },
      expected: ['warning', 'grad-vanishing', 51, 100],
    },
    {
      name: 'passes a fiftieth',
      metrics: { 'actor/grad_norm': [...uneven(1, 50), ...uneven(0.02, 50)] },
      expected: null,
    },
    {
      name: 'leaves a dead run to run-dead',
      metrics: {
        'actor/grad_norm': [...uneven(1, 50), ...repeated(0, 50)],
        'actor/pg_loss': [...uneven(1, 50), ...repeated(0, 50)],
      },
      expected: 'unchecked',
    },
  ])
})

describe('clip-fraction', () => {
  cases(clipFraction, [
    {
      name: 'passes a language model',
      metrics: { 'actor/pg_clipfrac': [0.1, ...uneven(0.005, 40)] },
      expected: null,
    },
    { name: 'passes just below the limit', metrics: { 'actor/pg_clipfrac': uneven(0.14, 40) }, expected: null },
    {
      name: 'warns above it, for as long as it lasts',
      metrics: { 'actor/pg_clipfrac': [...uneven(0.2, 20), ...uneven(0.01, 20)] },
      expected: ['warning', 'clip-fraction', 1, 20],
    },
    {
      name: 'warns of two extreme steps at once',
      metrics: { 'actor/pg_clipfrac': [0.45, 0.4, ...uneven(0.01, 40)] },
      expected: ['warning', 'clip-fraction', 1, 2],
    },
    {
      name: 'does not judge GSPO, which clips whole answers',
      metrics: { 'actor/pg_clipfrac': uneven(0.2, 40) },
      config: { 'actor_rollout_ref.actor.policy_loss.loss_mode': 'gspo' },
      expected: 'unchecked',
    },
  ])
})

describe('lr-prints-zero', () => {
  const console3 = { 'actor/entropy': repeated(0.216, 30), 'actor/lr': repeated(0, 30) }
  const full = { 'actor/entropy': uneven(0.2, 60) }
  cases(lrPrintsZero, [
    {
      name: 'explains a rate that three decimals cannot show',
      metrics: console3,
      config: { 'actor_rollout_ref.actor.optim.lr': 1e-6 },
      expected: ['note', 'lr-prints-zero', 1, 30],
    },
    {
      name: 'does not decide without a config',
      metrics: console3,
      expected: ['note', 'lr-prints-zero.unknown', 1, 30],
    },
    {
      name: 'does not believe in rounding where the rate would print',
      metrics: console3,
      config: { 'actor_rollout_ref.actor.optim.lr': 0.01 },
      expected: ['error', 'lr-prints-zero.always', 1, 30],
    },
    {
      name: 'calls a real zero an error',
      metrics: { ...full, 'actor/lr': repeated(0, 60) },
      config: { 'actor_rollout_ref.actor.optim.lr': 1e-6 },
      expected: ['error', 'lr-prints-zero.always', 1, 60],
    },
    {
      name: 'passes the first step of a warm-up and the last of a decay',
      metrics: { ...full, 'actor/lr': [0, ...uneven(1e-6, 57), 0, 0] },
      expected: null,
    },
    {
      name: 'warns of a schedule that ended before the training',
      metrics: { ...full, 'actor/lr': [...uneven(1e-6, 45), ...repeated(0, 15)] },
      expected: ['warning', 'lr-prints-zero.idle', 46, 60],
    },
  ])
})

describe('lr-negligible', () => {
  const still = { 'actor/kl_loss': uneven(1e-8, 40) }
  cases(lrNegligible, [
    {
      name: 'calls a rate that moved nothing an error',
      metrics: { ...still, 'actor/lr': repeated(1e-9, 40) },
      expected: ['error', 'lr-negligible.still', 1, 40],
    },
    {
      name: 'warns of a hopeless rate even where nothing shows it',
      metrics: { 'actor/lr': repeated(9e-9, 40) },
      expected: ['warning', 'lr-negligible', 1, 40],
    },
    {
      name: 'passes a small rate that moves something',
      metrics: { 'actor/lr': repeated(5e-8, 40), 'actor/kl_loss': uneven(0.01, 40) },
      expected: null,
    },
    { name: 'passes a usual rate', metrics: { ...still, 'actor/lr': repeated(1e-6, 40) }, expected: null },
    {
      name: 'waits for a warm-up to end',
      metrics: { ...still, 'actor/lr': Array.from({ length: 40 }, (_, i) => i * 1e-9) },
      config: { 'actor_rollout_ref.actor.optim.lr': 1e-6 },
      expected: null,
    },
    {
      name: 'takes the configured rate where the log prints 0.000',
      metrics: { 'actor/lr': repeated(0, 40), 'actor/kl_loss': repeated(0, 40) },
      config: { 'actor_rollout_ref.actor.optim.lr': 1e-9 },
      expected: ['warning', 'lr-negligible', 1, 40],
    },
    { name: 'needs a rate', metrics: still, expected: 'unchecked' },
  ])
})
