import { mkdir } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { takeLease } from '../store/lease.js'
import type { Workspace } from '../store/workspace.js'
import { readAdopted } from '../study/adopt/adopted.js'
import { type Drop, dropSchema, readDrops } from '../study/drop/ledger.js'
import type { ProgramEvent } from '../study/engine/run-programs.js'

import { freeze, studyFolder } from '../study/file/frozen.js'
import { type PlannedStudy, planStudy } from '../study/plan/plan-study.js'
import type { StudyTrial } from '../study/plan/trials.js'
import { type Determined, stagesBehind } from '../study/stages/plan-stages.js'
import { cellsOf, type Failures, keepFailures } from '../study/status/cells.js'
import type { Language } from '../text/language.js'
import { render, sentences } from '../text/sentences.js'
import type { AnyTrainConfig } from '../train/config/any.js'
import { byConstruction, ratioByConstruction } from '../train/config/by-construction.js'
import type { Trial } from '../train/sweep/grid.js'
import { type EvaluationEvent, evaluateTrials } from './evaluate-trials.js'
import { inWords, json, list, numberWithin, request } from './fields.js'
import { type Asking, question } from './question.js'
import { baselineOf } from './study-drop.js'
import { type TrainedTrials, trainWithDrops } from './study-dropping.js'
import { trainElsewhere } from './study-elsewhere.js'
import { allowPrograms, isProgram, programsAnswer, programsAnswerOf, runProgramTrials } from './study-programs.js'
import { trainStages } from './study-stages.js'
import { cost, costOf, design, designAnswer } from './study-status.js'
import { finalVerdictList, verdictsOf } from './study-verdicts.js'
import { type TrainEvent, trainMany } from './train.js'

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
  file: z.string(),
  /** Only say what would be trained. */
  dryRun: z.boolean().default(false),
  /** The hash of the commands that a person has read and says yes to. */
  trust: z.string().optional(),
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
  const cellsNow = () => cellsOf(workspace, study, study.trials)
  const ran = dryRun
    ? { known: 0, stopped: null, evaluated: 0, left: 0 }
    : await holdingStudy(
        workspace,
        study,
        async () => {
          const train = async (trials: readonly StudyTrial[]) => {
            const { hours: hoursSpent } = costOf(await cellsNow())
            return trainTrials(workspace, study, trials, { workers, lang, hoursSpent }, asking)
          }
          const tell = (drop: Drop): void => asking.onProgress?.({ event: 'drop', drop })
          const trained = await trainWithDrops(workspace, study, train, tell)
          return { ...trained, ...(await evaluateTrials(workspace, study, study.trials, lang, asking)) }
        },
        trust,
      )
  const cells = await cellsNow()
  return {
    study: study.name,
    dryRun,
    design: await designAnswer(workspace, study),
    arms: study.arms.map(({ name, config }) => ({
      arm: name,
      byConstruction: config === null ? [] : inWords(fixedBy(config), lang),
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

function fixedBy(config: AnyTrainConfig): readonly Message[] {
  return config.task === 'intention' ? ratioByConstruction(config) : byConstruction(config)
}

/** Two processes that ran one study would both begin what neither has begun; so one at a time, frozen before it begins. */
export async function holdingStudy<Result>(
  workspace: Workspace,
  study: PlannedStudy,
  work: () => Promise<Result>,
  trust?: string,
): Promise<Result> {
  await allowPrograms(workspace, study, trust)
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
  readonly lang: Language
  readonly hoursSpent: number
}

/** What is told while trials are trained, by klens itself or by programs. */
export type TrialEvent = TrainEvent | ProgramEvent

/** With the pool of `klens train`, or by handing programs over; both leave out what is finished and resume what was interrupted. */
export async function trainTrials(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly StudyTrial[],
  asked: AskedTrials,
  { signal, onProgress, ...asking }: Asking<TrialEvent>,
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
  const atOnce = asked.workers ?? workers
  const adopted = await readAdopted(workspace, study.name)
  const wanted = trials.filter(({ id }) => adopted[id] === undefined)
  const programs = wanted.filter(isProgram)
  const builtin = wanted.filter(trial => trial.program === null)
  const clock = programClock(budget.hours === null ? null : budget.hours - hours, () => spent.abort())
  const ran = await runProgramTrials(workspace, study, programs, {
    workers: atOnce,
    language: asked.lang,
    signal: stopping,
    hear(told) {
      clock.hear(told)
      onProgress?.(told)
    },
  }).finally(clock.stop)
  const { executor: section, resources } = study.file
  const train = (planned: readonly Trial[]) => {
    const { lang } = asked
    if (section.kind === 'local') {
      const plain = { workers: atOnce, fresh: false, lang }
      return trainMany(workspace, planned, plain, { ...asking, onProgress: hear, signal: stopping })
    }
    const elsewhere = { study: study.name, section, resources, workers: atOnce, lang, spent: spent.signal }
    return trainElsewhere(workspace, planned, elsewhere, { ...asking, onProgress: hear, ...(signal && { signal }) })
  }
  const ready = await trainStages(workspace, study, builtin, train, name => failures.get(name) ?? [], stopping)
  if (!stopping.aborted) {
    for (const [{ name }, { sentence }] of ready.held) failures.set(name, [render(sentence, asked.lang)])
  }
  const trained = ready.trials.length === 0 ? { known: 0 } : await train(ready.trials)
  const known = trained.known + ran.known
  await keepFailures(workspace, study.name, {
    ...failuresById([...stagesBehind(trials), ...trials], failures),
    ...Object.fromEntries(ran.failures),
  })
  return { known, stopped: signal?.aborted ? 'asked' : spent.signal.aborted ? 'out-of-budget' : null }
}

interface Clock {
  hear(told: TrialEvent): void
  stop(): void
}

const TICK_MS = 1_000

/** Programs tell no hours: what they take is counted while they run. */
function programClock(hoursLeft: number | null, out: () => void): Clock {
  let running = 0
  let hours = 0
  const ticking = setInterval(() => {
    hours += (running * TICK_MS) / 3_600_000
    if (hoursLeft !== null && hours >= hoursLeft) out()
  }, TICK_MS)
  return {
    hear(told) {
      if (told.event !== 'program') return
      if (told.what === 'begun' || told.what === 'found') running += 1
      if (told.what === 'ended') running = Math.max(0, running - 1)
    },
    stop: () => clearInterval(ticking),
  }
}

function failuresById(
  trials: readonly Pick<Determined, 'id' | 'name'>[],
  reasons: ReadonlyMap<string, readonly string[]>,
): Failures {
  return Object.fromEntries(
    trials.flatMap(({ id, name }) => {
      const failed = reasons.get(name)
      return failed === undefined ? [] : [[id, failed]]
    }),
  )
}
