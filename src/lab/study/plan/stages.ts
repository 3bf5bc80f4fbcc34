import type { Json, JsonObject } from '../../../logs/model/json.js'
import type { Config, Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import { type AnyTrainConfig, readAnyConfig } from '../../train/config/any.js'
import { problems, type ReadStudy } from '../file/read.js'
import type { PlannedStage } from '../trial.js'

/** The stages of a study file: trainings that arms, and other stages, start from. */

const say = sentences({
  'study.stage.unknown': {
    en: 'there is no stage "{stage}" to start from; the stages are: {stages}',
    zh: '没有可作为起点的阶段“{stage}”；现有：{stages}',
  },
  'study.stage.circle': { en: 'the stage "{stage}" starts from itself', zh: '阶段“{stage}”从它自己开始' },
  'study.stage.unused': {
    en: 'nothing starts from the stage "{stage}"; write from: {stage} for all arms, or in an arm',
    zh: '没有训练从阶段“{stage}”开始；请为所有实验组或某个实验组写 from: {stage}',
  },
  'study.stage.settings': { en: 'stage "{stage}": {problems}', zh: '阶段“{stage}”：{problems}' },
  'study.stage.reserved': {
    en: '"{key}" cannot be set by a stage: the study sets names and seeds',
    zh: '阶段不能设置“{key}”：名字与种子由研究给定',
  },
})

interface PlannedStages {
  /** The stage of that name, for what stands at this path of the file; null stands for none. Throws where there is none. */
  startOf(named: Json | undefined, path: readonly PropertyKey[]): PlannedStage | null
  /** Throws where nothing starts from one of them. */
  refuseUnused(): void
}

/** `common`: the settings of the base. */
export function planStages(study: ReadStudy, common: Config): PlannedStages {
  const { path: file, problemAt } = study
  const written = study.file.stages
  const planned = new Map<string, PlannedStage>()
  const used = new Set<string>()

  function stageNamed(name: string, path: readonly PropertyKey[], within: readonly string[]): PlannedStage {
    const refuse = (problem: Message) => problems([problemAt(path, problem)])
    if (!Object.hasOwn(written, name)) {
      const known = Object.keys(written).join(', ') || '–'
      throw refuse(say('study.stage.unknown', { stage: name, stages: known }))
    }
    if (within.includes(name)) throw refuse(say('study.stage.circle', { stage: name }))
    used.add(name)
    const known = planned.get(name)
    if (known !== undefined) return known
    const place = ['stages', name]
    const { from, ...settings } = written[name]
    const stage = {
      name,
      from: startNamed(from, [...place, 'from'], [...within, name]),
      config: configOf(name, settings),
    }
    planned.set(name, stage)
    return stage
  }

  function startNamed(named: Json | undefined, path: readonly PropertyKey[], within: readonly string[]) {
    if (named === undefined || named === null) return null
    return stageNamed(typeof named === 'string' ? named : JSON.stringify(named), path, within)
  }

  function configOf(name: string, settings: JsonObject): AnyTrainConfig {
    const place = ['stages', name]
    const reserved = ['name', 'seed'].filter(key => Object.hasOwn(settings, key))
    if (reserved.length > 0) {
      throw problems(reserved.map(key => problemAt([...place, key], say('study.stage.reserved', { key }))))
    }
    const read = readAnyConfig({ base: common, file: { name: file, settings } })
    if (read.kind === 'config') return read.config
    throw problems([problemAt(place, say('study.stage.settings', { stage: name, problems: read.problems }))])
  }

  return {
    startOf: (named, path) => startNamed(named, path, []),
    refuseUnused() {
      const unused = Object.keys(written).filter(name => !used.has(name))
      if (unused.length === 0) return
      throw problems(unused.map(stage => problemAt(['stages', stage], say('study.stage.unused', { stage }))))
    },
  }
}
