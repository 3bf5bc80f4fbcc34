import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { block } from '../present/block-schema.js'
import { type KeptReport, keptReports, readKept } from '../present/report/kept.js'
import { sentences } from '../text/sentences.js'
import { list, request } from './fields.js'
import { question } from './question.js'

/** The reports that `klens report` and `klens study report` have written from this workspace, and one of them as it was written. */

const say = sentences({
  'reports.none': { en: 'there is no saved report "{id}" here', zh: '这里没有保存过报告“{id}”' },
})

const summary = z.object({
  id: z.string(),
  /** Unix seconds. */
  at: z.number(),
  file: z.string(),
  title: z.string(),
  language: z.enum(['en', 'zh']),
  study: z.string().nullable(),
  /** As they were named. */
  runs: list(z.string()),
  metric: z.string().nullable(),
  margin: z.string().nullable(),
})

const reportsAnswer = z.object({ reports: list(summary) })

export type ReportsAnswer = z.infer<typeof reportsAnswer>

export const reports = question({
  request: request({}),
  answer: reportsAnswer,
  async ask(workspace) {
    return { reports: (await keptReports(workspace)).map(summaryOf) }
  },
})

const savedReportAnswer = summary.extend({ text: z.string(), blocks: list(block) })

export type SavedReportAnswer = z.infer<typeof savedReportAnswer>

export const savedReport = question({
  request: request({ id: z.string() }),
  answer: savedReportAnswer,
  async ask(workspace, { id }) {
    const kept = await readKept(workspace, id)
    if (kept === null) throw new Problem('not-found', say('reports.none', { id }))
    return { ...summaryOf(kept), text: kept.text, blocks: kept.blocks }
  },
})

function summaryOf({ id, at, file, title, language, study, runs, metric, margin }: KeptReport) {
  return { id, at, file, title, language, study, runs, metric, margin }
}
