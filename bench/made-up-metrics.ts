/** Metrics as verl logs them, with values that look like real ones: mostly 17 digits, some whole, some tiny. */
export interface MadeUpMetric {
  readonly name: string
  readonly valueAt: (step: number) => number
}

const NAMES = [
  ...family('actor', 'entropy pg_loss kl_loss kl_coef pg_clipfrac pg_clipfrac_lower ppo_kl grad_norm lr'),
  ...['score', 'rewards', 'advantages', 'returns', 'values'].flatMap(kind => family(`critic/${kind}`, 'mean max min')),
  ...family('response_length', 'mean max min clip_ratio'),
  ...family('prompt_length', 'mean max min clip_ratio'),
  ...family('global_seqlen', 'min max minmax_diff balanced_min balanced_max mean'),
  ...family('timing_s', 'step gen reward old_log_prob ref adv update_actor generate_sequences reshard'),
  ...family('timing_per_token_ms', 'gen ref adv update_actor'),
  ...family('perf', 'mfu/actor max_memory_allocated_gb cpu_memory_used_gb total_num_tokens time_per_step throughput'),
  ...family('training', 'global_step epoch rollout_probs_diff_mean rollout_probs_diff_max rollout_probs_diff_std'),
]

export const VALIDATION_NAMES = family('val-core/openai/gsm8k', 'acc/mean@8 acc/best@8/mean acc/maj@8/mean')

function family(prefix: string, members: string): string[] {
  return members.split(' ').map(member => `${prefix}/${member}`)
}

/** So many metrics, with other values in each run; beyond what verl itself logs come the components of a reward. */
export function madeUpMetrics(count: number, run = 0): readonly MadeUpMetric[] {
  return Array.from({ length: count }, (_, i) => {
    const name = NAMES[i] ?? `reward_components/component_${i}/mean`
    return madeUpMetric(name, run * count + i)
  })
}

export function madeUpMetric(name: string, seed: number): MadeUpMetric {
  const random = randomNumbers(seed)
  if (name === 'training/global_step') return { name, valueAt: step => step }
  if (name === 'actor/lr') return { name, valueAt: () => 1e-6 }
  if (name === 'actor/kl_coef') return { name, valueAt: () => 0.001 }
  if (name.includes('kl') || name.includes('mfu')) return { name, valueAt: () => random() * 1e-5 }
  if (name.endsWith('/max') || name.endsWith('/min')) return { name, valueAt: () => Math.round(random() * 4096) }
  return { name, valueAt: step => Math.sin(step / 500) + random() }
}

/** Numbers in [0, 1) that are the same in every run of the benchmark (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e37_79b1)
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
