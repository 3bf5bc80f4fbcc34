import { looseName } from './names.js'

/**
 * Config keys that tell runs apart without making them different experiments. Two runs that differ only in these
 * are replicates; so a key is identity only when it surely does not change what is trained. A model's path and a data
 * file do change it, although they are paths.
 */

/** `seed`, `data_seed`, `data_loader_seed`, wherever they stand. */
export function isSeedKey(key: string): boolean {
  return /(?:^|_)seed$/.test(lastPart(key))
}

/** Names, places, times, ids, notes and tags of a run. */
export function isIdentityKey(key: string): boolean {
  const path = looseName(key.replace(/^[-+~]+/, ''))
  const last = lastPart(key)
  if (key.startsWith('_wandb') || ALWAYS.has(last) || ALWAYS.has(path)) return true
  const words = last.split('_')
  const head = words.at(-1) ?? ''
  if (IDENTITY_WORDS.has(head)) return !CONTENT.test(last)
  if (head === 'id' || head === 'ids') return !/token|vocab/.test(last)
  if (head === 'name') return path === 'name' || words.some(word => OWNERS_OF_NAMES.has(word))
  if (PLACES.has(head)) return !CONTENT.test(path)
  return false
}

const ALWAYS = new Set(
  `default_local_dir default_hdfs_dir rollout_data_dir validation_data_dir save_path ckpt_path ckpt.path cache_dir tensorboard_dir
   cuda_visible_devices local_rank world_rank node_rank rank pid device port master_port report_to logger use_wandb
   is_local_process_zero is_world_process_zero is_hyper_param_search stateful_callbacks trial_params
   push_to_hub hub_token hub_strategy hub_private_repo best_model_checkpoint best_metric best_global_step`.split(/\s+/),
)

const IDENTITY_WORDS = new Set(
  `host hostname ip addr address url endpoint user username entity project group
   time timestamp date datetime at
   uuid note notes comment description desc tag tags label labels`.split(/\s+/),
)

/** `run_name` names the run; `dataset_name` names what it learns from. */
const OWNERS_OF_NAMES = new Set(
  'run experiment exp project job trial study group host user entity display wandb team cluster node'.split(' '),
)

const PLACES = new Set('path dir directory folder file filename root'.split(' '))

/** What a path, or a word above, is about when a change of it changes the experiment. */
const CONTENT =
  /model|critic|(?:^|[._])ref(?:[._]|$)|reward|data|train(?!er)|(?:^|[._])val(?:[._]|$)|test|tokenizer|adapter|lora|prompt|template|function|func|init|pretrain|weights|resume|sft|beam|emb|checkpoint|ckpt/

function lastPart(key: string): string {
  return looseName(key.slice(key.lastIndexOf('.') + 1).replace(/^[-+~]+/, ''))
}
