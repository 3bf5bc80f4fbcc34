import { z } from 'zod'
import type { Workspace } from '../../core/store/workspace.js'
import { costOf } from '../../lab/study/cell.js'
import { refuseUnrunnable, type StudyEngine, withStudyLease } from '../../lab/study/engine/engine.js'
import { evaluateTrials } from '../../lab/study/engine/evaluate.js'
import { runStudy } from '../../lab/study/engine/run.js'
import { searchIn, searchStudy } from '../../lab/study/engine/search.js'
import { settleStudy } from '../../lab/study/engine/settle.js'
import { stopJobs } from '../../lab/study/engine/stop.js'
import type { EvaluationEvent, StudyEvent } from '../../lab/study/events.js'
import { judgeStudy } from '../../lab/study/judgement.js'
import { type PlannedStudy, planStudy } from '../../lab/study/plan/plan-study.js'
import { shownCommand } from '../../lab/study/program/command.js'
import { allowPrograms, studyPrograms } from '../../lab/study/program/trust.js'
import { armsToSettle, buysPrompts } from '../../lab/study/settle/settled-arms.js'
import { readStatus, readWholeStatus } from '../../lab/study/status/status.js'
import { byConstruction } from '../../lab/train/config/any.js'
import { Problem } from '../../logs/model/problem.js'
import {
  evalAnswer,
  type ProgramsAnswer,
  runAnswer,
  searchAnswer,
  settleAnswer,
  stopAnswer,
} from '../../logs/model/study/answers.js'
import { encode } from '../../text/encode.js'
import type { Language } from '../../text/language.js'
import { message } from '../../text/say.js'
import { render, sentences } from '../../text/sentences.js'
import { inWords, numberWithin, request } from './fields.js'
import { ASKED_METRIC } from './keep-evaluations.js'
import { thisHost, whereLaunched } from './machine.js'
import { type Asking, question } from './question.js'
import { studyScoring } from './study-scoring.js'
import { cellOf, designOf } from './study-status.js'

/** Bring a study forward, by its file: train, evaluate, settle, search, stop. Asked again, each goes on where it was. */

const say = sentences({
  'study.eval.none': {
    en: '{file} names no evaluations; write them under evaluations: (docs/verbs/study.md)',
    zh: '{file} 没有写评估；请写在 evaluations: 下（见 docs/verbs/study.md）',
  },
})

export type { EvaluationEvent, StudyEvent } from '../../lab/study/events.js'

/** Of a question that goes to where trials run, by commands that the file may bring along. */
const placedRequest = {
  file: z.string(),
  /** Instead of the one in the file: `local`, `ray`, `ray:ADDRESS`, `slurm`. */
  executor: z.string().optional(),
  /** The hash of the commands that a person has read and says yes to. */
  trust: z.string().optional(),
}

/** Of one that starts trials there, so many at a time. */
const startingRequest = { ...placedRequest, workers: numberWithin({ above: 0, whole: true }) }

export function engineFor(
  workspace: Workspace,
  plan: PlannedStudy,
  { workers, lang }: { readonly workers: number | null; readonly lang: Language },
  { signal = new AbortController().signal, onProgress, remark }: Asking<StudyEvent>,
): StudyEngine {
  const asking = { signal, ...(remark !== undefined && { remark }) }
  return {
    workspace,
    plan,
    host: thisHost(),
    scoring: studyScoring(workspace, lang, asking),
    workers,
    language: lang,
    signal,
    onEvent: event => onProgress?.(event),
    remark: said => remark?.(said),
  }
}

async function programsOf(
  workspace: Workspace,
  plan: PlannedStudy,
  language: Language,
): Promise<ProgramsAnswer | null> {
  const programs = await studyPrograms(workspace, plan, whereLaunched())
  if (programs === null) return null
  return {
    ...programs,
    arms: programs.arms.map(({ arm, command, check, refused }) => ({
      arm,
      command: shownCommand(command),
      seed: plan.file.seeds[0],
      ...command,
      examined: check !== null,
      findings: (check?.findings ?? []).map(({ rule, severity, message: said }) => ({
        rule,
        severity,
        message: render(said, language),
      })),
      refused: inWords(refused, language),
    })),
  }
}

export const studyRun = question({
  request: request({
    ...startingRequest,
    /** Only say what would be trained. */
    dryRun: z.boolean().default(false),
  }),
  answer: runAnswer,
  async ask(workspace, { file, executor, dryRun, trust, workers, lang }, asking: Asking<StudyEvent>) {
    const plan = await planStudy(file, executor)
    refuseUnrunnable(plan)
    if (!dryRun) await allowPrograms(workspace, plan, whereLaunched(), trust)
    const { damaged } = await readStatus(workspace, plan, plan.trials)
    // What such a run was trained for is not known any more, and is trained again.
    for (const path of damaged) asking.remark?.(message('run.damaged', { path }))
    const ran = dryRun
      ? { known: 0, stopped: null, evaluated: 0, left: 0 }
      : await runStudy(engineFor(workspace, plan, { workers, lang }, asking))
    const { cells } = await readWholeStatus(workspace, plan)
    const { baseline, verdicts, judgedBy, within, drops } = await judgeStudy(workspace, plan, cells)
    return {
      study: plan.name,
      dryRun,
      design: await designOf(workspace, plan),
      arms: plan.arms.map(({ name, config }) => ({
        arm: name,
        byConstruction: config === null ? [] : inWords(byConstruction(config), lang),
      })),
      programs: dryRun ? await programsOf(workspace, plan, lang) : null,
      trials: cells.map(({ trial: { name, id, arm, seed }, state, runs }) => ({
        trial: name,
        id,
        arm: arm.name,
        values: { ...arm.settings, seed },
        state,
        run: runs[0] ?? null,
      })),
      ...ran,
      drops,
      baseline,
      verdicts,
      judgedBy: encode(judgedBy, lang),
      within,
      cost: costOf(cells),
    }
  },
})

/** Evaluate what a study plans and has no scores of, the cheapest first. */
export const studyEval = question({
  request: request({ file: z.string() }),
  answer: evalAnswer,
  async ask(workspace, { file, lang }, { onProgress, ...asking }: Asking<EvaluationEvent>) {
    const plan = await planStudy(file)
    if (Object.keys(plan.file.evaluations).length === 0) {
      throw new Problem('bad-request', say('study.eval.none', { file }))
    }
    const hear = (event: StudyEvent): void => {
      if (event.event === 'evaluation') onProgress?.(event)
    }
    const engine = engineFor(workspace, plan, { workers: null, lang }, { ...asking, onProgress: hear })
    const evaluated = await withStudyLease(workspace, plan, () => evaluateTrials(engine, plan.trials))
    const { evaluations } = await readStatus(workspace, plan, plan.trials)
    return {
      study: plan.name,
      ...evaluated,
      stopped: asking.signal?.aborted ? ('asked' as const) : null,
      cells: evaluations.map(each => cellOf(each, lang)),
    }
  },
})

export const studySettle = question({
  request: request(startingRequest),
  answer: settleAnswer,
  async ask(workspace, { file, executor, trust, workers, lang }, asking: Asking<StudyEvent>) {
    const plan = await planStudy(file, executor)
    armsToSettle(plan)
    await allowPrograms(workspace, plan, whereLaunched(), trust)
    const result = await settleStudy(engineFor(workspace, plan, { workers, lang }, asking))
    const { cells } = await readWholeStatus(workspace, plan)
    const { verdicts, judgedBy, within } = await judgeStudy(workspace, plan, cells)
    const { question: asked, metric, direction, margin, settle } = plan.file
    return {
      study: plan.name,
      question: asked,
      metric: buysPrompts(plan) ? ASKED_METRIC : metric,
      direction,
      margin,
      design: await designOf(workspace, plan),
      by: settle.by,
      scope: settle.by === 'seeds' ? ('configs' as const) : ('checkpoints' as const),
      ...result,
      verdicts,
      judgedBy: encode(judgedBy, lang),
      within,
    }
  },
})

export const studySearch = question({
  request: request(startingRequest),
  answer: searchAnswer,
  async ask(workspace, { file, executor, trust, workers, lang }, asking: Asking<StudyEvent>) {
    const plan = await planStudy(file, executor)
    searchIn(plan)
    await allowPrograms(workspace, plan, whereLaunched(), trust)
    const result = await searchStudy(engineFor(workspace, plan, { workers, lang }, asking))
    const { question: asked, metric } = plan.file
    return { study: plan.name, question: asked, metric, design: await designOf(workspace, plan), ...result }
  },
})

/** Ends what a study has handed over to its executor, whether or not a klens waits for it. */
export const studyStop = question({
  request: request(placedRequest),
  answer: stopAnswer,
  async ask(workspace, { file, executor, trust }) {
    const plan = await planStudy(file, executor)
    await allowPrograms(workspace, plan, whereLaunched(), trust)
    return { study: plan.name, jobs: await stopJobs(workspace, plan, thisHost()) }
  },
})
