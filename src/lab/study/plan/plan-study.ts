import { mkdir, readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { cacheFolder, type Workspace } from '../../../core/store/workspace.js'
import { sha256 } from '../../../logs/model/id.js'
import { isJsonObject } from '../../../logs/model/json.js'
import { Problem } from '../../../logs/model/problem.js'
import { sentences } from '../../../text/sentences.js'
import { type AnyTrainConfig, readAnyConfig } from '../../train/config/any.js'
import type { ConfigReading } from '../../train/config/read.js'
import { type PlannedCondition, planEvaluations, primaryConditions } from '../evaluations/plan-evaluations.js'
import { sectionFor } from '../executor/section.js'
import { type FrozenStudy, frozenStudies, readFrozen } from '../file/frozen.js'
import { openStudy, problems, type ReadStudy, readStudy } from '../file/read.js'
import { commandArms } from '../program/plan-command.js'
import { planProgramEvaluations } from '../program/plan-evaluation.js'
import { type BuiltinArm, type PlannedArm, type Trial, trialsOf } from '../trial.js'
import { type ConfigReader, plannedArms } from './arms.js'

/** A study file together with what it comes to. */
export interface PlannedStudy extends ReadStudy {
  readonly arms: readonly PlannedArm[]
  readonly trials: readonly Trial[]
  /** What the checkpoints of an arm are to be evaluated under, by arm. */
  readonly conditions: ReadonlyMap<string, readonly PlannedCondition[]>
  /** The one of them that decides, by arm; null where the validation in training does. */
  readonly primary: ReadonlyMap<string, PlannedCondition> | null
}

const say = sentences({
  'study.services.builtin': {
    en: 'services run beside the programs of an engine; klens trains these trials itself',
    zh: '服务与 engine 的程序一同运行；此研究的试验由 klens 自己训练',
  },
  'studies.none': { en: 'no trial of a study "{name}" was run here', zh: '这里没有运行过研究“{name}”' },
})

/** The arm that all others are compared with. */
export function baselineOf({ arms, file: { settle } }: PlannedStudy): string {
  return settle.arms?.[0] ?? arms[0].name
}

/** `executor`: another one than the file says, as it was typed. */
export async function planStudy(path: string, executor?: string): Promise<PlannedStudy> {
  const written = await openStudy(path)
  const study = { ...written, file: { ...written.file, executor: sectionFor(executor, written.file.executor) } }
  return (await programStudy(study)) ?? builtinStudy(study, plannedArms(study))
}

/** The same for somebody who only looks: arms whose settings were found to hold before are not checked again. */
export async function planToLook(workspace: Workspace, path: string): Promise<PlannedStudy> {
  const study = await openStudy(path)
  const programs = await programStudy(study)
  if (programs !== null) return programs
  const configs = await rememberedConfigs(workspace, path)
  const arms = plannedArms(study, configs.read)
  await configs.save()
  return builtinStudy(study, arms)
}

/** From texts that were kept. */
export async function planStudyText(file: {
  readonly path: string
  readonly text: string
  readonly base: ReadStudy['base']
}): Promise<PlannedStudy> {
  const study = { ...readStudy(file.path, file.text), base: file.base }
  return (await programStudy(study)) ?? builtinStudy(study, plannedArms(study))
}

/** As it was before its first result: for readers of the workspace alone, unless it is to be run on. */
async function planFrozen(
  name: string,
  { text, design, path }: FrozenStudy,
  { isToRun = false }: { readonly isToRun?: boolean } = {},
): Promise<PlannedStudy> {
  const study = { ...readStudy(path ?? `${name}.yaml`, text), name }
  const frozen = isJsonObject(design) ? design.base : null
  const base = typeof study.file.base === 'string' ? { name: study.file.base, text: String(frozen) } : null
  const whole = { ...study, base }
  return (await programStudy(whole, { isToRun })) ?? builtinStudy(whole, plannedArms(whole))
}

export interface OpenedStudy extends PlannedStudy {
  readonly frozen: FrozenStudy
}

/** By its name, which is looked up and never becomes a path; null where a run was begun and nothing was frozen yet. */
export async function openFrozen(
  workspace: Workspace,
  name: string,
  how: { readonly isToRun?: boolean } = {},
): Promise<OpenedStudy | null> {
  const known = (await frozenStudies(workspace)).includes(name)
  if (!known) throw new Problem('not-found', say('studies.none', { name }))
  const frozen = await readFrozen(workspace, name)
  return frozen === null ? null : { ...(await planFrozen(name, frozen, how)), frozen }
}

function builtinStudy(study: ReadStudy, arms: readonly BuiltinArm[]): PlannedStudy {
  if (Object.keys(study.file.services).length > 0) {
    throw problems([study.problemAt(['services'], say('study.services.builtin', {}))])
  }
  const conditions = planEvaluations(study, arms)
  const primary = primaryConditions(study, conditions)
  return { ...study, arms, conditions, primary, trials: trialsOf(study.name, arms, study.file.seeds) }
}

/** Null: klens trains it itself. */
async function programStudy(study: ReadStudy, { isToRun = true } = {}): Promise<PlannedStudy | null> {
  const { engine, seeds } = study.file
  if (engine === 'builtin') return null
  const arms = await commandArms(study, engine, { isToRun })
  const conditions = await planProgramEvaluations(study, arms, isToRun)
  const primary = primaryConditions(study, conditions)
  return { ...study, arms, conditions, primary, trials: trialsOf(study.name, arms, seeds) }
}

/**
 * The configs of a study's arms, remembered from the last time that somebody asked how it stands: to check the settings of
 * a hundred arms takes longer than all the rest of the answer. Only configs that hold are remembered, by all that they
 * were read from; a study that is run reads them again.
 */
interface RememberedConfigs {
  readonly read: ConfigReader
  /** To be called when all have been read. */
  save(): Promise<void>
}

interface Cache {
  /** What decides a config beside what is written. */
  readonly around: string
  readonly configs: { readonly [sources: string]: AnyTrainConfig }
}

async function rememberedConfigs(workspace: Workspace, study: string): Promise<RememberedConfigs> {
  const name = sha256(resolve(study)).slice(0, 16)
  const path = join(cacheFolder(workspace), `configs-${name}.json`)
  // The name of the file that this stands in holds a hash of all code that reads settings.
  const around = `${resolve('.')} ${basename(import.meta.url)}`
  const before = await readCache(path, around)
  const used: { [sources: string]: AnyTrainConfig } = {}
  let isChanged = false
  return {
    read(sources) {
      const key = sha256(JSON.stringify(sources)).slice(0, 32)
      const known = before[key]
      const reading: ConfigReading<AnyTrainConfig> =
        known === undefined ? readAnyConfig(sources) : { kind: 'config', config: known }
      isChanged ||= known === undefined
      if (reading.kind === 'config') used[key] = reading.config
      return reading
    },
    async save() {
      if (!isChanged && Object.keys(used).length === Object.keys(before).length) return
      try {
        await mkdir(cacheFolder(workspace), { recursive: true })
        await writeFileAtomically(path, JSON.stringify({ around, configs: used } satisfies Cache))
      } catch {
        // A workspace that may only be read: the answer is right all the same.
      }
    },
  }
}

/** Disposable: one that cannot be read is as good as none. */
async function readCache(path: string, around: string): Promise<Cache['configs']> {
  try {
    const cache = JSON.parse(await readFile(path, 'utf8')) as Cache
    return cache.around === around ? cache.configs : {}
  } catch {
    return {}
  }
}
