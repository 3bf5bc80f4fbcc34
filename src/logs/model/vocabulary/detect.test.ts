import { expect, test } from 'vitest'
import { detectFramework } from './detect.js'

test.each([
  ['verl', ['actor/pg_loss', 'critic/score/mean', 'val-core/addition/reward/mean@1']],
  ['verl', ['val-core/addition/reward/mean_at_1']],
  [
    'verl',
    ['actor_entropy', 'actor_grad_norm', 'actor_lr', 'actor_pg_loss', 'critic_score_mean', 'response_length_mean'],
  ],
  ['openrlhf', ['policy_loss', 'actor_lr', 'actor_grad_norm']],
  ['trl', ['loss', 'grad_norm', 'learning_rate', 'reward', 'kl', 'frac_reward_zero_std', 'completions/mean_length']],
  ['trl', ['train/loss', 'train/learning_rate', 'train/rewards/format/mean', 'eval/reward']],
  ['trl-ppo', ['objective/kl', 'policy/approxkl_avg', 'val/ratio', 'eps', 'lr', 'episode']],
  ['trl-ppo', ['ppo/mean_scores', 'env/reward_mean', 'objective/kl_coef']],
  ['openrlhf', ['train/policy_loss', 'train/actor_lr', 'train/vllm_kl', 'train/kl', 'eval/eval_gsm8k_pass1']],
  ['hf', ['loss', 'grad_norm', 'learning_rate', 'epoch', 'eval_loss']],
  ['hf', ['train_runtime', 'train_samples_per_second']],
  ['lever-plus', ['grpo_loss', 'ppo_loss', 'kl_loss', 'kl', 'mean_ratio', 'std_advantage', 'val_loss']],
  ['lever-plus', ['KL值', 'Train Loss', 'PPO Loss', 'Adv Std', 'Adv Max']],
  ['klens', ['kl.ref', 'loss.policy', 'grad.norm']],
] as const)('recognises %s by its metrics', (framework, names) => {
  expect(detectFramework(names, [])).toBe(framework)
})

test.each([
  ['verl', ['actor_rollout_ref.actor.use_kl_loss', 'trainer.test_freq', 'seed']],
  ['verl', ['config.actor_rollout_ref.actor.optim.lr']],
  ['trl', ['beta', 'num_generations', 'epsilon_high', 'per_device_train_batch_size', 'learning_rate']],
  ['trl-ppo', ['num_ppo_epochs', 'cliprange', 'kl_coef', 'per_device_train_batch_size']],
  ['openrlhf', ['--algo.kl.init_coef', '--rollout.n_samples_per_prompt']],
  ['openrlhf', ['init_kl_coef', 'advantage_estimator', 'n_samples_per_prompt']],
  ['hf', ['per_device_train_batch_size', 'num_train_epochs']],
  ['lever-plus', ['KL_BETA', 'GRPO_LR', 'USE_RANK_ADVANTAGE']],
] as const)('recognises %s by its config', (framework, keys) => {
  expect(detectFramework([], keys)).toBe(framework)
})

test('says nothing about names that anybody uses', () => {
  expect(detectFramework(['loss', 'reward', 'kl', 'step'], ['seed', 'lr'])).toBeNull()
  expect(detectFramework([], [])).toBeNull()
})

test('the framework with more of its names wins over a stray name of another', () => {
  expect(detectFramework(['actor/pg_loss', 'actor/lr', 'critic/score/mean', 'frac_reward_zero_std'], [])).toBe('verl')
})
