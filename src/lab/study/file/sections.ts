import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../../logs/model/json.js'
import { evaluationProgram } from '../program/schema.js'
import { FIRST_LOOK } from '../settle/sequential.js'
import { fileIssues } from './issue.js'

/** What a study file says of dropping hopeless arms: at which shares of a run one looks, and what the saving buys. */
const otherwise = fileIssues({
  'study.file.drop': {
    en: '"{key}" must be none, or the rising fractions of a run to check at (at) and how many fresh seeds the savings may pay for (fresh); not {given}',
    zh: '“{key}”必须是 none，或检查时机（at，递增的比例）与节省下来可追加的新种子数（fresh）；不能是 {given}',
  },
  'study.file.knobs': {
    en: '"{key}" must give each hyperparameter a range, log-uniform: [low, high] (above 0) or random: [low, high]; not {given}',
    zh: '“{key}”须为每个参数给出范围，即 log-uniform: [low, high]（须大于 0）或 random: [low, high]；不能是 {given}',
  },
  'study.file.points': {
    en: '"{key}" must be a whole number of at least 1, not {given}',
    zh: '“{key}”必须是不小于 1 的整数，不能是 {given}',
  },
  'study.file.settled-arms': {
    en: '"{key}" must be two or more different arms, the baseline first; not {given}',
    zh: '“{key}”必须是两个或更多互不相同的实验组，基线在前；不能是 {given}',
  },
  'study.file.most': {
    en: '"{key}" must be a whole number of at least 5, the seeds of the first interim analysis, not {given}',
    zh: '“{key}”必须是不小于 5（首次查看的种子数）的整数，不能是 {given}',
  },
  'study.file.settle-by': {
    en: '"{key}" must be seeds, for claims about settings, or prompts, for claims about these checkpoints; not {given}',
    zh: '“{key}”必须是 seeds（说明设置）或 prompts（只说明这些检查点），不能是 {given}',
  },
  'study.file.prompts': {
    en: '"{key}" must name the prompts to use, by split (val or test), first and most; not {given}',
    zh: '“{key}”必须说明可以问哪些样本，即 split（val 或 test）、first 与 most；不能是 {given}',
  },
  'study.file.stage': {
    en: '"{key}" must be settings under a name of letters, digits, ".", "_" and "-", with from: STAGE if it starts from another stage; not {given}',
    zh: '“{key}”须是设置，名字由字母、数字、“.”、“_”、“-”组成；若从另一阶段开始，则写 from: 阶段名；不能是 {given}',
  },
  'study.file.evaluation': {
    en: '"{key}" must contain evaluations by name, such as held-out with shots: [1, 2, 4] and split: test; not {given}',
    zh: '“{key}”须按名字列出评估，例如 held-out，其下为 shots: [1, 2, 4] 与 split: test；不能是 {given}',
  },
  'study.file.shots': {
    en: '"{key}" must be different numbers of shots from 1 to 99, not {given}',
    zh: '“{key}”须为互不相同的 1 到 99 的 shot 数，不能是 {given}',
  },
  'study.file.split': {
    en: '"{key}" must be train, val or test, not {given}',
    zh: '“{key}”须为 train、val 或 test，不能是 {given}',
  },
  'study.file.which': {
    en: '"{key}" must be last, best, chosen, all, every: n or a list of steps, not {given}',
    zh: '“{key}”须为 last、best、chosen、all、every: n 或步数列表，不能是 {given}',
  },
  'study.file.count': {
    en: '"{key}" must be a whole number of at least 1, not {given}',
    zh: '“{key}”须为不小于 1 的整数，不能是 {given}',
  },
  'study.file.temperature': {
    en: '"{key}" must be a number of at least 0, not {given}',
    zh: '“{key}”须为不小于 0 的数，不能是 {given}',
  },
  'study.file.files': {
    en: '"{key}" must be a list of task files, relative to the study file, not {given}',
    zh: '“{key}”须为任务文件的列表（相对于研究文件），不能是 {given}',
  },
  'study.file.over': {
    en: '"{key}" must contain settings of the data, such as data.val: other.jsonl, not {given}',
    zh: '“{key}”须为数据方面的设置，例如 data.val: other.jsonl，不能是 {given}',
  },
})

const asDrop = otherwise('study.file.drop')
const share = z.number(asDrop).gt(0, asDrop).lt(1, asDrop)

export const drop = z
  .union(
    [
      z.literal('none'),
      z.strictObject({
        at: z
          .array(share, asDrop)
          .min(1, asDrop)
          .refine(shares => shares.every((each, i) => i === 0 || each > shares[i - 1]), asDrop)
          .default([0.25, 0.5, 0.75]),
        /** How many fresh seeds the saving may buy for each arm that is left, at most. */
        fresh: z.int(asDrop).min(0, asDrop).default(0),
      }),
    ],
    asDrop,
  )
  .default('none')

/** What a study file says of `klens study search`: the knobs with their ranges, how many settings, how many seeds of each. */
const asKnobs = otherwise('study.file.knobs')
const asPoints = otherwise('study.file.points')

const range = z.tuple([z.number(), z.number()], asKnobs).refine(([low, high]) => low < high, asKnobs)
const knob = z
  .union(
    [z.strictObject({ random: range }), z.strictObject({ 'log-uniform': range.refine(([low]) => low > 0, asKnobs) })],
    asKnobs,
  )
  .transform(
    (given): Knob =>
      'random' in given
        ? { scale: 'linear', low: given.random[0], high: given.random[1] }
        : { scale: 'log', low: given['log-uniform'][0], high: given['log-uniform'][1] },
  )

export interface Knob {
  readonly scale: 'linear' | 'log'
  readonly low: number
  readonly high: number
}

export const search = z
  .strictObject({
    knobs: z.record(z.string(), knob, asKnobs).refine(given => Object.keys(given).length > 0, asKnobs),
    /** Settings that are tried, the study's own arms included. */
    points: z.int(asPoints).min(1, asPoints).default(20),
    /** Seeds of each. */
    seeds: z.int(asPoints).min(1, asPoints).default(1),
  })
  .optional()

/** What a study file says of `klens study settle`: which arms, by what, and how much of it may be bought. */
const asMost = otherwise('study.file.most')
const asPrompts = otherwise('study.file.prompts')
const asArms = otherwise('study.file.settled-arms')

/** The prompts of a task that runs are asked, in the task's own order: first so many, and so many at most. */
const prompts = z.strictObject(
  {
    split: z.enum(['val', 'test'], asPrompts).default('test'),
    first: z.int(asPrompts).min(10, asPrompts).default(100),
    /** Null: as many as the split has. */
    most: z.int(asPrompts).min(10, asPrompts).nullable().default(null),
  },
  asPrompts,
)

export const settle = z
  .strictObject({
    /** Left out: all arms, the first of them the baseline. */
    arms: z
      .array(z.string(), asArms)
      .min(2, asArms)
      .refine(names => new Set(names).size === names.length, asArms)
      .optional(),
    by: z.enum(['seeds', 'prompts'], otherwise('study.file.settle-by')).default('seeds'),
    /** Seeds a side. */
    most: z.int(asMost).min(FIRST_LOOK, asMost).default(20),
    /** By seeds: where they are named, trials are judged by them, and more are bought where that is the better buy. */
    prompts: prompts.optional(),
  })
  .prefault({})

/**
 * What a study file says of stages: trainings that others start from. A stage is settings over the base, like an arm;
 * its `from` names the stage that it starts from itself.
 */
const stage = z.custom<JsonObject>(isJsonObject, otherwise('study.file.stage'))
const stageName = z.string().regex(/^[A-Za-z0-9][\w.-]*$/, otherwise('study.file.stage'))

export const stages = z.record(stageName, stage, otherwise('study.file.stage')).default({})

/**
 * What a study file says of evaluations: by name, on which data, under which conditions, of which checkpoints. The
 * members are called like the options of `klens eval` and `klens gym eval`, which is what carries them out.
 */
const asShots = otherwise('study.file.shots')
const shots = z.int(asShots).min(1, asShots).max(99, asShots)
const count = z.int(otherwise('study.file.count')).min(1, otherwise('study.file.count'))

function isDistinct(list: readonly number[]): boolean {
  return new Set(list).size === list.length
}

/**
 * Which checkpoints of a trial: the last, the one with the best validation, the one that `klens checkpoints` advises, all
 * that were kept, those whose step is a multiple, or these.
 */
const which = z.union(
  [
    z.enum(['last', 'best', 'chosen', 'all']),
    z.strictObject({ every: z.int().min(1) }),
    z.array(z.int().min(0)).min(1).refine(isDistinct),
  ],
  otherwise('study.file.which'),
)

const evaluation = z.strictObject({
  checkpoints: which.default('last'),
  /** How many queries or tasks at most. */
  samples: count.nullable().default(null),
  split: z.enum(['train', 'val', 'test'], otherwise('study.file.split')).nullable().default(null),
  /** Of the selector; left out, as many as it was trained with. */
  shots: z.array(shots, asShots).min(1, asShots).refine(isDistinct, asShots).nullable().default(null),
  /** Of the selector: other data, by settings over those of the trial. */
  set: z.custom<JsonObject>(isJsonObject, otherwise('study.file.over')).default({}),
  /** Of the language model: files of tasks; none, klens's own. */
  data: z.array(z.string().min(1), otherwise('study.file.files')).default([]),
  temperature: z
    .number(otherwise('study.file.temperature'))
    .min(0, otherwise('study.file.temperature'))
    .nullable()
    .default(null),
  repeats: count.nullable().default(null),
  /** Of a program's checkpoints: how they become scores. */
  ...evaluationProgram,
})

export type EvaluationFile = z.output<typeof evaluation>
export type WhichCheckpoints = EvaluationFile['checkpoints']

const name = z.string().regex(/^[A-Za-z0-9][\w.-]*$/, otherwise('study.file.evaluation'))

export const evaluations = z.record(name, evaluation, otherwise('study.file.evaluation')).default({})
