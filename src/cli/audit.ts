import { readFile, stat, writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import {
  type AuditedFile,
  type AuditFinding,
  type AuditOptions,
  auditReports,
  auditWithReader,
} from '../audit/audit.js'
import { fixPatch } from '../audit/fix.js'
import { type LedgerEntry, ledgerHtml } from '../audit/ledger.js'
import { type Complete, parseProposals } from '../audit/reader.js'
import { RULE_CARDS } from '../audit/registry.js'
import { sarif } from '../audit/sarif.js'
import type { Severity } from '../model/finding.js'
import { sentences } from '../text/sentences.js'
import { openEndpoint } from '../train/tasks/llm/endpoint.js'
import { readLogs } from './audit-logs.js'
import { type Context, collect, UserError, verb } from './context.js'
import { countBySeverity, SEVERITY_COLOURS, severitiesFrom } from './severities.js'
import { alignTable, printable } from './style.js'
import { version } from './version.js'

const say = sentences({
  'audit.about': {
    en: 'is this report true? a linter for experiment reports in Markdown',
    zh: '这份报告属实吗？实验报告（Markdown）的检查器',
  },
  'audit.files': { en: 'reports; several are also checked against each other', zh: '报告文件；给出多份时还会互相核对' },
  'audit.option.data': {
    en: 'check figures and claims against these runs (repeatable)',
    zh: '用这些 run 核对数字和结论（可重复给出）',
  },
  'audit.option.ledger': {
    en: 'with --data: write every figure with its source, as .html or .json',
    zh: '与 --data 同用：把每个数字及其来源写入 .html 或 .json',
  },
  'audit.option.assertions': {
    en: 'also check the assertions in this JSON file',
    zh: '同时检查该 JSON 文件中的断言',
  },
  'audit.option.reader': {
    en: 'let a language model propose assertions, which are then checked as all others: URL#model (OpenAI-compatible)',
    zh: '让语言模型提出断言，再同样核对：URL#模型名（OpenAI 兼容接口）',
  },
  'audit.bad-reader': {
    en: '--reader is "{value}"; it must be an address and a model, such as http://localhost:8000/v1#qwen3-8b',
    zh: '--reader 是“{value}”，应为地址加模型名，例如 http://localhost:8000/v1#qwen3-8b',
  },
  'audit.option.print-assertions': {
    en: 'show what was read as an assertion, and what came of it',
    zh: '列出读到的断言及其结果',
  },
  'audit.option.fix': {
    en: 'print corrected figures as a patch; the report is left as it is',
    zh: '以补丁形式给出更正的数字，不改动报告',
  },
  'audit.option.format': { en: 'text, json or sarif', zh: '输出格式：text、json 或 sarif' },
  'audit.option.fail-on': {
    en: 'exit with 1 on findings of this severity or graver: error, warning, note, never',
    zh: '出现该级别及以上的问题时以 1 退出：error、warning、note、never',
  },
  'audit.option.rules': { en: 'list all rules with an example each', zh: '列出全部规则，各附一例' },
  'audit.bad-format': {
    en: '--format is "{value}"; it must be text, json or sarif',
    zh: '--format 是“{value}”，只能是 text、json 或 sarif',
  },
  'audit.bad-ledger': {
    en: '--ledger needs --data, and a file that ends with .html or .json',
    zh: '--ledger 需要同时给出 --data，且文件名以 .html 或 .json 结尾',
  },
  'audit.needs-file': {
    en: 'name at least one report, or ask for --rules',
    zh: '请至少给出一份报告，或用 --rules 列出规则',
  },
  'audit.unreadable': { en: '{path} cannot be read: {reason}', zh: '{path} 无法读取：{reason}' },
  'audit.no-file': { en: 'there is no file {path}', zh: '没有文件 {path}' },
  'audit.binary': { en: '{path} is no text', zh: '{path} 不是文本文件' },
  'audit.too-large': { en: '{path} is larger than {limit} MB; no report is', zh: '{path} 超过 {limit} MB，不像是报告' },
  'audit.clean': { en: 'nothing found in what could be checked', zh: '在可检查的内容中未发现问题' },
  'audit.summary': {
    en: '{errors} {errors|error|errors}, {warnings} {warnings|warning|warnings}, {notes} {notes|note|notes} · {total} assertions: {confirmed} confirmed, {refuted} refuted, {unchecked} not checkable',
    zh: '{errors} 个错误、{warnings} 个警告、{notes} 个提示 · 共 {total} 条断言：{confirmed} 条属实，{refuted} 条不实，{unchecked} 条无法核对',
  },
  'audit.ledger': {
    en: '{traced} of {total} figures traced, {derived} derived, {contradicted} contradicted, {untraced} untraced',
    zh: '{total} 个数字中 {traced} 个有日志来源，{derived} 个由其算出，{contradicted} 个与日志不符，{untraced} 个查不到来源',
  },
  'audit.suppressed': {
    en: '{count} {count|finding is|findings are} explained away by comments in the report',
    zh: '报告中的注释说明了 {count} 处，未列出',
  },
  'audit.rule.faulty': { en: 'found in', zh: '会报告' },
  'audit.rule.sound': { en: 'not in', zh: '不报告' },
})

interface Options {
  readonly json?: boolean
  readonly data?: readonly string[]
  readonly ledger?: string
  readonly assertions?: string
  readonly reader?: string
  readonly printAssertions?: boolean
  readonly fix?: boolean
  readonly format: string
  readonly failOn: string
  readonly rules?: boolean
}

export function auditVerb(context: Context): Command {
  const text = context.render
  return verb('audit', text(say('audit.about', {})), context)
    .argument('[report...]', text(say('audit.files', {})))
    .option('--data <run>', text(say('audit.option.data', {})), collect)
    .option('--ledger <file>', text(say('audit.option.ledger', {})))
    .option('--assertions <file>', text(say('audit.option.assertions', {})))
    .option('--reader <address>', text(say('audit.option.reader', {})))
    .option('--print-assertions', text(say('audit.option.print-assertions', {})))
    .option('--fix', text(say('audit.option.fix', {})))
    .option('--format <format>', text(say('audit.option.format', {})), 'text')
    .option('--fail-on <severity>', text(say('audit.option.fail-on', {})), 'error')
    .option('--rules', text(say('audit.option.rules', {})))
    .action((paths: string[], options: Options) => audit(context, paths, options))
}

async function audit(context: Context, paths: readonly string[], options: Options): Promise<void> {
  if (options.rules) return printRules(context, options)
  const failOn = severitiesFrom(context, options.failOn)
  checkOptions(context, paths, options)
  const reports = []
  for (const path of paths) reports.push({ file: path, text: await readReport(context, path) })
  const known = await auditOptions(context, options)
  const files =
    options.reader === undefined
      ? auditReports(reports, known)
      : await auditWithReader(reports, { address: options.reader, complete: readerAt(context, options.reader) }, known)
  if (options.ledger !== undefined) await writeLedger(options.ledger, files, reports)
  if (options.fix)
    for (const [i, file] of files.entries()) context.print(fixPatch(file, reports[i]?.text ?? '').trimEnd())
  else if (options.format === 'sarif') {
    context.printJson(sarif(files, RULE_CARDS, { version: version(), render: context.render }))
  } else if (options.json || options.format === 'json') {
    context.printJson({ files: files.map(file => fileJson(context, file, options)) })
  } else printFiles(context, files, options)
  if (files.some(({ findings }) => findings.some(({ severity }) => failOn.has(severity)))) process.exitCode = 1
}

function checkOptions(context: Context, paths: readonly string[], { format, ledger, data }: Options): void {
  const problem = !['text', 'json', 'sarif'].includes(format)
    ? say('audit.bad-format', { value: printable(format) })
    : paths.length === 0
      ? say('audit.needs-file', {})
      : ledger !== undefined && (data === undefined || !/\.(?:html|json)$/i.test(ledger))
        ? say('audit.bad-ledger', {})
        : null
  if (problem !== null) throw new UserError(context.render(problem))
}

async function auditOptions(context: Context, { data, assertions }: Options): Promise<AuditOptions> {
  return {
    logs: data === undefined ? null : await readLogs(context, data),
    proposals: assertions === undefined ? [] : parseProposals(await readReport(context, assertions), assertions),
  }
}

/** A report is read once; nothing is gained by keeping the answers. */
const UNKEPT = { find: async () => undefined, keep: async () => {} }

/** The model behind an address; OPENAI_API_KEY is sent along where it is set. */
function readerAt(context: Context, address: string): Complete {
  const [url = '', model = ''] = address.split('#')
  if (!/^https?:\/\//.test(url) || model === '') {
    throw new UserError(context.render(say('audit.bad-reader', { value: printable(address) })))
  }
  const apiKey = process.env.OPENAI_API_KEY
  const ask = openEndpoint({ url, model, maxTokens: 4_096, ...(apiKey !== undefined && { apiKey }) }, UNKEPT)
  return async prompt => {
    const reply = await ask([{ role: 'user', content: prompt }])
    if (reply.kind === 'answer') return reply.text
    throw new Error(context.render(reply.reason))
  }
}

async function writeLedger(
  path: string,
  files: readonly AuditedFile[],
  reports: readonly { readonly file: string; readonly text: string }[],
): Promise<void> {
  if (path.toLowerCase().endsWith('.json')) {
    const entries = files.map(({ file, ledger }) => ({ file, ledger: ledger?.map(entryJson) ?? null }))
    return writeFile(path, `${JSON.stringify({ files: entries }, null, 1)}\n`)
  }
  const pages = files.map((file, i) => ledgerHtml({ file: file.file, text: reports[i]?.text ?? '' }, file.ledger ?? []))
  return writeFile(path, pages.join('\n'))
}

function entryJson({ line, column, text, state, source }: LedgerEntry): object {
  return { line, column, text, state, source }
}

const MOST_MEGABYTES = 200

async function readReport(context: Context, path: string): Promise<string> {
  const shown = printable(path, 200)
  try {
    const { size } = await stat(path)
    if (size > MOST_MEGABYTES * 1e6) {
      throw new UserError(context.render(say('audit.too-large', { path: shown, limit: MOST_MEGABYTES })))
    }
    const bytes = await readFile(path)
    if (bytes.subarray(0, 8192).includes(0)) throw new UserError(context.render(say('audit.binary', { path: shown })))
    return bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .replace(/\r\n?/g, '\n')
  } catch (error) {
    if (error instanceof UserError) throw error
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new UserError(context.render(say('audit.no-file', { path: shown })))
    }
    const reason = error instanceof Error ? error.message.replace(/:.*/s, '') : String(error)
    throw new UserError(context.render(say('audit.unreadable', { path: shown, reason: printable(reason) })))
  }
}

function fileJson(context: Context, file: AuditedFile, { printAssertions }: Options): object {
  const { findings, quantities, claims, suppressed, assertions, ledger, judged } = file
  return {
    file: file.file,
    findings: findings.map(({ fix: _, ...finding }) => ({ ...finding, message: context.render(finding.message) })),
    quantities,
    claims,
    assertions,
    ledger: ledger?.map(entryJson) ?? null,
    suppressed,
    ...(printAssertions && {
      judged: judged.map(({ assertion, outcome, line }) => ({
        line,
        relation: assertion.relation,
        stance: assertion.stance,
        quote: assertion.quote,
        figures: assertion.figures.map(({ role, text }) => ({ role, text })),
        verdict: outcome.verdict,
        by: outcome.verdict === 'confirmed' ? outcome.by : null,
      })),
    }),
  }
}

const GRAVEST_FIRST: readonly Severity[] = ['error', 'warning']

function printFiles(context: Context, files: readonly AuditedFile[], { printAssertions }: Options): void {
  for (const { file, findings, suppressed, judged } of files) {
    context.print(context.paint('bold', printable(file, 200)))
    const rows = GRAVEST_FIRST.flatMap(level => findings.filter(({ severity }) => severity === level))
    for (const line of alignTable(
      rows.map(row => findingRow(context, row)),
      new Set([0]),
    ))
      context.print(`  ${line}`)
    for (const note of findings.filter(({ severity }) => severity === 'note')) {
      context.print(`  ${context.paint('dim', note.rule)}  ${printable(context.render(note.message), 400)}`)
    }
    if (findings.length === 0) context.print(`  ${context.render(say('audit.clean', {}))}`)
    if (suppressed > 0) context.print(`  ${context.render(say('audit.suppressed', { count: suppressed }))}`)
    if (printAssertions) {
      for (const { assertion, outcome, line } of judged) {
        context.print(
          `  ${line}  ${outcome.verdict}  ${assertion.relation} (${assertion.stance})  ${printable(assertion.quote, 120)}`,
        )
      }
    }
    context.print('')
  }
  printTotals(context, files)
}

function printTotals(context: Context, files: readonly AuditedFile[]): void {
  const ledger = files.flatMap(file => file.ledger ?? [])
  if (files.some(file => file.ledger !== null)) {
    const count = (state: LedgerEntry['state']): number => ledger.filter(entry => entry.state === state).length
    const states = {
      traced: count('traced'),
      derived: count('derived'),
      contradicted: count('contradicted'),
      untraced: count('untraced'),
    }
    context.print(context.render(say('audit.ledger', { total: ledger.length, ...states })))
  }
  const sum = (member: keyof AuditedFile['assertions']): number =>
    files.reduce((all, { assertions }) => all + assertions[member], 0)
  const [confirmed, refuted, unchecked] = [sum('confirmed'), sum('refuted'), sum('unchecked')]
  const counts = countBySeverity(files.flatMap(({ findings }) => findings))
  const total = confirmed + refuted + unchecked
  context.print(context.render(say('audit.summary', { ...counts, total, confirmed, refuted, unchecked })))
}

function findingRow(context: Context, { line, column, severity, rule, message }: AuditFinding): string[] {
  return [
    `${line}:${column}`,
    context.paint(SEVERITY_COLOURS[severity], context.say(`severity.${severity}`, {})),
    context.paint('dim', rule),
    printable(context.render(message), 400),
  ]
}

function printRules(context: Context, { json }: Options): void {
  if (json) {
    context.printJson({ rules: RULE_CARDS })
    return
  }
  for (const { id, kind, severity, example } of RULE_CARDS) {
    const level = context.paint(SEVERITY_COLOURS[severity], context.say(`severity.${severity}`, {}))
    context.print(`${context.paint('bold', id)}  ${level}  ${kind}`)
    for (const [key, text] of [
      ['audit.rule.faulty', example.faulty],
      ['audit.rule.sound', example.sound],
    ] as const) {
      context.print(`  ${context.render(say(key, {}))}`)
      for (const line of text.split('\n')) context.print(`    ${line}`)
    }
    context.print('')
  }
}
