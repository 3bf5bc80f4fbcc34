import type { Message } from '../../model/run.js'
import { sentences } from '../../text/sentences.js'
import { configHash } from '../../train/config/hash.js'
import { readTrainConfig } from '../../train/config/read.js'
import type { TrainConfig } from '../../train/config/schema.js'
import { flatConfig } from '../../train/run-events.js'
import type { Trial } from '../../train/sweep/grid.js'
import { type ArmProgram, type CommandArm, commandTrialId } from '../engine/plan-command.js'
import { problems, type ReadStudy } from '../file/read.js'
import { armsOf, type StudyArm } from './arms.js'

/**
 * The trials of a study: each arm with each seed. A trial is known by the hash of all its settings, which its run carries
 * as lineage: whoever plans the same file again, on whatever day, finds the runs that are there already.
 */
export type StudyTrial = BuiltinTrial | CommandTrial

interface TrialOfArm {
  /** Hash of all settings, the name apart. */
  readonly id: string
  readonly name: string
  readonly arm: StudyArm
  readonly seed: number
}

/** Trained by klens itself. */
export interface BuiltinTrial extends TrialOfArm, Trial {
  readonly name: string
  readonly program: null
}

/** Trained by a program that the study names. */
export interface CommandTrial extends TrialOfArm {
  readonly config: null
  readonly program: ArmProgram
}

/** An arm with all of its settings, to which only a seed is missing. */
export type PlannedArm = BuiltinArm | CommandArm

interface BuiltinArm extends StudyArm {
  readonly config: TrainConfig
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

/** Those that klens trains itself. */
export function plannedArms(study: ReadStudy): readonly BuiltinArm[] {
  const { path, file, base, problemAt } = study
  const read = readTrainConfig({ file: base ?? { name: path, text: JSON.stringify(file.base) } })
  if (read.kind === 'problems') {
    throw problems([problemAt(['base'], say('study.plan.base', { problems: read.problems }))])
  }
  const common = flatConfig(read.config)
  const wrong: Message[] = []
  const planned: BuiltinArm[] = []
  const seen = new Map<string, string>()
  for (const arm of armsOf(study)) {
    const one = readTrainConfig({ base: common, file: { name: path, text: JSON.stringify(arm.settings) } })
    if (one.kind === 'problems') {
      wrong.push(problemAt(arm.path, say('study.plan.arm', { arm: arm.name, problems: one.problems })))
      continue
    }
    const hash = configHash(one.config)
    const first = seen.get(hash)
    if (first !== undefined) wrong.push(problemAt(arm.path, say('study.plan.twice', { first, second: arm.name })))
    seen.set(hash, arm.name)
    planned.push({ ...arm, config: one.config, program: null })
  }
  if (wrong.length > 0) throw problems(wrong)
  return planned
}

/** Arms within a seed, not seeds within an arm: what is stopped half-way has whole seeds to compare. */
export function trialsOf(study: string, arms: readonly PlannedArm[], seeds: readonly number[]): readonly StudyTrial[] {
  return seeds.flatMap(seed =>
    arms.map((arm): StudyTrial => {
      const name = `${study}/${arm.name}/seed${seed}`
      if (arm.config === null) {
        const { program } = arm
        return { id: commandTrialId(program, seed), name, arm, seed, config: null, program }
      }
      const config = { ...arm.config, seed, name }
      return { id: configHash(config), name, arm, seed, config, program: null }
    }),
  )
}
