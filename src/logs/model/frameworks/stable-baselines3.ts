import { framework } from './framework.js'

/**
 * Stable-Baselines3: `progress.csv`, TensorBoard, the episodes of `monitor.csv` (which OpenAI baselines writes as well) and
 * the evaluations of `evaluations.npz`. The step is that of the environment. See docs/sources/classic-rl.md.
 */
// biome-ignore format: a table is read by its lines
export const stableBaselines3 = framework({
  id: 'sb3',
  name: 'Stable-Baselines3',
  asOf: '0311b62',
  tells: {
    metrics: [
      'rollout/ep_rew_mean', 'rollout/ep_len_mean', 'rollout/exploration_rate', 'time/total_timesteps', 'time/time_elapsed', 'train/n_updates',
      'train/policy_gradient_loss', 'train/clip_fraction', 'train/ent_coef_loss', 'eval/mean_ep_length', 'evaluations/mean_ep_length',
    ],
    keys: ['t_start'],
  },
  layout: [
    { path: 'progress.csv', source: 'csv' },
    { path: 'monitor.csv', source: 'csv' },
    { path: 'evaluations.npz', source: 'npz' },
    { path: '{algorithm}_{n}/events.out.tfevents.*', source: 'tensorboard' },
  ],
  steps: ['time/total_timesteps', 'time/total timesteps', 'timesteps', 'time/iterations', 'time/episodes'],
  metrics: {
    step: ['time/total_timesteps', 'time/total timesteps'],
    episodes: ['time/episodes'],
    'episode.return': ['rollout/ep_rew_mean', 'r', 'monitor/r'],
    'episode.length': ['rollout/ep_len_mean', 'l', 'monitor/l'],
    'episode.success': ['rollout/success_rate', 'rollout/success rate'],
    'val.score': ['eval/mean_reward', 'evaluations/mean_reward'],
    'val.score.std': ['evaluations/std_reward'],
    'loss.total': ['train/loss'],
    'loss.policy': ['train/policy_gradient_loss', 'train/policy_loss', 'train/actor_loss'],
    'loss.value': ['train/value_loss', 'train/critic_loss'],
    'kl.old': ['train/approx_kl'],
    'clip.frac': ['train/clip_fraction'],
    'entropy.negative': ['train/entropy_loss'],
    'entropy.coef': ['train/ent_coef'],
    'value.explained_var': ['train/explained_variance'],
    lr: ['train/learning_rate'],
    'time.total': ['time/time_elapsed', 't', 'monitor/t'],
  },
  quirks: [{ names: ['train/approx_kl'], unit: 'nats' }],
  settings: {
    lr: ['learning_rate'],
    gamma: ['gamma'],
    'clip.range': ['clip_range'],
    'entropy.coef': ['ent_coef'],
    'kl.target': ['target_kl'],
    'grad.clip': ['max_grad_norm'],
    'epochs.inner': ['n_epochs'],
    'batch.mini': ['batch_size'],
    seed: ['seed'],
  },
  unknown: {
    'time/fps': 'steps of the environment per second, not of the training',
    'time/iterations': 'rollouts so far, a coarser count than the step',
    'train/n_updates': 'passes over rollouts so far, a count',
    'train/clip_range': 'a setting that is logged at every step',
    'train/std': 'the spread of a Gaussian policy, which has no row',
    'train/ent_coef_loss': 'the loss of the coefficient of SAC, which no check reads',
    'rollout/exploration_rate': 'a schedule of DQN',
    'eval/mean_ep_length': 'the length of the episodes of an evaluation',
  },
  traps: [
    { id: 'sb3-last-minibatch', names: ['train/loss'], source: 'stable-baselines3 1.0, 1.8.0, 2.0.0, 2.9.2: ppo/ppo.py, train(); dqn/dqn.py of 2.9.2',
      says: { en: 'of PPO it is the loss of the last minibatch of the update, not a mean: compare curves, not single values; DQN logs a mean', zh: '对 PPO 是该次更新最后一个 minibatch 的 loss，不是均值：比较曲线，不要比较单个值；DQN 记录的是均值' } },
    { id: 'sb3-last-epoch-kl', names: ['train/approx_kl'], source: 'stable-baselines3 1.0, 1.8.0, 2.0.0, 2.9.2: ppo/ppo.py, train()',
      says: { en: 'a mean over the last pass over the rollout only: earlier passes, nearer to the old policy, are not in it', zh: '只是对 rollout 最后一遍的均值：之前各遍（更接近旧策略）不在其中' } },
    { id: 'sb3-kl-k1', names: ['train/approx_kl'], before: [1, 1], source: 'stable-baselines3 1.0 and 1.1.0: ppo/ppo.py, train()',
      says: { en: 'SB3 {version} estimates the KL by the mean log-ratio (k1), which may be negative; from 1.1 on it is k3, which is not', zh: 'SB3 {version} 用 log-ratio 的均值（k1）估计 KL，可能为负；从 1.1 起用 k3，不会为负' } },
    { id: 'sb3-episode-window', names: ['rollout/ep_rew_mean', 'rollout/ep_len_mean', 'rollout/success_rate'], source: 'stable-baselines3 1.0 to 1.7.0 (100, fixed), 1.8.0 to 2.9.2 (stats_window_size): common/base_class.py',
      says: { en: 'a mean over the last 100 episodes (stats_window_size), not over this rollout: it lags behind the policy, and neighbouring values may share episodes', zh: '最近 100 个 episode（stats_window_size）的均值，不是这次 rollout 的：它落后于策略，相邻的值可能含有相同的 episode' } },
  ],
})
