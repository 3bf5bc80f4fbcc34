import { createHash } from 'node:crypto'
import { isJsonObject, type Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { seededRandom } from '../../../stats/random.js'
import { sentences } from '../../../text/sentences.js'
import { type AnyTrainConfig, readAnyConfig } from '../../train/config/any.js'
import { configHash, flatConfig } from '../../train/config/hash.js'
import type { ConfigReading, ConfigSources } from '../../train/config/read.js'
import { problems, type ReadStudy } from '../file/read.js'
import type { Arm, Settings, StudyAxis } from '../file/schema.js'
import { type BuiltinArm, type StudyArm, stageOf } from '../trial.js'
import { planStages } from './stages.js'

/** The arms of a study: what each sets over the base, and what it is called, from `vary` or from `arms`. */

const say = sentences({
  'study.plan.base': { en: 'base config: {problems}', zh: '基础配置：{problems}' },
  'study.plan.arm': { en: 'arm "{arm}": {problems}', zh: '实验组“{arm}”：{problems}' },
  'study.plan.twice': {
    en: 'the arms "{first}" and "{second}" are identical, so there is nothing to compare',
    zh: '实验组“{first}”与“{second}”的设置完全相同，没有可比的内容',
  },
  'study.arm.no-arms': {
    en: 'the study has no arm, so there is nothing to run: "{key}" must name at least one',
    zh: '研究没有任何实验组，因此无可运行：“{key}”至少须有一项',
  },
  'study.arm.unknown': {
    en: 'there is no arm "{arm}" to stack; the arms are {arms}',
    zh: '没有可叠加的实验组“{arm}”；现有 {arms}',
  },
  'study.arm.circle': { en: 'the arm "{arm}" stacks itself', zh: '实验组“{arm}”叠加了它自己' },
  'study.arm.reserved': {
    en: '"{key}" cannot vary between arms: the study sets names and seeds, and another task is another question',
    zh: '“{key}”不能在实验组之间变化：名字与种子由研究给定，换任务就是换问题',
  },
})

export type ConfigReader = (sources: ConfigSources) => ConfigReading<AnyTrainConfig>

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
    const hash = `${configHash(one.config)} ${from === null ? '' : stageOf(from, 0).id}`
    const first = seen.get(hash)
    if (first !== undefined) wrong.push(problemAt(arm.path, say('study.plan.twice', { first, second: arm.name })))
    seen.set(hash, arm.name)
    planned.push({ ...arm, config: one.config, from, program: null })
  }
  if (wrong.length > 0) throw problems(wrong)
  stages.refuseUnused()
  return planned
}

/** The study's own, or what would make a comparison of arms one of tasks. */
const RESERVED: ReadonlySet<string> = new Set(['name', 'seed', 'task'])

export function armsOf({ name, file: { vary, arms }, problemAt }: ReadStudy): readonly StudyArm[] {
  const wrong: Message[] = []
  const listed = arms !== undefined ? stackedArms(arms, problem => wrong.push(problem)) : variedArms(name, vary ?? {})
  for (const { settings, path } of listed) {
    for (const key of Object.keys(settings)) {
      if (RESERVED.has(key)) wrong.push(problemAt(path, say('study.arm.reserved', { key })))
    }
  }
  const key = arms === undefined ? 'vary' : 'arms'
  if (listed.length === 0) wrong.push(problemAt([key], say('study.arm.no-arms', { key })))
  if (wrong.length > 0) throw problems(wrong)
  return listed

  function stackedArms(
    written: { readonly [arm: string]: Arm },
    complain: (problem: Message) => void,
  ): readonly StudyArm[] {
    const resolve = (arm: string, within: readonly string[]): Settings => {
      const parts = written[arm]
      if (!isStack(parts)) return dotted(parts)
      let settings: Settings = {}
      for (const part of parts) {
        if (typeof part !== 'string') settings = { ...settings, ...dotted(part) }
        else if (part === arm || within.includes(part)) {
          complain(problemAt(['arms', arm], say('study.arm.circle', { arm: part })))
        } else if (!Object.hasOwn(written, part)) {
          const known = Object.keys(written).join(', ')
          complain(problemAt(['arms', arm], say('study.arm.unknown', { arm: part, arms: known })))
        } else settings = { ...settings, ...resolve(part, [...within, arm]) }
      }
      return settings
    }
    return Object.keys(written).map(arm => ({ name: arm, settings: resolve(arm, []), path: ['arms', arm] }))
  }
}

function isStack(arm: Arm): arm is readonly (string | Settings)[] {
  return Array.isArray(arm)
}

function variedArms(
  study: string,
  vary: readonly Settings[] | { readonly [key: string]: StudyAxis },
): readonly StudyArm[] {
  if (isPoints(vary)) {
    return vary.map(dotted).map((settings, i) => ({ name: labelOf(settings), settings, path: ['vary', i] }))
  }
  const points = Object.entries(vary).reduce<readonly Settings[]>(
    (before, [key, axis]) =>
      before.flatMap(point => valuesOf(axis, `${study}/${key}`).map(value => ({ ...point, [key]: value }))),
    [{}],
  )
  return points.map(settings => ({ name: labelOf(settings), settings, path: ['vary'] }))
}

function isPoints(vary: readonly Settings[] | { readonly [key: string]: StudyAxis }): vary is readonly Settings[] {
  return Array.isArray(vary)
}

/** However it was nested, so that stacking one arm on another replaces settings and not whole sections. */
export function dotted(settings: Settings): Settings {
  const leaves = (value: Json, key: string): readonly (readonly [string, Json])[] =>
    isJsonObject(value)
      ? Object.entries(value).flatMap(([name, child]) => leaves(child, `${key}.${name}`))
      : [[key, value]]
  return Object.fromEntries(Object.entries(settings).flatMap(([key, value]) => leaves(value, key)))
}

export function labelOf(settings: Settings): string {
  const parts = Object.entries(settings).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return parts.length === 0 ? 'base' : parts.join(',')
}

/** Drawn again every time, and the same every time: a study's own name and key are the seed. */
function valuesOf(axis: StudyAxis, place: string): readonly Json[] {
  if (axis.kind === 'values') return axis.values
  const random = seededRandom(createHash('sha256').update(place).digest().readUInt32LE())
  const scaled = axis.scale === 'log' ? Math.log : (value: number): number => value
  const back = axis.scale === 'log' ? Math.exp : (value: number): number => value
  const [low, high] = axis.range.map(scaled)
  return Array.from({ length: axis.count }, () => Number(back(low + random.next() * (high - low)).toPrecision(6)))
}
