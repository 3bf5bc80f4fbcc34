import { framework } from './framework.js'

/** LLaMA-Factory, on the Hugging Face Trainer and TRL. Its trainer_log.jsonl renames a few figures of trainer_state.json. */
// biome-ignore format: a table is read by its lines
export const llamaFactory = framework({
  id: 'llama-factory',
  name: 'LLaMA-Factory',
  asOf: '9174a7a and bd0c25a (2026-08)',
  base: 'trl',
  resembles: ['hf', 'ms-swift'],
  layout: [
    { path: '{output_dir}/trainer_log.jsonl', source: 'jsonl' },
    { path: '{output_dir}/trainer_state.json', source: 'hugging-face' },
    { path: '{output_dir}/all_results.json', source: 'json' },
    { path: '{output_dir}/runs/*/events.out.tfevents.*', source: 'tensorboard' },
  ],
  tells: {
    metrics: ['current_steps', 'total_steps', 'percentage', 'predict_loss', 'vram_allocated', 'vram_reserved', 'odds_ratio_loss', 'eval_odds_ratio_loss', 'predict_rouge-1', 'predict_bleu-4', 'eval_rouge-1', 'eval_bleu-4'],
    keys: ['finetuning_type', 'cutoff_len', 'pref_beta', 'pref_loss', 'pref_ftx', 'lora_target', 'ppo_score_norm', 'dataset_dir', 'neat_packing'],
    keyPrefixes: ['finetuning_args.', 'generating_args.'],
    atLeast: 2,
  },
  steps: ['current_steps'],
  metrics: {
    'tokens.total': ['total_tokens'],
    // Of PPO, as the reward model gives it, before the step.
    'score.mean': ['reward'],
    'preference.accuracy': ['accuracy', 'rewards/accuracies'],
    'val.loss': ['eval_loss', 'predict_loss'],
    lr: ['lr', 'learning_rate'],
    'throughput.job': ['throughput'],
    'memory.allocated': ['vram_allocated'],
    'memory.reserved': ['vram_reserved'],
  },
  quirks: [
    { names: ['throughput'], note: 'metric-note.since-start' },
    { names: ['vram_allocated', 'vram_reserved'], unit: 'GiB' },
  ],
  patterns: [
    { name: 'eval_rewards/accuracies', canonical: 'val.preference.accuracy' },
    { name: 'eval_rouge-{any}', canonical: 'val.score' },
    { name: 'eval_bleu-{any}', canonical: 'val.score' },
  ],
  unknown: {
    current_steps: 'the step, which is the axis',
    total_steps: 'how many steps there will be',
    percentage: 'how much of the training is done',
    elapsed_time: 'text',
    remaining_time: 'text',
    odds_ratio_loss: 'one part of a preference loss',
    sft_loss: 'one part of a preference loss',
    eval_accuracy: 'of tokens in fine-tuning, of preference pairs in reward modelling: the name does not tell which',
    'eval_{any}_loss': 'one part of a preference loss',
    'predict_{any}': 'a prediction after the training, which has no step',
  },
  settings: {
    algorithm: ['stage', 'finetuning_args.stage'],
    'loss.type': ['pref_loss', 'finetuning_args.pref_loss'],
    model: ['model_name_or_path', 'model_args.model_name_or_path'],
    'model.freeze': ['finetuning_type', 'finetuning_args.finetuning_type'],
    'data.train': ['dataset', 'data_args.dataset'],
    'data.val': ['eval_dataset', 'data_args.eval_dataset'],
    'data.val.size': ['val_size', 'data_args.val_size'],
    'kl.loss.coef': ['pref_beta', 'finetuning_args.pref_beta'],
    'kl.target': ['ppo_target', 'finetuning_args.ppo_target'],
    'epochs.inner': ['ppo_epochs', 'finetuning_args.ppo_epochs'],
    'len.prompt.max': ['cutoff_len', 'data_args.cutoff_len'],
    'len.response.max': ['max_new_tokens', 'generating_args.max_new_tokens'],
    temperature: ['temperature', 'generating_args.temperature'],
  },
  switches: [
    { setting: 'include_num_input_tokens_seen', metrics: ['throughput.job', 'tokens.total'] },
    { setting: 'val_size', metrics: ['val.loss'] },
  ],
  traps: [
    { id: 'llama-factory-last-row', names: ['loss', 'accuracy'], source: 'llamafactory 0.9.1 and 0.9.5: train/callbacks.py, LogCallback.on_log',
      says: { en: 'taken from the trainer’s last row: the loss is a mean over logging_steps, and accuracy is of training pairs, not of held-out data', zh: '取自 trainer 最近一行：loss 是 logging_steps 步的均值，accuracy 来自训练用的偏好对，不是验证数据' } },
  ],
})
