import { framework } from './framework.js'

/** torchforge (PyTorch): actors that record metrics under their own names, to W&B or the console. */
// biome-ignore format: a table is read by its lines
export const torchforge = framework({
  id: 'torchforge',
  name: 'torchforge',
  asOf: '0019c33 (2026)',
  resembles: ['rllm'],
  layout: [{ path: 'wandb/run-*/run-*.wandb', source: 'wandb' }],
  tells: {
    metrics: ['rl_trainer/learning_rate', 'rl_trainer/avg_loss', 'rl_trainer/avg_grpo_loss', 'dataset/sample/current_epoch', 'episode/avg_response_tokens', 'episode/avg_prompt_tokens'],
    metricPrefixes: ['grpo_loss/', 'reward/evaluate_response/', 'main/continuous_rollouts/', 'main_perf/', 'rl_trainer/', 'rl_trainer_perf/', 'generator_perf/', 'main_samples/', 'replay_buffer_perf/'],
    keys: ['max_req_tokens', 'max_res_tokens', 'rollout_threads'],
    keyPrefixes: ['replay_buffer.', 'provisioner.', 'actors.trainer.'],
  },
  metrics: {
    'rollout.staleness': ['buffer/sample/avg_sampled_policy_age'],
    epoch: ['dataset/sample/current_epoch'],
    'reward.mean': ['reward/evaluate_response/avg_total_reward', 'avg_reward/rollout'],
    'loss.total': ['rl_trainer/avg_loss', 'rl_trainer/loss', 'rl_trainer/avg_grpo_loss'],
    'kl.ref': ['grpo_loss/kl_divergence_mean', 'rl_trainer/kl_divergence'],
    'kl.ref.max': ['grpo_loss/kl_divergence_max'],
    lr: ['rl_trainer/learning_rate'],
    'adv.mean': ['grpo_loss/advantage_mean'],
    'adv.std': ['grpo_loss/advantage_std'],
    'len.response': ['episode/avg_response_tokens'],
    'len.response.max': ['episode/max_response_tokens'],
    'len.response.min': ['episode/min_response_tokens'],
    'len.prompt': ['episode/avg_prompt_tokens'],
    'len.prompt.max': ['episode/max_prompt_tokens'],
    'len.prompt.min': ['episode/min_prompt_tokens'],
  },
  quirks: [
    { names: ['grpo_loss/kl_divergence_mean'], note: 'metric-note.kl-k3' },
    { names: ['reward/evaluate_response/avg_total_reward'], note: 'metric-note.mean-of-parts' },
  ],
  patterns: [
    { name: 'reward/evaluate_response/avg_{part}_reward', canonical: 'reward.part' },
    { name: 'reward/evaluate_response/std_{part}_reward', canonical: 'reward.part.std' },
  ],
  unknown: {
    'grpo_loss/policy_loss': 'the policy objective, which is minus the loss',
    'main/{rest}': 'a count of the controller',
    'main_perf/{rest}': 'a time of one actor, beside others that run at once',
    'rl_trainer_perf/{rest}': 'a time of one actor, beside others that run at once',
    'generator_perf/{rest}': 'a time of one actor, beside others that run at once',
    'reference_perf/{rest}': 'a time of one actor, beside others that run at once',
    'replay_buffer_perf/{rest}': 'a time of one actor, beside others that run at once',
    'buffer/{rest}': 'the state of the queue',
    'generator/{rest}': 'a count of requests',
    'dataset/{rest}': 'a count of samples',
  },
  settings: {
    model: ['model', 'trainer.model.hf_assets_path'],
    'data.train': ['dataset.path'],
    lr: ['trainer.optimizer.lr'],
    'group.size': ['group_size'],
    'batch.micro': ['local_batch_size', 'trainer.training.local_batch_size'],
    steps: ['trainer.training.steps'],
    'len.prompt.max': ['max_req_tokens'],
    'len.response.max': ['max_res_tokens'],
  },
})
