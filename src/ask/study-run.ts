import { mkdir } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { takeLease } from '../store/lease.js'
import type { Workspace } from '../store/workspace.js'
import { type Drop, dropSchema, readDrops } from '../study/drop/ledger.js'
import { sectionFor } from '../study/executor/section.js'
import { freeze, studyFolder } from '../study/file/frozen.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import type { StudyTrial } from '../study/plan/trials.js'
import { cellsOf, type Failures, keepFailures } from '../study/status/cells.js'
import type { Language } from '../text/language.js'
import { render, sentences } from '../text/sentences.js'
import { byConstruction, ratioByConstruction } from '../train/config/by-construction.js'
import type { Trial } from '../train/sweep/grid.js'
import { type EvaluationEvent, evaluateTrials } from './evaluate-trials.js'
import { inWords, json, list, numberWithin, request } from './fields.js'
import { type Asking, question } from './question.js'
import { baselineOf } from './study-drop.js'
import { type TrainedTrials, trainWithDrops } from './study-dropping.js'
import { trainElsewhere } from './study-elsewhere.js'
import { trainStages } from './study-stages.js'
import { cost, costOf, design, designAnswer } from './study-status.js'
import { finalVerdictList, verdictsOf } from './study-verdicts.js'
import { type TrainEvent, trainMany } from './train.js'

/** Train and evaluate what a study file plans and the workspace does not have yet; asked again, it goes on where it was. */

const say = sentences({
  'study.run.drop-elsewhere': {
    en: 'arms can be dropped on the way by the local executor only; elsewhere, set drop: none and use klens study drop FILE ARM',
    zh: '只有 local 执行器能在途中放弃 arm；在别处请设 drop: none，并用 klens study drop FILE ARM',
  },
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
  /** Instead of the one in the file: `local`, `ray`, `ray:ADDRESS`, `slurm`. */
  executor: z.string().optional(),
})

const trial = z.object({
  trial: z.string(),
  id: z.string(),
  arm: z.string(),
  values: z.record(z.string(), json),
  state: z.enum(['done', 'running', 'pending', 'failed', 'missing', 'dropped']),
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
  /** Evaluations that this call has made, and those that it could not. */
  evaluated: z.number(),
  left: z.number(),
  /** Why not all was trained: it was asked to stop, or the hours of the budget are spent. */
  stopped: z.enum(['asked', 'out-of-budget']).nullable(),
  drops: list(dropSchema),
  baseline: z.string(),
  /** Each arm against the baseline, as far as all its seeds are there. */
  verdicts: finalVerdictList,
  cost,
})

export type StudyRunAnswer = z.infer<typeof runAnswer>

export type StudyRunEvent = TrainEvent | EvaluationEvent | { readonly event: 'drop'; readonly drop: Drop }

export const studyRun = question({
  request: runRequest,
  answer: runAnswer,
  async ask(workspace, { file, dryRun, workers, executor, lang }, asking: Asking<StudyRunEvent>) {
    const study = await planStudy(file)
    const { trials: budget } = study.file.budget
    if (budget !== null && study.trials.length > budget) {
      throw new Problem('bad-request', say('study.run.over-budget', { planned: study.trials.length, budget }))
    }
    if (study.file.drop !== 'none' && sectionFor(executor, study.file.executor).kind !== 'local') {
      throw new Problem('bad-request', say('study.run.drop-elsewhere', {}))
    }
    const cellsNow = () => cellsOf(workspace, study, study.trials)
    const ran = dryRun
      ? { known: 0, stopped: null, evaluated: 0, left: 0 }
      : await holdingStudy(workspace, study, async () => {
          const train = async (trials: readonly StudyTrial[]) => {
            const { hours: hoursSpent } = costOf(await cellsNow())
            return trainTrials(workspace, study, trials, { workers, executor, lang, hoursSpent }, asking)
          }
          const tell = (drop: Drop): void => asking.onProgress?.({ event: 'drop', drop })
          const trained = await trainWithDrops(workspace, study, train, tell)
          return { ...trained, ...(await evaluateTrials(workspace, study, study.trials, lang, asking)) }
        })
    const cells = await cellsNow()
    return {
      study: study.name,
      dryRun,
      design: await designAnswer(workspace, study),
      arms: study.arms.map(({ name, config }) => ({
        arm: name,
        byConstruction: inWords(
          config.task === 'intention' ? ratioByConstruction(config) : byConstruction(config),
          lang,
        ),
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

export interface AskedTrials {
  readonly workers: number | null
  readonly executor: string | undefined
  readonly lang: Language
  readonly hoursSpent: number
}

/** With the pool of `klens train` or at an executor: both leave out what is finished and resume what was interrupted. */
export async function trainTrials(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly StudyTrial[],
  asked: AskedTrials,
  { signal, onProgress, ...asking }: Asking<TrainEvent>,
): Promise<TrainedTrials> {
  const { budget, workers } = study.file
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
  const stopping = AbortSignal.any([...(signal === undefined ? [] : [signal]), spent.signal])
  const section = sectionFor(asked.executor, study.file.executor)
  const atOnce = { workers: asked.workers ?? workers, lang: asked.lang }
  const train = (planned: readonly Trial[]) => {
    if (section.kind === 'local') {
      return trainMany(
        workspace,
        planned,
        { ...atOnce, fresh: false },
        { ...asking, onProgress: hear, signal: stopping },
      )
    }
    const elsewhere = { ...atOnce, study: study.name, section, resources: study.file.resources, spent: spent.signal }
    return trainElsewhere(workspace, planned, elsewhere, { ...asking, onProgress: hear, ...(signal && { signal }) })
  }
  const ready = await trainStages(workspace, study, trials, train, name => failures.get(name) ?? [], stopping)
  if (!stopping.aborted) {
    for (const [{ name }, { sentence }] of ready.held) failures.set(name, [render(sentence, asked.lang)])
  }
  const { known } = ready.trials.length === 0 ? { known: 0 } : await train(ready.trials)
  await keepFailures(workspace, study.name, failuresById(trials, failures))
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
