import type { Config } from '../../../logs/model/run.js'
import { isNothing, numberOf, truthOf } from '../../../logs/model/vocabulary/config-value.js'
import type { Framework } from '../../../logs/model/vocabulary/framework.js'

/** How often the policy is updated on one batch of answers, and whether it has written them itself. */

type NumberOf = (canonical: string) => number | null

/** One for each mini-batch and inner epoch. `prompts`: of one batch. */
export function updatesPerBatch(
  framework: Framework,
  number: NumberOf,
  config: Config,
  prompts: number | null,
): number | null {
  const inner = number('epochs.inner')
  const mini = number('batch.mini')
  switch (framework) {
    case 'verl':
      if (inner === null || mini === null || prompts === null || mini <= 0) return null
      return inner * Math.max(1, Math.ceil(prompts / mini))
    case 'trl': {
      const accumulation = number('batch.accumulation') ?? 1
      const generated = numberOf(config.steps_per_generation) ?? accumulation
      return (inner ?? 1) * Math.max(1, Math.round(generated / Math.max(1, accumulation)))
    }
    case 'trl-ppo':
      return inner === null ? null : inner * (number('batch.mini.count') ?? 1)
    case 'nemo-rl':
    case 'openrlhf': {
      // Its mini-batches count answers, and NeMo-RL goes through them once.
      const passes = framework === 'nemo-rl' ? 1 : inner
      const group = number('group.size')
      if (passes === null || mini === null || prompts === null || group === null || mini <= 0) return null
      return passes * Math.max(1, Math.ceil((prompts * group) / mini))
    }
    default:
      return null
  }
}

/** Old probabilities from the sampler: there the ratio is not 1 from the start. */
export function takesOldFromSampler(config: Config): boolean {
  return truthOf(config['algorithm.rollout_correction.bypass_mode']) === true
}

/** Answers of an earlier policy. */
export function isAsynchronous(config: Config): boolean {
  return !isNothing(config['async_training.staleness_threshold'])
}
