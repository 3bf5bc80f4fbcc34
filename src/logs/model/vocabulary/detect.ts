import { memoByText } from '../util/memo.js'
import { FRAMEWORKS, type Framework } from './framework.js'
import { METRICS } from './metrics.js'
import { looseName, trackerName, withoutTrainingPrefix } from './names.js'

/**
 * Whose run is this? Each framework has names that no other uses; the one with most of them present is it.
 * Names that several share (`kl`, `reward`, `loss`) prove nothing and are not listed. Hugging Face's names appear in
 * TRL's runs too, so they count only when nothing else does.
 */
interface Signature {
  readonly metrics: readonly string[]
  readonly metricPrefixes?: readonly string[]
  readonly keys: readonly string[]
  readonly keyPrefixes?: readonly string[]
}

const SIGNATURES: { readonly [F in Exclude<Framework, 'hf' | 'klens'>]: Signature } = {
  verl: {
    metrics: ['pg_loss', 'training/global_step', 'training/epoch', 'perf/throughput', 'perf/total_num_tokens'],
    metricPrefixes: ['actor/', 'critic/', 'val-core/', 'val-aux/', 'timing_s/', 'response_length/', 'rollout_corr/'],
    keys: ['use_kl_in_reward', 'adv_estimator', 'kl_loss_coef', 'kl_loss_type', 'entropy_coeff', 'ppo_mini_batch_size'],
    keyPrefixes: ['actor_rollout_ref.', 'algorithm.kl_ctrl.', 'algorithm.adv_estimator'],
  },
  trl: {
    metrics: ['frac_reward_zero_std', 'completion_length', 'cispo_clip_ratio'],
    metricPrefixes: ['completions/', 'rewards/', 'clip_ratio/', 'sampling/'],
    keys: ['num_generations', 'epsilon_high', 'scale_rewards', 'max_completion_length', 'steps_per_generation'],
  },
  'trl-ppo': {
    metrics: [
      'val/ratio',
      'val/ratio_var',
      'val/num_eos_tokens',
      'val/clipfrac_avg',
      'loss/policy_avg',
      'loss/value_avg',
    ],
    metricPrefixes: ['objective/', 'policy/approxkl', 'policy/clipfrac', 'ppo/'],
    keys: ['num_ppo_epochs', 'cliprange', 'whiten_rewards', 'total_episodes', 'missing_eos_penalty'],
  },
  openrlhf: {
    metrics: [
      'act_loss',
      'vllm_kl',
      'actor_grad_norm',
      'group_reward_std',
      'ppo_clip_ratio',
      'actor_lr',
      'act_lr',
      'tot_len',
      'glen',
      'cri_lr',
    ],
    metricPrefixes: ['timing/make_experience', 'timing/ppo_train', 'dynamic_filtering_pass_rate', 'eval/eval_'],
    keys: [
      'init_kl_coef',
      'actor_learning_rate',
      'n_samples_per_prompt',
      'advantage_estimator',
      'micro_train_batch_size',
    ],
    keyPrefixes: ['algo.kl.', 'algo.advantage.', 'actor.adam.', 'rollout.n_samples_per_prompt'],
  },
  'lever-plus': {
    metrics: `grpo_loss ppo_loss rce_loss mean_ratio mean_advantage std_advantage max_advantage adv_std adv_max`.split(
      ' ',
    ),
    metricPrefixes: ['shot_num='],
    keys: `kl_beta grpo_lr rce_lr grpo_epochs rce_epochs disable_adaptive_kl use_ppo_clip_only use_rank_advantage
           freeze_backbone_in_grpo`.split(/\s+/),
  },
}

/** Two of these make a Hugging Face log; one alone is anybody's. */
const HUGGING_FACE = new Set(
  `learning_rate grad_norm train_runtime train_samples_per_second train_steps_per_second total_flos eval_runtime
   per_device_train_batch_size gradient_accumulation_steps num_train_epochs lr_scheduler_type`.split(/\s+/),
)

/** Canonical names of more than one word are klens's own. */
const KLENS = new Set(METRICS.map(row => row.canonical).filter(name => name.includes('.')))

/** A run has thousands of metrics at most; beyond that, more of them tell nothing new. */
const ENOUGH_NAMES = 20_000

export function detectFramework(metricNames: Iterable<string>, configKeys: Iterable<string>): Framework | null {
  const votes = new Map<Framework, number>()
  const count = (speakers: readonly Framework[]) => {
    for (const framework of speakers) votes.set(framework, (votes.get(framework) ?? 0) + 1)
  }
  for (const name of atMost(ENOUGH_NAMES, metricNames)) count(speakersOfMetric(name))
  for (const key of atMost(ENOUGH_NAMES, configKeys)) count(speakersOfKey(key))
  return winner(votes)
}

/** Runs share most of their names, so each is judged once. */
const speakersOfMetric = memoByText(metricSpeakers)
const speakersOfKey = memoByText(keySpeakers)

function metricSpeakers(rawName: string): readonly Framework[] {
  const name = trackerName(rawName)
  const bare = withoutTrainingPrefix(name)
  const loose = looseName(bare)
  const speakers = SIGNATURE_LIST.filter(([, { metrics, metricPrefixes = [] }]) => {
    const whole = metrics.includes(name) || metrics.includes(loose)
    return whole || metricPrefixes.some(prefix => name.startsWith(prefix) || bare.startsWith(prefix))
  }).map(([framework]): Framework => framework)
  if (HUGGING_FACE.has(name) || HUGGING_FACE.has(loose)) speakers.push('hf')
  if (KLENS.has(rawName)) speakers.push('klens')
  return speakers
}

function keySpeakers(rawKey: string): readonly Framework[] {
  const key = looseName(rawKey.replace(/^[-+~]+/, ''))
  const last = key.slice(key.lastIndexOf('.') + 1)
  const speakers = SIGNATURE_LIST.filter(([, { keys, keyPrefixes = [] }]) => {
    return keys.includes(last) || keyPrefixes.some(prefix => key.includes(prefix))
  }).map(([framework]): Framework => framework)
  if (HUGGING_FACE.has(last)) speakers.push('hf')
  return speakers
}

const SIGNATURE_LIST = FRAMEWORKS.flatMap(framework =>
  framework === 'hf' || framework === 'klens' ? [] : [[framework, SIGNATURES[framework]] as const],
)

function winner(votes: ReadonlyMap<Framework, number>): Framework | null {
  let best: Framework | null = null
  for (const framework of FRAMEWORKS) {
    if (framework === 'hf') continue
    if ((votes.get(framework) ?? 0) > (best === null ? 0 : (votes.get(best) ?? 0))) best = framework
  }
  if (best !== null) return best
  return (votes.get('hf') ?? 0) >= 2 ? 'hf' : null
}

function* atMost(count: number, items: Iterable<string>): Generator<string> {
  let left = count
  for (const item of items) {
    if (left === 0) return
    left -= 1
    yield item
  }
}
