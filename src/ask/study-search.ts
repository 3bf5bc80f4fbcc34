import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { mean } from '../stats/descriptive.js'
import { seededRandom } from '../stats/random.js'
import type { Workspace } from '../store/workspace.js'
import { commandArms } from '../study/engine/plan-command.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import { type PlannedArm, plannedArms, seedsOf, trialsOf } from '../study/plan/trials.js'
import { searchResult } from '../study/search/result.js'
import { plausible, suggest } from '../study/search/sampler.js'
import { placeOf, settingsAt } from '../study/search/space.js'
import { cellsOf } from '../study/status/cells.js'
import { sentences } from '../text/sentences.js'
import { flatConfig } from '../train/config/hash.js'
import { json, list, request } from './fields.js'
import { type Asking, question } from './question.js'
import { holdingStudy } from './study-hold.js'
import { allowPrograms, startingRequest } from './study-programs.js'
import { buyTrials } from './study-purchase.js'
import { cost, costOf, design, designAnswer } from './study-status.js'
import type { TrialEvent } from './study-train.js'

/**
 * Which settings of continuous knobs are best? Settings are tried one after the other, each where the most is expected of
 * it by what was measured so far. The same scores lead to the same settings, so that asked again it goes on where it was.
 */

const say = sentences({
  'study.search.none': {
    en: 'this study has no "search": give its knobs and their ranges',
    zh: '此研究没有“search”：请给出要搜索的参数及其范围',
  },
  'study.search.outside': {
    en: 'the arm "{arm}" lies outside the ranges of the search, so that it cannot be a point of it',
    zh: 'arm“{arm}”不在搜索范围内，不能作为搜索中的一点',
  },
  'study.search.no-value': {
    en: '{trial} has no finite {metric} ({state}); a search cannot go on past it',
    zh: '{trial} 没有有限的 {metric}（{state}）；搜索无法越过它',
  },
})

const point = z.object({
  arm: z.string(),
  settings: z.record(z.string(), json),
  /** By seed. */
  values: list(z.number()),
  /** The level that is believed, shrunken towards its neighbours, and how surely. */
  believed: z.number(),
  spread: z.number(),
  isNotSeparable: z.boolean(),
})

const searchAnswer = z.object({
  study: z.string(),
  question: z.string(),
  metric: z.string(),
  design,
  points: list(point),
  /** The arm to take: of those that cannot be told from the best, the one with the highest believed level. */
  take: z.string().nullable(),
  stopped: z.enum(['asked', 'out-of-budget']).nullable(),
  cost,
})

export type StudySearchAnswer = z.infer<typeof searchAnswer>

interface Tried {
  readonly arm: PlannedArm
  readonly at: readonly number[]
  readonly values: readonly number[]
}

export const studySearch = question({
  request: request(startingRequest),
  answer: searchAnswer,
  async ask(workspace, { file, workers, executor, trust, lang }, asking: Asking<TrialEvent>) {
    const study = await planStudy(file, executor)
    const { search, metric, direction } = study.file
    if (search === undefined) throw new Problem('bad-request', say('study.search.none', {}))
    const dimensions = Object.keys(search.knobs).length
    const sign = direction === 'max' ? 1 : -1
    const random = seededRandom(createHash('sha256').update(study.name).digest().readUInt32LE())
    const seeds = seedsOf(study.file.seeds, search.seeds).slice(0, search.seeds)
    const tried: Tried[] = []
    const measured = () =>
      tried.map(({ at, values }) => {
        const level = mean(values)
        const squares = values.reduce((sum, value) => sum + (value - level) ** 2, 0)
        return { at, value: sign * level, count: values.length, squares }
      })
    const trialsNow = () =>
      trialsOf(
        study.name,
        tried.map(({ arm }) => arm),
        seeds,
      )

    await allowPrograms(workspace, study, trust)
    return holdingStudy(workspace, study, async () => {
      let stopped: StudySearchAnswer['stopped'] = null
      for (let i = 0; i < search.points; i += 1) {
        const next =
          study.arms[i] ?? (await pointArm(study, settingsAt(search.knobs, suggest(measured(), dimensions, random))))
        const at = placeOf(search.knobs, next.config === null ? next.program.settings : flatConfig(next.config))
        if (at === null) throw new Problem('bad-request', say('study.search.outside', { arm: next.name }))
        const trials = trialsOf(study.name, [next], seeds)
        const asked = { workers, lang, counted: [...trialsNow(), ...trials] }
        ;({ stopped } = await buyTrials(workspace, study, trials, asked, asking))
        if (stopped !== null) break
        tried.push({ arm: next, at, values: await valuesOf(workspace, study, trials, metric) })
      }
      const result =
        tried.length < 2 ? null : searchResult(measured(), plausible(measured(), dimensions, seededRandom(dimensions)))
      return {
        study: study.name,
        question: study.file.question,
        metric,
        design: await designAnswer(workspace, study),
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
        cost: costOf(await cellsOf(workspace, study, trialsNow())),
      }
    })
  },
})

/** A setting that the search has come upon, as an arm like those of the file. */
async function pointArm(study: PlannedStudy, settings: { readonly [key: string]: number }): Promise<PlannedArm> {
  const { vary: _, ...file } = study.file
  const name = Object.entries(settings)
    .map(([key, value]) => `${key}=${value}`)
    .join(',')
  const single = { ...study, file: { ...file, arms: { [name]: settings } } }
  const [arm] = file.engine === 'builtin' ? plannedArms(single) : await commandArms(single, file.engine)
  return arm
}

async function valuesOf(
  workspace: Workspace,
  study: PlannedStudy,
  trials: ReturnType<typeof trialsOf>,
  metric: string,
): Promise<readonly number[]> {
  return (await cellsOf(workspace, study, trials)).map(({ trial, value, state }) => {
    if (value !== null && Number.isFinite(value)) return value
    throw new Problem('not-enough', say('study.search.no-value', { trial: trial.name, metric, state }))
  })
}
