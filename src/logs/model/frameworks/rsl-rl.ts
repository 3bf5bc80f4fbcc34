import { framework } from './framework.js'

/** rsl_rl (legged_gym, Isaac Lab): TensorBoard, W&B or Neptune. The step is the iteration: one rollout and its update. */
// biome-ignore format: a table is read by its lines
export const rslRl = framework({
  id: 'rsl-rl',
  name: 'rsl_rl',
  asOf: '07274d2, and rsl-rl-lib 2.1.1 to 5.5.1',
  tells: {
    metrics: [
      'Train/mean_reward', 'Train/mean_episode_length', 'Train/mean_reward/time', 'Loss/value_function', 'Loss/surrogate',
      'Policy/mean_noise_std', 'Policy/mean_std', 'Perf/total_fps', 'Perf/collection time', 'Perf/collection_time', 'Perf/learning_time',
    ],
    keys: ['num_steps_per_env', 'empirical_normalization'],
    atLeast: 2,
  },
  layout: [{ path: 'logs/{task}/{date}/events.out.tfevents.*', source: 'tensorboard' }],
  metrics: {
    'episode.return': ['Train/mean_reward'],
    'episode.length': ['Train/mean_episode_length'],
    'loss.policy': ['Loss/surrogate'],
    'loss.value': ['Loss/value_function', 'Loss/value'],
    entropy: ['Loss/entropy'],
    lr: ['Loss/learning_rate'],
    'time.update': ['Perf/learning_time'],
  },
  quirks: [{ names: ['Loss/entropy'], unit: 'nats' }],
  patterns: [
    { name: 'Episode_Reward/{part}', canonical: 'reward.part' },
    { name: 'Episode/rew_{part}', canonical: 'reward.part' },
  ],
  axes: { 'Train/mean_reward/time': 'seconds', 'Train/mean_episode_length/time': 'seconds' },
  settings: {
    gamma: ['algorithm.gamma', 'gamma'],
    lr: ['algorithm.learning_rate', 'learning_rate'],
    'clip.range': ['algorithm.clip_param', 'clip_param'],
    'entropy.coef': ['algorithm.entropy_coef', 'entropy_coef'],
    'kl.target': ['algorithm.desired_kl', 'desired_kl'],
    'grad.clip': ['algorithm.max_grad_norm', 'max_grad_norm'],
    'epochs.inner': ['algorithm.num_learning_epochs', 'num_learning_epochs'],
    'batch.mini.count': ['algorithm.num_mini_batches', 'num_mini_batches'],
    seed: ['seed'],
  },
  unknown: {
    'Train/mean_reward/time': 'Train/mean_reward again, over seconds instead of iterations',
    'Train/mean_episode_length/time': 'Train/mean_episode_length again, over seconds instead of iterations',
    'Policy/mean_noise_std': 'the spread of a Gaussian policy, which has no row',
    'Policy/mean_std': 'the spread of a Gaussian policy, which has no row',
    'Perf/total_fps': 'steps of the environment per second, not of the training',
    'Perf/collection time': 'seconds in the simulator, which is no generation of text',
    'Perf/collection_time': 'seconds in the simulator, which is no generation of text',
    num_steps_per_env: 'steps of each copy of the environment per iteration',
  },
  traps: [
    { id: 'rsl-rl-episode-window', names: ['Train/mean_reward', 'Train/mean_episode_length'], source: 'rsl-rl-lib 2.1.1 and 2.3.3: runners/on_policy_runner.py; 3.3.0 and 5.5.1: utils/logger.py, rewbuffer',
      says: { en: 'a mean over the last 100 episodes that ended, not over this iteration: with few environments it lags behind the policy, with thousands it is a small part of the iteration', zh: '最近结束的 100 个 episode 的均值，不是本次迭代的：环境少时它落后于策略，环境上千时只是本次迭代的一小部分' } },
  ],
})
