import { z } from 'zod'
import { isJsonObject, type Json } from '../../../logs/model/json.js'
import { executorSchema, resourcesSchema } from '../executor/section.js'
import { engineSchema, services } from '../program/schema.js'
import { fileIssues } from './issue.js'
import { drop, evaluations, search, settle, stages } from './sections.js'

/**
 * What a study file holds: the question and how it will be judged, what varies, where it runs. A member that klens would
 * not act on is refused rather than read past: a study that silently ran without it would answer another question.
 * Issues name their sentence by its key; `{key}` and `{given}` are filled in where the place in the file is known.
 */
const issues = fileIssues({
  'study.file.text': { en: '"{key}" must be text, not {given}', zh: '“{key}”必须是文本，不能是 {given}' },
  'study.file.positive': {
    en: '"{key}" must be a number above 0, not {given}',
    zh: '“{key}”必须是大于 0 的数，不能是 {given}',
  },
  'study.file.whole': {
    en: '"{key}" must be a whole number of at least 1, not {given}',
    zh: '“{key}”必须是不小于 1 的整数，不能是 {given}',
  },
  'study.file.direction': {
    en: '"{key}" must be max or min, not {given}',
    zh: '“{key}”必须是 max 或 min，不能是 {given}',
  },
  'study.file.name': {
    en: '"{key}" may have letters, digits, ".", "_" and "-" and must begin with a letter or digit, unlike {given}',
    zh: '“{key}”只能由字母、数字、“.”、“_”、“-”组成，并以字母或数字开头，{given} 不符合',
  },
  'study.file.checkpoints': {
    en: 'checkpoints {given} are not supported yet: a trial is judged at its last evaluation, "last"',
    zh: '检查点 {given} 尚不可用：试验按最后一次评估（“last”）评判',
  },
  'study.file.settings': {
    en: '"{key}" must contain settings such as kl.loss.coef: 0.1, not {given}',
    zh: '“{key}”必须是设置，例如 kl.loss.coef: 0.1，不能是 {given}',
  },
  'study.file.base': {
    en: '"{key}" must be settings or the path of a config file, not {given}',
    zh: '“{key}”必须是设置或配置文件路径，不能是 {given}',
  },
  'study.file.axis': {
    en: '"{key}" must be a list of values, or random: [low, high] or log-uniform: [low, high] (above 0) with a count; not {given}',
    zh: '“{key}”必须是取值列表，或带 count 的 random: [low, high]、log-uniform: [low, high]（须大于 0）；不能是 {given}',
  },
  'study.file.arm': {
    en: '"{key}" must be settings, or a list of arms and settings to stack, not {given}',
    zh: '“{key}”必须是设置，或由要叠加的实验组与设置组成的列表，不能是 {given}',
  },
  'study.file.seeds': {
    en: '"{key}" must be a number of seeds, or a list of different whole numbers, not {given}',
    zh: '“{key}”必须是个数，或互不相同的整数列表，不能是 {given}',
  },
  'study.file.one-of': {
    en: 'a study has either "vary" or "arms"; this file has both',
    zh: '研究要么用“vary”要么用“arms”；此文件两者都有',
  },
  'study.file.none-of': {
    en: 'a study needs "vary" or "arms"; this file has neither. A search begins from an arm that gives every hyperparameter a value',
    zh: '研究需要“vary”或“arms”；此文件两者都没有。search 要从一个给出全部超参数取值的 arm 开始',
  },
})

const otherwise = issues.orMissing

const text = z.string(otherwise('study.file.text')).min(1, otherwise('study.file.text'))
const positive = z.number(otherwise('study.file.positive')).positive(otherwise('study.file.positive'))
const wholeNumber = z.int(otherwise('study.file.whole')).min(1, otherwise('study.file.whole'))

export type Settings = { readonly [key: string]: Json }

const settings = z.custom<Settings>(isJsonObject, otherwise('study.file.settings'))

export type StudyAxis =
  | { readonly kind: 'values'; readonly values: readonly Json[] }
  | { readonly kind: 'drawn'; readonly scale: 'linear' | 'log'; readonly range: Range; readonly count: number }

type Range = readonly [low: number, high: number]

const range = z.tuple([z.number(), z.number()]).refine(([low, high]) => low < high)
const drawn = z.union([
  z.strictObject({ random: range, count: z.int().min(1) }),
  z.strictObject({ 'log-uniform': range.refine(([low]) => low > 0), count: z.int().min(1) }),
])

const axis = z.unknown().transform((given, context): StudyAxis => {
  if (Array.isArray(given) && given.length > 0) return { kind: 'values', values: given }
  const parsed = drawn.safeParse(given)
  if (!parsed.success) {
    context.issues.push({ code: 'custom', input: given, message: issues('study.file.axis').error })
    return z.NEVER
  }
  const { count } = parsed.data
  return 'random' in parsed.data
    ? { kind: 'drawn', scale: 'linear', range: parsed.data.random, count }
    : { kind: 'drawn', scale: 'log', range: parsed.data['log-uniform'], count }
})

/** An arm is settings, or a stack of arms and settings of which later ones win. */
export type Arm = Settings | readonly (string | Settings)[]

const arm = z.custom<Arm>(
  given =>
    isJsonObject(given) ||
    (Array.isArray(given) && given.every(each => typeof each === 'string' || isJsonObject(each))),
  otherwise('study.file.arm'),
)

const seeds = z
  .union([z.int().min(1), z.array(z.int().min(0)).min(1)], otherwise('study.file.seeds'))
  .transform(given => (typeof given === 'number' ? Array.from({ length: given }, (_, i) => i + 1) : given))
  .refine(list => new Set(list).size === list.length, otherwise('study.file.seeds'))

export const studySchema = z
  .strictObject({
    name: text.regex(/^[A-Za-z0-9][\w.-]*$/, otherwise('study.file.name')).optional(),
    question: text,
    metric: text.default('val.score'),
    direction: z.enum(['max', 'min'], otherwise('study.file.direction')).default('max'),
    /** Differences smaller than this do not matter, in the metric's own unit. */
    margin: positive.nullable().default(null),
    /** The best arm is asked for among those that end within this KL to the reference. */
    constraint: z.strictObject({ kl: positive }).optional(),
    expectations: z.array(text, otherwise('study.file.text')).default([]),
    base: z.union([text, settings], otherwise('study.file.base')).default({}),
    vary: z.union([z.array(settings).min(1), z.record(z.string(), axis)], otherwise('study.file.settings')).optional(),
    arms: z.record(text, arm, otherwise('study.file.settings')).optional(),
    stages,
    /** The stage that arms start from, where they name no other. */
    from: text.optional(),
    evaluations,
    seeds: seeds.default([1, 2, 3, 4, 5]),
    engine: engineSchema.default('builtin'),
    /** Programs that those of the trials need beside them. */
    services,
    checkpoints: z.literal('last', otherwise('study.file.checkpoints')).default('last'),
    stop: text.default('none'),
    budget: z
      .strictObject({ trials: wholeNumber.nullable().default(null), hours: positive.nullable().default(null) })
      .prefault({}),
    executor: executorSchema.default({ kind: 'local' }),
    resources: resourcesSchema.prefault({}),
    workers: wholeNumber.nullable().default(null),
    search,
    settle,
    drop,
  })
  .superRefine(({ vary, arms }, context) => {
    if ((vary === undefined) !== (arms === undefined)) return
    const key = vary === undefined ? 'study.file.none-of' : 'study.file.one-of'
    context.issues.push({ code: 'custom', input: { vary, arms }, message: issues(key).error })
  })

export type StudyFile = z.output<typeof studySchema>
