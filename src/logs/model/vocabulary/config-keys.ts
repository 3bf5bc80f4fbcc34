import { type Aliases, namesIn } from './framework.js'

/** One line of the settings table. */
export interface ConfigRow extends Aliases {
  readonly key: string
}

/**
 * The settings table: one line per setting, in the order in which people read a configuration, with the names that belong
 * to nobody. What a framework calls it stands in the framework's own file (../frameworks). Shorter forms of a path, a
 * wrapper before it and other spellings (`--kl-beta`, `KL_BETA`) need no line: config-lookup.ts sees to them.
 */
// biome-ignore format: a table is read by its lines
const SETTINGS: readonly Pick<ConfigRow, 'key' | 'any'>[] = [
  // what is trained, how
  { key: 'algorithm', any: ['algorithm', 'algo', '算法'] },
  { key: 'loss.type' },
  { key: 'loss.aggregation' },
  { key: 'model', any: ['model', 'model_name', '模型'] },
  { key: 'model.freeze', any: ['冻结 backbone'] },
  { key: 'data.train', any: ['数据文件', '训练数据', '数据集'] },
  { key: 'data.val' },
  { key: 'data.val.size', any: ['data.val_size', 'val_size', 'eval_size'] },

  // KL to the reference
  { key: 'kl.loss.on', any: ['KL Loss'] },
  { key: 'kl.loss.coef', any: ['kl_coef', 'kl_coeff', 'KL 系数'] },
  { key: 'kl.loss.estimator' },
  { key: 'kl.loss.bias_correction' },
  { key: 'kl.reward.on' },
  { key: 'kl.reward.coef' },
  { key: 'kl.reward.estimator' },
  { key: 'kl.controller' },
  { key: 'kl.final' },
  { key: 'kl.target' },
  { key: 'kl.horizon' },
  { key: 'ref.sync' },
  { key: 'ref.sync.steps' },
  { key: 'ref.sync.mixup' },

  // exploration
  { key: 'entropy.coef', any: ['entropy_coeff', '熵系数', '熵正则系数'] },
  { key: 'entropy.adaptive' },
  { key: 'entropy.target' },
  { key: 'entropy.quantile' },

  // learning rate
  { key: 'lr', any: ['lr.grpo', 'lr', 'learning_rate', '学习率'] },
  { key: 'lr.critic' },
  { key: 'lr.rce' },
  { key: 'lr.schedule', any: ['schedule', '学习率调度'] },
  { key: 'lr.min_ratio' },
  { key: 'lr.cycles' },
  { key: 'lr.warmup.steps' },
  { key: 'lr.warmup.ratio' },
  { key: 'grad.clip', any: ['grad_clip'] },

  // the update
  { key: 'group.size', any: ['group_size', 'rollout_n', '组大小'] },
  { key: 'clip.range' },
  { key: 'clip.low' },
  { key: 'clip.high' },
  { key: 'clip.low_high' },
  { key: 'clip.dual' },
  { key: 'adv.scale' },
  { key: 'adv.rank' },
  { key: 'reward.mode' },
  { key: 'reward.turns' },
  { key: 'reward.weights' },
  { key: 'gamma' },
  { key: 'dropout', any: ['dropout'] },
  { key: 'dropout.disabled' },

  // amounts
  { key: 'batch.prompts' },
  { key: 'batch.mini' },
  { key: 'batch.mini.count' },
  { key: 'batch.micro' },
  { key: 'batch.dynamic' },
  { key: 'batch.accumulation' },
  { key: 'steps.per_generation' },
  { key: 'epochs.inner' },
  { key: 'epochs', any: ['epochs.grpo', 'epochs', 'num_epochs'] },
  { key: 'epochs.rce' },
  { key: 'steps', any: ['训练步数'] },
  { key: 'episodes' },
  { key: 'len.prompt.max' },
  { key: 'len.response.max' },
  { key: 'turns.max', any: ['gym.max_turns'] },
  { key: 'gym.show_reward' },
  { key: 'staleness.max', any: ['rollout.max_head_offpolicyness', 'grpo.async_grpo.max_trajectory_age_steps', 'trainer.fully_async.max_staleness_steps', 'orchestrator.max_off_policy_steps'] },
  { key: 'gym.user' },
  { key: 'gpus' },
  { key: 'nodes' },

  // chance
  { key: 'seed', any: ['seed', 'random_seed', '随机种子'] },
  { key: 'seed.data' },
  { key: 'temperature' },

  // evaluating and keeping
  { key: 'eval.every' },
  { key: 'eval.first' },
  { key: 'eval.strategy' },
  { key: 'eval.temperature' },
  { key: 'eval.samples' },
  { key: 'eval.sampling' },
  { key: 'save.every' },
  { key: 'save.keep' },
  { key: 'save.best' },
  { key: 'save.load_best' },
  { key: 'log.every' },
]

/** With what each framework calls it. */
export const CONFIG_KEYS: readonly ConfigRow[] = SETTINGS.map(row => ({ ...row, ...namesIn('settings', row.key) }))
