import { z } from 'zod'
import { Problem } from '../model/problem.js'
import type { Workspace } from '../store/workspace.js'
import { type Drop, dropSchema, readDrops } from '../study/drop/ledger.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import type { StudyTrial } from '../study/plan/trials.js'
import { cellsOf, studyStand } from '../study/status/cells.js'
import { message } from '../text/say.js'
import { sentences } from '../text/sentences.js'
import { byConstruction } from '../train/config/any.js'
import { type EvaluationEvent, evaluateTrials } from './evaluate-trials.js'
import { inWords, json, list, request } from './fields.js'
import { type Asking, question } from './question.js'
import { baselineOf } from './study-drop.js'
import { trainWithDrops } from './study-dropping.js'
import { holdingStudy } from './study-hold.js'
import { allowPrograms, programsAnswer, programsAnswerOf, startingRequest } from './study-programs.js'
import { cost, costOf, design, designAnswer } from './study-status.js'
import { type TrialEvent, trainTrials } from './study-train.js'
import { finalVerdictList, verdictsOf } from './study-verdicts.js'

/** Train and evaluate what a study file plans and the workspace does not have yet; asked again, it goes on where it was. */

const say = sentences({
  'study.run.drop-elsewhere': {
    en: 'only trials that klens trains itself, here, can pause for their arms to be dropped; otherwise leave out drop and use klens study drop FILE ARM',
    zh: '只有 klens 在本机自己训练的试验能中途暂停以放弃 arm；否则请去掉 drop，改用 klens study drop FILE ARM',
  },
  'study.run.over-budget': {
    en: 'the study plans {planned} trials and its budget is {budget}; take fewer arms or seeds, or raise budget.trials',
    zh: '研究计划了 {planned} 个试验，而预算为 {budget}；请减少 arm 或种子，或提高 budget.trials',
  },
})

const runRequest = request({
  ...startingRequest,
  /** Only say what would be trained. */
  dryRun: z.boolean().default(false),
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
  /** What would be started; null for what klens trains itself. */
  programs: programsAnswer.nullable(),
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

export type StudyRunEvent = TrialEvent | EvaluationEvent | { readonly event: 'drop'; readonly drop: Drop }

export const studyRun = question({
  request: runRequest,
  answer: runAnswer,
  async ask(workspace, { file, executor, ...asked }, asking: Asking<StudyRunEvent>) {
    return runStudy(workspace, await planStudy(file, executor), asked, asking)
  },
})

/** `study`: as its file plans it, or as it was frozen. */
export async function runStudy(
  workspace: Workspace,
  study: PlannedStudy,
  { dryRun, trust, workers, lang }: Omit<z.output<typeof runRequest>, 'file' | 'executor'>,
  asking: Asking<StudyRunEvent>,
): Promise<StudyRunAnswer> {
  const { trials: budget } = study.file.budget
  if (budget !== null && study.trials.length > budget) {
    throw new Problem('bad-request', say('study.run.over-budget', { planned: study.trials.length, budget }))
  }
  if (study.file.drop !== 'none' && !(study.file.executor.kind === 'local' && study.file.engine === 'builtin')) {
    throw new Problem('bad-request', say('study.run.drop-elsewhere', {}))
  }
  if (!dryRun) await allowPrograms(workspace, study, trust)
  const { damaged } = await studyStand(workspace, study, study.trials)
  // What such a run was trained for is not known any more, and is trained again.
  for (const path of damaged) asking.remark?.(message('run.damaged', { path }))
  const cellsNow = () => cellsOf(workspace, study, study.trials)
  const ran = dryRun
    ? { known: 0, stopped: null, evaluated: 0, left: 0 }
    : await holdingStudy(workspace, study, async () => {
        const train = async (trials: readonly StudyTrial[]) => {
          const { hours: hoursSpent } = costOf(await cellsNow())
          return trainTrials(workspace, study, trials, { workers, lang, hoursSpent }, asking)
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
      byConstruction: config === null ? [] : inWords(byConstruction(config), lang),
    })),
    programs: dryRun ? await programsAnswerOf(workspace, study, lang) : null,
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
}
