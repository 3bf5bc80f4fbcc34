import { type Draw, drawFrom, learnt, type Shape } from './draw.js'
import type { BenchLog, LogRow } from './log.js'
import { MADE_UP_TRUTH } from './truth-made-up.js'

/** The same for TRL, 150 steps. */
export function trlLogs(): readonly BenchLog[] {
  return Object.entries(TRL).map(([name, shape], i) => trlLog(`trl-${name}`, shape, 100 + i))
}

const TRL: { readonly [name: string]: Shape } = {
  'healthy-loss-zero': () => ({}),
  'healthy-loss-rises': (step, { times }) => {
    const kl = times(0.0002 + 0.11 * learnt(step - 1), 0.1)
    return { kl, loss: fourDecimals(0.04 * kl) }
  },
  'no-signal': () => ({
    loss: 0,
    reward: 0,
    reward_std: 0,
    'rewards/accuracy_reward/mean': 0,
    'rewards/accuracy_reward/std': 0,
    'rewards/format_reward/mean': 0,
    'rewards/format_reward/std': 0,
    frac_reward_zero_std: 1,
    grad_norm: 0,
  }),
  'rate-zero': (_, { around, times }) => ({
    learning_rate: 0,
    reward: around(0.62, 0.05),
    'rewards/accuracy_reward/mean': around(0.35, 0.04),
    'rewards/format_reward/mean': around(0.27, 0.04),
    entropy: times(0.42, 0.02),
    'completions/mean_length': times(310, 0.05),
  }),
  'format-only': (step, { around, times }) => ({
    'rewards/format_reward/mean': Math.min(1, around(0.2 + 0.8 * learnt(2 * step), 0.02)),
    'rewards/accuracy_reward/mean': Math.max(0, around(0.42 - 0.3 * learnt(2 * step), 0.03)),
    reward: around(0.62 + 0.5 * learnt(2 * step), 0.04),
    'completions/mean_length': times(310 - 270 * learnt(2 * step), 0.05),
  }),
  'too-short': (_, { around, times }) => ({
    'completions/clipped_ratio': Math.min(1, around(0.94, 0.02)),
    'completions/mean_length': times(250, 0.01),
    'completions/max_length': 256,
    reward: Math.max(0, around(0.05, 0.02)),
    'rewards/accuracy_reward/mean': Math.max(0, around(0.04, 0.02)),
    'rewards/format_reward/mean': Math.max(0, around(0.01, 0.005)),
    reward_std: times(0.07, 0.2),
    frac_reward_zero_std: Math.min(1, around(0.82, 0.05)),
  }),
  'dropout-left-on': (_, { around, times }) => {
    const kl = times(3.1, 0.15)
    return { kl, loss: fourDecimals(0.04 * kl + around(0, 0.01)) }
  },
}

function trlLog(name: string, shape: Shape, seed: number): BenchLog {
  const draw = drawFrom(seed)
  const rows: LogRow[] = Array.from({ length: 150 }, (_, i) => ({
    step: i + 1,
    values: { ...trlRow(i + 1, draw), ...shape(i + 1, draw) },
  }))
  return { name, framework: 'trl', config: {}, rows, truth: MADE_UP_TRUTH[name] }
}

/** One update per generation and centred advantages: the loss is zero up to rounding, and the rate decays to nothing. */
function trlRow(step: number, { around, times }: Draw): { readonly [metric: string]: number } {
  return {
    loss: fourDecimals(around(0, 0.00003)),
    grad_norm: times(0.21, 0.15),
    learning_rate: 1e-6 * (1 - (step - 1) / 150),
    num_tokens: step * 41_000,
    'completions/mean_length': times(310 + 90 * learnt(step), 0.05),
    'completions/min_length': Math.round(times(60, 0.2)),
    'completions/max_length': Math.min(1024, Math.round(times(850, 0.1))),
    'completions/clipped_ratio': Math.max(0, around(0.015, 0.008)),
    'rewards/accuracy_reward/mean': around(0.35 + 0.3 * learnt(step), 0.04),
    'rewards/accuracy_reward/std': times(0.45, 0.03),
    'rewards/format_reward/mean': Math.min(1, around(0.27 + 0.6 * learnt(2 * step), 0.03)),
    'rewards/format_reward/std': times(0.35, 0.1),
    reward: around(0.62 + 0.85 * learnt(step), 0.05),
    reward_std: times(0.42 - 0.1 * learnt(step), 0.05),
    frac_reward_zero_std: Math.max(0, around(0.15 + 0.15 * learnt(step), 0.04)),
    entropy: times(0.42 - 0.14 * learnt(step), 0.02),
    'clip_ratio/low_mean': 0,
    'clip_ratio/high_mean': 0,
    'clip_ratio/region_mean': 0,
    epoch: step / 150,
  }
}

/** As the Trainer prints a loss. */
function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
