import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { withoutCopies } from '../../core/analysis/conventions.js'
import { aim } from '../../core/analysis/decide/decide.js'
import { isEvaluation } from '../../core/analysis/evaluations/evaluation-run.js'
import { keyThatDiffers } from '../../core/analysis/sweep/answer.js'
import type { DiagnosisProgress } from '../../core/diagnosis/diagnosed-runs.js'
import { block } from '../../core/present/block-schema.js'
import { type KeptReport, keepReport, keptReports, readKept } from '../../core/present/report/kept.js'
import { memoryIn } from '../../core/present/report/memory.js'
import { writeReport } from '../../core/present/report/write.js'
import type { Workspace } from '../../core/store/workspace.js'
import { AXES } from '../../logs/model/axis.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { forShell } from '../../text/shell.js'
import { ended, goal, HEADLINE_METRIC, list, metric, otherwise, reportFields, request, size } from './fields.js'
import { type Naming, resolveAll, resolveSides } from './names.js'
import { type Asking, question } from './question.js'
import { type ReportOrder, recipeOf, reportFor } from './report-order.js'
import { version } from './version.js'

/**
 * The document for a colleague: one run, sides, or a sweep, by what is given; or what to ship, where that is asked.
 * Written to files, or told as blocks to whoever shows it themselves.
 */

const reportRequest = request({
  runs: list(z.string()),
  ...reportFields('report.md'),
  /** Whether files are written. */
  write: z.boolean().default(true),
  metric,
  goal,
  ended,
  margin: size,
  /** What the curves of sides run along. */
  by: z.enum(AXES, otherwise('compare.bad-by')).default('steps'),
  over: list(z.string()).default([]),
  /** One page on what to ship and what to run next, for this aim. */
  decide: aim.nullable().default(null),
})

const reportAnswer = z.object({ files: list(z.string()), title: z.string(), blocks: list(block).optional() })

type ReportRequest = z.output<typeof reportRequest>

export const report = question({
  request: reportRequest,
  answer: reportAnswer,
  async ask(workspace, asked, asking: Asking<DiagnosisProgress>) {
    const { output, title, date, lang } = asked
    const order = await orderOf(workspace, asked, asking)
    const before = asked.write ? memoryIn(await readFile(output, 'utf8').catch(() => '')) : null
    const recipe = recipeOf(order, {
      version: version(),
      command: commandLine(asked),
      output: basename(output),
      title,
      date,
      language: lang,
      before,
    })
    const made = await reportFor(workspace, order, recipe, asking)
    if (!asked.write) return { files: [], title: made.title, blocks: made.blocks }
    const files = await writeReport(output, made)
    await keepReport(workspace, output, made, {
      language: lang,
      study: null,
      runs: asked.runs.map(name => (name.startsWith('/') ? basename(name) : name)),
      metric: asked.metric === HEADLINE_METRIC ? null : asked.metric,
      margin: asked.margin === null ? null : sizeText(asked.margin),
    })
    return { files, title: made.title }
  },
})

/** Three sides and more are a sweep when one knob tells them apart. */
async function orderOf(workspace: Workspace, asked: ReportRequest, naming: Naming): Promise<ReportOrder> {
  const { runs: names, metric, goal, ended, margin, by, decide } = asked
  const wanted = { metric, goal, ended, margin, by, decide }
  if (decide !== null) {
    return { ...wanted, over: [], sides: [], runs: withoutCopies(await resolveAll(workspace, names, naming)).runs }
  }
  const all = asked.over.length > 0 || names.length > 2 ? await resolveAll(workspace, names, naming) : []
  const key = asked.over.length > 0 || names.length < 3 ? null : keyThatDiffers(all)
  const over = key === null ? asked.over : [key]
  if (over.length > 0) return { ...wanted, over, sides: [], runs: all }
  const sides = await resolveSides(workspace, names, naming)
  const runs = sides.flatMap(side => side.runs)
  if (sides.length === 1 && runs.some(isEvaluation)) throw new Problem('bad-request', say('report.one-evaluation', {}))
  if (sides.length === 1 && runs.length > 1) throw new Problem('bad-request', message('compare.needs-two', {}))
  return { ...wanted, over, sides, runs }
}

/** The command that makes the report again. */
function commandLine({
  runs,
  output,
  metric,
  goal,
  ended,
  margin,
  by,
  over,
  decide,
  title,
  date,
}: ReportRequest): string {
  const quoted = (word: string): string => (/^[\w./@:%=+-]+$/.test(word) ? word : forShell(word))
  const option = (name: string, value: string | null): string[] => (value === null ? [] : [name, quoted(value)])
  return [
    'klens report',
    ...runs.map(name => quoted(name.startsWith('/') ? basename(name) : name)),
    ...option('--metric', metric === HEADLINE_METRIC ? null : metric),
    ...option('--goal', goal),
    ...(ended ? ['--ended'] : []),
    ...option('--margin', margin === null ? null : sizeText(margin)),
    ...option('--by', by === 'steps' ? null : by),
    ...over.flatMap(key => option('--over', key)),
    ...option('--decide', decide),
    ...option('--title', title),
    ...option('--date', date),
    ...option('-o', basename(output)),
  ].join(' ')
}

function sizeText(margin: NonNullable<ReportRequest['margin']>): string {
  return 'absolute' in margin ? String(margin.absolute) : `${Number((100 * margin.share).toPrecision(12))}%`
}

/** The reports that `klens report` and `klens study report` have written from this workspace, and one of them as it was written. */

const say = sentences({
  'report.one-evaluation': {
    en: 'a report needs two evaluations to compare; klens show lists the tasks of one',
    zh: '报告需要两个评测才能比较；klens show 可列出单个评测的任务',
  },
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

export const reports = question({
  request: request({}),
  answer: reportsAnswer,
  async ask(workspace) {
    return { reports: (await keptReports(workspace)).map(summaryOf) }
  },
})

const savedReportAnswer = summary.extend({ text: z.string(), blocks: list(block) })

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
