import { z } from 'zod'
import { fileIssues } from '../file/issue.js'

/**
 * What a study file says of the program that trains its trials: klens's own trainer, any command, or a preset for a
 * framework, of which any member may be given differently. What it comes to is `resolve.ts`'s.
 */
const issues = fileIssues({
  'study.file.engine': {
    en: '"{key}" must be builtin, command: [program, words …], or preset: verl, userrl, trl, openrlhf or lever-plus; not {given}',
    zh: '“{key}”必须是 builtin、command: [程序 参数 …] 或 preset: verl、userrl、trl、openrlhf、lever-plus，不能是 {given}',
  },
  'study.file.engine.release': { en: '"{key}" must be text, not {given}', zh: '“{key}”必须是文本，不能是 {given}' },
  'study.file.engine.both': {
    en: '"engine" needs a command, or the preset of a framework; this file has {given}',
    zh: '“engine”需要一个 command，或某个框架的 preset；此文件 {given}',
  },
  'study.file.engine.words': {
    en: '"{key}" must be a list of words, such as [python3, train.py], not {given}: no shell reads it',
    zh: '“{key}”必须是单词列表，例如 [python3, train.py]，不能是 {given}：不经过 shell',
  },
  'study.file.engine.environment': {
    en: '"{key}" must be text or a number, and its name made of letters, digits and "_", unlike {given}',
    zh: '“{key}”必须是文本或数字，变量名只能由字母、数字与“_”组成，{given} 不符合',
  },
  'study.file.engine.overrides': {
    en: '"{key}" must be hydra (a.b=c), flags (--a.b c), flags-equals (--a.b=c) or env (A_B=c), not {given}',
    zh: '“{key}”必须是 hydra（a.b=c）、flags（--a.b c）、flags-equals（--a.b=c）或 env（A_B=c），不能是 {given}',
  },
  'study.file.engine.inside': {
    en: '"{key}" must be a path without ".." that does not begin at the root, not {given}',
    zh: '“{key}”必须是不含“..”、不从根目录开始的路径，不能是 {given}',
  },
  'study.file.engine.signal': {
    en: '"{key}" must be SIGINT, SIGTERM, SIGUSR1 or SIGUSR2, not {given}',
    zh: '“{key}”必须是 SIGINT、SIGTERM、SIGUSR1 或 SIGUSR2，不能是 {given}',
  },
  'study.file.services': {
    en: '"{key}" must hold services by name, such as judge with command: [python3, judge.py]; not {given}',
    zh: '“{key}”须按名字列出服务，例如 judge，其下为 command: [python3, judge.py]；不能是 {given}',
  },
  'study.file.services.ready': {
    en: '"{key}" must be a path of the service that answers once it is ready, such as /health, not {given}',
    zh: '“{key}”须为服务就绪后会应答的路径，例如 /health，不能是 {given}',
  },
  'study.file.engine.seconds': {
    en: '"{key}" must be a number of seconds from 1 to 86400, not {given}',
    zh: '“{key}”必须是 1 到 86400 之间的秒数，不能是 {given}',
  },
})

const otherwise = issues.orMissing

const PRESET_NAMES = ['verl', 'userrl', 'trl', 'openrlhf', 'lever-plus'] as const

export type PresetName = (typeof PRESET_NAMES)[number]

const words = z.array(z.string(), otherwise('study.file.engine.words'))

/** Inside of a folder that is given later: neither from the root nor upwards. */
const inside = z.string(otherwise('study.file.engine.inside')).refine(isInside, otherwise('study.file.engine.inside'))

function isInside(path: string): boolean {
  return path !== '' && !/^(?:[/\\~]|[A-Za-z]:)/.test(path) && !path.split(/[/\\]/).includes('..')
}

const seconds = z
  .number(otherwise('study.file.engine.seconds'))
  .min(1, otherwise('study.file.engine.seconds'))
  .max(86_400, otherwise('study.file.engine.seconds'))

const command = words.min(1, otherwise('study.file.engine.words'))

/** What every program of a study may be told: the words, where it is started, and its variables. */
const programShape = {
  /** From where the study lies. */
  folder: inside.optional(),
  environment: z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
      z.union([z.string(), z.number()], otherwise('study.file.engine.environment')).transform(String),
      otherwise('study.file.engine.environment'),
    )
    .optional(),
}

/** How it is asked to end, and how long it then has. */
const stop = z.strictObject({
  signal: z.enum(['SIGINT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2'], otherwise('study.file.engine.signal')).default('SIGTERM'),
  seconds: seconds.default(60),
})

const commandShape = {
  command: command.optional(),
  /** How `{overrides}` is written. */
  overrides: z.enum(['hydra', 'flags', 'flags-equals', 'env'], otherwise('study.file.engine.overrides')).optional(),
  ...programShape,
  /** Where its metrics appear, from the trial's folder; or what it prints. */
  metrics: z.union([z.literal('console'), inside], otherwise('study.file.engine.inside')).optional(),
  /** Where its checkpoints land, from the trial's folder; `*` stands for the step. */
  checkpoints: inside.optional(),
  /** Words to add where there is a checkpoint. */
  resume: words.optional(),
  stop: stop.optional(),
}

/** A program that trials or evaluations need beside them. */
const service = z.strictObject(
  {
    command,
    ...programShape,
    /** A path that answers once it is ready; left out, its port does. */
    ready: z
      .string(otherwise('study.file.services.ready'))
      .regex(/^\//, otherwise('study.file.services.ready'))
      .optional(),
    /** How long it may take until then. */
    seconds: seconds.default(120),
    stop: stop.prefault({}),
  },
  otherwise('study.file.services'),
)

export type ServiceMember = z.output<typeof service>

const serviceName = z.string().regex(/^[A-Za-z][\w-]*$/, otherwise('study.file.services'))

export const services = z.record(serviceName, service, otherwise('study.file.services')).default({})

/** What an evaluation by a program is told: how a checkpoint becomes scores. */
export const evaluationProgram = {
  command: command.optional(),
  ...programShape,
  /** Programs that come first, such as one that merges shards. */
  before: z.array(command, otherwise('study.file.engine.words')).default([]),
  /** Services of this checkpoint alone, such as the model itself. */
  services,
  /** The file of scores that it leaves in `{folder}`. */
  scores: inside.optional(),
}

const presetShape = {
  preset: z.enum(['builtin', ...PRESET_NAMES], otherwise('study.file.engine')).optional(),
  /** Of the framework: what its settings are called differs from one to the next. */
  release: z.string(otherwise('study.file.engine.release')).optional(),
}

/** A single word is a preset; klens's own trainer takes no further members. */
export const engineSchema = z
  .preprocess(
    given => (typeof given === 'string' ? { preset: given } : given),
    z.strictObject({ ...presetShape, ...commandShape }, otherwise('study.file.engine')),
  )
  .superRefine(({ preset, ...more }, context) => {
    const isWrong = preset === 'builtin' ? Object.keys(more).length > 0 : preset === undefined && !more.command
    if (isWrong) context.issues.push({ code: 'custom', input: { preset, ...more }, message: 'study.file.engine.both' })
  })
  .transform(({ preset, ...more }) =>
    preset === 'builtin' ? ('builtin' as const) : { ...more, ...withPreset(preset) },
  )

function withPreset(preset: PresetName | undefined): { readonly preset?: PresetName } {
  return preset === undefined ? {} : { preset }
}

/** As the file has it. */
type EngineMember = z.output<typeof engineSchema>
export type CommandMember = Exclude<EngineMember, 'builtin'>

/** For suggestions in place of a slip. */
export const ENGINE_MEMBERS: readonly string[] = Object.keys({ ...presetShape, ...commandShape })
