import { framework } from './framework.js'

/** Lever-Plus, the selector trainer of the seeds. See docs/sources/lever-plus.md. */
// biome-ignore format: a table is read by its lines
export const leverPlus = framework({
  id: 'lever-plus',
  name: 'Lever-Plus',
  isCopied: true,
  tells: {
    metrics: `grpo_loss ppo_loss rce_loss mean_ratio mean_advantage std_advantage max_advantage adv_std adv_max`.split(' '),
    metricPrefixes: ['shot_num='],
    keys: `kl_beta grpo_lr rce_lr grpo_epochs rce_epochs disable_adaptive_kl use_ppo_clip_only use_rank_advantage
           freeze_backbone_in_grpo`.split(/\s+/),
    // One of these alone is anybody's.
    atLeast: 2,
  },
  metrics: {
    epoch: ['epoch'],
    'val.score': ['accuracy', 'acc', '准确率', '平均准确率'],
    'val.loss': ['val_loss'],
    'loss.total': ['grpo_loss', 'Train Loss'],
    'loss.policy': ['ppo_loss'],
    'loss.rce': ['rce_loss', 'RCE Loss'],
    'kl.ref': ['kl', 'KL值', 'KL散度', 'KL Divergence'],
    'kl.weighted': ['kl_loss'],
    'kl.coef': ['kl_beta', 'Beta'],
    'ratio.mean': ['mean_ratio'],
    'rce.temperature': ['temperature'],
    'adv.mean': ['mean_advantage'],
    'adv.std': ['std_advantage', 'Adv Std'],
    'adv.max': ['max_advantage', 'Adv Max'],
  },
  also: {
    step: ['epoch'],
  },
  quirks: [
    { names: ['kl', 'KL值', 'KL散度', 'KL Divergence'], unit: 'nats/sequence', note: 'metric-note.kl-per-pointers' },
    { names: ['mean_ratio'], note: 'metric-note.ratio-to-reference' },
    { names: ['max_advantage', 'Adv Max'], note: 'metric-note.adv-max-absolute' },
    { names: ['val_loss'], note: 'metric-note.val-loss-is-rce' },
  ],
  settings: {
    model: ['sft_ckpt'],
    'model.freeze': ['freeze_backbone_in_grpo'],
    'data.train': ['beam_data'],
    'data.val.size': ['test_data_num'],
    'kl.loss.on': ['use_ppo_clip_only'],
    'kl.loss.coef': ['kl_beta', 'beta'],
    'kl.controller': ['disable_adaptive_kl'],
    lr: ['grpo_lr'],
    'lr.rce': ['rce_lr'],
    'clip.range': ['clip_epsilon'],
    'adv.rank': ['use_rank_advantage'],
    'reward.mode': ['reward_mode'],
    'batch.prompts': ['batch_size'],
    epochs: ['grpo_epochs'],
    'epochs.rce': ['rce_epochs'],
  },
  traps: [
    { names: ['kl', 'KL值', 'KL散度', 'KL Divergence', 'mean_ratio'], key: 'trap.lever-plus-reference' },
    { names: ['std_advantage', 'Adv Std', 'max_advantage', 'Adv Max'], key: 'trap.lever-plus-advantage-of-data' },
    { names: ['kl_beta', 'Beta', 'kl_loss'], key: 'trap.lever-plus-last-beta' },
  ],
})
