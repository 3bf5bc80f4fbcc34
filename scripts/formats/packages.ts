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
  { name: 'tensorboard', program: 'tensorboard_events.py', environment: 'tensorboard', gigabytes: 2 },
  { name: 'wandb', program: 'wandb_offline.py', environment: 'wandb', reader: 'wandb-reader', gigabytes: 2 },
  { name: 'mlflow', program: 'mlflow_stores.py', environment: 'mlflow', gigabytes: 2 },
  { name: 'swanlab', program: 'swanlab_offline.py', environment: 'swanlab', gigabytes: 2 },
  { name: 'trackio', program: 'trackio_projects.py', environment: 'trackio', gigabytes: 2 },
  {
    name: 'stable-baselines3',
    program: 'stable_baselines.py',
    environment: 'stable-baselines3',
    onTorch: true,
    gigabytes: 2,
  },
  { name: 'cleanrl', program: 'cleanrl_script.py', environment: 'stable-baselines3', onTorch: true, gigabytes: 2 },
  { name: 'lightning', program: 'lightning_loggers.py', environment: 'lightning', onTorch: true, gigabytes: 2 },
  { name: 'transformers', program: 'hf_trainer.py', environment: 'transformers', onTorch: true, gigabytes: 3 },
  { name: 'trl', program: 'trl_grpo.py', environment: 'transformers', onTorch: true, gigabytes: 3 },
]

/** Packages that write logs which klens reads, or should, and that are not tried here. */
export const NOT_TRIED: readonly (readonly [name: string, reason: string])[] = []
