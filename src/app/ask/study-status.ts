import { z } from 'zod'
import type { Workspace } from '../../core/store/workspace.js'
import { type Cell, costOf, reasonText, type Suspicion, shownState } from '../../lab/study/cell.js'
import { changesSince, designHash, readFrozen } from '../../lab/study/file/frozen.js'
import type { ReadStudy } from '../../lab/study/file/read.js'
import { judgeStudy } from '../../lab/study/judgement.js'
import { planToLook } from '../../lab/study/plan/plan-study.js'
import { readWholeStatus } from '../../lab/study/status/status.js'
import type { StudyStage, TrialCheckpoint } from '../../lab/study/trial.js'
import { jsonNumber } from '../../logs/model/json.js'
import { type CellAnswer, statusAnswer } from '../../logs/model/study/answers.js'
import type { Design } from '../../logs/model/study/terms.js'
import { encode } from '../../text/encode.js'
import type { Language } from '../../text/language.js'
import { message } from '../../text/say.js'
import { render } from '../../text/sentences.js'
import { request } from './fields.js'
import { type Asking, question } from './question.js'

/** Which cells of a study are done, running, pending, failed or without their figure, and which are not to be trusted. */

export const studyStatus = question({
  request: request({ file: z.string() }),
  answer: statusAnswer,
  async ask(workspace, { file, lang }, { remark }: Asking) {
    const study = await planToLook(workspace, file)
    const { question: asked, metric } = study.file
    const { cells, stages, evaluations, damaged } = await readWholeStatus(workspace, study)
    const { baseline, verdicts, judgedBy, within } = await judgeStudy(workspace, study, cells)
    for (const path of damaged) remark?.(message('run.damaged', { path }))
    return {
      study: study.name,
      question: asked,
      metric,
      design: await designOf(workspace, study),
      stages: stages.map(stageOf),
      cells: [...cells, ...evaluations].map(each => cellOf(each, lang)),
      baseline,
      verdicts,
      judgedBy: encode(judgedBy, lang),
      within,
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

function stageOf({ stage: name, seed, id, start, state, runs, checkpoint: last, reasons }: StudyStage) {
  return { stage: name, seed, id, from: start?.id ?? null, state, runs, checkpoint: identityOf(last), reasons }
}

export function cellOf(each: Cell, lang: Language): CellAnswer {
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
    checkpoint: identityOf(each.checkpoint),
    value: jsonNumber(value),
    n,
    suspicious: suspicious.map(suspicion => render(suspicion.message, lang)),
    acknowledged: vouchedFor(suspicious, lang),
    reasons: each.reasons.map(reason => reasonText(reason, lang)),
  }
}

function identityOf(last: TrialCheckpoint | null) {
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
