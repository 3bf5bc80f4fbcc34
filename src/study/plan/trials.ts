import type { Message } from '../../model/run.js'
import { sentences } from '../../text/sentences.js'
import { type AnyTrainConfig, readAnyConfig } from '../../train/config/any.js'
import { configHash } from '../../train/config/hash.js'
import { flatConfig } from '../../train/run-events.js'
import { problems, type ReadStudy } from '../file/read.js'
import { type Determined, determined, type PlannedStage, planStages, stageTrial } from '../stages/plan-stages.js'
import { armsOf, type StudyArm } from './arms.js'

/**
 * The trials of a study: each arm with each seed. A trial is known by the hash of all that determines it, which the
 * lineage of its run carries: whoever plans the same file again, on whatever day, finds the runs that are there already.
 */
export interface StudyTrial extends Determined {
  /** The epoch after which it pauses, to go on another time. */
  readonly pauseAfter?: number
  readonly arm: StudyArm
}

/** An arm with all of its settings, to which only a seed is missing. */
export interface PlannedArm extends StudyArm {
  readonly config: AnyTrainConfig
  /** The stage that it starts from. */
  readonly from: PlannedStage | null
}

const say = sentences({
  'study.plan.base': { en: 'of the base config: {problems}', zh: '基础配置：{problems}' },
  'study.plan.arm': { en: 'of the arm "{arm}": {problems}', zh: 'arm“{arm}”：{problems}' },
  'study.plan.twice': {
    en: 'the arms "{first}" and "{second}" are told to do the same, so that nothing would be compared',
    zh: 'arm“{first}”与“{second}”的设置完全相同，没有可比的内容',
  },
})

export function plannedArms(study: ReadStudy): readonly PlannedArm[] {
  const { path, file, base, problemAt } = study
  const read = readAnyConfig({ file: base ?? { name: path, text: JSON.stringify(file.base) } })
  if (read.kind === 'problems') {
    throw problems([problemAt(['base'], say('study.plan.base', { problems: read.problems }))])
  }
  const common = flatConfig(read.config)
  const stages = planStages(study, common)
  const wrong: Message[] = []
  const planned: PlannedArm[] = []
  const seen = new Map<string, string>()
  for (const arm of armsOf(study)) {
    const { from: named, ...settings } = arm.settings
    const from = named === undefined ? stages.startOf(file.from, ['from']) : stages.startOf(named, arm.path)
    const one = readAnyConfig({ base: common, file: { name: path, text: JSON.stringify(settings) } })
    if (one.kind === 'problems') {
      wrong.push(problemAt(arm.path, say('study.plan.arm', { arm: arm.name, problems: one.problems })))
      continue
    }
    const hash = `${configHash(one.config)} ${from === null ? '' : stageTrial(from, 0).id}`
    const first = seen.get(hash)
    if (first !== undefined) wrong.push(problemAt(arm.path, say('study.plan.twice', { first, second: arm.name })))
    seen.set(hash, arm.name)
    planned.push({ ...arm, config: one.config, from })
  }
  if (wrong.length > 0) throw problems(wrong)
  stages.refuseUnused()
  return planned
}

/** Arms within a seed, not seeds within an arm: what is stopped half-way has whole seeds to compare. */
export function trialsOf(study: string, arms: readonly PlannedArm[], seeds: readonly number[]): readonly StudyTrial[] {
  return seeds.flatMap(seed =>
    arms.map(arm => {
      const name = `${study}/${arm.name}/seed${seed}`
      const start = arm.from === null ? null : stageTrial(arm.from, seed)
      return { arm, ...determined({ ...arm.config, seed, name }, name, start) }
    }),
  )
}

/** Those of the file first, then the numbers after them: the order in which more are bought is fixed beforehand. */
export function seedsOf(planned: readonly number[], count: number): readonly number[] {
  const after = Math.max(...planned)
  return Array.from({ length: count }, (_, i) => planned[i] ?? after + 1 + i - planned.length)
}
