import { framework } from './framework.js'

/** TRL's PPO trainers, old and new, whose names are not those of its GRPO. */
// biome-ignore format: a table is read by its lines
export const trlPpo = framework({
  id: 'trl-ppo',
  name: 'TRL PPO',
  isCopied: true,
  base: 'hf',
  tells: {
    metrics: ['val/ratio', 'val/ratio_var', 'val/num_eos_tokens', 'val/clipfrac_avg', 'loss/policy_avg', 'loss/value_avg'],
    metricPrefixes: ['objective/', 'policy/approxkl', 'policy/clipfrac', 'ppo/'],
    keys: ['num_ppo_epochs', 'cliprange', 'whiten_rewards', 'total_episodes', 'missing_eos_penalty'],
  },
  metrics: {
    episodes: ['episode'],
    'reward.mean': ['objective/rlhf_reward', 'env/reward_mean'],
    'score.mean': ['objective/scores', 'ppo/mean_scores'],
    'loss.total': ['ppo/loss/total'],
    'loss.policy': ['loss/policy_avg', 'ppo/loss/policy'],
    'loss.value': ['loss/value_avg', 'ppo/loss/value'],
    'kl.ref': ['objective/kl'],
    'kl.weighted': ['objective/non_score_reward', 'ppo/mean_non_score_reward'],
    'kl.coef': ['objective/kl_coef'],
    'kl.old': ['policy/approxkl_avg', 'ppo/policy/approxkl', 'ppo/policy/policykl'],
    'ratio.mean': ['val/ratio'],
    'ratio.var': ['val/ratio_var'],
    'clip.frac': ['policy/clipfrac_avg', 'ppo/policy/clipfrac'],
    lr: ['lr'],
    entropy: ['policy/entropy_avg', 'ppo/policy/entropy'],
    'entropy.sequence': ['objective/entropy'],
    'value.clip_frac': ['val/clipfrac_avg'],
    'len.eos': ['val/num_eos_tokens'],
    throughput: ['eps'],
  },
  also: {
    step: ['episode'],
  },
  quirks: [
    { names: ['objective/kl'], unit: 'nats/sequence', note: 'metric-note.kl-per-sequence' },
    { names: ['objective/non_score_reward', 'ppo/mean_non_score_reward'], note: 'metric-note.kl-sign-flipped' },
    { names: ['objective/entropy'], note: 'metric-note.entropy-summed' },
    { names: ['val/ratio', 'val/ratio_var', 'val/clipfrac_avg', 'val/num_eos_tokens'], note: 'metric-note.val-not-validation' },
    { names: ['eps'], unit: 'episodes/s' },
  ],
  settings: {
    'kl.reward.coef': ['kl_coef', 'init_kl_coef'],
    'kl.reward.estimator': ['kl_estimator'],
    'kl.controller': ['adap_kl_ctrl'],
    'clip.range': ['cliprange'],
    'adv.scale': ['whiten_rewards'],
    gamma: ['gamma'],
    'batch.mini.count': ['num_mini_batches'],
    'epochs.inner': ['num_ppo_epochs'],
    episodes: ['total_episodes'],
    'len.response.max': ['response_length'],
    temperature: ['temperature'],
  },
})
