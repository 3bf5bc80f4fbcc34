import { framework } from './framework.js'

/** Lever-Plus, the selector trainer of the seeds. See docs/sources/lever-plus.md. */
// biome-ignore format: a table is read by its lines
export const leverPlus = framework({
  id: 'lever-plus',
  name: 'Lever-Plus',
  isCopied: true,
  lossJudges: true,
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
    { id: 'lever-plus-reference', names: ['kl', 'KL值', 'KL散度', 'KL Divergence', 'mean_ratio'], source: 'Lever-Plus: trainers/grpo',
      says: { en: 'the reference is the model before RCE, without dropout: the first GRPO epoch already shows RCE drift and dropout noise, and a falling KL needs no reward signal', zh: '参考策略是 RCE 之前、关闭 dropout 的模型：第一个 GRPO epoch 的数值已包含 RCE 漂移与 dropout 噪声，KL 下降也不需要任何 reward 信号' } },
    { id: 'lever-plus-advantage-of-data', names: ['std_advantage', 'Adv Std', 'max_advantage', 'Adv Max'], source: 'Lever-Plus: trainers/grpo',
      says: { en: 'a constant of the data, not of the policy: it may change once, when top-k goes from 3 to 5', zh: '只取决于数据，与策略无关：仅在 top-k 由 3 变 5 时变化一次' } },
    { id: 'lever-plus-last-beta', names: ['kl_beta', 'Beta', 'kl_loss'], source: 'Lever-Plus: trainers/grpo',
      says: { en: 'with the adaptive controller, the logged beta is the last one of the epoch: kl_loss is not beta × kl', zh: '启用自适应控制器时，记录的 beta 是该 epoch 最后的值，kl_loss ≠ beta × kl' } },
  ],
})
