import { framework } from './framework.js'

const NAMES =
  `learning_rate grad_norm train_runtime train_samples_per_second train_steps_per_second total_flos eval_runtime
  per_device_train_batch_size gradient_accumulation_steps num_train_epochs lr_scheduler_type`.split(/\s+/)

/** The plain Hugging Face Trainer, on which TRL and others build. */
// biome-ignore format: a table is read by its lines
export const huggingFace = framework({
  id: 'hf',
  name: 'Hugging Face',
  isCopied: true,
  tells: {
    metrics: NAMES,
    keys: NAMES,
    // One of these alone is anybody's.
    atLeast: 2,
    isLast: true,
  },
  metrics: {
    step: ['global_step'],
    epoch: ['epoch'],
    'tokens.total': ['num_input_tokens_seen'],
    'loss.total': ['loss', 'train_loss'],
    'grad.norm': ['grad_norm'],
    lr: ['learning_rate'],
    'throughput.samples': ['train_samples_per_second', 'samples_per_second'],
    'throughput.steps': ['train_steps_per_second', 'steps_per_second'],
    'flops.total': ['total_flos'],
    'time.total': ['train_runtime', 'runtime'],
  },
  settings: {
    model: ['model_name_or_path', '_name_or_path'],
    lr: ['learning_rate'],
    'lr.schedule': ['lr_scheduler_type'],
    'lr.warmup.steps': ['warmup_steps'],
    'lr.warmup.ratio': ['warmup_ratio'],
    'grad.clip': ['max_grad_norm'],
    'batch.micro': ['per_device_train_batch_size', 'train_batch_size'],
    'batch.accumulation': ['gradient_accumulation_steps'],
    epochs: ['num_train_epochs'],
    steps: ['max_steps'],
    seed: ['seed'],
    'seed.data': ['data_seed'],
    'eval.every': ['eval_steps'],
    'eval.first': ['eval_on_start'],
    'eval.strategy': ['eval_strategy', 'evaluation_strategy'],
    'save.every': ['save_steps'],
    'save.keep': ['save_total_limit'],
    'save.best': ['metric_for_best_model'],
    'save.load_best': ['load_best_model_at_end'],
    'log.every': ['logging_steps'],
  },
  traps: [
    { id: 'hugging-face-window', names: ['loss'], source: 'transformers 4.40.0, 4.57.0, 5.23.0: trainer.py, _maybe_log_save_evaluate',
      ofSteps: { en: 'each row is a mean over {steps} steps (logging_steps); grad_norm and learning_rate beside it are single values', zh: '每一行是 {steps} 步（logging_steps）的均值；同一行的 grad_norm 与 learning_rate 是单个值' },
      says: { en: 'each row is a mean over the steps since the last row (logging_steps, 500 by default); grad_norm and learning_rate beside it are single values', zh: '每一行是自上一行以来各步（logging_steps，默认 500）的均值；同一行的 grad_norm 与 learning_rate 是单个值' } },
    { id: 'hugging-face-hides-nan', names: ['loss'], source: 'transformers 4.40.0, 4.57.0, 5.23.0: trainer.py, logging_nan_inf_filter',
      says: { en: 'a step whose loss is nan or inf counts as the mean of its row so far, 0 at the start of a row (logging_nan_inf_filter, on by default): the curve shows no nan', zh: 'loss 为 nan 或 inf 的步按该行此前的均值计入，行首则为 0（logging_nan_inf_filter，默认开启）：曲线上看不到 nan' } },
  ],
})
