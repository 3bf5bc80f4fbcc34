import { z } from 'zod'
import { jsonNumber } from '../model/json.js'
import type { Workspace } from '../store/workspace.js'
import { type Cell, costOf, reasonText, type Suspicion, shownState } from '../study/cell.js'
import { changesSince, designHash, readFrozen } from '../study/file/frozen.js'
import type { ReadStudy } from '../study/file/read.js'
import { planToLook } from '../study/plan/plan-study.js'
import { readStatus } from '../study/status/status.js'
import { costSchema, type Design, designSchema, STATES } from '../study/terms.js'
import type { Stage, TrialCheckpoint } from '../study/trial.js'
import type { Language } from '../text/language.js'
import { message } from '../text/say.js'
import { render } from '../text/sentences.js'
import { condition, figure, json, list, request } from './fields.js'
import { type Asking, question } from './question.js'

/** Which cells of a study are done, running, pending, failed or without their figure, and which are not to be trusted. */

const checkpoint = z.object({ step: z.number(), contentHash: z.string(), path: z.string() })

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
  state: z.enum(STATES),
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
  state: z.enum(['done', 'running', 'pending', 'failed', 'dropped']),
  runs: list(z.string()),
  checkpoint: checkpoint.nullable(),
  reasons: list(z.string()),
})

export type DesignAnswer = Design

const statusAnswer = z.object({
  study: z.string(),
  question: z.string(),
  metric: z.string(),
  design: designSchema,
  stages: list(stage),
  cells: list(cell),
  cost: costSchema,
})

export type StudyStatusAnswer = z.infer<typeof statusAnswer>

export const studyStatus = question({
  request: request({ file: z.string() }),
  answer: statusAnswer,
  async ask(workspace, { file, lang }, { remark }: Asking) {
    const study = await planToLook(workspace, file)
    const { question: asked, metric } = study.file
    const { cells, stages, evaluations, damaged } = await readStatus(workspace, study, study.trials)
    for (const path of damaged) remark?.(message('run.damaged', { path }))
    return {
      study: study.name,
      question: asked,
      metric,
      design: await designOf(workspace, study),
      stages: stages.map(stageAnswer),
      cells: [...cells, ...evaluations].map(each => cellAnswer(each, lang)),
      cost: costOf(cells),
    }
  },
})

export async function designOf(workspace: Workspace, study: ReadStudy): Promise<Design> {
  const frozen = await readFrozen(workspace, study.name)
  return {
    hash: designHash(study),
    frozen: frozen === null ? null : { hash: frozen.hash, at: frozen.at },
    changed: frozen === null ? [] : changesSince(frozen, study),
  }
}

function stageAnswer({ stage: name, seed, id, start, state, runs, checkpoint: last, reasons }: Stage) {
  return { stage: name, seed, id, from: start?.id ?? null, state, runs, checkpoint: checkpointAnswer(last), reasons }
}

export function cellAnswer(each: Cell, lang: Language): CellAnswer {
  const { trial, condition: asked, step, runs, record, value, n, suspicious } = each
  const split = record === null || record.split === '' ? {} : { split: record.split }
  // A step that was asked for and is not there has no checkpoint to tell of it.
  const which = each.checkpoint === null && step !== null ? [step] : (asked?.checkpoints ?? 'last')
  return {
    trial: trial.name,
    id: trial.id,
    arm: trial.arm.name,
    values: { ...trial.arm.settings, seed: trial.seed },
    evaluation: asked?.evaluation ?? null,
    which,
    condition: asked === null ? {} : { ...asked.condition, ...split },
    state: shownState(each),
    runs,
    checkpoint: checkpointAnswer(each.checkpoint),
    value: jsonNumber(value),
    n,
    suspicious: suspicious.map(suspicion => render(suspicion.message, lang)),
    acknowledged: vouchedFor(suspicious, lang),
    reasons: each.reasons.map(reason => reasonText(reason, lang)),
  }
}

function checkpointAnswer(last: TrialCheckpoint | null) {
  if (last === null) return null
  const { step, contentHash, path } = last
  return { step, contentHash, path }
}

function vouchedFor(suspicious: readonly Suspicion[], lang: Language): CellAnswer['acknowledged'] {
  return suspicious.flatMap(({ message: said, acknowledged }) =>
    acknowledged === null
      ? []
      : [{ suspicion: render(said, lang), because: acknowledged.because, at: acknowledged.at }],
  )
}
