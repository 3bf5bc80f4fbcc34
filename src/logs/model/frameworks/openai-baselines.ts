import { framework } from './framework.js'

/**
 * OpenAI baselines and Stable Baselines 2: `progress.csv` or `progress.json` of their logger. Later versions file what
 * earlier ones logged plainly under `misc/` and `loss/`. Its monitors are those of stable-baselines3.ts.
 */
// biome-ignore format: a table is read by its lines
export const openaiBaselines = framework({
  id: 'baselines',
  name: 'OpenAI baselines',
  asOf: '02b37c1',
  tells: {
    metrics: [
      'eprewmean', 'eplenmean', 'ep_reward_mean', 'serial_timesteps', 'misc/serial_timesteps', 'misc/total_timesteps', 'misc/nupdates', 'loss/approxkl',
      'EpRewMean', 'EpLenMean', 'TimestepsSoFar', 'EpThisIter', 'mean 100 episode reward', '% time spent exploring',
    ],
    keys: ['noptepochs', 'nminibatches', 'cliprange'],
  },
  layout: [
    { path: 'progress.csv', source: 'csv' },
    { path: 'progress.json', source: 'jsonl' },
    { path: '{rank}.{n}.monitor.csv', source: 'csv' },
  ],
  steps: ['misc/total_timesteps', 'total_timesteps', 'TimestepsSoFar', 'total/steps', 'steps', 'misc/serial_timesteps', 'serial_timesteps', 'misc/nupdates', 'nupdates'],
  metrics: {
    step: ['misc/total_timesteps', 'total_timesteps', 'TimestepsSoFar', 'total/steps'],
    episodes: ['EpisodesSoFar', 'episodes', 'total/episodes'],
    'episode.return': ['eprewmean', 'ep_reward_mean', 'EpRewMean', 'mean 100 episode reward', 'rollout/return_history', 'rollout/return'],
    'episode.length': ['eplenmean', 'ep_len_mean', 'EpLenMean', 'rollout/episode_steps'],
    'val.score': ['eval_eprewmean'],
    'loss.policy': ['loss/policy_loss', 'policy_loss', 'train/loss_actor'],
    'loss.value': ['loss/value_loss', 'value_loss', 'train/loss_critic'],
    'kl.old': ['loss/approxkl', 'approxkl', 'meankl'],
    'clip.frac': ['loss/clipfrac', 'clipfrac'],
    entropy: ['loss/policy_entropy', 'policy_entropy'],
    'value.explained_var': ['misc/explained_variance', 'explained_variance'],
    'time.total': ['misc/time_elapsed', 'time_elapsed', 'TimeElapsed'],
  },
  quirks: [
    { names: ['loss/approxkl', 'approxkl'], unit: 'nats', note: 'metric-note.kl-k2' },
    { names: ['meankl', 'loss/policy_entropy', 'policy_entropy'], unit: 'nats' },
  ],
  settings: {
    'clip.range': ['cliprange'],
    'entropy.coef': ['ent_coef'],
    'grad.clip': ['max_grad_norm'],
    'epochs.inner': ['noptepochs'],
    'batch.mini.count': ['nminibatches'],
    gamma: ['gamma'],
    seed: ['seed'],
  },
  unknown: {
    fps: 'steps of the environment per second, not of the training',
    serial_timesteps: 'steps of one copy of the environment',
    'misc/serial_timesteps': 'steps of one copy of the environment',
    nupdates: 'updates so far, a coarser count than the step',
    'misc/nupdates': 'updates so far, a coarser count than the step',
    EpThisIter: 'episodes of one iteration, a count',
  },
  traps: [
    { id: 'baselines-episode-window', names: ['eprewmean', 'eplenmean', 'ep_reward_mean', 'ep_len_mean', 'EpRewMean', 'EpLenMean', 'rollout/return_history'], source: 'baselines 0.1.5: ppo2/ppo2.py, epinfobuf, and ppo1/pposgd_simple.py, rewbuffer; stable-baselines 2.10.2: common/base_class.py, ep_info_buf',
      says: { en: 'a mean over the last 100 episodes, not over this iteration: it lags behind the policy', zh: '最近 100 个 episode 的均值，不是本次迭代的：它落后于策略' } },
    { id: 'baselines-ddpg-since-start', names: ['rollout/return', 'rollout/episode_steps'], source: 'baselines 0.1.5: ddpg/training.py, epoch_episode_rewards; stable-baselines 2.10.2: ddpg/ddpg.py',
      says: { en: 'DDPG’s mean over all episodes since the start, though it is called that of an epoch: it lags ever further behind the policy; rollout/return_history is over the last 100', zh: 'DDPG 自训练开始以来所有 episode 的均值（虽名为 epoch 的）：越来越落后于策略；rollout/return_history 是最近 100 个的' } },
  ],
})
