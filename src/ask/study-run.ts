import { mkdir } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { takeLease } from '../store/lease.js'
import type { Workspace } from '../store/workspace.js'
import { type Drop, dropSchema, readDrops } from '../study/drop/ledger.js'
import { freeze, studyFolder } from '../study/file/frozen.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import type { StudyTrial } from '../study/plan/trials.js'
import { cellsOf, type Failures, keepFailures } from '../study/status/cells.js'
import type { Language } from '../text/language.js'
import { sentences } from '../text/sentences.js'
import { byConstruction } from '../train/config/by-construction.js'
import { inWords, json, list, numberWithin, request } from './fields.js'
import { type Asking, question } from './question.js'
import { baselineOf } from './study-drop.js'
import { trainWithDrops } from './study-dropping.js'
import { cost, costOf, design, designAnswer } from './study-status.js'
import { finalVerdictList, verdictsOf } from './study-verdicts.js'
import { type TrainEvent, trainMany } from './train.js'

/** Train what a study file plans and the workspace does not have yet; asked again, it goes on where it was. */

const say = sentences({
  'study.run.over-budget': {
    en: 'the study plans {planned} trials and its budget is {budget}; take fewer arms or seeds, or raise budget.trials',
    zh: '研究计划了 {planned} 个试验，而预算为 {budget}；请减少 arm 或种子，或提高 budget.trials',
  },
})

const runRequest = request({
  file: z.string(),
  /** Only say what would be trained. */
  dryRun: z.boolean().default(false),
  workers: numberWithin({ above: 0, whole: true }),
})

const trial = z.object({
  trial: z.string(),
  id: z.string(),
  arm: z.string(),
  values: z.record(z.string(), json),
  state: z.enum(['done', 'running', 'pending', 'failed', 'missing']),
  run: z.string().nullable(),
})

const runAnswer = z.object({
  study: z.string(),
  dryRun: z.boolean(),
  design,
  /** What the settings of an arm fix beforehand. */
  arms: list(z.object({ arm: z.string(), byConstruction: list(z.string()) })),
  trials: list(trial),
  /** How many were finished before and left out. */
  known: z.number(),
  /** Why not all was trained: it was asked to stop, or the hours of the budget are spent. */
  stopped: z.enum(['asked', 'out-of-budget']).nullable(),
  drops: list(dropSchema),
  baseline: z.string(),
  /** Each arm against the baseline, as far as all its seeds are there. */
  verdicts: finalVerdictList,
  cost,
})

export type StudyRunAnswer = z.infer<typeof runAnswer>

export type StudyRunEvent = TrainEvent | { readonly event: 'drop'; readonly drop: Drop }

export const studyRun = question({
  request: runRequest,
  answer: runAnswer,
  async ask(workspace, { file, dryRun, workers, lang }, asking: Asking<StudyRunEvent>) {
    const study = await planStudy(file)
    const { trials: budget } = study.file.budget
    if (budget !== null && study.trials.length > budget) {
      throw new Problem('bad-request', say('study.run.over-budget', { planned: study.trials.length, budget }))
    }
    const cellsNow = () => cellsOf(workspace, study.name, study.trials, study.file.metric)
    const ran = dryRun
      ? { known: 0, stopped: null }
      : await holdingStudy(workspace, study, async () => {
          const train = async (trials: readonly StudyTrial[]) => {
            const { hours: hoursSpent } = costOf(await cellsNow())
            return trainTrials(workspace, study, trials, { workers, lang, hoursSpent }, asking)
          }
          return trainWithDrops(workspace, study, train, drop => asking.onProgress?.({ event: 'drop', drop }))
        })
    const cells = await cellsNow()
    return {
      study: study.name,
      dryRun,
      design: await designAnswer(workspace, study),
      arms: study.arms.map(({ name, config }) => ({
        arm: name,
        byConstruction: inWords(byConstruction(config), lang),
      })),
      trials: cells.map(({ trial: { name, id, arm, seed }, state, runs }) => ({
        trial: name,
        id,
        arm: arm.name,
        values: { ...arm.settings, seed },
        state,
        run: runs[0] ?? null,
      })),
      ...ran,
      drops: await readDrops(workspace, study.name),
      baseline: baselineOf(study),
      verdicts: await verdictsOf(workspace, study),
      cost: costOf(cells),
    }
  },
})

/** Two processes that ran one study would both begin what neither has begun; so one at a time, frozen before it begins. */
export async function holdingStudy<Result>(
  workspace: Workspace,
  study: PlannedStudy,
  work: () => Promise<Result>,
): Promise<Result> {
  const folder = studyFolder(workspace, study.name)
  await mkdir(folder, { recursive: true })
  const lease = await takeLease(folder, 'train')
  try {
    await freeze(workspace, study)
    return await work()
  } finally {
    await lease.release()
  }
}

export interface TrainedTrials {
  readonly known: number
  readonly stopped: StudyRunAnswer['stopped']
}

/** With the pool of `klens train`, which leaves out what is finished and resumes what was interrupted. */
export async function trainTrials(
  workspace: Workspace,
  { name, file: { budget, workers } }: PlannedStudy,
  trials: readonly StudyTrial[],
  asked: { readonly workers: number | null; readonly lang: Language; readonly hoursSpent: number },
  { signal, onProgress, ...asking }: Asking<TrainEvent>,
): Promise<TrainedTrials> {
  const spent = new AbortController()
  const failures = new Map<string, readonly string[]>()
  let hours = asked.hoursSpent
  const hear = (told: TrainEvent): void => {
    if (told.event === 'epoch') hours += told.report.volatile['time.step'] / 3600
    if (budget.hours !== null && hours >= budget.hours) spent.abort()
    if (told.event === 'end' && told.end.status === 'failed') failures.set(told.trial, [told.end.reason])
    onProgress?.(told)
  }
  if (budget.hours !== null && hours >= budget.hours) return { known: 0, stopped: 'out-of-budget' }
  const { known } = await trainMany(
    workspace,
    trials,
    { workers: asked.workers ?? workers, fresh: false, from: undefined, lang: asked.lang },
    { ...asking, onProgress: hear, signal: AbortSignal.any([...(signal === undefined ? [] : [signal]), spent.signal]) },
  )
  await keepFailures(workspace, name, failuresById(trials, failures))
  return { known, stopped: signal?.aborted ? 'asked' : spent.signal.aborted ? 'out-of-budget' : null }
}

function failuresById(trials: readonly StudyTrial[], reasons: ReadonlyMap<string, readonly string[]>): Failures {
  return Object.fromEntries(
    trials.flatMap(({ id, name }) => {
      const failed = reasons.get(name)
      return failed === undefined ? [] : [[id, failed]]
    }),
  )
}
