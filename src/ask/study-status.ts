import { z } from 'zod'
import { jsonNumber } from '../model/json.js'
import type { Workspace } from '../store/workspace.js'
import { changesSince, designHash, readFrozen } from '../study/file/frozen.js'
import type { ReadStudy } from '../study/file/read.js'
import { planStudy } from '../study/plan/plan-study.js'
import { type Cell, cellsOf } from '../study/status/cells.js'
import type { Language } from '../text/language.js'
import { condition, figure, inWords, json, list, request } from './fields.js'
import { question } from './question.js'

/** Which trials of a study are done, running, pending, failed or without their figure, and which are not to be trusted. */

const cell = z.object({
  trial: z.string(),
  /** Hash of all settings of the trial. */
  id: z.string(),
  arm: z.string(),
  values: z.record(z.string(), json),
  condition,
  state: z.enum(['done', 'running', 'pending', 'failed', 'missing', 'suspicious']),
  runs: list(z.string()),
  checkpoint: z.object({ step: z.number(), contentHash: z.string(), path: z.string() }).nullable(),
  value: figure.nullable(),
  /** How many evaluations of the metric there are; the value is the last of them. */
  n: z.number(),
  suspicious: list(z.string()),
  reasons: list(z.string()),
})

export type CellAnswer = z.infer<typeof cell>

/** What has been spent: trials that were begun, and the hours that their epochs took. */
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
  cells: list(cell),
  cost,
})

export type StudyStatusAnswer = z.infer<typeof statusAnswer>

export const studyStatus = question({
  request: request({ file: z.string() }),
  answer: statusAnswer,
  async ask(workspace, { file, lang }) {
    const study = await planStudy(file)
    const { name, trials } = study
    const { question: asked, metric } = study.file
    const cells = await cellsOf(workspace, name, trials, metric)
    return {
      study: name,
      question: asked,
      metric,
      design: await designAnswer(workspace, study),
      cells: cells.map(each => cellAnswer(each, lang)),
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

export function costOf(cells: readonly Cell[]): z.infer<typeof cost> {
  return {
    trials: cells.filter(({ runs }) => runs.length > 0).length,
    hours: cells.reduce((sum, { seconds }) => sum + seconds, 0) / 3600,
  }
}

function cellAnswer({ trial, state, checkpoint, value, suspicious, ...cell }: Cell, language: Language): CellAnswer {
  const { runs, n, reasons } = cell
  return {
    trial: trial.name,
    id: trial.id,
    arm: trial.arm.name,
    values: { ...trial.arm.settings, seed: trial.seed },
    condition: {},
    state: suspicious.length > 0 ? 'suspicious' : state,
    runs,
    checkpoint:
      checkpoint === null
        ? null
        : { step: checkpoint.step, contentHash: checkpoint.contentHash, path: checkpoint.path },
    value: jsonNumber(value),
    n,
    suspicious: inWords(suspicious, language),
    reasons,
  }
}
