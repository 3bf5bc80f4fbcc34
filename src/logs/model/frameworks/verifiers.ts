import { framework } from './framework.js'

/** verifiers (Prime Intellect): its own small trainer on the Hugging Face Trainer, and traces of evaluations. */
// biome-ignore format: a table is read by its lines
export const verifiers = framework({
  id: 'verifiers',
  name: 'verifiers',
  asOf: '035736f',
  base: 'hf',
  layout: [
    { path: 'outputs/{environment}--{model}--{harness}/*/traces.jsonl', source: 'verifiers' },
    { path: 'outputs/evals/{environment}--{model}/*/results.jsonl', source: 'verifiers' },
    { path: '{output_dir}/checkpoint-{step}/trainer_state.json', source: 'hugging-face' },
    { path: 'wandb/run-*/run-*.wandb', source: 'wandb' },
  ],
  tells: {
    metrics: ['advantage/absmean', 'tokens/completion', 'tokens/masked_fraction', 'importance_ratio', 'reward/std'],
    keys: ['vllm_importance_sampling_cap', 'mask_truncated_completions', 'async_generation_timeout'],
    atLeast: 2,
  },
  metrics: {
    'reward.mean': ['reward'],
    'reward.std': ['reward/std'],
    'loss.total': ['loss'],
    entropy: ['entropy'],
    'adv.abs': ['advantage/absmean'],
    'len.response': ['tokens/completion'],
    'rollout.ratio': ['importance_ratio'],
  },
  quirks: [{ names: ['importance_ratio'], note: 'metric-note.ratio-after-clipping' }],
  patterns: [{ name: 'reward/{part}', canonical: 'reward.part' }],
  unknown: {
    'tokens/{any}': 'a share or count of tokens',
    'wallclock/{any}': 'a time beside the training',
    'generation/{any}': 'the state of the queue',
    'metrics/{any}': 'what the environment itself reports',
    'errors/{any}': 'a count of failures',
  },
  settings: {
    'group.size': ['rollouts_per_example', 'num_generations'],
    'batch.prompts': ['batch_size'],
    'clip.low': ['epsilon'],
    'clip.high': ['epsilon_high'],
    'loss.type': ['loss_type'],
    temperature: ['temperature'],
    'len.response.max': ['max_tokens'],
  },
})
