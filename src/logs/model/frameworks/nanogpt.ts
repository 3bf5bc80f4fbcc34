import { framework } from './framework.js'

/** nanoGPT and what copies its loop: W&B, and a console (`step 250: train loss 2.1, val loss 2.2`). */
// biome-ignore format: a table is read by its lines
export const nanogpt = framework({
  id: 'nanogpt',
  name: 'nanoGPT',
  tells: {
    metrics: ['iter', 'train/loss', 'val/loss', 'mfu', 'lr'],
    keys: ['always_save_checkpoint', 'lr_decay_iters', 'warmup_iters', 'max_iters', 'eval_interval', 'log_interval', 'grad_clip', 'wandb_log'],
    // Each of these is anybody's; so many of them together are not.
    atLeast: 5,
  },
  layout: [{ path: 'wandb/run-*/run-*.wandb', source: 'wandb' }],
  steps: ['iter'],
  metrics: {
    step: ['iter'],
    'loss.total': ['train/loss'],
    'val.loss': ['val/loss'],
    lr: ['lr'],
    mfu: ['mfu'],
  },
  quirks: [{ names: ['mfu'], unit: 'percent' }],
  settings: {
    lr: ['learning_rate'],
    'lr.warmup.steps': ['warmup_iters'],
    'grad.clip': ['grad_clip'],
    'batch.micro': ['batch_size'],
    'batch.accumulation': ['gradient_accumulation_steps'],
    steps: ['max_iters'],
    'eval.every': ['eval_interval'],
    'log.every': ['log_interval'],
    dropout: ['dropout'],
  },
})
