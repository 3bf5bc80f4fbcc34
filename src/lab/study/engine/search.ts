import { createHash } from 'node:crypto'
import { Problem } from '../../../logs/model/problem.js'
import type { SearchAnswer } from '../../../logs/model/study/answers.js'
import { mean } from '../../../stats/descriptive.js'
import { seededRandom } from '../../../stats/random.js'
import { sentences } from '../../../text/sentences.js'
import { flatConfig } from '../../train/config/hash.js'
import { costOf } from '../cell.js'
import { plannedArms } from '../plan/arms.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import { commandArms } from '../program/plan-command.js'
import { placeOf, plausible, searchResult, settingsAt, suggest } from '../search.js'
import { readCells } from '../status/status.js'
import { type PlannedArm, seedsOf, type Trial, trialsOf } from '../trial.js'
import { type Stopped, type StudyEngine, withStudyLease } from './engine.js'
import { completeTrials } from './train.js'

/**
 * Which settings of continuous knobs are best? Settings are tried one after the other, each where the most is expected of
 * it by what was measured so far. The same scores lead to the same settings, so that started again it goes on where it was.
 */

const say = sentences({
  'study.search.none': {
    en: 'this study has no "search": add its hyperparameters and their ranges',
    zh: '此研究没有“search”：请给出要搜索的参数及其范围',
  },
  'study.search.outside': {
    en: 'the arm "{arm}" is outside the ranges of the search, so it cannot be one of its points',
    zh: '实验组“{arm}”不在搜索范围内，不能作为搜索中的一点',
  },
  'study.search.no-value': {
    en: '{trial} has no finite {metric} ({state}); the search cannot continue without it',
    zh: '{trial} 没有有限的 {metric}（{state}）；搜索无法越过它',
  },
})

interface Tried {
  readonly arm: PlannedArm
  readonly at: readonly number[]
  readonly values: readonly number[]
}

/** Throws where the file has no search. */
export function searchIn({ file: { search } }: PlannedStudy): NonNullable<PlannedStudy['file']['search']> {
  if (search === undefined) throw new Problem('bad-request', say('study.search.none', {}))
  return search
}

export async function searchStudy(engine: StudyEngine): Promise<SearchAnswer> {
  const { workspace, plan } = engine
  const search = searchIn(plan)
  const dimensions = Object.keys(search.knobs).length
  const sign = plan.file.direction === 'max' ? 1 : -1
  const random = seededRandom(createHash('sha256').update(plan.name).digest().readUInt32LE())
  const seeds = seedsOf(plan.file.seeds, search.seeds).slice(0, search.seeds)
  const tried: Tried[] = []
  const measured = () =>
    tried.map(({ at, values }) => {
      const level = mean(values)
      const squares = values.reduce((sum, value) => sum + (value - level) ** 2, 0)
      return { at, value: sign * level, count: values.length, squares }
    })
  const trialsOfArms = (arms: readonly PlannedArm[]): readonly Trial[] => trialsOf(plan.name, arms, seeds)
  const trialsNow = (): readonly Trial[] => trialsOfArms(tried.map(({ arm }) => arm))

  return withStudyLease(workspace, plan, async () => {
    let stopped: Stopped = null
    for (let i = 0; i < search.points; i += 1) {
      const next =
        plan.arms[i] ?? (await pointArm(plan, settingsAt(search.knobs, suggest(measured(), dimensions, random))))
      const at = placeOf(search.knobs, next.config === null ? next.program.settings : flatConfig(next.config))
      if (at === null) throw new Problem('bad-request', say('study.search.outside', { arm: next.name }))
      const trials = trialsOfArms([next])
      ;({ stopped } = await completeTrials(engine, trials, [...trialsNow(), ...trials]))
      if (stopped !== null) break
      tried.push({ arm: next, at, values: await valuesOf(engine, trials) })
    }
    const result =
      tried.length < 2 ? null : searchResult(measured(), plausible(measured(), dimensions, seededRandom(dimensions)))
    return {
      points: tried.map(({ arm, values }, i) => ({
        arm: arm.name,
        settings: arm.settings,
        values,
        believed: sign * (result?.beliefs[i].mean ?? sign * mean(values)),
        spread: result?.beliefs[i].spread ?? 0,
        isNotSeparable: result === null || result.notSeparable.includes(i),
      })),
      take: result === null ? null : tried[result.take].arm.name,
      stopped,
      cost: costOf(await readCells(workspace, plan, trialsNow())),
    }
  })
}

/** A setting that the search has come upon, as an arm like those of the file. */
async function pointArm(plan: PlannedStudy, settings: { readonly [key: string]: number }): Promise<PlannedArm> {
  const { vary: _, ...file } = plan.file
  const name = Object.entries(settings)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  const single = { ...plan, file: { ...file, arms: { [name]: settings } } }
  const [arm] = file.engine === 'builtin' ? plannedArms(single) : await commandArms(single, file.engine)
  return arm
}

async function valuesOf({ workspace, plan }: StudyEngine, trials: readonly Trial[]): Promise<readonly number[]> {
  return (await readCells(workspace, plan, trials)).map(({ trial, value, state }) => {
    if (value !== null && Number.isFinite(value)) return value
    const { metric } = plan.file
    throw new Problem('not-enough', say('study.search.no-value', { trial: trial.name, metric, state }))
  })
}
