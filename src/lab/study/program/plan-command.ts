import { sha256 } from '../../../logs/model/id.js'
import { isJsonObject } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { parseYaml } from '../../../logs/model/util/yaml.js'
import { sentences } from '../../../text/sentences.js'
import { canonicalJson } from '../../train/config/hash.js'
import { problems, type ReadStudy } from '../file/read.js'
import type { Settings, StudyFile } from '../file/schema.js'
import { armsOf, dotted } from '../plan/arms.js'
import type { CommandArm } from '../trial.js'
import { hearsOverrides, settingsNamed, translated } from './command.js'
import { type CommandEngine, resolveEngine } from './resolve.js'
import type { CommandMember } from './schema.js'

/** The arms of a study whose trials are programs: what each is told, and that all of it will be heard. */

const say = sentences({
  'study.command.base': {
    en: 'the base config of a command consists of lines "key: value"',
    zh: '命令的基础配置由“key: value”行组成',
  },
  'study.command.stages': {
    en: 'stages are for trials that klens trains itself; a program starts from what its settings name',
    zh: '阶段只用于 klens 自己训练的试验；程序的起点由其设置指定',
  },
  'study.command.arm': { en: 'arm "{arm}": {problem}', zh: '实验组“{arm}”：{problem}' },
  'study.command.unheard': {
    en: '"{key}" never reaches the command, so it would change nothing: put {overrides} or {key2} into it',
    zh: '命令从不接收“{key}”，它不会有任何作用：请在命令中加入 {overrides} 或 {key2}',
  },
  'study.command.unset': {
    en: 'the command needs "{key}", which neither the base nor this arm sets',
    zh: '命令要求“{key}”，但基础配置和此实验组都没有设置',
  },
  'study.command.no-seed': {
    en: 'the seed never reaches the command, so all {count} seed{count||s} would be the same trial: put {seed} into it',
    zh: '命令没有接收种子，{count} 个种子会是同一个试验：请在命令中加入 {seed}',
  },
  'study.command.twice': {
    en: 'the arms "{first}" and "{second}" are identical, so there is nothing to compare',
    zh: '实验组“{first}”与“{second}”的设置完全相同，没有可比的内容',
  },
})

/** `isToRun`: or else only looked at, so that the folder of its programs need not be there. */
export async function commandArms(
  study: ReadStudy,
  member: CommandMember,
  { isToRun = true }: { readonly isToRun?: boolean } = {},
): Promise<readonly CommandArm[]> {
  const { name, file, problemAt } = study
  if (Object.keys(file.stages).length > 0) throw problems([problemAt(['stages'], say('study.command.stages', {}))])
  const base = baseSettings(study)
  const arms = armsOf(study)
  const keys = [...new Set([base, ...arms.map(({ settings }) => settings)].flatMap(each => Object.keys(each)))]
  const engine = await resolveEngine(study, member, keys, { isToRun })
  const identity = sha256(identityOf(member, file.services))
  const named = settingsNamed(engine)
  const wrong: Message[] = []
  const seen = new Map<string, string>()
  const planned = arms.map((arm): CommandArm => {
    const settings = { ...base, ...arm.settings }
    const refuse = (problem: Message): void => {
      wrong.push(problemAt(arm.path, say('study.command.arm', { arm: arm.name, problem })))
    }
    for (const key of Object.keys(settings)) {
      if (named.has(key) || hearsOverrides(engine)) continue
      refuse(say('study.command.unheard', { key, overrides: '{overrides}', key2: `{${key}}` }))
    }
    for (const key of named) {
      if (keys.includes(key) && !Object.hasOwn(settings, key)) refuse(say('study.command.unset', { key }))
    }
    for (const { problem } of translated(engine, settings).problems) refuse(problem)
    const hash = canonicalJson(settings)
    const first = seen.get(hash)
    if (first !== undefined) wrong.push(problemAt(arm.path, say('study.command.twice', { first, second: arm.name })))
    seen.set(hash, arm.name)
    return { ...arm, config: null, program: { engine, study: name, settings, identity } }
  })
  if (!hearsSeed(engine, named) && file.seeds.length > 1) {
    wrong.push(problemAt(['engine'], say('study.command.no-seed', { count: file.seeds.length, seed: '{seed}' })))
  }
  if (wrong.length > 0) throw problems(wrong)
  return planned
}

/** What decides which training it is; not where klens looks for its traces, or how it is stopped. */
function identityOf(
  { metrics: _, checkpoints: __, stop: ___, resume: ____, ...member }: CommandMember,
  services: StudyFile['services'],
): string {
  const beside = Object.keys(services).length === 0 ? {} : { services }
  return canonicalJson(JSON.parse(JSON.stringify({ ...member, ...beside })))
}

/** Of a framework that has no seed to set, trials are repetitions that chance alone tells apart. */
function hearsSeed({ preset, seeds }: CommandEngine, named: ReadonlySet<string>): boolean {
  return named.has('seed') || seeds.length > 0 || (preset !== null && preset.seeds.length === 0)
}

function baseSettings({ base, file, problemAt }: ReadStudy): Settings {
  const given = base === null ? file.base : parseYaml(base.text).value
  if (given !== undefined && isJsonObject(given)) return dotted(given)
  throw problems([problemAt(['base'], say('study.command.base', {}))])
}
