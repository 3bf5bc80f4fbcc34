/** A package whose logs are written here, and what it takes to write them. */
export interface Package {
  readonly name: string
  /** The program beside this file that writes the logs and reads them back. */
  readonly program: string
  /** Below requirements/, without `.txt`; several programs may share an environment. */
  readonly environment: string
  /** Whether the environment stands on the one that has torch. */
  readonly onTorch?: true
  /** Packages of which only the logger is used: what they ask for is not installed. */
  readonly bare?: readonly string[]
  /** The environment in which the program is called again, to read, where the writer has no reader of its own any more. */
  readonly reader?: string
  readonly gigabytes: number
  /** Metrics that klens reads beside those of the writer's reader, and that are right. */
  readonly besides?: RegExp
}

export const PACKAGES: readonly Package[] = [
  { name: 'tensorboard', program: 'tensorboard_events.py', environment: 'tensorboard', gigabytes: 1 },
  {
    ...{ name: 'wandb', program: 'wandb_offline.py', environment: 'wandb', reader: 'wandb-reader', gigabytes: 1 },
    // The axis of the other metrics, which klens keeps as a metric at W&B's own steps.
    besides: /^train\/step$/,
  },
  { name: 'mlflow', program: 'mlflow_stores.py', environment: 'mlflow', gigabytes: 2 },
  { name: 'swanlab', program: 'swanlab_offline.py', environment: 'swanlab', gigabytes: 1 },
  { name: 'trackio', program: 'trackio_projects.py', environment: 'trackio', gigabytes: 1 },
  {
    ...{ name: 'baselines', program: 'baselines_logger.py', environment: 'baselines', gigabytes: 1 },
    bare: ['baselines==0.1.5'],
  },
  {
    ...{ name: 'tinker-cookbook', program: 'tinker_logger.py', environment: 'tinker-cookbook', gigabytes: 1 },
    bare: ['tinker-cookbook==0.5.8'],
  },
  { name: 'ray-tune', program: 'tune_trials.py', environment: 'ray-tune', gigabytes: 2 },
  { name: 'lm-eval', program: 'lm_eval_tasks.py', environment: 'lm-eval', gigabytes: 2 },
  { name: 'inspect-ai', program: 'inspect_logs.py', environment: 'inspect-ai', gigabytes: 2 },
  { name: 'verifiers', program: 'verifiers_traces.py', environment: 'verifiers', gigabytes: 2 },
  {
    ...{ name: 'stable-baselines3', program: 'stable_baselines.py', environment: 'stable-baselines3', gigabytes: 2 },
    onTorch: true,
  },
  { name: 'cleanrl', program: 'cleanrl_script.py', environment: 'stable-baselines3', onTorch: true, gigabytes: 2 },
  { name: 'lightning', program: 'lightning_loggers.py', environment: 'lightning', onTorch: true, gigabytes: 2 },
  { name: 'transformers', program: 'hf_trainer.py', environment: 'transformers', onTorch: true, gigabytes: 3 },
  { name: 'trl', program: 'trl_grpo.py', environment: 'transformers', onTorch: true, gigabytes: 3 },
  {
    ...{ name: 'llamafactory', program: 'llama_factory.py', environment: 'trainer-callbacks', gigabytes: 2 },
    // Names that trainer_log.jsonl has beside those of trainer_state.json.
    besides: /^(lr|percentage|total_steps)$/,
    ...{ onTorch: true, bare: ['llamafactory==0.9.5', 'ms-swift==4.6.0'] },
  },
  {
    ...{ name: 'ms-swift', program: 'ms_swift.py', environment: 'trainer-callbacks', gigabytes: 2 },
    ...{ onTorch: true, bare: ['llamafactory==0.9.5', 'ms-swift==4.6.0'] },
  },
]

/** Packages that write logs which klens reads, or should, and that are not tried here. */
export const NOT_TRIED: readonly (readonly [name: string, reason: string])[] = [
  ['Spinning Up', 'the package index has another package of that name'],
  ['prime-rl, NeMo-RL', 'the package index has no release of theirs'],
  ['Aim', 'klens does not read its RocksDB; its own exporter writes pictures and CSV by hand only'],
  ['Neptune exporter', 'the package index does not have it, and the service that it read has ended'],
]
