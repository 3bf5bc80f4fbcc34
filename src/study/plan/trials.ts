import type { Message } from '../../model/run.js'
import { sentences } from '../../text/sentences.js'
import { type AnyTrainConfig, readAnyConfig } from '../../train/config/any.js'
import { configHash, flatConfig, hashPerSeed } from '../../train/config/hash.js'
import { type ArmProgram, type CommandArm, commandTrialId } from '../engine/plan-command.js'
import { problems, type ReadStudy } from '../file/read.js'
import { type Determined, determined, type PlannedStage, planStages, stageTrial } from '../stages/plan-stages.js'
import { armsOf, type StudyArm } from './arms.js'
import type { ConfigReader } from './remembered-configs.js'

/**
 * The trials of a study: each arm with each seed. A trial is known by the hash of all that determines it, which the
 * lineage of its run carries: whoever plans the same file again, on whatever day, finds the runs that are there already.
 */
export type StudyTrial = BuiltinTrial | CommandTrial

/** Trained by klens itself. */
export interface BuiltinTrial extends Determined {
  /** The epoch after which it pauses, to go on another time. */
  readonly pauseAfter?: number
  readonly arm: StudyArm
  readonly program: null
}

/** Trained by a program that the study names. */
export interface CommandTrial extends Omit<Determined, 'config' | 'start'> {
  readonly arm: StudyArm
  readonly program: ArmProgram
  readonly config: null
  readonly start: null
}

/** An arm with all of its settings, to which only a seed is missing. */
export type PlannedArm = BuiltinArm | CommandArm

export interface BuiltinArm extends StudyArm {
  readonly config: AnyTrainConfig
  /** The stage that it starts from. */
  readonly from: PlannedStage | null
  readonly program: null
}

const say = sentences({
  'study.plan.base': { en: 'of the base config: {problems}', zh: '基础配置：{problems}' },
  'study.plan.arm': { en: 'of the arm "{arm}": {problems}', zh: 'arm“{arm}”：{problems}' },
  'study.plan.twice': {
    en: 'the arms "{first}" and "{second}" are told to do the same, so that nothing would be compared',
    zh: 'arm“{first}”与“{second}”的设置完全相同，没有可比的内容',
  },
})

/** Those that klens trains itself. `readConfig`: how settings become a config. */
export function plannedArms(study: ReadStudy, readConfig: ConfigReader = readAnyConfig): readonly BuiltinArm[] {
  const { path, file, base, problemAt } = study
  const own = typeof file.base === 'string' ? {} : file.base
  const read = readConfig({ file: base ?? { name: path, settings: own } })
  if (read.kind === 'problems') {
    throw problems([problemAt(['base'], say('study.plan.base', { problems: read.problems }))])
  }
  const common = flatConfig(read.config)
  const stages = planStages(study, common)
  const wrong: Message[] = []
  const planned: BuiltinArm[] = []
  const seen = new Map<string, string>()
  for (const arm of armsOf(study)) {
    const { from: named, ...settings } = arm.settings
    const from = named === undefined ? stages.startOf(file.from, ['from']) : stages.startOf(named, arm.path)
    const one = readConfig({ base: common, file: { name: path, settings } })
    if (one.kind === 'problems') {
      wrong.push(problemAt(arm.path, say('study.plan.arm', { arm: arm.name, problems: one.problems })))
      continue
    }
    const hash = `${configHash(one.config)} ${from === null ? '' : stageTrial(from, 0).id}`
    const first = seen.get(hash)
    if (first !== undefined) wrong.push(problemAt(arm.path, say('study.plan.twice', { first, second: arm.name })))
    seen.set(hash, arm.name)
    planned.push({ ...arm, config: one.config, from, program: null })
  }
  if (wrong.length > 0) throw problems(wrong)
  stages.refuseUnused()
  return planned
}

/** Arms within a seed, not seeds within an arm: what is stopped half-way has whole seeds to compare. */
export function trialsOf(study: string, arms: readonly PlannedArm[], seeds: readonly number[]): readonly StudyTrial[] {
  const hashed = arms.map(arm => ({ arm, hashOf: hasherOf(arm) }))
  return seeds.flatMap(seed => {
    const starts = arms.flatMap(arm => (arm.program === null ? (arm.from ?? []) : []))
    const stages = new Map([...new Set(starts)].map(from => [from, stageTrial(from, seed)]))
    return hashed.map(({ arm, hashOf }): StudyTrial => {
      const name = `${study}/${arm.name}/seed${seed}`
      const hash = hashOf(seed)
      if (arm.program !== null) {
        return { id: hash, settings: hash, name, arm, seed, program: arm.program, config: null, start: null }
      }
      const start = arm.from === null ? null : (stages.get(arm.from) ?? null)
      return { arm, program: null, ...determined({ ...arm.config, seed, name }, hash, start) }
    })
  })
}

function hasherOf({ program, config }: PlannedArm): (seed: number) => string {
  return program === null ? hashPerSeed(config) : seed => commandTrialId(program, seed)
}

/** Those of the file first, then the numbers after them: the order in which more are bought is fixed beforehand. */
export function seedsOf(planned: readonly number[], count: number): readonly number[] {
  const after = Math.max(...planned)
  return Array.from({ length: count }, (_, i) => planned[i] ?? after + 1 + i - planned.length)
}
