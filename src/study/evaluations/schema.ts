import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../model/json.js'
import { fileIssues } from '../file/issue.js'

/**
 * What a study file says of evaluations: by name, on which data, under which conditions, of which checkpoints. The
 * members are called like the options of `klens eval` and `klens gym eval`, which is what carries them out.
 */
const otherwise = fileIssues({
  'study.file.evaluation': {
    en: '"{key}" must hold evaluations by name, such as held-out with shots: [1, 2, 4] and split: test; not {given}',
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
    en: '"{key}" must be a list of files of tasks, from where the study lies, not {given}',
    zh: '“{key}”须为任务文件的列表（相对于研究文件），不能是 {given}',
  },
  'study.file.over': {
    en: '"{key}" must hold settings of the data, such as data.val: other.jsonl, not {given}',
    zh: '“{key}”须为数据方面的设置，例如 data.val: other.jsonl，不能是 {given}',
  },
})

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
})

export type EvaluationFile = z.output<typeof evaluation>
export type WhichCheckpoints = EvaluationFile['checkpoints']

const name = z.string().regex(/^[A-Za-z0-9][\w.-]*$/, otherwise('study.file.evaluation'))

export const evaluations = z.record(name, evaluation, otherwise('study.file.evaluation')).default({})
