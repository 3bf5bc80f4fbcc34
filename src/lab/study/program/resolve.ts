import { realpath, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import { bundledSchemas } from '../../launch/schema/bundled.js'
import type { Schema } from '../../launch/schema/schema.js'
import type { Ending } from '../executor/executor.js'
import { problems, type ReadStudy } from '../file/read.js'
import { blanksOf } from '../services/spec.js'
import { PRESETS, type Preset } from './presets.js'
import type { CommandMember, ServiceMember } from './schema.js'
import { keysOf, type OverrideStyle, parseTemplate, type Template, unknownKey } from './template.js'
import { presetSettings, seedKeys } from './translate.js'

/**
 * The program of a study as it will be started: what the file says over what its preset says, every template read and
 * every name in it known, before anything runs.
 */
export interface CommandEngine {
  readonly preset: Preset | null
  /** The release of the preset's framework by whose names settings are called. */
  readonly schema: Schema | null
  readonly words: readonly Template[]
  readonly style: OverrideStyle
  /** Absolute: where the program is started. */
  readonly folder: string
  readonly environment: ReadonlyMap<string, Template>
  /** Settings of the preset's own; texts in them are templates. */
  readonly outputs: readonly (readonly [string, Json])[]
  /** Settings that take the seed. */
  readonly seeds: readonly string[]
  /** `console`, or a path from the trial's folder. */
  readonly metrics: string
  /** From the trial's folder; null: it leaves none. */
  readonly checkpoints: string | null
  readonly resume: readonly Template[]
  /** Settings that are added where there is a checkpoint. */
  readonly resumeSettings: readonly (readonly [string, Json])[]
  readonly stop: Ending
  /** That run beside every trial, shared by those of a machine. */
  readonly services: readonly PlannedService[]
}

/** A service of the study, or of an evaluation, with its blanks. */
export interface PlannedService {
  readonly name: string
  readonly words: readonly Template[]
  readonly environment: ReadonlyMap<string, Template>
  readonly folder: string
  readonly ready: string | null
  readonly seconds: number
  readonly stop: Ending
}

const say = sentences({
  'study.engine.release': {
    en: 'klens knows no release "{release}" of {preset}; it knows {known}',
    zh: 'klens 不认识 {preset} 的版本“{release}”；已知的有 {known}',
  },
  'study.engine.release-without': {
    en: '"release" needs a preset',
    zh: '“release”只能与 preset 一起使用',
  },
  'study.engine.overrides-alone': {
    en: '"{word}": the overrides are several words and must be a word of their own, as "{alone}"',
    zh: '“{word}”：覆盖参数是若干个单词，必须单独成词，即“{alone}”',
  },
  'study.engine.leaves': {
    en: '"{word}" leads out of its folder; ".." is not allowed after a template',
    zh: '“{word}”会离开它所指的文件夹；模板之后不能有“..”',
  },
  'study.engine.folder-none': { en: 'there is no folder {folder}', zh: '没有文件夹 {folder}' },
  'study.engine.folder-outside': {
    en: 'the folder {folder} is outside {study}, where the study file is',
    zh: '文件夹 {folder} 在研究文件所在的 {study} 之外',
  },
  'study.engine.no-metrics': {
    en: "name the metrics: a path in the trial's folder, such as metrics.jsonl, or metrics: console",
    zh: '请说明指标出现在哪里：metrics: 试验文件夹内的路径（如 metrics.jsonl），或 metrics: console',
  },
})

/** What a template may always ask for. `checkpoint` only exists where a trial goes on. */
export const ALWAYS = ['overrides', 'seed', 'name', 'study', 'arm', 'folder', 'here'] as const

/** `told`: settings that a template may name besides. */
export async function resolveEngine(
  study: ReadStudy,
  member: CommandMember,
  told: readonly string[],
  { isToRun }: { readonly isToRun: boolean },
): Promise<CommandEngine> {
  const { problemAt } = study
  const wrong: Message[] = []
  const complain: Complain = (path, problem) => wrong.push(problemAt(['engine', ...path], problem))
  const preset = member.preset === undefined ? null : PRESETS[member.preset]
  const schema = preset === null ? null : await schemaFor(preset, member, complain)
  if (preset === null && member.release !== undefined) complain(['release'], say('study.engine.release-without', {}))
  const served = study.file.services
  const known = [...ALWAYS, ...told, ...Object.keys(served).flatMap(blanksOf)]
  const read = templateReader(complain)
  const form = member.overrides ?? preset?.style.form ?? 'flags'
  const metrics = member.metrics ?? preset?.metrics
  if (metrics === undefined) complain([], say('study.engine.no-metrics', {}))
  const environment = { ...preset?.environment, ...member.environment }
  const engine: CommandEngine = {
    preset,
    schema,
    words: (member.command ?? preset?.words ?? []).map((word, i) => read(word, ['command', i], known)),
    style: { form, truth: preset?.style.truth ?? 'true' },
    folder: await startingFolder(study, member.folder ?? '.', isToRun, complain),
    environment: new Map(
      Object.entries(environment).map(([name, word]) => [name, read(word, ['environment', name], withoutWords(known))]),
    ),
    outputs: preset === null ? [] : presetSettings(preset.outputs, schema),
    seeds: preset === null ? [] : seedKeys(preset, schema),
    metrics: metrics ?? '',
    checkpoints: member.checkpoints ?? preset?.checkpoints ?? null,
    resume: (member.resume ?? []).map((word, i) => read(word, ['resume', i], [...withoutWords(known), 'checkpoint'])),
    resumeSettings: preset === null || member.resume !== undefined ? [] : presetSettings(preset.resume, schema),
    stop: { signal: member.stop?.signal ?? 'SIGTERM', seconds: member.stop?.seconds ?? 60 },
    services: await Promise.all(
      Object.entries(served).map(([name, each]) =>
        resolveService(study, name, each, { path: ['services', name], keys: ['study', 'here'], isToRun, wrong }),
      ),
    ),
  }
  if (wrong.length > 0) throw problems(wrong)
  return engine
}

type Complain = (path: readonly PropertyKey[], problem: Message) => unknown

/** Reads words of a command, and complains of blanks that nothing fills. */
export function templateReader(complain: Complain) {
  return (word: string, path: readonly PropertyKey[], keys: readonly string[]): Template => {
    const template = parseTemplate(word)
    if ('key' in template) {
      complain(path, template)
      return []
    }
    for (const key of keysOf(template)) if (!keys.includes(key)) complain(path, unknownKey(word, key, keys))
    if (keysOf(template).includes('overrides') && template.length > 1) {
      complain(path, say('study.engine.overrides-alone', { word, alone: '{overrides}' }))
    }
    const behind = template.slice(1).filter(part => typeof part === 'string')
    if (keysOf(template).length > 0 && behind.some(text => text.split(/[/\\]/).includes('..'))) {
      complain(path, say('study.engine.leaves', { word }))
    }
    return template
  }
}

/** `keys`: what its words may ask for beside its port. */
export async function resolveService(
  study: ReadStudy,
  name: string,
  { command, environment = {}, folder = '.', ready, seconds, stop }: ServiceMember,
  { path, keys, isToRun, wrong }: WrittenProgram,
): Promise<PlannedService> {
  const complain: Complain = (inner, problem) => wrong.push(study.problemAt([...path, ...inner], problem))
  const read = templateReader(complain)
  const known = ['port', ...keys]
  return {
    name,
    words: command.map((word, i) => read(word, ['command', i], known)),
    environment: new Map(
      Object.entries(environment).map(([variable, word]) => [variable, read(word, ['environment', variable], known)]),
    ),
    folder: await startingFolder(study, folder, isToRun, complain),
    ...{ ready: ready ?? null, seconds, stop },
  }
}

/** Where in the file a program stands, what its words may ask for, and where complaints go. */
export interface WrittenProgram {
  readonly path: readonly PropertyKey[]
  readonly keys: readonly string[]
  readonly isToRun: boolean
  readonly wrong: Message[]
}

/** Looked for only where something is to be started in it. */
export async function startingFolder(
  study: ReadStudy,
  folder: string,
  isToRun: boolean,
  complain: Complain,
): Promise<string> {
  return isToRun ? workingFolder(study, folder, complain) : join(dirname(study.path), folder)
}

function withoutWords(keys: readonly string[]): readonly string[] {
  return keys.filter(key => key !== 'overrides')
}

async function schemaFor(
  { framework, flavour, release }: Preset,
  member: CommandMember,
  complain: Complain,
): Promise<Schema | null> {
  if (framework === 'lever-plus') return null
  const schemas = await bundledSchemas(framework, flavour)
  const wanted = member.release ?? release
  const found = wanted === null ? schemas[0] : schemas.find(({ version }) => version === wanted)
  if (found !== undefined) return found
  const known = schemas.map(({ version }) => version).join(', ')
  complain(['release'], say('study.engine.release', { release: wanted ?? '', preset: member.preset ?? '', known }))
  return null
}

/** Real paths are compared: a link must not lead elsewhere. */
async function workingFolder({ path }: ReadStudy, folder: string, complain: Complain): Promise<string> {
  const lies = resolve(dirname(path))
  const home = await realpath(lies).catch(() => lies)
  const wanted = join(home, folder)
  const real = await realpath(wanted).catch(() => null)
  if (real === null || !(await stat(real)).isDirectory()) {
    complain(['folder'], say('study.engine.folder-none', { folder: wanted }))
    return wanted
  }
  if (!isWithin(home, real)) complain(['folder'], say('study.engine.folder-outside', { folder: real, study: home }))
  return real
}

/** Both real. */
export function isWithin(folder: string, path: string): boolean {
  const inner = relative(folder, path)
  return inner === '' || (inner !== '..' && !inner.startsWith('../') && !inner.startsWith('/'))
}
