import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Json } from '../../../logs/model/json.js'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import { fileIssues } from '../file/issue.js'
import { BLANKS, type QueueCommands, shellLine, slurmCommands, type Words } from './commands.js'

/**
 * What a study file says of where it runs: `local`, `ray`, `slurm`, or one of these (or `commands`) with members of its own;
 * and what each trial needs there. Neither changes a number, so neither is part of the design.
 */
export type ExecutorSection =
  | { readonly kind: 'local' }
  | ({
      readonly kind: 'ray'
      readonly address: string | null
      readonly runtimeEnvironment: RuntimeEnvironment
    } & Elsewhere)
  | ({ readonly kind: 'commands'; readonly commands: QueueCommands } & Elsewhere)

/** Of what runs on other machines. */
interface Elsewhere {
  /** What klens is called there; null: as it is called here. */
  readonly klens: Words | null
  readonly environment: { readonly [name: string]: string }
}

type RuntimeEnvironment = { readonly [key: string]: Json }

const issues = fileIssues({
  'study.file.executor': {
    en: '"{key}" must be local, ray, slurm, or one of ray, slurm and commands with its members, not {given}',
    zh: '“{key}”必须是 local、ray、slurm，或带有成员的 ray、slurm、commands，不能是 {given}',
  },
  'study.file.executor-member': { en: '"{key}" of an executor cannot be {given}', zh: '执行器的“{key}”不能是 {given}' },
  'study.file.executor-words': {
    en: '"{key}" must be a list of words, a program and its arguments, not {given}',
    zh: '“{key}”必须是词的列表：程序及其参数，不能是 {given}',
  },
  'study.file.executor-blank': {
    en: `"{key}" has an unknown placeholder; known ones are ${BLANKS.join(', ')}`,
    zh: `“{key}”含有不存在的占位符；可用 ${BLANKS.join('、')}`,
  },
  'study.file.executor-pattern': {
    en: '"{key}" must be a regular expression with one group, such as "^(\\d+)", not {given}',
    zh: '“{key}”必须是含一个分组的正则表达式，例如 "^(\\d+)"，不能是 {given}',
  },
  'study.file.resource': {
    en: '"{key}" must be a number of at least 0, not {given}',
    zh: '“{key}”必须是不小于 0 的数，不能是 {given}',
  },
})

const otherwise = issues.orMissing

const say = sentences({
  'executor.unknown': {
    en: 'there is no executor "{given}"; use local, ray, ray:ADDRESS, slurm, or commands if the file defines them',
    zh: '没有执行器“{given}”；可用 local、ray、ray:地址、slurm，以及文件中写有的 commands',
  },
})

const text = z.string(otherwise('study.file.executor-member')).min(1, otherwise('study.file.executor-member'))

const words = z
  .tuple([text], z.string(otherwise('study.file.executor-words')), otherwise('study.file.executor-words'))
  .readonly()

const KNOWN_BLANKS: readonly string[] = BLANKS

const template = words.refine(
  list => list.flatMap(word => [...word.matchAll(/\{(\w+)\}/g)]).every(([, blank]) => KNOWN_BLANKS.includes(blank)),
  otherwise('study.file.executor-blank'),
)

const elsewhere = {
  klens: words.nullable().default(null),
  environment: z.record(z.string().regex(/^[A-Za-z_]\w*$/, otherwise('study.file.executor-member')), text).default({}),
}

const ray = z.strictObject({
  address: text.nullable().default(null),
  runtime_env: z.record(z.string(), z.json(), otherwise('study.file.executor-member')).default({}),
  ...elsewhere,
})

const slurm = z.strictObject({
  options: z.array(text, otherwise('study.file.executor-words')).default([]),
  ...elsewhere,
})

const stateWords = z.array(text, otherwise('study.file.executor-words')).default([])

const commands = z.strictObject({
  name: text.default('commands'),
  submit: template,
  id: z
    .string(otherwise('study.file.executor-pattern'))
    .refine(hasOneGroup, otherwise('study.file.executor-pattern'))
    .nullable()
    .default(null),
  status: template,
  states: z.strictObject({
    waiting: stateWords,
    running: stateWords,
    done: stateWords,
    failed: stateWords,
    stopped: stateWords,
    evicted: stateWords,
  }),
  logs: template.nullable().default(null),
  stop: template,
  ...elsewhere,
})

function hasOneGroup(pattern: string): boolean {
  try {
    return new RegExp(`${pattern}|`).exec('')?.length === 2
  } catch {
    return false
  }
}

const given = z.union(
  [
    z.enum(['local', 'ray', 'slurm'], otherwise('study.file.executor')),
    z.strictObject({ ray }, otherwise('study.file.executor')),
    z.strictObject({ slurm }, otherwise('study.file.executor')),
    z.strictObject({ commands }, otherwise('study.file.executor')),
  ],
  otherwise('study.file.executor'),
)

export const executorSchema = given.transform((section): ExecutorSection => {
  if (typeof section === 'string') return sectionCalled(section)
  if ('ray' in section) {
    const { runtime_env: runtimeEnvironment, ...more } = section.ray
    return { kind: 'ray', runtimeEnvironment, ...more }
  }
  if ('slurm' in section) {
    const { options, ...more } = section.slurm
    return { kind: 'commands', commands: slurmCommands(options), ...more }
  }
  const { klens, environment, status, ...queue } = section.commands
  return { kind: 'commands', commands: { ...queue, status: [status] }, klens, environment }
})

function sectionCalled(name: 'local' | 'ray' | 'slurm'): ExecutorSection {
  const plain = { klens: null, environment: {} }
  switch (name) {
    case 'local':
      return { kind: 'local' }
    case 'ray':
      return { kind: 'ray', address: null, runtimeEnvironment: {}, ...plain }
    case 'slurm':
      return { kind: 'commands', commands: slurmCommands([]), ...plain }
  }
}

/** The executor of a study, unless another is asked for: `ray`, `ray:http://host:8265`, `slurm`, `local`. */
export function sectionFor(asked: string | undefined, inFile: ExecutorSection): ExecutorSection {
  if (asked === undefined || asked === nameOf(inFile)) return inFile
  const [, name, address] = /^(ray|slurm|local)(?::(.+))?$/.exec(asked) ?? []
  if (name === 'ray') {
    const section = inFile.kind === 'ray' ? inFile : sectionCalled('ray')
    return section.kind === 'ray' && address !== undefined ? { ...section, address } : section
  }
  if ((name === 'slurm' || name === 'local') && address === undefined) return sectionCalled(name)
  throw new Problem('bad-request', say('executor.unknown', { given: asked }))
}

function nameOf(section: ExecutorSection): string {
  return section.kind === 'commands' ? section.commands.name : section.kind
}

/**
 * What a file has klens start for the sake of where it runs, as lines to read: to be said yes to before, as much as the
 * programs that train. What klens itself says to Ray or Slurm is not the file's.
 */
export function startedFor(section: ExecutorSection): readonly string[] {
  if (section.kind === 'local') return []
  const { klens, environment } = section
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${shellLine([value])}`)
  const own = [...variables, ...(klens === null ? [] : [shellLine(klens)])]
  if (section.kind === 'ray') {
    const { runtimeEnvironment } = section
    return [...own, ...(Object.keys(runtimeEnvironment).length === 0 ? [] : [JSON.stringify(runtimeEnvironment)])]
  }
  if (isDeepStrictEqual(section.commands, slurmCommands([]))) return own
  const { submit, status, logs, stop } = section.commands
  return [...own, ...[submit, ...status, ...(logs === null ? [] : [logs]), stop].map(shellLine)]
}

const amount = z.number(otherwise('study.file.resource')).min(0, otherwise('study.file.resource')).nullable()

/** What each trial needs, wherever it runs. */
export const resourcesSchema = z.strictObject({ cpus: amount.default(null), gpus: amount.default(null) })
