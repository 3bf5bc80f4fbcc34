import { framework } from './framework.js'

/** slime (THUDM), as of commit 624b824: W&B or TensorBoard with three step axes, one each for training, rollouts and evaluation. */
// biome-ignore format: a table is read by its lines
export const slime = framework({
  id: 'slime',
  name: 'slime',
  tells: {
    metrics: [
      'rollout/raw_reward', 'rollout/truncated_ratio', 'rollout/repetition_frac', 'train/train_rollout_logprob_abs_diff',
      'train/ois', 'train/tis', 'train/tis_clipfrac', 'perf/rollout_time', 'perf/actor_train_time', 'train/lr-pg_0',
    ],
    metricPrefixes: ['rollout/zero_std/', 'rollout/response_len/', 'passrate/', 'train/lr-pg_'],
    keys: ['num_rollout', 'use_tis', 'rollout_max_response_len'],
  },
  metrics: {
    'step': ['train/step', 'rollout/step', 'eval/step'],
    'reward.mean': ['rollout/rewards'],
    'score.mean': ['rollout/raw_reward'],
    'loss.total': ['train/loss'],
    'loss.policy': ['train/pg_loss'],
    'loss.value': ['train/value_loss'],
    'kl.ref': ['train/kl_loss'],
    'kl.old': ['train/ppo_kl'],
    'clip.frac': ['train/pg_clipfrac'],
    'grad.norm': ['train/grad_norm'],
    'lr': ['train/lr-pg_0'],
    'entropy': ['train/entropy_loss'],
    'adv.mean': ['rollout/advantages'],
    'return.mean': ['rollout/returns'],
    'len.response': ['rollout/response_len/mean', 'rollout/response_lengths'],
    'len.response.max': ['rollout/response_len/max'],
    'len.response.min': ['rollout/response_len/min'],
    'len.truncated': ['rollout/truncated_ratio', 'rollout/truncated'],
    'len.total': ['rollout/total_lengths'],
    'rollout.ratio': ['train/tis'],
    'time.step': ['perf/step_time'],
    'time.generate': ['perf/rollout_time'],
    'time.update': ['perf/actor_train_time'],
    'time.weights': ['perf/update_weights_time'],
    'time.logprob.ref': ['perf/ref_log_probs_time'],
    'time.logprob.old': ['perf/log_probs_time'],
  },
  quirks: [
    { names: ['train/entropy_loss'], note: 'metric-note.entropy-not-loss' },
    { names: ['train/ppo_kl'], note: 'metric-note.kl-may-be-negative' },
  ],
  patterns: [
    { name: 'eval/{dataset}-pass@{k}', canonical: 'val.score', aggregate: 'pass@{k}' },
    { name: 'eval/{dataset}-truncated_ratio', canonical: 'val.len.truncated' },
    { name: 'eval/{dataset}/response_len/mean', canonical: 'val.len.response' },
    { name: 'eval/{dataset}/truncated_ratio', canonical: 'val.len.truncated' },
    { name: 'eval/{dataset}/{any}/{any}', canonical: null },
    { name: 'eval/{dataset}/{any}', canonical: null },
    { name: 'eval/{dataset}', canonical: 'val.score' },
    { name: 'rollout/zero_std/count_{any}', canonical: null },
  ],
  unknown: {
    'train/train_rollout_logprob_abs_diff': 'a mean of absolute differences of log-probabilities, which is no KL',
    'train/ois': 'the ratio to the policy before the update under another name than the sampler',
  },
})
