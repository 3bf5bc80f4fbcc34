import { dirname, resolve } from 'node:path'
import type { Condition } from '../../../logs/model/evaluation.js'
import { sha256 } from '../../../logs/model/id.js'
import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import { canonicalJson, flatConfig } from '../../train/config/hash.js'
import type { IntentionConfig } from '../../train/config/language-settings.js'
import { type ConfigReading, readTrainConfig } from '../../train/config/read.js'
import type { TrainConfig } from '../../train/config/selector-settings.js'
import { problems, type ReadStudy } from '../file/read.js'
import type { EvaluationFile, WhichCheckpoints } from '../file/sections.js'
import type { PlannedService } from '../program/resolve.js'
import type { Template } from '../program/template.js'
import type { BuiltinArm } from '../trial.js'

/**
 * The conditions under which the checkpoints of an arm are to be evaluated. Each has a hash over all that decides a score
 * beside the weights; it and the weights' own hash are what a score is known by, so that neither a new name nor another
 * order in the file makes anything be evaluated again.
 */
export interface PlannedCondition {
  /** What the evaluation is called in the file. */
  readonly evaluation: string
  readonly hash: string
  readonly checkpoints: WhichCheckpoints
  readonly samples: number | null
  /** What is known of it beforehand; the data set goes by the evaluation's name. */
  readonly condition: Condition
  readonly asks: SelectorCondition | DialogueCondition | ProgramCondition
}

export interface SelectorCondition {
  readonly kind: 'selector'
  readonly config: TrainConfig
  readonly shots: number
  readonly split: 'train' | 'val' | 'test' | null
}

export interface DialogueCondition {
  readonly kind: 'dialogues'
  readonly data: readonly string[]
  readonly split: 'train' | 'test'
  readonly language: 'en' | 'zh'
  readonly maxTurns: number
  readonly temperature: number
  readonly repeats: number
  /** `name=value`: how the trials were trained, where the gym can be played otherwise. */
  readonly quirks: readonly string[]
}

/** How a program's checkpoint becomes scores: what is made of it first, what must run beside it, who writes the scores. */
export interface ProgramCondition {
  readonly kind: 'program'
  readonly before: readonly (readonly Template[])[]
  /** Of this checkpoint alone; those of the study run beside it too. */
  readonly services: readonly PlannedService[]
  readonly words: readonly Template[]
  readonly environment: ReadonlyMap<string, Template>
  readonly folder: string
  /** The file of scores, from the evaluation's own folder. */
  readonly scores: string
}

const say = sentences({
  'study.evaluation.not-selector': {
    en: '"{key}" is for selectors; this study trains a language model',
    zh: '“{key}”只用于评估选择器；此研究训练的是语言模型',
  },
  'study.evaluation.not-dialogues': {
    en: '"{key}" is for language models; this study trains a selector',
    zh: '“{key}”只用于评估语言模型；此研究训练的是选择器',
  },
  'study.evaluation.not-program': {
    en: '"{key}" is for studies whose trials are trained by a program (engine)',
    zh: '“{key}”只用于由程序（engine）训练试验的研究',
  },
  'study.evaluation.val': {
    en: 'a gym has tasks for train and test, none for val',
    zh: '环境只有 train 与 test 的任务，没有 val',
  },
  'study.evaluation.settings': {
    en: 'evaluation "{evaluation}", arm "{arm}": {problems}',
    zh: '评估“{evaluation}”（实验组“{arm}”）：{problems}',
  },
  'study.metric.condition': {
    en: '"{metric}" is not a condition of an evaluation; the conditions are {conditions}',
    zh: '“{metric}”不是任何评估的条件；可选 {conditions}',
  },
})

const PROGRAM_MEMBERS = ['command', 'scores', 'before', 'services', 'environment', 'folder'] as const

/** By arm. Those that ask for less come first within an arm, in the order of the file otherwise. */
export function planEvaluations(
  study: ReadStudy,
  arms: readonly BuiltinArm[],
): ReadonlyMap<string, readonly PlannedCondition[]> {
  return new Map(
    arms.map(({ name, config }) => [
      name,
      Object.entries(study.file.evaluations).flatMap(([evaluation, written]) => {
        refuseMembers(study, evaluation, written, PROGRAM_MEMBERS, key => say('study.evaluation.not-program', { key }))
        return config.task === 'intention'
          ? [dialogues(study, evaluation, written, config)]
          : choices(study, evaluation, written, name, config)
      }),
    ]),
  )
}

function choices(
  study: ReadStudy,
  evaluation: string,
  written: EvaluationFile,
  arm: string,
  config: TrainConfig,
): readonly PlannedCondition[] {
  const { set, samples, split, checkpoints, shots } = written
  refuseMembers(study, evaluation, written, ['data', 'temperature', 'repeats'], key =>
    say('study.evaluation.not-dialogues', { key }),
  )
  const isAsTrained = Object.keys(set).length === 0
  const read: ConfigReading = isAsTrained
    ? { kind: 'config', config }
    : readTrainConfig({ base: flatConfig(config), file: { name: study.path, settings: set } })
  if (read.kind === 'problems') {
    const said = say('study.evaluation.settings', { evaluation, arm, problems: read.problems })
    throw problems([study.problemAt(['evaluations', evaluation], said)])
  }
  const { task, data, llm } = read.config
  // What decides how fast and from where answers come decides no score.
  const { concurrency: _, requests_per_minute: __, attempts: ___, timeout: ____, cache_dir: _____, ...endpoint } = llm
  return (shots ?? [config.policy.shots]).map(count => ({
    evaluation,
    hash: hashOf({ kind: 'selector', task, data, llm: endpoint, split, samples, shots: count }),
    ...{ checkpoints, samples },
    condition: { dataset: evaluation, shots: count, ...(split !== null && { split }) },
    asks: { kind: 'selector', config: read.config, shots: count, split },
  }))
}

function dialogues(
  study: ReadStudy,
  evaluation: string,
  written: EvaluationFile,
  { gym }: IntentionConfig,
): PlannedCondition {
  const { samples, split = null, checkpoints } = written
  refuseMembers(study, evaluation, written, ['shots', 'set'], key => say('study.evaluation.not-selector', { key }))
  if (split === 'val') {
    throw problems([study.problemAt(['evaluations', evaluation, 'split'], say('study.evaluation.val', {}))])
  }
  const asks: DialogueCondition = {
    kind: 'dialogues',
    data: written.data.map(file => resolve(dirname(study.path), file)),
    split: split ?? 'test',
    language: gym.language,
    maxTurns: gym.max_turns,
    temperature: written.temperature ?? 0,
    repeats: written.repeats ?? 1,
    quirks: [
      `limitSkipsLastCall=${gym.limit_skips_last_call}`,
      `parallelCalls=${gym.parallel_calls}`,
      `showReward=${gym.show_reward === 'always'}`,
    ],
  }
  return {
    evaluation,
    hash: hashOf({ ...asks, data: [...asks.data], quirks: [...asks.quirks], samples }),
    ...{ checkpoints, samples },
    condition: { dataset: evaluation, split: asks.split, temperature: asks.temperature },
    asks,
  }
}

/** A member that would change nothing is refused rather than read past. */
export function refuseMembers(
  { problemAt }: ReadStudy,
  evaluation: string,
  written: EvaluationFile,
  members: readonly (keyof EvaluationFile)[],
  problem: (key: string) => Message,
): void {
  const given = members.filter(member => {
    const value = written[member] ?? null
    return value !== null && Object.keys(Object(value)).length + Number(typeof value === 'number') > 0
  })
  if (given.length === 0) return
  throw problems(given.map(key => problemAt(['evaluations', evaluation, key], problem(key))))
}

export function hashOf(spec: Parameters<typeof canonicalJson>[0]): string {
  return sha256(canonicalJson(spec))
}

/**
 * A study may be judged by one of its evaluations instead of the validation in training: `metric: held-out/shots=4`, or
 * `metric: held-out` where that has one condition. A trial is then done when it is evaluated, and its figure is that one.
 */

type Conditions = ReadonlyMap<string, readonly PlannedCondition[]>

/** What the metric is where trials are compared in training. */
const VALIDATION = 'val.score'

/** The metric that runs have: the study's own, unless that is an evaluation. */
export function metricInTraining({ file: { metric, evaluations } }: Pick<ReadStudy, 'file'>): string {
  return isEvaluation(metric, evaluations) ? VALIDATION : metric
}

function isEvaluation(metric: string, evaluations: object): boolean {
  return Object.hasOwn(evaluations, metric.split('/')[0])
}

/** By arm, the condition by which it is judged; null where the metric is one of training. */
export function primaryConditions(
  study: Pick<ReadStudy, 'file' | 'problemAt'>,
  conditions: Conditions,
): ReadonlyMap<string, PlannedCondition> | null {
  const { metric, evaluations } = study.file
  if (!isEvaluation(metric, evaluations)) return null
  return new Map(
    [...conditions].map(([arm, all]) => {
      const own = all.filter(condition => nameOf(condition) === metric || condition.evaluation === metric)
      if (own.length === 1) return [arm, own[0]] as const
      const known = all.map(nameOf).join(', ')
      throw problems([study.problemAt(['metric'], say('study.metric.condition', { metric, conditions: known }))])
    }),
  )
}

function nameOf({ evaluation, condition: { shots } }: PlannedCondition): string {
  return shots === undefined ? evaluation : `${evaluation}/shots=${shots}`
}
