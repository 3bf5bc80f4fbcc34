import { isJsonObject, type Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { listed } from '../../../text/language.js'
import { sentences } from '../../../text/sentences.js'
import { canonicalJson, flatConfig } from '../../train/config/hash.js'
import type { Cell, NewSuspicion } from '../cell.js'
import type { AdoptedRun } from '../ledger.js'
import type { RunResult } from '../status/run-results.js'
import type { Trial } from '../trial.js'

const say = sentences({
  'study.adopted.otherwise': {
    en: 'the adopted run {run} was trained with other settings: {list}',
    zh: '收编的 run {run} 的训练设置不同：{list}',
  },
  'study.adopted.difference': { en: '{key} is {run}, {study} in the study', zh: '{key} 为 {run}，研究为 {study}' },
  'study.same-course': {
    en: 'all its figures are identical to {others}, although the weights differ: one of the two logs is a copy, or the logged values do not depend on the weights',
    zh: '其每一个数都与 {others} 相同，权重却不同：两份日志之一是拷贝，或所记录的量与权重无关',
  },
  'study.same-weights': {
    en: 'its last checkpoint has the same weights as that of {others}: {cause}',
    zh: '其最后检查点的权重与 {others} 相同：{cause}',
  },
  'study.cause.copy-there': {
    en: 'the file of {other} name{other||s} run {run} as its writer, which is this trial: the other one is the copy',
    zh: '{other} 的文件自述由 run {run} 写出，即本试验：那份是拷贝',
  },
  'study.cause.copy-here': { en: 'this file is the copy', zh: '这份文件是拷贝' },
  'study.cause.inert': {
    en: 'both files were trained as planned, so what differs ({keys}) had no effect on the weights',
    zh: '两份文件都自述按计划训练，可见不同之处（{keys}）对权重没有作用',
  },
  'study.cause.unknown': { en: 'the files do not say why', zh: '文件未能说明原因' },
  'study.other-run': {
    en: 'its last checkpoint names run {run} as its writer{of}',
    zh: '其最后检查点自述由 run {run} 写出{of}',
  },
  'study.other-run.of': { en: ', which is {trial}', zh: '，即 {trial}' },
  'study.other-settings': {
    en: 'its last checkpoint was trained with other settings than the study sets{differences}',
    zh: '其最后检查点记录的训练设置与研究给定的不同{differences}',
  },
  'study.other-settings.differences': { en: ': {list}', zh: '：{list}' },
  'study.other-settings.one': {
    en: '{key} is {inside}, {planned} in the study',
    zh: '{key} 为 {inside}，研究为 {planned}',
  },
})

/** A run from outside whose config is not the cell's stands in the way of a comparison until somebody vouches for it. */
export function adoptionSuspicions(adopted: AdoptedRun | undefined): readonly NewSuspicion[] {
  if (adopted === undefined || adopted.differences.length === 0) return []
  const { run, differences } = adopted
  const list = differences.map(each =>
    say('study.adopted.difference', {
      key: each.key,
      run: JSON.stringify(each.run),
      study: JSON.stringify(each.study),
    }),
  )
  const subject = `${run} ${differences.map(({ key }) => key).join(' ')}`
  return [{ rule: 'adopted-otherwise', subject, message: say('study.adopted.otherwise', { run, list }) }]
}

/**
 * What makes the result of a training doubtful: weights or a course that another trial has too, a checkpoint that by its
 * own account is somebody else's or was trained otherwise. Which account of the files fits is said, where one does.
 */

const MOST_NAMED = 4

/** In the order of the cells. */
export async function trialSuspicions(
  cells: readonly Cell[],
  results: ReadonlyMap<string, RunResult>,
): Promise<readonly (readonly NewSuspicion[])[]> {
  const done = cells.filter(({ state }) => state === 'done')
  const byWeights = groupBy(done, ({ checkpoint, trial }) => checkpoint?.contentHash ?? trial.id)
  const courseOf = ({ runs, trial }: Cell): string => results.get(runs.at(0) ?? '')?.course ?? trial.id
  // Only all figures together count as the same results: the summary of one score over a few evaluations of some
  // hundred prompts is equal by chance sooner or later (two of twenty trials on `digits` were).
  const byCourse = groupBy(done, courseOf)
  const byRun = new Map(done.flatMap(({ runs, trial }) => runs.map(run => [run, trial.name] as const)))
  return Promise.all(
    cells.map(async (cell): Promise<readonly NewSuspicion[]> => {
      const { state, trial, checkpoint, runs } = cell
      if (state !== 'done') return []
      const found: NewSuspicion[] = []
      const sameWeights = others(byWeights.get(checkpoint?.contentHash ?? trial.id), cell)
      const sameCourse = others(byCourse.get(courseOf(cell)), cell)
      if (sameWeights.length > 0) {
        const cause = causeOf(cell, sameWeights[0])
        const message = say('study.same-weights', { others: named(sameWeights), cause })
        found.push({ rule: 'same-weights', subject: checkpoint?.contentHash ?? '', message })
      } else if (sameCourse.length > 0) {
        const message = say('study.same-course', { others: named(sameCourse) })
        found.push({ rule: 'same-course', subject: courseOf(cell), message })
      }
      if (checkpoint === null) return found
      if (isElsewhere(cell)) {
        const run = checkpoint.run ?? ''
        const owner = byRun.get(run)
        const of = owner === undefined ? [] : [say('study.other-run.of', { trial: owner })]
        found.push({ rule: 'other-run', subject: `${runs.at(0)} ${run}`, message: say('study.other-run', { run, of }) })
      }
      if (checkpoint.settings !== null && checkpoint.settings !== trial.settings) {
        const differing = await differencesIn(cell)
        const differences = differing.length === 0 ? [] : [say('study.other-settings.differences', { list: differing })]
        const message = say('study.other-settings', { differences })
        found.push({ rule: 'other-settings', subject: checkpoint.settings, message })
      }
      return found
    }),
  )
}

function others(group: readonly Cell[] | undefined, cell: Cell): readonly Cell[] {
  // A few are enough to look at; with a thousand copies, all would be a million names.
  return group === undefined || group.length < 2 ? [] : group.slice(0, MOST_NAMED + 2).filter(other => other !== cell)
}

function named(cells: readonly Cell[]): string {
  return listed(
    cells.map(({ trial }) => trial.name),
    MOST_NAMED,
  )
}

/** Whether its checkpoint says that another run has written it. */
function isElsewhere({ checkpoint, runs }: Cell): boolean {
  return checkpoint !== null && checkpoint.run !== null && checkpoint.run !== runs.at(0)
}

function causeOf(cell: Cell, other: Cell): Message {
  if (isElsewhere(cell)) return say('study.cause.copy-here', {})
  const run = cell.runs.at(0) ?? ''
  if (other.checkpoint?.run === run && other.runs.at(0) !== run) {
    return say('study.cause.copy-there', { other: other.trial.name, run })
  }
  const isAsPlanned = ({ checkpoint, trial }: Cell): boolean => checkpoint?.settings === trial.settings
  if (!isAsPlanned(cell) || !isAsPlanned(other)) return say('study.cause.unknown', {})
  const keys = differingSettings(settingsOf(cell.trial), settingsOf(other.trial))
  return say('study.cause.inert', { keys: listed(keys, MOST_NAMED) })
}

type Settings = { readonly [key: string]: Json }

function settingsOf({ program, config, seed }: Trial): Settings {
  return program === null ? flatConfig(config) : { ...program.settings, seed }
}

/** Names apart. */
function differingSettings(one: Settings, other: Settings): readonly string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  keys.delete('name')
  return [...keys].filter(key => canonicalJson(one[key] ?? null) !== canonicalJson(other[key] ?? null))
}

/** By the config inside the file; opened only where the hashes have told that it is another one. */
async function differencesIn({ checkpoint, trial }: Cell): Promise<readonly Message[]> {
  if (checkpoint === null) return []
  const { configInside } = await import('../status/kept-checkpoints.js')
  const config = await configInside(checkpoint.path)
  const inside = config !== null && isJsonObject(config) ? config : null
  if (inside === null) return []
  const planned: Settings = settingsOf(trial)
  return differingSettings(inside, planned)
    .slice(0, MOST_NAMED)
    .map(key => say('study.other-settings.one', { key, inside: shown(inside[key]), planned: shown(planned[key]) }))
}

function shown(value: Json | undefined): string {
  return JSON.stringify(value ?? null)
}
