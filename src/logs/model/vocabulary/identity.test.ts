import { expect, test } from 'vitest'
import { isIdentityKey, isSeedKey } from './identity.js'

test.each([
  'seed',
  'data.seed',
  'data_seed',
  'actor_rollout_ref.actor.data_loader_seed',
  '--train.seed',
  'SEED',
  'lab.seed',
])('%s is a seed', key => expect(isSeedKey(key)).toBe(true))

test.each(['seeds_per_cell', 'seed_path', 'data.train_batch_size', 'seeded'])('%s is no seed', key => {
  expect(isSeedKey(key)).toBe(false)
})

test.each([
  'name',
  'run_name',
  'trainer.experiment_name',
  'trainer.project_name',
  'WANDB_RUN_ID',
  '_wandb.cli_version',
  'hub_model_id',
  'output_dir',
  'trainer.default_local_dir',
  'trainer.validation_data_dir',
  '--ckpt.path',
  'hostname',
  'master_addr',
  'start_time',
  'timestamp',
  'created_at',
  'notes',
  'tags',
  'lab.group',
  'device',
])('%s tells runs apart without making them different', key => expect(isIdentityKey(key)).toBe(true))

test.each([
  'actor_rollout_ref.model.path',
  'reward_model.model.path',
  'custom_reward_function.path',
  'data.train_files',
  'dataset_name',
  'model_name_or_path',
  'actor_rollout_ref.rollout.name',
  'optim.name',
  'sft_ckpt',
  'resume_from_path',
  'eos_token_id',
  'actor_rollout_ref.actor.kl_loss_coef',
  'group_size',
  'label_smoothing_factor',
  'time_limit',
  'trainer.nnodes',
  'seed',
])('%s is part of the experiment', key => expect(isIdentityKey(key)).toBe(false))
