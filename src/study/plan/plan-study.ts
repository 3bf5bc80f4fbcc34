import { isJsonObject } from '../../model/json.js'
import type { Workspace } from '../../store/workspace.js'
import { commandArms } from '../engine/plan-command.js'
import { type PlannedCondition, planEvaluations } from '../evaluations/plan-evaluations.js'

import { primaryConditions } from '../evaluations/primary.js'
import { sectionFor } from '../executor/section.js'
import type { FrozenStudy } from '../file/frozen.js'
import { openStudy, type ReadStudy, readStudy } from '../file/read.js'
import { rememberedConfigs } from './remembered-configs.js'
import { type BuiltinArm, type PlannedArm, plannedArms, type StudyTrial, trialsOf } from './trials.js'

/** A study file together with what it comes to. */
export interface PlannedStudy extends ReadStudy {
  readonly arms: readonly PlannedArm[]
  readonly trials: readonly StudyTrial[]
  /** What the checkpoints of an arm are to be evaluated under, by arm. */
  readonly conditions: ReadonlyMap<string, readonly PlannedCondition[]>
  /** The one of them that decides, by arm; null where the validation in training does. */
  readonly primary: ReadonlyMap<string, PlannedCondition> | null
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

/** As it was before its first result: for whoever may read the workspace and nothing else, unless it is to be run on. */
export async function planFrozen(
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

function builtinStudy(study: ReadStudy, arms: readonly BuiltinArm[]): PlannedStudy {
  const conditions = planEvaluations(study, arms)
  const primary = primaryConditions(study, conditions)
  return { ...study, arms, conditions, primary, trials: trialsOf(study.name, arms, study.file.seeds) }
}

/** Null: klens trains it itself. */
async function programStudy(study: ReadStudy, { isToRun = true } = {}): Promise<PlannedStudy | null> {
  const { engine, seeds } = study.file
  if (engine === 'builtin') return null
  const arms = await commandArms(study, engine, { isToRun })
  const conditions = new Map(arms.map(({ name }) => [name, []]))
  return { ...study, arms, conditions, primary: null, trials: trialsOf(study.name, arms, seeds) }
}
