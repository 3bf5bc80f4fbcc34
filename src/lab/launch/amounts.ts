import { updatesPerBatch } from '../../core/analysis/objective/updates.js'
import type { Json } from '../../logs/model/json.js'
import type { Config } from '../../logs/model/run.js'
import { numberOf, truthOf } from '../../logs/model/vocabulary/config-value.js'
import type { ExperimentSetting, Program } from './launch.js'
import type { LaunchData } from './launch-data.js'

/** How long a launch trains, how often it updates, evaluates and saves. Null where the launch and its data do not tell. */
export interface Amounts {
  readonly stepsPerEpoch: number | null
  readonly totalSteps: number | null
  /** Prompts in one step, before each is answered several times. */
  readonly promptsPerStep: number | null
  readonly updatesPerStep: number | null
  readonly evaluateEvery: number | null
  /** Steps at which a validation is planned, 0 for one before training; null where it is not known how long that goes. */
  readonly evaluationSteps: readonly number[] | null
  /** 0: nothing is saved. */
  readonly saveEvery: number | null
  /** How many checkpoints are kept at a time; null: all of them. */
  readonly keep: number | null
  readonly saves: number | null
  readonly gpus: number | null
}

interface Told {
  readonly program: Program
  readonly number: (canonical: string) => number | null
  readonly setting: (canonical: string) => ExperimentSetting
  readonly config: Config
  readonly data: LaunchData
}

export function amountsOf(told: Told): Amounts {
  const { number, setting, config, data, program } = told
  const { framework } = program
  const rows = data.train?.rows ?? null
  const limit = numberOf(config['data.train_max_samples'])
  const used = rows === null || limit === null || limit <= 0 ? rows : Math.min(rows, limit)
  const promptsPerStep = promptsIn(told)
  // klens counts in epochs.
  const isPlain = framework === 'klens'
  const stepsPerEpoch = isPlain
    ? 1
    : used === null || promptsPerStep === null || promptsPerStep <= 0
      ? null
      : Math.floor(used / promptsPerStep)
  const epochs = number('epochs')
  const given = number('steps')
  const planned = stepsPerEpoch === null || epochs === null ? null : Math.floor(stepsPerEpoch * epochs)
  const isLeftOpen = setting('steps').written !== null && given === null && setting('steps').value === undefined
  const totalSteps = isLeftOpen ? null : given !== null && given > 0 ? given : planned
  const evaluateEvery = every(told, 'eval.every', 'eval.strategy', stepsPerEpoch)
  const saveEvery = every(told, 'save.every', null, stepsPerEpoch)
  const isFirst =
    framework === 'verl'
      ? truthOf(setting('eval.first').value) !== false
      : truthOf(setting('eval.first').value) === true
  const gpus = number('gpus')
  return {
    stepsPerEpoch,
    totalSteps,
    promptsPerStep,
    updatesPerStep: updatesPerBatch(framework, number, config, promptsPerStep),
    evaluateEvery,
    evaluationSteps:
      evaluateEvery === null || totalSteps === null ? null : plannedSteps(evaluateEvery, totalSteps, isFirst),
    saveEvery,
    keep: positive(number('save.keep')),
    saves: saveEvery === null || totalSteps === null ? null : plannedSteps(saveEvery, totalSteps, false).length,
    gpus: gpus === null ? program.processes : gpus * (number('nodes') ?? 1),
  }
}

function positive(value: number | null): number | null {
  return value !== null && value > 0 ? value : null
}

function promptsIn({ program: { framework, processes }, number }: Told): number | null {
  if (framework !== 'trl') return number('batch.prompts')
  const answers = number('batch.prompts')
  const group = number('group.size')
  const [micro, accumulation] = [number('batch.micro'), number('batch.accumulation')]
  const perStep =
    answers ?? (micro === null || accumulation === null || processes === null ? null : micro * accumulation * processes)
  return perStep === null || group === null || group <= 0 ? null : perStep / group
}

/** 0 for never; HF says `no`, `steps` or `epoch`, verl and OpenRLHF a number below 1. */
function every(
  { program: { framework }, number, setting, config }: Told,
  key: string,
  strategy: string | null,
  perEpoch: number | null,
): number | null {
  // klens validates after every epoch, and keeps every checkpoint.
  if (framework === 'klens') return 1
  const count = number(key)
  if (framework === 'trl' || framework === 'trl-ppo' || framework === 'hf') {
    const named: Json | undefined = strategy === null ? config.save_strategy : setting(strategy).value
    const word = typeof named === 'string' ? named.toLowerCase() : ''
    if (word.endsWith('no') || word === '') return strategy === null && word === '' ? count : 0
    if (word.endsWith('epoch')) return perEpoch
    return count ?? (strategy === null ? null : number('log.every'))
  }
  return count === null ? null : Math.max(0, count)
}

const MOST_EVALUATIONS = 100_000

/** Every so many steps, and after the last. */
function plannedSteps(every: number, total: number, isFirst: boolean): readonly number[] {
  if (every <= 0) return []
  const count = Math.min(MOST_EVALUATIONS, Math.floor(total / every))
  const steps = Array.from({ length: count }, (_, i) => (i + 1) * every)
  const last = steps[steps.length - 1] === total ? [] : [total]
  return [...(isFirst ? [0] : []), ...steps, ...last]
}
