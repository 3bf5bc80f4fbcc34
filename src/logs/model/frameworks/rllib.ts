import { framework, type NamePattern } from './framework.js'

/** What the learner of a policy says; trees of names stand with slashes in progress.csv, with points in result.json. */
const OF_LEARNER: readonly (readonly [canonical: string | null, old: string, current: string])[] = [
  ['kl.old', 'kl', 'mean_kl_loss'],
  ['entropy', 'entropy', 'entropy'],
  ['loss.policy', 'policy_loss', 'policy_loss'],
  ['loss.value', 'vf_loss', 'vf_loss'],
  ['loss.total', 'total_loss', 'total_loss'],
  ['value.explained_var', 'vf_explained_var', 'vf_explained_var'],
  ['lr', 'cur_lr', 'default_optimizer_learning_rate'],
  ['grad.norm', 'grad_gnorm', 'gradients_default_optimizer_global_norm'],
  ['entropy.coef', 'entropy_coeff', 'curr_entropy_coeff'],
  // The weight of the KL to the policy before the update, not of that to a reference.
  [null, 'cur_kl_coeff', 'curr_kl_coeff'],
]

function learnerPatterns(): NamePattern[] {
  return OF_LEARNER.flatMap(([canonical, old, current]) => {
    const unit = canonical === 'kl.old' || canonical === 'entropy' ? { unit: 'nats' } : {}
    const names = [`info/learner/{any}/learner_stats/${old}`, `learners/{any}/${current}`]
    return names.flatMap(name => [name, name.replaceAll('/', '.')]).map(name => ({ name, canonical, ...unit }))
  })
}

/** As progress.csv and as result.json spell it. */
const spelled = (names: readonly string[]) => [...new Set(names.flatMap(name => [name, name.replaceAll('/', '.')]))]

const EPISODE_MEANS = spelled([
  'episode_reward_mean',
  'episode_len_mean',
  'env_runners/episode_return_mean',
  'env_runners/episode_reward_mean',
  'env_runners/episode_len_mean',
])

const KL_OF_DEFAULT = spelled(['info/learner/default_policy/learner_stats/kl', 'learners/default_policy/mean_kl_loss'])

/** RLlib: progress.csv and result.json of Ray Tune, a row per training iteration; both APIs. */
// biome-ignore format: a table is read by its lines
export const rllib = framework({
  id: 'rllib',
  name: 'RLlib',
  asOf: '008bebd',
  tells: {
    metrics: [
      'episode_reward_mean', 'episode_reward_max', 'episode_len_mean', 'training_iteration', 'timesteps_total', 'time_total_s', 'time_this_iter_s',
      'num_env_steps_sampled_lifetime', 'num_healthy_workers', 'episodes_this_iter',
    ],
    metricPrefixes: ['env_runners/', 'env_runners.', 'info/learner/', 'info.learner.', 'learners/', 'sampler_results'],
    keys: ['clip_param', 'kl_target', 'rollout_fragment_length', 'num_env_runners', 'num_rollout_workers', 'sgd_minibatch_size', 'num_sgd_iter'],
    atLeast: 2,
  },
  layout: [
    { path: '{experiment}/{trial}/result.json', source: 'jsonl' },
    { path: '{experiment}/{trial}/progress.csv', source: 'csv' },
  ],
  steps: ['timesteps_total', 'num_env_steps_sampled_lifetime', 'training_iteration'],
  metrics: {
    step: ['timesteps_total', 'num_env_steps_sampled_lifetime', 'training_iteration'],
    episodes: ['episodes_total', 'env_runners/num_episodes_lifetime', 'env_runners.num_episodes_lifetime'],
    'episode.return': ['episode_reward_mean', 'env_runners/episode_return_mean', 'env_runners.episode_return_mean', 'env_runners/episode_reward_mean', 'env_runners.episode_reward_mean'],
    'episode.return.max': ['episode_reward_max', 'env_runners/episode_return_max', 'env_runners.episode_return_max', 'env_runners/episode_reward_max', 'env_runners.episode_reward_max'],
    'episode.return.min': ['episode_reward_min', 'env_runners/episode_return_min', 'env_runners.episode_return_min', 'env_runners/episode_reward_min', 'env_runners.episode_reward_min'],
    'episode.length': ['episode_len_mean', 'env_runners/episode_len_mean', 'env_runners.episode_len_mean'],
    'val.score': ['evaluation/episode_reward_mean', 'evaluation.episode_reward_mean', 'evaluation/env_runners/episode_return_mean', 'evaluation.env_runners.episode_return_mean'],
    'time.total': ['time_total_s'],
    'time.step': ['time_this_iter_s'],
  },
  patterns: learnerPatterns(),
  settings: {
    lr: ['lr'],
    gamma: ['gamma'],
    'clip.range': ['clip_param'],
    'entropy.coef': ['entropy_coeff'],
    'kl.target': ['kl_target'],
    'grad.clip': ['grad_clip'],
    'epochs.inner': ['num_epochs', 'num_sgd_iter'],
    'batch.mini': ['minibatch_size', 'sgd_minibatch_size'],
    seed: ['seed'],
  },
  unknown: {
    train_batch_size: 'steps of the environment per update, not prompts',
    iterations_since_restore: 'a count that begins again with every restart',
    kl_coeff: 'the weight of the KL to the policy before the update, not of that to a reference',
  },
  traps: [
    { id: 'rllib-episode-window', names: EPISODE_MEANS, source: 'ray 2.9.3 and 2.60.0: rllib/algorithms/algorithm.py, _episode_history; 2.60.0: rllib/env/single_agent_env_runner.py, _log_episode_metrics',
      says: { en: 'it reaches back to earlier iterations until it holds 100 episodes (metrics_num_episodes_for_smoothing): where an iteration has fewer it lags behind the policy', zh: '会向前取之前迭代的 episode，直到满 100 个（metrics_num_episodes_for_smoothing）：一次迭代不足 100 个时，它落后于策略' } },
    { id: 'rllib-kl-off', names: KL_OF_DEFAULT, source: 'ray 2.9.3 and 2.60.0: rllib/algorithms/ppo/ppo_torch_policy.py and ppo/torch/ppo_torch_learner.py, use_kl_loss',
      says: { en: 'PPO logs 0 where the KL loss is off (use_kl_loss, or a kl_coeff of 0): not measured, which is not no change', zh: 'KL loss 关闭（use_kl_loss，或 kl_coeff 为 0）时 PPO 记录 0：表示没有测量，不是没有变化' } },
  ],
})
