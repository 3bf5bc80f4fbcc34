import type { Json } from '../../logs/model/json.js'
import type { Config } from '../../logs/model/run.js'
import { isNothing, numberOf } from '../../logs/model/vocabulary/config-value.js'
import {
  type FrameworkRate,
  type FrameworkSchedule,
  frameworkRateFactor,
  USUAL_FRAMEWORK_RATE,
} from '../train/schedules/learning-rate.js'
import type { Amounts } from './amounts.js'
import type { ExperimentSetting, LaunchFramework } from './launch.js'

/** The learning rate that a launch plans. */
export interface PlannedRate {
  readonly peak: number
  readonly schedule: FrameworkSchedule
  /** Null where it is a share of a length that is not known. */
  readonly warmupSteps: number | null
  /** The share of the peak at which a step's update is made; null where the length of the training is needed for it. */
  readonly factorAt: ((step: number) => number) | null
}

const SCHEDULES: { readonly [name: string]: FrameworkSchedule } = {
  constant: 'constant',
  constant_with_warmup: 'constant',
  linear: 'linear',
  cosine: 'cosine',
  cosine_with_min_lr: 'cosine',
  warmup_stable_decay: 'warmup-stable-decay',
}

/** Up to 0.5, verl's cosine warms up from its minimum; later versions and everybody else from 0. */
const FROM_MINIMUM = new Set(['userrl', '0.4.0', '0.4.1', '0.5.0'])

export function plannedRate(
  framework: LaunchFramework,
  version: string | null,
  number: (canonical: string) => number | null,
  setting: (canonical: string) => ExperimentSetting,
  config: Config,
  { totalSteps }: Amounts,
): PlannedRate | null {
  const peak = number('lr')
  const named = scheduleName(config, setting)
  const isHf = framework === 'trl' || framework === 'trl-ppo' || framework === 'hf'
  // Of other frameworks the defaults are not known.
  const usual = isHf ? 'linear' : framework === 'verl' || framework === 'openrlhf' ? 'constant' : null
  const schedule = SCHEDULES[String(named ?? usual).toLowerCase()]
  if (peak === null || schedule === undefined || framework === 'klens') return null
  const steps = number('lr.warmup.steps')
  const ratio = number('lr.warmup.ratio') ?? (usual === null && steps === null ? null : 0)
  // Since transformers 5 a number of steps below 1 is a share.
  const share = steps !== null && steps > 0 && steps < 1 ? steps : ratio
  const fixed = steps !== null && steps >= 1 ? steps : null
  const warmupSteps =
    fixed ?? (share === null ? null : share === 0 ? 0 : totalSteps === null ? null : shareOf(share, totalSteps, isHf))
  const minimumRatio = schedule === 'cosine' ? (numberOf(setting('lr.min_ratio').value) ?? 0) : 0
  const initialRatio =
    schedule === 'cosine' && framework === 'verl' && FROM_MINIMUM.has(version ?? '') ? minimumRatio : 0
  const needsLength = schedule !== 'constant'
  if (warmupSteps === null || (needsLength && totalSteps === null))
    return { peak, schedule, warmupSteps, factorAt: null }
  const rate: FrameworkRate = {
    ...USUAL_FRAMEWORK_RATE,
    schedule,
    warmupSteps,
    totalSteps: totalSteps ?? Number.POSITIVE_INFINITY,
    initialRatio,
    minimumRatio,
    cycles: number('lr.cycles') ?? USUAL_FRAMEWORK_RATE.cycles,
  }
  return { peak, schedule, warmupSteps, factorAt: step => frameworkRateFactor(step, rate) }
}

/** verl's older name for it wins over the newer one's default, as it does there. */
function scheduleName(config: Config, setting: (canonical: string) => ExperimentSetting): Json | undefined {
  const older = config['actor_rollout_ref.actor.optim.warmup_style']
  return isNothing(older) ? setting('lr.schedule').value : older
}

/** verl cuts off, Hugging Face rounds up. */
function shareOf(share: number, total: number, isHf: boolean): number {
  return isHf ? Math.ceil(share * total) : Math.floor(share * total)
}

/** The mean share of the peak over the updates from the first to the one before this evaluation. */
export function meanFactor(factorAt: (step: number) => number, until: number): number {
  let sum = 0
  for (let step = 0; step < until; step += 1) sum += factorAt(step)
  return until <= 0 ? 0 : sum / until
}
