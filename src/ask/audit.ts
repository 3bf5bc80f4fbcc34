import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { RunSide } from '../analysis/compare/evidence.js'
import type { RunView } from '../analysis/run-view.js'
import {
  type AuditedFile,
  type AuditOptions,
  auditReports,
  auditWithReader,
  type JudgedAssertion,
  type ReportText,
} from '../audit/audit.js'
import type { Logs } from '../audit/data.js'
import { fixPatch, sarif } from '../audit/findings-output.js'
import type { LedgerEntry } from '../audit/ledger.js'
import { ledgerHtml } from '../audit/ledger-page.js'
import { parseProposals } from '../audit/llm-reader.js'
import type { LoggedSeries } from '../audit/log-index.js'
import { RULE_CARDS } from '../audit/registry.js'
import { openResponseCache } from '../endpoint/cache.js'
import { openEndpoint } from '../endpoint/endpoint.js'
import { Problem } from '../model/problem.js'
import { decodeText } from '../sources/encoding.js'
import { shownName } from '../store/manifest.js'
import { readSeries } from '../store/series.js'
import type { Workspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { message } from '../text/say.js'
import { render } from '../text/sentences.js'
import { comparisonOf } from './compare.js'
import { HEADLINE_METRIC, json, list, otherwise, request } from './fields.js'
import { resolveAll, resolveSides } from './names.js'
import { type Asking, question } from './question.js'
import { remake } from './report-order.js'
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

const place = z.object({
  run: z.string(),
  metric: z.string(),
  step: z.number().nullable(),
  /** `setting`: the figure is one of the run's settings, `metric` its key. */
  aggregate: z.enum(['first', 'last', 'min', 'max', 'mean', 'setting']).nullable(),
  /** The steps of a mean that is not of all. */
  over: z.tuple([z.number(), z.number()]).readonly().nullable(),
  file: z.string().nullable(),
})

const ledgerEntry = z.object({
  line: z.number(),
  column: z.number(),
  text: z.string(),
  state: z.enum(['traced', 'derived', 'contradicted', 'untraced']),
  /** Where it was logged; of what is derived, from what; of what is contradicted, what was logged. */
  source: z
    .union([
      place,
      z.object({ expected: z.string(), derived: z.string() }),
      z.object({ derived: z.string() }),
      z.object({ logged: z.number(), from: place }),
    ])
    .nullable(),
})

const auditAnswer = z.object({
  files: list(
    z.object({
      file: z.string(),
      /** By line. */
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
          /** All lines that it is about. */
          lines: list(z.number()),
        }),
      ),
      quantities: z.number(),
      claims: z.number(),
      assertions: z.object({ confirmed: z.number(), refuted: z.number(), unchecked: z.number() }),
      /** Every figure against the logs; null where no runs were named. */
      ledger: list(ledgerEntry).nullable(),
      suppressed: z.number(),
      /** What was read, and what came of it, where it was asked for. */
      judged: list(
        z.object({
          line: z.number(),
          relation: z.string(),
          stance: z.string(),
          quote: z.string(),
          figures: list(z.object({ role: z.string(), text: z.string() })),
          verdict: z.enum(['confirmed', 'refuted', 'unchecked']),
          by: z.string().nullable(),
        }),
      ).optional(),
      /** Corrected figures as a patch, where it was asked for. */
      patch: z.string().optional(),
    }),
  ),
  /** The findings as SARIF 2.1.0, where it was asked for. */
  sarif: json.optional(),
})

export type AuditAnswer = z.infer<typeof auditAnswer>

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
  /** A file with assertions that somebody else read. */
  assertions: z.string().optional(),
  /** `URL#model`: a model that proposes assertions. */
  reader: z
    .string()
    .regex(/^https?:\/\/[^#\s]+#\S+$/, otherwise('audit.bad-reader'))
    .optional(),
  printAssertions: z.boolean().default(false),
  fix: z.boolean().default(false),
  sarif: z.boolean().default(false),
}).refine(({ reports, texts }) => reports.length + texts.length > 0, otherwise('audit.needs-file'))

export const audit = question({
  request: auditRequest,
  answer: auditAnswer,
  async ask(workspace, asked, { onProgress, ...asking }: Asking<AuditProgress>) {
    const { lang, ledger } = asked
    // A ledger of which no runs are named is about all of them.
    const data = ledger !== undefined && asked.data.length === 0 ? ['*'] : asked.data
    const written = asked.texts.map(({ name, text }) => ({ file: name, text }))
    for (const [i, path] of asked.reports.entries()) written.splice(i, 0, { file: path, text: await readReport(path) })
    const given = written.map(({ file, text }) => ({ file, text: normalised(text) }))
    const behind = data.length === 0 ? null : await runsBehind(workspace, data, asking)
    const reports = behind === null ? given : await withRemade(workspace, given, behind.runs, asking)
    const options: AuditOptions = {
      logs: behind === null ? null : await readLogs(workspace, behind),
      proposals:
        asked.assertions === undefined
          ? []
          : parseProposals(normalised(await readReport(asked.assertions)), asked.assertions),
    }
    const files =
      asked.reader === undefined
        ? auditReports(reports, options)
        : await auditWithReader(reports, readerAt(workspace, asked.reader, onProgress), options)
    if (ledger !== undefined) await writeLedger(ledger, files, lang)
    return {
      files: files.map((file, i) => ({
        ...fileAnswer(file, lang),
        ...(asked.printAssertions && { judged: file.judged.map(judgedAnswer) }),
        ...(asked.fix && { patch: fixPatch(file, written[i].text) }),
      })),
      ...(asked.sarif && {
        sarif: sarif(files, RULE_CARDS, { version: version(), render: said => render(said, lang) }),
      }),
    }
  },
})

function fileAnswer(
  { file, findings, quantities, judged, assertions, ledger, suppressed }: AuditedFile,
  language: Language,
): AuditAnswer['files'][number] {
  return {
    file,
    findings: findings.map(({ isFix: _, ...finding }) => ({ ...finding, message: render(finding.message, language) })),
    quantities,
    claims: judged.length,
    assertions,
    ledger: ledger?.map(entryAnswer) ?? null,
    suppressed,
  }
}

function entryAnswer({ line, column, text, state, source }: LedgerEntry): z.infer<typeof ledgerEntry> {
  return { line, column, text, state, source }
}

function judgedAnswer({ assertion, outcome, line }: JudgedAssertion) {
  const { relation, stance, quote, figures } = assertion
  return {
    line,
    relation,
    stance,
    quote,
    figures: figures.map(({ role, text }) => ({ role, text })),
    verdict: outcome.verdict,
    by: outcome.verdict === 'confirmed' ? outcome.by : null,
  }
}

async function writeLedger(path: string, files: readonly AuditedFile[], language: Language): Promise<void> {
  if (path.toLowerCase().endsWith('.json')) {
    const entries = files.map(({ file, ledger }) => ({ file, ledger: ledger?.map(entryAnswer) ?? null }))
    return writeFile(path, `${JSON.stringify({ files: entries }, null, 1)}\n`)
  }
  return writeFile(path, ledgerHtml(files, language))
}

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
    rules: RULE_CARDS.map(({ id, kind, severity, example }) => ({ id, kind, severity, example })),
  }),
})

/** A report of this size takes about 0.7 GB to read as a document; ten times that does not fit into a process. */
const MOST_MEGABYTES = 20

async function readReport(path: string): Promise<string> {
  try {
    const file = await stat(path)
    // /dev/zero has no end.
    if (file.isCharacterDevice() || file.isBlockDevice()) {
      throw new Problem('unreadable', message('audit.binary', { path }))
    }
    if (file.size > MOST_MEGABYTES * 1e6) {
      throw new Problem('unreadable', message('audit.too-large', { path, limit: MOST_MEGABYTES }))
    }
    const bytes = await readFile(path)
    const text = decodeText(bytes)
    if (text.slice(0, 8192).includes('\0')) throw new Problem('unreadable', message('audit.binary', { path }))
    return isMarked(bytes) ? `\ufeff${text}` : text
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new Problem('not-found', message('audit.no-file', { path }))
    }
    const reason = error instanceof Error ? error.message.replace(/:.*/s, '') : String(error)
    throw new Problem('unreadable', message('audit.unreadable', { path, reason }))
  }
}

/** A patch must have the mark too. */
function isMarked([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf
}

function normalised(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}

/** The runs behind a report, and the two sides of it where there are two. */
interface Behind {
  readonly runs: readonly RunView[]
  readonly sides: readonly RunSide[]
}

async function runsBehind(workspace: Workspace, names: readonly string[], asking: Asking): Promise<Behind> {
  try {
    const sides = await resolveSides(workspace, names, asking)
    return { runs: sides.flatMap(({ runs, copies }) => [...runs, ...copies]), sides }
  } catch (error) {
    // A pattern over several settings is no side of anything, but its runs can be read.
    if (!(error instanceof Problem && error.code === 'bad-request')) throw error
    return { runs: await resolveAll(workspace, names, asking), sides: [] }
  }
}

/** Every series of the runs, and with two sides the verdicts of their comparison. */
async function readLogs(workspace: Workspace, { runs, sides }: Behind): Promise<Logs> {
  const series: LoggedSeries[] = []
  for (const run of runs) series.push(...(await seriesOf(run)))
  const settings = runs.flatMap(settingsIn)
  if (sides.length !== 2) return { series, settings, verdicts: [] }
  const usual = { metric: HEADLINE_METRIC, goal: null, margin: null }
  const comparison = await comparisonOf(workspace, sides, usual).catch(noneWithoutScore)
  return { series, settings, verdicts: comparison?.verdicts ?? [] }
}

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

async function seriesOf(run: RunView): Promise<LoggedSeries[]> {
  const all = await readSeries(run, [...run.manifest.metrics.keys()])
  return [...all].map(([metric, { steps, values }]) => ({
    run: shownName(run.manifest),
    metric,
    canonical: run.meaningOf(metric).canonical,
    file: run.manifest.files[0]?.path ?? null,
    steps,
    values,
  }))
}

/** The numbers of its config. */
function settingsIn({ manifest, config, settings }: RunView): LoggedSeries[] {
  const names = new Map([...settings.values()].map(({ key, rawKey }) => [rawKey, key]))
  const numbers = Object.entries(config).flatMap(([key, value]) => (typeof value === 'number' ? [{ key, value }] : []))
  const run = shownName(manifest)
  return numbers.map(({ key, value }) => {
    return { run, metric: key, canonical: names.get(key) ?? null, file: null, steps: [0], values: [value] }
  })
}
