import type { Message } from '../../model/run.js'
import { sentences } from '../../text/sentences.js'
import { configHash } from '../../train/config/hash.js'
import { readTrainConfig } from '../../train/config/read.js'
import type { TrainConfig } from '../../train/config/schema.js'
import { flatConfig } from '../../train/run-events.js'
import type { Trial } from '../../train/sweep/grid.js'
import { problems, type ReadStudy } from '../file/read.js'
import { armsOf, type StudyArm } from './arms.js'

/**
 * The trials of a study: each arm with each seed. A trial is known by the hash of all its settings, which its run carries
 * as lineage: whoever plans the same file again, on whatever day, finds the runs that are there already.
 */
export interface StudyTrial extends Trial {
  /** Hash of all settings, the name apart. */
  readonly id: string
  readonly name: string
  readonly arm: StudyArm
  readonly seed: number
}

/** An arm with all of its settings, to which only a seed is missing. */
export interface PlannedArm extends StudyArm {
  readonly config: TrainConfig
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
  const read = readTrainConfig({ file: base ?? { name: path, text: JSON.stringify(file.base) } })
  if (read.kind === 'problems') {
    throw problems([problemAt(['base'], say('study.plan.base', { problems: read.problems }))])
  }
  const common = flatConfig(read.config)
  const wrong: Message[] = []
  const planned: PlannedArm[] = []
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
    planned.push({ ...arm, config: one.config })
  }
  if (wrong.length > 0) throw problems(wrong)
  return planned
}

/** Arms within a seed, not seeds within an arm: what is stopped half-way has whole seeds to compare. */
export function trialsOf(study: string, arms: readonly PlannedArm[], seeds: readonly number[]): readonly StudyTrial[] {
  return seeds.flatMap(seed =>
    arms.map(arm => {
      const name = `${study}/${arm.name}/seed${seed}`
      const config = { ...arm.config, seed, name }
      return { id: configHash(config), name, arm, seed, config }
    }),
  )
}

/** Those of the file first, then the numbers after them: the order in which more are bought is fixed beforehand. */
export function seedsOf(planned: readonly number[], count: number): readonly number[] {
  const after = Math.max(...planned)
  return Array.from({ length: count }, (_, i) => planned[i] ?? after + 1 + i - planned.length)
}
