import { join } from 'node:path'
import { z } from 'zod'
import { answerFile, auditAnswer, faultKind, faultSeverity, writeLedger, writeMarked } from '../../audit/answer.js'
import {
  type AuditOptions,
  auditReports,
  auditWithReader,
  type Logs,
  type ReportText,
  readReports,
} from '../../audit/audit.js'
import { readBaseline, writeBaseline } from '../../audit/baseline.js'
import { findAuditConfig, readAuditConfig } from '../../audit/config.js'
import { normalised, readLoggedSeries, readReport } from '../../audit/inputs.js'
import { parseProposals } from '../../audit/llm-reader.js'
import { RULE_CARDS } from '../../audit/registry.js'
import { sarif } from '../../audit/sarif.js'
import { withLogLines } from '../../audit/trace/log-lines.js'
import { type ComparedPair, claimsIn, pairsAsked } from '../../audit/trace/verdict-claims.js'
import { sideOf } from '../../core/analysis/compare/evidence.js'
import type { RunView } from '../../core/analysis/run-view.js'
import { shownName } from '../../core/store/manifest.js'
import type { Workspace } from '../../core/store/workspace.js'
import { openResponseCache } from '../../lab/endpoint/cache.js'
import { openEndpoint } from '../../lab/endpoint/endpoint.js'
import { Problem } from '../../logs/model/problem.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { comparisonOf } from './compare.js'
import { HEADLINE_METRIC, list, otherwise, request } from './fields.js'
import { resolveAll } from './names.js'
import { type Asking, question } from './question.js'
import { remake } from './report-order.js'
import { version } from './version.js'

/** Is this report true? Several are checked against each other too, and against the logs where runs are named. */

const auditRequest = request({
  /** Paths. */
  reports: list(z.string()).default([]),
  /** Reports that are no files, such as one that was dropped on a page. */
  texts: list(z.object({ name: z.string(), text: z.string() })).default([]),
  /** The runs that the reports are about. */
  data: list(z.string()).default([]),
  /** Where every figure is written down with its source. */
  ledger: z
    .string()
    .regex(/\.(?:html|json)$/i, otherwise('audit.bad-ledger'))
    .optional(),
  /** Where the report is written as a page with every figure marked. */
  html: z.string().optional(),
  /** A file with assertions that somebody else read. */
  assertions: z.string().optional(),
  /** `URL#model`: a model that proposes assertions. */
  reader: z
    .string()
    .regex(/^https?:\/\/[^#\s]+#\S+$/, otherwise('audit.bad-reader'))
    .optional(),
  printAssertions: z.boolean().default(false),
  /** A figure that no log has is an error: in these sections, or in all. */
  strict: z.boolean().default(false),
  sections: list(z.string()).default([]),
  fix: z.boolean().default(false),
  sarif: z.boolean().default(false),
  /** Also list the words that need a test. */
  checklist: z.boolean().default(false),
  /** A file with what the repository wants of its audits. */
  config: z.string().optional(),
  /** Where to look for such a file, here and above, where none is named. */
  folder: z.string().optional(),
  /** A file with the findings that are known: only others are reported. */
  baseline: z.string().optional(),
  /** Write the findings of today as the baseline, and report none of them. */
  updateBaseline: z.boolean().default(false),
}).refine(({ reports, texts }) => reports.length + texts.length > 0, otherwise('audit.needs-file'))

export const audit = question({
  request: auditRequest,
  answer: encoded(auditAnswer),
  async ask(workspace, asked, { onProgress, ...asking }: Asking<AuditProgress>) {
    const { lang, ledger, html } = asked
    const config = await configOf(asked)
    const named = asked.data.length > 0 ? asked.data : (config?.data ?? [])
    const strict = asked.strict || (config?.sections?.strict.length ?? 0) > 0
    const sections = asked.strict ? asked.sections : (config?.sections?.strict ?? [])
    // A ledger of which no runs are named is about all of them.
    const isTraced = ledger !== undefined || html !== undefined || strict
    const data = isTraced && named.length === 0 ? ['*'] : named
    if (asked.fix && data.length === 0) throw new Problem('bad-request', message('audit.fix-needs-data', {}))
    const baseline = asked.baseline ?? config?.baseline
    if (asked.updateBaseline && baseline === undefined)
      throw new Problem('bad-request', message('audit.needs-baseline', {}))
    const written = asked.texts.map(({ name, text }) => ({ file: name, text }))
    for (const [i, path] of asked.reports.entries()) written.splice(i, 0, { file: path, text: await readReport(path) })
    const given = written.map(({ file, text }) => ({ file, text: normalised(text) }))
    const runs = data.length === 0 ? null : await resolveAll(workspace, data, asking)
    const reports = runs === null ? given : await withRemade(workspace, given, runs, asking)
    const options: AuditOptions = {
      logs: runs === null ? null : await readLogs(workspace, reports, runs),
      strict,
      sections,
      proposals:
        asked.assertions === undefined
          ? []
          : parseProposals(normalised(await readReport(asked.assertions)), asked.assertions),
      checklist: asked.checklist || (config?.checklist ?? false),
      config,
    }
    const audited =
      asked.reader === undefined
        ? auditReports(reports, options)
        : await auditWithReader(reports, readerAt(workspace, asked.reader, onProgress), options)
    const found = runs === null || options.logs == null ? audited : await withLogLines(audited, runs, options.logs)
    if (baseline !== undefined && asked.updateBaseline) await writeBaseline(baseline, found)
    const files = baseline === undefined ? found : found.map(await readBaseline(baseline))
    if (ledger !== undefined) await writeLedger(ledger, files, lang)
    if (html !== undefined) await writeMarked(html, files, lang)
    const { printAssertions } = asked
    const answer: z.infer<typeof auditAnswer> = {
      files: files.map((file, i) => answerFile(file, { printAssertions, fix: asked.fix ? written[i].text : null })),
      ...(asked.sarif && {
        sarif: sarif(files, { version: version(), language: lang }),
      }),
    }
    return encode(answer, lang)
  },
})

async function configOf({ config, folder }: Pick<z.infer<typeof auditRequest>, 'config' | 'folder'>) {
  const path = config ?? (folder === undefined ? null : await findAuditConfig(folder))
  return path === null ? null : readAuditConfig(path)
}

export type AuditAnswer = z.infer<typeof audit.answer>

/** How many pieces of the reports the model has been asked about. */
export interface AuditProgress {
  readonly pieces: number
}

/** A person waits, and the report can be audited without a model: no long patience with one that does not answer. */
const READER = { maxTokens: 4096, attempts: 2, timeoutSeconds: 120 } as const

/** Answers of the model are kept beside the runs: the same report read again is not paid for again. */
function readerAt({ root }: Workspace, address: string, onProgress: Asking<AuditProgress>['onProgress']) {
  const [url, model] = address.split('#')
  const ask = openEndpoint({ url, model, ...READER }, openResponseCache(join(root, 'answers')))
  let pieces = 0
  const complete = async (prompt: string): Promise<string> => {
    pieces += 1
    onProgress?.({ pieces })
    const reply = await ask([{ role: 'user', content: prompt }])
    if (reply.kind === 'missing') throw new Problem('unreachable', reply.reason)
    return reply.text
  }
  return { complete, address }
}

const rulesAnswer = z.object({
  rules: list(
    z.object({
      id: z.string(),
      kind: faultKind,
      severity: faultSeverity,
      help: z.string(),
      example: z.object({ faulty: z.string(), sound: z.string(), beside: z.string().optional() }),
    }),
  ),
})

/** What is looked for, each rule with a line that breaks it and one that does not. */
export const auditRules = question({
  request: request({}),
  answer: rulesAnswer,
  ask: async (_, { lang }) => ({
    rules: RULE_CARDS.map(({ id, kind, severity, help, example }) => ({
      id,
      kind,
      severity,
      help: help[lang],
      example,
    })),
  }),
})

export type AuditRulesAnswer = z.infer<typeof rulesAnswer>

/** Every series of the runs, and the verdicts on those pairs of them that the reports compare in words. */
async function readLogs(workspace: Workspace, reports: readonly ReportText[], runs: readonly RunView[]): Promise<Logs> {
  const logged = await readLoggedSeries(runs)
  const pairs = pairsAsked(claimsIn(readReports(reports), logged))
  const verdicts: ComparedPair[] = []
  for (const { baseline, other, metric } of pairs) {
    const sides = [baseline, other].map(side => {
      const names = new Set(side.map(({ name }) => name))
      const views = runs.filter(({ manifest }) => names.has(shownName(manifest)))
      return sideOf(side[0]?.group ?? '', views, null)
    })
    const usual = { metric: metric ?? HEADLINE_METRIC, goal: null, margin: null }
    const comparison = await comparisonOf(workspace, sides, usual).catch(noneWithoutScore)
    const verdict = comparison?.verdicts[comparison.headline.verdict]
    if (verdict !== undefined) verdicts.push({ baseline: namesOf(baseline), other: namesOf(other), metric, verdict })
  }
  return { ...logged, verdicts }
}

const namesOf = (side: readonly { readonly name: string }[]): readonly string[] => side.map(({ name }) => name)

/** Runs without a common score can still be read against the figures of a report. */
function noneWithoutScore(error: unknown): null {
  if (error instanceof Problem && error.code === 'not-found') return null
  throw error
}

/** Reports that klens wrote are made again, to be held against themselves. */
async function withRemade(
  workspace: Workspace,
  reports: readonly ReportText[],
  runs: readonly RunView[],
  asking: Asking,
): Promise<readonly ReportText[]> {
  const made: ReportText[] = []
  for (const report of reports) {
    const remade = await remake(workspace, report.text, runs, asking).catch(noneOfTampered)
    made.push({ ...report, remade })
  }
  return made
}

/** A recipe that was changed by hand may ask for what there is not. */
function noneOfTampered(error: unknown): null {
  if (error instanceof Problem) return null
  throw error
}
