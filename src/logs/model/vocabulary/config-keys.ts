import type { Aliases } from './framework.js'

/** One line of the settings table. */
export interface ConfigRow extends Aliases {
  readonly key: string
}

/**
 * The settings table: one line per setting, in the order in which people read a configuration; what each framework
 * calls it, preferred name first, full path from the root of its config. Shorter forms of a path, a wrapper before it
 * and other spellings (`--kl-beta`, `KL_BETA`) need no line: config-lookup.ts sees to them.
 */
// biome-ignore format: a table is read by its lines
export const CONFIG_KEYS: readonly ConfigRow[] = [
  // what is trained, how
  { key: 'algorithm', verl: ['algorithm.adv_estimator'], openrlhf: ['algo.advantage.estimator', 'advantage_estimator'], any: ['algorithm', 'algo', '算法'] },
  { key: 'loss.type', verl: ['actor_rollout_ref.actor.policy_loss.loss_mode'], trl: ['loss_type'] },
  { key: 'loss.aggregation', verl: ['actor_rollout_ref.actor.loss_agg_mode'] },
  { key: 'model', verl: ['actor_rollout_ref.model.path'], trl: ['model_name_or_path', '_name_or_path'], hf: ['model_name_or_path', '_name_or_path'], openrlhf: ['actor.model_name_or_path', 'pretrain'], 'lever-plus': ['sft_ckpt'], any: ['model', 'model_name', '模型'] },
  { key: 'model.freeze', 'lever-plus': ['freeze_backbone_in_grpo'], any: ['冻结 backbone'] },
  { key: 'data.train', verl: ['data.train_files'], trl: ['dataset_name'], openrlhf: ['data.prompt_dataset', 'prompt_data'], 'lever-plus': ['beam_data'], any: ['数据文件', '训练数据', '数据集'] },
  { key: 'data.val', verl: ['data.val_files'], openrlhf: ['eval.dataset', 'eval_dataset'] },
  { key: 'data.val.size', 'lever-plus': ['test_data_num'], any: ['data.val_size', 'val_size', 'eval_size'] },

  // KL to the reference
  { key: 'kl.loss.on', verl: ['actor_rollout_ref.actor.use_kl_loss'], openrlhf: ['algo.kl.use_loss', 'use_kl_loss'], 'lever-plus': ['use_ppo_clip_only'], any: ['KL Loss'] },
  { key: 'kl.loss.coef', verl: ['actor_rollout_ref.actor.kl_loss_coef'], trl: ['beta'], 'lever-plus': ['kl_beta', 'beta'], any: ['kl_coef', 'kl_coeff', 'KL 系数'] },
  { key: 'kl.loss.estimator', verl: ['actor_rollout_ref.actor.kl_loss_type'] },
  { key: 'kl.loss.bias_correction', trl: ['use_bias_correction_kl'] },
  { key: 'kl.reward.on', verl: ['algorithm.use_kl_in_reward'] },
  { key: 'kl.reward.coef', verl: ['algorithm.kl_ctrl.kl_coef'], 'trl-ppo': ['kl_coef', 'init_kl_coef'], openrlhf: ['algo.kl.init_coef', 'init_kl_coef'] },
  { key: 'kl.reward.estimator', verl: ['algorithm.kl_penalty'], 'trl-ppo': ['kl_estimator'], openrlhf: ['algo.kl.estimator', 'kl_estimator'] },
  { key: 'kl.controller', verl: ['algorithm.kl_ctrl.type'], 'trl-ppo': ['adap_kl_ctrl'], 'lever-plus': ['disable_adaptive_kl'] },
  { key: 'kl.final' },
  { key: 'kl.target', verl: ['algorithm.kl_ctrl.target_kl'], openrlhf: ['algo.kl.target', 'kl_target'] },
  { key: 'kl.horizon', verl: ['algorithm.kl_ctrl.horizon'], openrlhf: ['algo.kl.horizon', 'kl_horizon'] },
  { key: 'ref.sync', trl: ['sync_ref_model'] },
  { key: 'ref.sync.steps', trl: ['ref_model_sync_steps'] },
  { key: 'ref.sync.mixup', trl: ['ref_model_mixup_alpha'] },

  // exploration
  { key: 'entropy.coef', verl: ['actor_rollout_ref.actor.entropy_coeff'], trl: ['entropy_coef'], openrlhf: ['actor.entropy_coef', 'entropy_loss_coef', 'entropy_coef'], any: ['entropy_coeff', '熵系数', '熵正则系数'] },
  { key: 'entropy.adaptive', trl: ['use_adaptive_entropy'] },
  { key: 'entropy.target', trl: ['entropy_target'] },
  { key: 'entropy.quantile', trl: ['top_entropy_quantile'] },

  // learning rate
  { key: 'lr', verl: ['actor_rollout_ref.actor.optim.lr'], openrlhf: ['actor.adam.lr', 'actor_learning_rate'], hf: ['learning_rate'], 'lever-plus': ['grpo_lr'], any: ['lr.grpo', 'lr', 'learning_rate', '学习率'] },
  { key: 'lr.critic', verl: ['critic.optim.lr'], openrlhf: ['critic.adam.lr', 'critic_learning_rate'] },
  { key: 'lr.rce', 'lever-plus': ['rce_lr'] },
  { key: 'lr.schedule', verl: ['actor_rollout_ref.actor.optim.lr_scheduler_type', 'actor_rollout_ref.actor.optim.warmup_style'], openrlhf: ['actor.lr_scheduler', 'lr_scheduler'], hf: ['lr_scheduler_type'], any: ['schedule', '学习率调度'] },
  { key: 'lr.min_ratio', verl: ['actor_rollout_ref.actor.optim.min_lr_ratio'], openrlhf: ['actor.min_lr_ratio'] },
  { key: 'lr.cycles', verl: ['actor_rollout_ref.actor.optim.num_cycles'] },
  { key: 'lr.warmup.steps', verl: ['actor_rollout_ref.actor.optim.lr_warmup_steps'], hf: ['warmup_steps'] },
  { key: 'lr.warmup.ratio', verl: ['actor_rollout_ref.actor.optim.lr_warmup_steps_ratio'], openrlhf: ['actor.lr_warmup_ratio', 'lr_warmup_ratio'], hf: ['warmup_ratio'] },
  { key: 'grad.clip', verl: ['actor_rollout_ref.actor.grad_clip'], hf: ['max_grad_norm'], openrlhf: ['actor.max_norm', 'max_norm'], any: ['grad_clip'] },

  // the update
  { key: 'group.size', verl: ['actor_rollout_ref.rollout.n'], trl: ['num_generations'], openrlhf: ['rollout.n_samples_per_prompt', 'n_samples_per_prompt'], any: ['group_size', 'rollout_n', '组大小'] },
  { key: 'clip.range', verl: ['actor_rollout_ref.actor.clip_ratio'], 'trl-ppo': ['cliprange'], openrlhf: ['actor.eps_clip', 'eps_clip'], 'lever-plus': ['clip_epsilon'] },
  { key: 'clip.low', verl: ['actor_rollout_ref.actor.clip_ratio_low'], trl: ['epsilon'] },
  { key: 'clip.high', verl: ['actor_rollout_ref.actor.clip_ratio_high'], trl: ['epsilon_high'] },
  { key: 'clip.low_high', openrlhf: ['actor.eps_clip_low_high', 'eps_clip_low_high'] },
  { key: 'clip.dual', verl: ['actor_rollout_ref.actor.clip_ratio_c'], trl: ['delta'], openrlhf: ['actor.dual_clip', 'dual_clip'] },
  { key: 'adv.scale', verl: ['algorithm.norm_adv_by_std_in_grpo'], trl: ['scale_rewards'], 'trl-ppo': ['whiten_rewards'], openrlhf: ['algo.advantage.no_std_norm', 'no_advantage_std_norm'] },
  { key: 'adv.rank', 'lever-plus': ['use_rank_advantage'] },
  { key: 'reward.mode', 'lever-plus': ['reward_mode'] },
  { key: 'reward.weights', trl: ['reward_weights'] },
  { key: 'gamma', verl: ['algorithm.gamma'], 'trl-ppo': ['gamma'], openrlhf: ['algo.advantage.gamma', 'gamma'] },
  { key: 'dropout', any: ['dropout'] },
  { key: 'dropout.disabled', trl: ['disable_dropout'] },

  // amounts
  { key: 'batch.prompts', verl: ['data.train_batch_size'], trl: ['generation_batch_size'], openrlhf: ['rollout.batch_size', 'rollout_batch_size'], 'lever-plus': ['batch_size'] },
  { key: 'batch.mini', verl: ['actor_rollout_ref.actor.ppo_mini_batch_size'], openrlhf: ['train.batch_size', 'train_batch_size'] },
  { key: 'batch.mini.count', 'trl-ppo': ['num_mini_batches'] },
  { key: 'batch.micro', verl: ['actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu', 'actor_rollout_ref.actor.ppo_micro_batch_size'], hf: ['per_device_train_batch_size', 'train_batch_size'], openrlhf: ['train.micro_batch_size', 'micro_train_batch_size'] },
  { key: 'batch.dynamic', verl: ['actor_rollout_ref.actor.use_dynamic_bsz'] },
  { key: 'batch.accumulation', hf: ['gradient_accumulation_steps'] },
  { key: 'steps.per_generation', trl: ['steps_per_generation'] },
  { key: 'epochs.inner', verl: ['actor_rollout_ref.actor.ppo_epochs'], trl: ['num_iterations'], 'trl-ppo': ['num_ppo_epochs'], openrlhf: ['train.max_epochs', 'max_epochs'] },
  { key: 'epochs', verl: ['trainer.total_epochs'], hf: ['num_train_epochs'], openrlhf: ['train.num_episodes', 'num_episodes'], 'lever-plus': ['grpo_epochs'], any: ['epochs.grpo', 'epochs', 'num_epochs'] },
  { key: 'epochs.rce', 'lever-plus': ['rce_epochs'] },
  { key: 'steps', verl: ['trainer.total_training_steps'], hf: ['max_steps'], any: ['训练步数'] },
  { key: 'episodes', 'trl-ppo': ['total_episodes'] },
  { key: 'len.prompt.max', verl: ['data.max_prompt_length'], trl: ['max_prompt_length'], openrlhf: ['prompt_max_len'] },
  { key: 'len.response.max', verl: ['data.max_response_length'], trl: ['max_completion_length'], 'trl-ppo': ['response_length'], openrlhf: ['generate_max_len'] },
  { key: 'turns.max', verl: ['actor_rollout_ref.rollout.multi_turn.max_turns'], any: ['gym.max_turns'] },
  { key: 'gym.show_reward' },
  { key: 'gpus', verl: ['trainer.n_gpus_per_node'] },
  { key: 'nodes', verl: ['trainer.nnodes'] },

  // chance
  { key: 'seed', verl: ['data.seed'], hf: ['seed'], openrlhf: ['train.seed', 'seed'], any: ['seed', 'random_seed', '随机种子'] },
  { key: 'seed.data', verl: ['actor_rollout_ref.actor.data_loader_seed'], hf: ['data_seed'] },
  { key: 'temperature', verl: ['actor_rollout_ref.rollout.temperature'], trl: ['temperature'], 'trl-ppo': ['temperature'], openrlhf: ['rollout.temperature', 'temperature'] },

  // evaluating and keeping
  { key: 'eval.every', verl: ['trainer.test_freq'], hf: ['eval_steps'], openrlhf: ['eval.steps', 'eval_steps'] },
  { key: 'eval.first', verl: ['trainer.val_before_train'] },
  { key: 'eval.strategy', hf: ['eval_strategy', 'evaluation_strategy'] },
  { key: 'eval.temperature', verl: ['actor_rollout_ref.rollout.val_kwargs.temperature'], openrlhf: ['eval.temperature', 'eval_temperature'] },
  { key: 'eval.samples', verl: ['actor_rollout_ref.rollout.val_kwargs.n'], openrlhf: ['eval.n_samples_per_prompt', 'eval_n_samples_per_prompt'] },
  { key: 'eval.sampling', verl: ['actor_rollout_ref.rollout.val_kwargs.do_sample'] },
  { key: 'save.every', verl: ['trainer.save_freq'], hf: ['save_steps'], openrlhf: ['ckpt.save_steps', 'save_steps'] },
  { key: 'save.keep', verl: ['trainer.max_actor_ckpt_to_keep'], hf: ['save_total_limit'], openrlhf: ['ckpt.max_num', 'max_ckpt_num'] },
  { key: 'save.best', hf: ['metric_for_best_model'], openrlhf: ['ckpt.best_metric_key', 'best_metric_key'] },
  { key: 'save.load_best', hf: ['load_best_model_at_end'] },
  { key: 'log.every', hf: ['logging_steps'], openrlhf: ['logger.logging_steps', 'logging_steps'] },
]
