import { type Draw, drawFrom, learnt, type Shape } from './draw.js'
import type { BenchLog } from './log.js'
import { MADE_UP_TRUTH } from './truth-made-up.js'

/**
 * Runs of the size that people train with verl, 200 steps, made up with a known fault or none. What a fault does to
 * which metric follows reports of such runs (facts/rl-frameworks 4 and 5), not any tool's thresholds.
 */
export function verlLogs(): readonly BenchLog[] {
  return Object.entries(VERL).map(([name, shape], i) => verlLog(`verl-${name}`, shape, i))
}

const VERL: { readonly [name: string]: Shape } = {
  healthy: () => ({}),
  'healthy-spikes': (step, { around }) => ({
    ...(step === 77 ? { 'actor/grad_norm': 12.4 } : {}),
    ...(step === 121 ? { 'actor/kl_loss': around(38, 1) } : {}),
  }),
  'healthy-cosine': step => ({
    'actor/lr': step <= 10 ? (step - 1) * 1e-7 : 1e-7 + 0.45e-6 * (1 + Math.cos((Math.PI * (step - 10)) / 190)),
  }),
  'healthy-longer': (step, { around, times }) => ({
    'response_length/mean': times(800 + 2400 * learnt(step), 0.04),
    'response_length/max': 8192,
    'response_length/clip_ratio': Math.max(0, around(0.02 + 0.02 * learnt(step), 0.006)),
  }),
  'healthy-solved': (step, { around, times }) => ({
    'critic/score/mean': Math.min(1, around(0.7 + 0.27 * learnt(step), 0.012)),
    'actor/entropy': times(0.3 - 0.2 * learnt(step), 0.03),
    'actor/grad_norm': times(0.3 - 0.22 * learnt(step), 0.15),
    ...(isEvaluation(step) ? { [VALIDATION]: Math.min(1, around(0.72 + 0.24 * learnt(step), 0.009)) } : {}),
  }),
  'nan-loss': step => {
    if (step < 90) return {}
    const nothing = Number.NaN
    const broken = { 'actor/pg_loss': nothing, 'actor/kl_loss': nothing, 'actor/entropy': nothing }
    return { ...broken, 'actor/grad_norm': nothing, ...silent(step), ...truncated }
  },
  'entropy-collapse': (step, { around, times }) => ({
    'actor/entropy': times(0.006 + 0.55 * Math.exp(-step / 22), 0.08),
    'critic/score/mean': around(0.35 + 0.16 * Math.min(1, step / 50), 0.03),
    'actor/grad_norm': times(0.04 + 0.26 * Math.exp(-step / 40), 0.15),
    ...(isEvaluation(step) ? { [VALIDATION]: around(0.38 + 0.1 * Math.min(1, step / 50), 0.012) } : {}),
  }),
  'kl-runaway': (step, { around, times }) => {
    const lost = Math.min(1, Math.max(0, (step - 100) / 70))
    return {
      'actor/kl_loss': times(0.0015 * Math.exp(step / 22), 0.12),
      'actor/grad_norm': times(0.3 + 2.5 * lost, 0.2),
      'actor/entropy': times(0.5 + 0.5 * lost, 0.04),
      'critic/score/mean': around(0.35 + 0.25 * learnt(step) - 0.45 * lost, 0.03),
      ...(isEvaluation(step) ? { [VALIDATION]: around(0.38 + 0.22 * learnt(step) - 0.47 * lost, 0.012) } : {}),
    }
  },
  'late-collapse': (step, { times }) => {
    if (step < 120) return { 'response_length/mean': times(2960, 0.04), 'response_length/max': 4096 }
    const left = Math.max(0, 1 - (step - 120) / 15)
    return {
      'response_length/mean': times(315 + 2645 * left, 0.03),
      'response_length/max': 4096 * left + 320,
      'actor/entropy': times(0.11 + 0.25 * left, 0.03),
      ...(left > 0
        ? { 'critic/score/mean': 0.6 * left }
        : { ...silent(step), 'actor/pg_loss': 0, 'actor/grad_norm': 0 }),
      ...(isEvaluation(step) ? { [VALIDATION]: 0.62 * left } : {}),
    }
  },
  truncating: (step, { around, times }) => {
    const grown = 1 / (1 + Math.exp(-(step - 110) / 18))
    return {
      'response_length/mean': times(900 + 2700 * grown, 0.04),
      'response_length/max': 4096,
      'response_length/clip_ratio': Math.max(0, around(0.02 + 0.7 * grown, 0.02)),
      'critic/score/mean': around(0.35 + 0.25 * learnt(step) - 0.38 * grown, 0.03),
      ...(isEvaluation(step) ? { [VALIDATION]: around(0.38 + 0.25 * learnt(step) - 0.4 * grown, 0.012) } : {}),
    }
  },
}

const VALIDATION = 'val-core/math/acc/mean@1'

function isEvaluation(step: number): boolean {
  return step % 10 === 0
}

/** All answers wrong: no reward, no advantage. */
function silent(step: number): { readonly [metric: string]: number } {
  const none = Object.fromEntries(
    ['score', 'rewards', 'advantages'].flatMap(kind => ['mean', 'max', 'min'].map(of => [`critic/${kind}/${of}`, 0])),
  )
  return isEvaluation(step) ? { ...none, [VALIDATION]: 0 } : none
}

const truncated = { 'response_length/mean': 4096, 'response_length/max': 4096, 'response_length/clip_ratio': 1 }

const VERL_CONFIG = {
  'algorithm.adv_estimator': 'grpo',
  'algorithm.use_kl_in_reward': false,
  'actor_rollout_ref.actor.use_kl_loss': true,
  'actor_rollout_ref.actor.kl_loss_coef': 0.001,
  'actor_rollout_ref.actor.kl_loss_type': 'low_var_kl',
  'actor_rollout_ref.actor.entropy_coeff': 0,
  'actor_rollout_ref.actor.optim.lr': 1e-6,
  'actor_rollout_ref.rollout.n': 8,
  'data.train_batch_size': 128,
  'data.max_response_length': 4096,
}

function verlLog(name: string, shape: Shape, seed: number): BenchLog {
  const draw = drawFrom(seed)
  const rows = Array.from({ length: 200 }, (_, i) => {
    const values = { ...verlRow(i + 1, draw), ...shape(i + 1, draw) }
    return { step: i + 1, values: { ...values, 'critic/rewards/mean': values['critic/score/mean'] } }
  })
  return { name, framework: 'verl', config: VERL_CONFIG, rows, truth: MADE_UP_TRUTH[name] }
}

function verlRow(step: number, { around, times }: Draw): { readonly [metric: string]: number } {
  return {
    'training/global_step': step,
    'actor/pg_loss': around(0.004, 0.015),
    'actor/kl_loss': times(0.0004 + 0.08 * learnt(step - 1), 0.1),
    'actor/kl_coef': 0.001,
    'actor/entropy': times(0.55 - 0.2 * learnt(step), 0.02),
    'actor/grad_norm': times(0.3, 0.12),
    'actor/ppo_kl': around(0.0002, 0.0002),
    'actor/pg_clipfrac': times(0.0024, 0.3),
    'actor/lr': 1e-6,
    'critic/score/mean': around(0.35 + 0.33 * learnt(step), 0.03),
    'critic/score/max': 1,
    'critic/score/min': 0,
    'critic/rewards/max': 1,
    'critic/rewards/min': 0,
    'critic/advantages/mean': around(0, 0.02),
    'critic/advantages/max': 2.4748,
    'critic/advantages/min': -2.4748,
    'response_length/mean': times(700 + 250 * learnt(step), 0.03),
    'response_length/max': Math.min(4096, Math.round(times(3600, 0.08))),
    'response_length/min': Math.round(times(80, 0.2)),
    'response_length/clip_ratio': Math.max(0, around(0.008, 0.004)),
    'timing_s/step': times(182, 0.03),
    'perf/throughput': times(1510, 0.03),
    ...(isEvaluation(step) ? { [VALIDATION]: around(0.38 + 0.3 * learnt(step), 0.012) } : {}),
  }
}
