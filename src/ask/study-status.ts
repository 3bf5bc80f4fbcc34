import { z } from 'zod'
import { jsonNumber } from '../model/json.js'
import type { Workspace } from '../store/workspace.js'
import { changesSince, designHash, readFrozen } from '../study/file/frozen.js'
import type { ReadStudy } from '../study/file/read.js'
import { openSuspicions, type Suspicion } from '../study/lineage/suspicion.js'
import { planToLook } from '../study/plan/plan-study.js'
import type { Cell, CellState, EvaluationCell, StageStand } from '../study/status/cell.js'
import { studyStand } from '../study/status/cells.js'
import type { ResultCheckpoint } from '../study/status/results.js'
import type { Language } from '../text/language.js'
import { message } from '../text/say.js'
import { render } from '../text/sentences.js'
import { condition, figure, inWords, json, list, request } from './fields.js'
import { type Asking, question } from './question.js'

/** Which cells of a study are done, running, pending, failed or without their figure, and which are not to be trusted. */

const checkpoint = z.object({ step: z.number(), contentHash: z.string(), path: z.string() })
const trainedState = z.enum(['done', 'running', 'pending', 'failed', 'dropped'])

/** A trial under a condition at a checkpoint. Without an `evaluation` it is the trial's own validation, in training. */
export const cell = z.object({
  trial: z.string(),
  /** Hash of all that determines the trial. */
  id: z.string(),
  arm: z.string(),
  values: z.record(z.string(), json),
  /** What the evaluation is called in the file, and which checkpoints it asks for. */
  evaluation: z.string().nullable(),
  which: json,
  condition,
  state: z.enum([...trainedState.options, 'missing', 'suspicious']),
  /** Of an evaluation: where its single scores are. */
  runs: list(z.string()),
  /** Whose weights the figure is of. */
  checkpoint: checkpoint.nullable(),
  value: figure.nullable(),
  /** How many evaluations of the metric there are, of which the value is the last; of an evaluation, how many samples. */
  n: z.number(),
  suspicious: list(z.string()),
  /** Of these, what somebody vouches for; `suspicious` is a state only where one is left. */
  acknowledged: list(z.object({ suspicion: z.string(), because: z.string(), at: z.number() })),
  reasons: list(z.string()),
})

export type CellAnswer = z.infer<typeof cell>

const stage = z.object({
  stage: z.string(),
  seed: z.number(),
  /** Hash of all that determines it; equal for the same stage of another study. */
  id: z.string(),
  /** Hash of the stage that it starts from. */
  from: z.string().nullable(),
  state: trainedState,
  runs: list(z.string()),
  checkpoint: checkpoint.nullable(),
  reasons: list(z.string()),
})

/** What has been spent: trials that were begun, and the hours that their epochs and those of their stages took. */
export const cost = z.object({ trials: z.number(), hours: z.number() })

/** The design before the first result, and what was changed since. `hash` is that of the file as it is now. */
export const design = z.object({
  hash: z.string(),
  frozen: z.object({ hash: z.string(), at: z.number() }).nullable(),
  changed: list(z.object({ key: z.string(), before: json, now: json })),
})

export type DesignAnswer = z.infer<typeof design>

const statusAnswer = z.object({
  study: z.string(),
  question: z.string(),
  metric: z.string(),
  design,
  stages: list(stage),
  cells: list(cell),
  cost,
})

export type StudyStatusAnswer = z.infer<typeof statusAnswer>

export const studyStatus = question({
  request: request({ file: z.string() }),
  answer: statusAnswer,
  async ask(workspace, { file, lang }, { remark }: Asking) {
    const study = await planToLook(workspace, file)
    const { question: asked, metric } = study.file
    const { cells, stages, evaluations, damaged } = await studyStand(workspace, study, study.trials)
    for (const path of damaged) remark?.(message('run.damaged', { path }))
    return {
      study: study.name,
      question: asked,
      metric,
      design: await designAnswer(workspace, study),
      stages: stages.map(stageAnswer),
      cells: [
        ...cells.map(each => cellAnswer(each, lang)),
        ...evaluations.map(each => evaluationCellAnswer(each, lang)),
      ],
      cost: costOf(cells),
    }
  },
})

export async function designAnswer(workspace: Workspace, study: ReadStudy): Promise<DesignAnswer> {
  const frozen = await readFrozen(workspace, study.name)
  return {
    hash: designHash(study),
    frozen: frozen === null ? null : { hash: frozen.hash, at: frozen.at },
    changed: frozen === null ? [] : changesSince(frozen, study),
  }
}

/** A stage counts once, however many trials rest on it. */
export function costOf(cells: readonly Cell[]): z.infer<typeof cost> {
  const stages = new Map<string, StageStand>()
  for (const { start } of cells) {
    for (let stand = start; stand !== null; stand = stand.start) stages.set(stand.stage.id, stand)
  }
  return {
    trials: cells.filter(({ runs }) => runs.length > 0).length,
    hours: [...cells, ...stages.values()].reduce((sum, { seconds }) => sum + seconds, 0) / 3600,
  }
}

function stageAnswer({ stage: { stage: name, seed, id, start }, state, runs, ...stand }: StageStand) {
  const { checkpoint: last, reasons } = stand
  return { stage: name, seed, id, from: start?.id ?? null, state, runs, checkpoint: checkpointAnswer(last), reasons }
}

function cellAnswer(each: Cell, lang: Language): CellAnswer {
  const { trial, state, checkpoint: last, value, suspicious, runs, n, reasons } = each
  return {
    trial: trial.name,
    id: trial.id,
    arm: trial.arm.name,
    values: { ...trial.arm.settings, seed: trial.seed },
    evaluation: null,
    which: 'last',
    condition: {},
    state: stateOf(state, suspicious),
    runs,
    checkpoint: checkpointAnswer(last),
    value: jsonNumber(value),
    n,
    suspicious: suspicious.map(({ message }) => render(message, lang)),
    acknowledged: vouchedFor(suspicious, lang),
    reasons,
  }
}

export function evaluationCellAnswer(each: EvaluationCell, lang: Language): CellAnswer {
  const { trial, condition: planned, state, step, checkpoint: own, record, value, suspicious, reasons } = each
  const { evaluation, checkpoints: which } = planned
  return {
    trial: trial.name,
    id: trial.id,
    arm: trial.arm.name,
    values: { ...trial.arm.settings, seed: trial.seed },
    evaluation,
    // A step that was asked for and is not there has no checkpoint to tell of it.
    which: own === null && step !== null ? [step] : which,
    condition:
      record === null || record.split === '' ? planned.condition : { ...planned.condition, split: record.split },
    state: stateOf(state, suspicious),
    runs: record === null ? [] : [record.run],
    checkpoint: checkpointAnswer(own),
    value: jsonNumber(value),
    n: record?.n ?? 0,
    suspicious: suspicious.map(({ message }) => render(message, lang)),
    acknowledged: vouchedFor(suspicious, lang),
    reasons: inWords(reasons, lang),
  }
}

function checkpointAnswer(checkpoint: ResultCheckpoint | null) {
  if (checkpoint === null) return null
  const { step, contentHash, path } = checkpoint
  return { step, contentHash, path }
}

function stateOf(state: CellState, suspicious: readonly Suspicion[]): CellAnswer['state'] {
  return openSuspicions(suspicious).length > 0 ? 'suspicious' : state
}

function vouchedFor(suspicious: readonly Suspicion[], lang: Language): CellAnswer['acknowledged'] {
  return suspicious.flatMap(({ message, acknowledged }) =>
    acknowledged === null
      ? []
      : [{ suspicion: render(message, lang), because: acknowledged.because, at: acknowledged.at }],
  )
}
