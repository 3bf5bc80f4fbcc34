import { closestWord } from '../../../logs/model/vocabulary/suggest.js'
import { knows, type Schema } from './schema.js'

/** What a key that a release does not know is called there. */

/** The end of a key before and after; those of verl between 0.4 and 0.9, of OpenRLHF when its flags got sections. */
const RENAMED: readonly (readonly [before: string, after: readonly string[]])[] = [
  ['multi_turn.max_turns', ['multi_turn.max_assistant_turns', 'multi_turn.max_user_turns']],
  ['optim.warmup_style', ['optim.lr_scheduler_type']],
  ['actor.grad_clip', ['actor.optim.clip_grad']],
  ['reward_model.reward_manager', ['reward.reward_manager.name']],
  ['reward_model.num_workers', ['reward.num_workers']],
  ['reward_model.sandbox_fusion.url', ['reward.sandbox_fusion.url']],
  ['reward_model.sandbox_fusion.max_concurrent', ['reward.sandbox_fusion.max_concurrent']],
  ['custom_reward_function.path', ['reward.custom_reward_function.path']],
  ['custom_reward_function.name', ['reward.custom_reward_function.name']],
  ['init_kl_coef', ['algo.kl.init_coef']],
  ['use_kl_loss', ['algo.kl.use_loss']],
  ['kl_estimator', ['algo.kl.estimator']],
  ['kl_target', ['algo.kl.target']],
  ['kl_horizon', ['algo.kl.horizon']],
  ['advantage_estimator', ['algo.advantage.estimator']],
  ['n_samples_per_prompt', ['rollout.n_samples_per_prompt']],
  ['actor_learning_rate', ['actor.adam.lr']],
  ['critic_learning_rate', ['critic.adam.lr']],
  ['pretrain', ['actor.model_name_or_path']],
  ['prompt_data', ['data.prompt_dataset']],
  ['rollout_batch_size', ['rollout.batch_size']],
  ['train_batch_size', ['train.batch_size']],
  ['micro_train_batch_size', ['train.micro_batch_size']],
  ['save_path', ['ckpt.output_dir']],
  ['max_ckpt_num', ['ckpt.max_num']],
  ['evaluation_strategy', ['eval_strategy']],
  ['max_prompt_length', ['max_completion_length']],
]

/** Empty where no name is near enough. */
export function newNames(key: string, schema: Schema): readonly string[] {
  const listed = RENAMED.find(([before]) => key === before || key.endsWith(`.${before}`))
  if (listed !== undefined) {
    const start = key.slice(0, key.length - listed[0].length)
    const known = listed[1].flatMap(after => [`${start}${after}`, after].find(name => schema.settings.has(name)) ?? [])
    if (known.length > 0) return known
  }
  const near = misspelled(key, schema) ?? moved(key, schema)
  return near === null ? [] : [near]
}

/** A neighbour in the same section whose name is nearly the same. */
export function misspelled(key: string, schema: Schema): string | null {
  const section = key.slice(0, key.lastIndexOf('.') + 1)
  const siblings = [...schema.settings.keys()].filter(
    name => name.startsWith(section) && !name.slice(section.length).includes('.'),
  )
  const word = closestWord(
    key.slice(section.length),
    siblings.map(name => name.slice(section.length)),
  )
  return word === null ? null : `${section}${word}`
}

/** The same name in another section, where there is one that shares more of the path than any other. */
function moved(key: string, schema: Schema): string | null {
  const parts = key.split('.')
  const last = parts[parts.length - 1]
  const shared = (name: string): number => name.split('.').filter(part => parts.includes(part)).length
  const places = [...schema.settings.keys()]
    .filter(name => name.endsWith(`.${last}`) && name.split('.')[0] === parts[0])
    .toSorted((a, b) => shared(b) - shared(a))
  const [first, second] = places
  if (first === undefined) return closestSection(parts, schema)
  return second !== undefined && shared(second) === shared(first) ? null : first
}

/** `actor_rolout_ref.actor.x`: a section is misspelled, the rest is right. */
function closestSection(parts: readonly string[], schema: Schema): string | null {
  for (const [position, part] of parts.slice(0, -1).entries()) {
    const before = parts.slice(0, position).join('.')
    const path = (name: string): string => [before, name].filter(each => each !== '').join('.')
    if (schema.sections.has(path(part))) continue
    const names = [...schema.sections].filter(
      name => name.split('.').length === position + 1 && name.startsWith(before),
    )
    const word = closestWord(
      part,
      names.map(name => name.split('.')[position]),
    )
    const whole = word === null ? null : [path(word), ...parts.slice(position + 1)].join('.')
    return whole !== null && knows(schema, whole) ? whole : null
  }
  return null
}
