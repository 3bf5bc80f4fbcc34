import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import type { RunView } from '../analysis/run-view.js'
import { keyThatDiffers } from '../analysis/sweep/sweep-runs.js'
import { AXES } from '../model/axis.js'
import { Problem } from '../model/problem.js'
import type { Block } from '../report/blocks.js'
import { makeReport, type ReportSubject } from '../report/make.js'
import { memoryIn } from '../report/memory.js'
import { voiceIn } from '../report/voice.js'
import { writeReport } from '../report/write.js'
import type { Workspace } from '../store/workspace.js'
import { message } from '../text/say.js'
import { forShell } from '../text/shell.js'
import { comparisonOf } from './compare.js'
import { aim, decisionOf } from './decide.js'
import { type DiagnosisProgress, diagnoseAll } from './diagnose.js'
import { goal, HEADLINE_METRIC, json, list, metric, otherwise, request, size } from './fields.js'
import { type Naming, resolveAll, resolveSides } from './names.js'
import { type Asking, question } from './question.js'
import { sweepOf } from './sweep.js'
import { version } from './version.js'

/**
 * The document for a colleague: one run, sides, or a sweep, by what is given; or what to ship, where that is asked.
 * Written to files, or told as blocks to whoever shows it themselves.
 */

const reportRequest = request({
  runs: list(z.string()),
  output: z
    .string()
    .regex(/\.(?:md|html)$/i, otherwise('report.bad-output'))
    .default('report.md'),
  /** Whether files are written. */
  write: z.boolean().default(true),
  metric,
  goal,
  margin: size,
  /** What the curves of sides run along. */
  by: z.enum(AXES, otherwise('compare.bad-by')).default('steps'),
  over: list(z.string()).default([]),
  /** One page on what to ship and what to buy next, for this aim. */
  decide: aim.nullable().default(null),
  title: z.string().nullable().default(null),
  date: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/, otherwise('report.bad-date'))
    .nullable()
    .default(null),
})

const inline = z.union([
  z.string(),
  z.object({ strong: z.string() }),
  z.object({ code: z.string() }),
  z.object({ figure: z.string(), source: z.string() }),
])

const block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('heading'), level: z.union([z.literal(2), z.literal(3)]), text: z.string() }),
  z.object({ kind: z.literal('paragraph'), parts: list(inline) }),
  z.object({ kind: z.literal('list'), items: list(list(inline)) }),
  z.object({ kind: z.literal('table'), header: list(z.string()), rows: list(list(inline)) }),
  /** The definition is a chart of `charts`, gaps as null. */
  z.object({ kind: z.literal('chart'), id: z.string(), caption: z.string(), definition: json }),
  z.object({ kind: z.literal('command'), text: z.string() }),
])

export type ReportBlock = z.infer<typeof block>

const reportAnswer = z.object({ files: list(z.string()), title: z.string(), blocks: list(block).optional() })

export type ReportAnswer = z.infer<typeof reportAnswer>

function blockAnswer(made: Block): ReportBlock {
  if (made.kind !== 'chart') return made
  const { id, caption, definition } = made.chart
  return { kind: 'chart', id, caption, definition: json.parse(JSON.parse(JSON.stringify(definition))) }
}

type ReportRequest = z.output<typeof reportRequest>

export const report = question({
  request: reportRequest,
  answer: reportAnswer,
  async ask(workspace, asked, asking: Asking<DiagnosisProgress>) {
    const { output, title, date, lang } = asked
    const before = asked.write ? memoryIn(await readFile(output, 'utf8').catch(() => '')) : null
    const { subject, runs } = await subjectOf(workspace, asked, asking)
    const made = await makeReport(subject, {
      voice: voiceIn(lang),
      diagnosed: await diagnoseAll(runs, asking),
      provenance: { version: version(), command: commandLine(asked) },
      title,
      date,
      before,
    })
    if (!asked.write) return { files: [], title: made.title, blocks: made.blocks.map(blockAnswer) }
    return { files: await writeReport(output, made), title: made.title }
  },
})

/** Three sides and more are a sweep when one knob tells them apart. */
async function subjectOf(
  workspace: Workspace,
  asked: ReportRequest,
  naming: Naming,
): Promise<{ readonly subject: ReportSubject; readonly runs: readonly RunView[] }> {
  const { runs: names, metric, goal, margin } = asked
  if (asked.decide !== null) {
    const by = metric === HEADLINE_METRIC ? null : metric
    const decided = await decisionOf(workspace, { runs: names, metric: by, goal, for: asked.decide }, naming)
    return { subject: { kind: 'decision', ...decided }, runs: decided.runs }
  }
  const key =
    asked.over.length > 0 || names.length < 3 ? null : keyThatDiffers(await resolveAll(workspace, names, naming))
  const over = key === null ? asked.over : [key]
  if (over.length > 0) {
    const swept = await sweepOf(workspace, { runs: names, over, metric, goal, margin }, naming)
    return { subject: { kind: 'sweep', ...swept }, runs: swept.runs }
  }
  const sides = await resolveSides(workspace, names, naming)
  const runs = sides.flatMap(side => side.runs)
  if (sides.length > 1) {
    const comparison = await comparisonOf(workspace, sides, {
      metric: metric === HEADLINE_METRIC ? null : metric,
      by: asked.by,
      goal,
      margin,
      seedSd: null,
      all: false,
    })
    return { subject: { kind: 'pair', sides, comparison }, runs }
  }
  if (runs.length > 1) throw new Problem('bad-request', message('compare.needs-two', {}))
  return { subject: { kind: 'run', metric, goal }, runs }
}

/** The command that makes the report again. */
function commandLine({ runs, output, metric, goal, margin, by, over, decide, title, date }: ReportRequest): string {
  const quoted = (word: string): string => (/^[\w./@:%=+-]+$/.test(word) ? word : forShell(word))
  const option = (name: string, value: string | null): string[] => (value === null ? [] : [name, quoted(value)])
  return [
    'klens report',
    ...runs.map(name => quoted(name.startsWith('/') ? basename(name) : name)),
    ...option('--metric', metric === HEADLINE_METRIC ? null : metric),
    ...option('--goal', goal),
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
