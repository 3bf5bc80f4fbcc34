import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { auditReports } from '../audit/audit.js'
import { dataRules, type LoggedSeries, type Logs } from '../audit/data.js'
import { AUDIT_RULES } from '../audit/rules/registry.js'
import { sarif } from '../audit/sarif.js'
import { Problem } from '../model/problem.js'
import { shownName } from '../store/manifest.js'
import { type LoadedRun, readSeries } from '../store/series.js'
import type { Workspace } from '../store/workspace.js'
import { message } from '../text/say.js'
import { render } from '../text/sentences.js'
import { comparisonOf } from './compare.js'
import { HEADLINE_METRIC, json, list, otherwise, request } from './fields.js'
import { type Naming, resolveSides } from './names.js'
import { question } from './question.js'
import { version } from './version.js'

/** Is this report true? Several are checked against each other too, and against the logs where runs are named. */

const severity = z.enum(['error', 'warning', 'note'])

const kind = z.enum([
  'arithmetic',
  'contradiction',
  'cross-report',
  'invented',
  'copied',
  'impossible',
  'selection',
  'resolution',
  'untested',
  'window',
  'confound',
  'trivial',
  'stale',
  'timeline',
  'data',
])

const auditAnswer = z.object({
  files: list(
    z.object({
      file: z.string(),
      findings: list(
        z.object({
          rule: z.string(),
          kind,
          severity,
          line: z.number(),
          column: z.number(),
          message: z.string(),
          found: z.string(),
          expected: z.string(),
        }),
      ),
      quantities: z.number(),
      claims: z.number(),
      suppressed: z.number(),
    }),
  ),
  /** The findings as SARIF 2.1.0, where it was asked for. */
  sarif: json.optional(),
})

export type AuditAnswer = z.infer<typeof auditAnswer>

export const audit = question({
  request: request({
    /** Paths. */
    reports: list(z.string()).refine(paths => paths.length > 0, otherwise('audit.needs-file')),
    /** The runs that the reports are about. */
    data: list(z.string()).default([]),
    sarif: z.boolean().default(false),
  }),
  answer: auditAnswer,
  async ask(workspace, { reports: paths, data, sarif: asSarif, lang }, asking) {
    const reports = []
    for (const path of paths) reports.push({ file: path, text: await readReport(path) })
    const rules =
      data.length === 0 ? AUDIT_RULES : [...AUDIT_RULES, ...dataRules(await readLogs(workspace, data, asking))]
    const files = auditReports(reports, rules)
    return {
      files: files.map(({ file, findings, quantities, claims, suppressed }) => ({
        file,
        findings: findings.map(finding => ({ ...finding, message: render(finding.message, lang) })),
        quantities,
        claims,
        suppressed,
      })),
      ...(asSarif && {
        sarif: sarif(files, rules, { version: version(), render: said => render(said, lang) }),
      }),
    }
  },
})

const rulesAnswer = z.object({
  rules: list(
    z.object({
      id: z.string(),
      kind,
      severity,
      example: z.object({ faulty: z.string(), sound: z.string(), beside: z.string().optional() }),
    }),
  ),
})

/** What is looked for, each rule with a line that breaks it and one that does not. */
export const auditRules = question({
  request: request({}),
  answer: rulesAnswer,
  ask: async () => ({
    rules: AUDIT_RULES.map(({ id, kind, severity, example }) => ({ id, kind, severity, example })),
  }),
})

const MOST_MEGABYTES = 200

async function readReport(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > MOST_MEGABYTES * 1e6) {
      throw new Problem('unreadable', message('audit.too-large', { path, limit: MOST_MEGABYTES }))
    }
    const bytes = await readFile(path)
    if (bytes.subarray(0, 8192).includes(0)) throw new Problem('unreadable', message('audit.binary', { path }))
    return bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .replace(/\r\n?/g, '\n')
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Problem('not-found', message('audit.no-file', { path }))
    }
    const reason = error instanceof Error ? error.message.replace(/:.*/s, '') : String(error)
    throw new Problem('unreadable', message('audit.unreadable', { path, reason }))
  }
}

/** The runs behind a report: every series of theirs, and with two sides the verdicts of their comparison. */
async function readLogs(workspace: Workspace, names: readonly string[], naming: Naming): Promise<Logs> {
  const sides = await resolveSides(workspace, names, naming)
  const series: LoggedSeries[] = []
  for (const { runs } of sides) for (const run of runs) series.push(...(await seriesOf(run)))
  if (sides.length !== 2) return { series, verdicts: [] }
  const usual = { metric: HEADLINE_METRIC, goal: null, margin: null, seedSd: null, all: false }
  const comparison = await comparisonOf(workspace, sides, usual).catch(withoutMetric)
  return { series, verdicts: comparison?.others.flatMap(({ verdicts }) => verdicts) ?? [] }
}

/** Runs without a common score can still be read against the figures of a report. */
function withoutMetric(error: unknown): null {
  if (error instanceof Problem && error.code === 'not-found') return null
  throw error
}

async function seriesOf(run: LoadedRun): Promise<LoggedSeries[]> {
  const all = await readSeries(run, [...run.manifest.metrics.keys()])
  return [...all].map(([metric, { steps, values }]) => {
    const byStep = new Map(Array.from(steps, (step, i) => [step, values[i]]))
    return { run: shownName(run.manifest), metric, valueAt: step => byStep.get(step) }
  })
}
