import type { Json } from '../../../logs/model/json.js'
import type { LaunchFramework } from '../../launch/launch.js'
import type { PresetName } from './schema.js'
import type { OverrideStyle } from './template.js'

/**
 * How each framework is started, where its metrics and checkpoints land, and how it goes on: what a person would
 * otherwise copy from a launch script. Facts of the releases that klens knows (docs/verbs/study.md says which of them a
 * real parser of the framework has read); any of it can be said differently in the study file.
 */
export interface Preset {
  /** Whose names its settings bear; Lever-Plus has no list of settings. */
  readonly framework: LaunchFramework | 'lever-plus'
  readonly flavour: string
  /** The release whose names are taken where the file names none; null: the newest that klens knows. */
  readonly release: string | null
  readonly words: readonly string[]
  readonly style: OverrideStyle
  /** Settings of the preset's own, with templates: where things are put. */
  readonly outputs: readonly PresetSetting[]
  readonly environment: { readonly [name: string]: string }
  readonly metrics: string
  readonly checkpoints: string
  /** What is added where there is a checkpoint. */
  readonly resume: readonly PresetSetting[]
  /** Keys that take the seed; those that the release does not have are left out. */
  readonly seeds: readonly string[]
  /** A key that takes the seed though no list has it, where none of the others is there. */
  readonly hiddenSeed: string | null
}

/** Of several names the first that the release has. */
export interface PresetSetting {
  readonly names: readonly string[]
  readonly value: Json
}

const HYDRA: OverrideStyle = { form: 'hydra', truth: 'True' }

const VERL: Preset = {
  framework: 'verl',
  flavour: 'ppo_trainer',
  release: null,
  words: ['python3', '-m', 'verl.trainer.main_ppo', '{overrides}'],
  style: HYDRA,
  outputs: [
    { names: ['trainer.project_name'], value: '{study}' },
    { names: ['trainer.experiment_name'], value: '{name}' },
    { names: ['trainer.default_local_dir'], value: '{folder}/checkpoints' },
    { names: ['trainer.logger'], value: ['console', 'file'] },
  ],
  environment: { VERL_FILE_LOGGER_PATH: '{folder}/metrics.jsonl' },
  metrics: 'metrics.jsonl',
  checkpoints: 'checkpoints/global_step_*',
  // It goes on by itself with the newest checkpoint of its folder.
  resume: [],
  seeds: [
    'data.seed',
    'actor_rollout_ref.actor.data_loader_seed',
    'actor_rollout_ref.actor.fsdp_config.seed',
    'actor_rollout_ref.rollout.seed',
  ],
  // Releases before 0.6 read it for the order of the data and do not list it.
  hiddenSeed: '+data.seed',
}

export const PRESETS: { readonly [name in PresetName]: Preset } = {
  verl: VERL,
  userrl: {
    ...VERL,
    release: 'userrl',
    // Its multi-turn settings stand in a config of its own; the study is started in the fork's checkout.
    words: [
      'python3',
      '-m',
      'verl.trainer.main_ppo',
      '--config-path={here}/examples/sglang_multiturn/config',
      '--config-name=grpo_multiturn',
      '{overrides}',
    ],
    // The fork has no logger to a file, and its console prints three decimals.
    outputs: [
      ...VERL.outputs.filter(({ names }) => names[0] !== 'trainer.logger'),
      { names: ['trainer.logger'], value: ['console', 'wandb'] },
    ],
    environment: { WANDB_MODE: 'offline', WANDB_DIR: '{folder}' },
    metrics: 'wandb',
    checkpoints: 'checkpoints/*global_step_*',
  },
  trl: {
    framework: 'trl',
    flavour: 'grpo',
    release: null,
    words: ['trl', 'grpo', '{overrides}'],
    style: { form: 'flags', truth: 'True' },
    outputs: [
      { names: ['output_dir'], value: '{folder}/checkpoints' },
      { names: ['run_name'], value: '{name}' },
      { names: ['report_to'], value: 'none' },
    ],
    environment: {},
    // Every checkpoint has the whole history, and there is one at the end.
    metrics: 'checkpoints',
    checkpoints: 'checkpoints/checkpoint-*',
    resume: [{ names: ['resume_from_checkpoint'], value: '{checkpoint}' }],
    seeds: ['seed'],
    hiddenSeed: null,
  },
  openrlhf: {
    framework: 'openrlhf',
    flavour: 'train_ppo_ray',
    release: null,
    words: ['python3', '-m', 'openrlhf.cli.train_ppo_ray', '{overrides}'],
    style: { form: 'flags', truth: 'bare' },
    outputs: [
      { names: ['ckpt.output_dir', 'save_path'], value: '{folder}/final' },
      { names: ['ckpt.path', 'ckpt_path'], value: '{folder}/checkpoints' },
      { names: ['logger.tensorboard_dir', 'use_tensorboard'], value: '{folder}/tensorboard' },
      { names: ['logger.wandb.run_name', 'wandb_run_name'], value: '{name}' },
    ],
    environment: {},
    metrics: 'tensorboard',
    checkpoints: 'checkpoints/_actor/global_step*',
    resume: [{ names: ['ckpt.load_enable', 'load_checkpoint'], value: true }],
    seeds: ['train.seed', 'seed'],
    hiddenSeed: null,
  },
  'lever-plus': {
    framework: 'lever-plus',
    flavour: 'grpo_post_train',
    release: null,
    words: ['python3', '-m', 'lever_lm.workflows.grpo_post_train', '{overrides}'],
    style: { form: 'flags', truth: 'bare' },
    outputs: [{ names: ['output_dir'], value: '{folder}/checkpoints' }],
    environment: {},
    metrics: 'console',
    checkpoints: 'checkpoints/grpo_epoch*.pt',
    // It writes no optimiser and cannot go on.
    resume: [],
    // It has no seed: trials of different seeds differ by chance alone.
    seeds: [],
    hiddenSeed: null,
  },
}
