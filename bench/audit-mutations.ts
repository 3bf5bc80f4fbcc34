import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveAll } from '../src/app/ask/names.js'
import { ask } from '../src/app/ask/question.js'
import { report } from '../src/app/ask/report.js'
import { remake } from '../src/app/ask/report-order.js'
import { type AuditedFile, type AuditFinding, auditReports, type ReportText } from '../src/audit/audit.js'
import { importLogs } from '../src/core/store/ingest.js'
import { openWorkspace } from '../src/core/store/workspace.js'
import { MUTATION_KINDS, type Mutant, mutantsOf } from './audit-mutants.js'
import type { Benchmark, Figures, Table } from './benchmark.js'
import { DATA, ROOT } from './generate.js'

/**
 * What the audit finds of faults that nobody tuned it to: every claim that it confirmed in a report is broken in one
 * place, and the broken one must be found on its line, while the unbroken twin stays clean. On klens's own reports from
 * the examples, alone and with the logs at hand; on the reports in the folders that KLENS_REPORTS names (`:` between
 * two), whose own faults are not known here.
 */
export const auditMutations: Benchmark = {
  name: 'audit-mutations',
  about:
    'faults put one at a time into true claims of reports (folders KLENS_REPORTS, klens’s own): how many are found',
  async run({ small }) {
    const most = small ? 2 : 12
    const own = await ownReports()
    const folders = (process.env.KLENS_REPORTS ?? '').split(':').filter(folder => folder !== '')
    const others = folders.map(folder => ({ title: folder, reports: reportsIn(folder) }))
    const committed = { title: 'test/reports', reports: reportsIn(join(ROOT, 'test', 'reports')) }
    return [
      ...[{ title: 'klens’s own reports', reports: own.map(alone) }, committed, ...others].map(({ title, reports }) =>
        table(title, reports, most),
      ),
      withLogs(own, most),
    ]
  },
}

function reportsIn(folder: string): readonly ReportText[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return reportsIn(path)
    if (!entry.name.endsWith('.md') || entry.name === 'README.md') return []
    return [{ file: path, text: readFileSync(path, 'utf8').replace(/\r\n?/g, '\n') }]
  })
}

const alone = ({ file, text }: ReportText): ReportText => ({ file, text })

const ORDERS: readonly {
  readonly runs: readonly string[]
  readonly metric?: string
  readonly over?: readonly string[]
}[] = [
  { runs: ['no-kl', 'kl'] },
  { runs: ['kl-0.0/*', 'kl-0.3/*'] },
  { runs: ['sick-length-bonus/seed0'] },
  { runs: ['sick-lr-high/seed0'] },
  { runs: ['plan-six'], metric: 'Val Loss' },
  { runs: ['kl-0.0/*', 'kl-0.1/*', 'kl-0.3/*'] },
  { runs: ['kl-0.12', 'kl-0.145', 'kl-0.15', 'kl-0.155', 'kl-0.18'], over: ['kl.loss.coef'] },
]

/** Of every kind and in both languages, each with itself made again. */
async function ownReports(): Promise<readonly ReportText[]> {
  const folder = join(DATA, 'audit-mutations')
  mkdirSync(folder, { recursive: true })
  // A report names the version that wrote it, which the compiled benchmark looks for beside itself.
  copyFileSync(join(ROOT, 'package.json'), join(ROOT, 'dist-bench', 'package.json'))
  const workspace = await openWorkspace(folder, {})
  try {
    const sets = ['grpo-addition', 'userrl-intentiongym', 'kl-beta-sweep', 'plan-six']
    await importLogs(
      workspace,
      sets.map(name => join(ROOT, 'examples', name)),
    )
    const made: ReportText[] = []
    for (const [i, order] of ORDERS.entries()) {
      for (const lang of ['en', 'zh']) {
        const output = join(folder, `${i}.${lang}.md`)
        await ask(workspace, report, { ...order, lang, output })
        const text = readFileSync(output, 'utf8')
        const runs = await resolveAll(workspace, order.runs, {})
        made.push({ file: output, text, remade: await remake(workspace, text, runs, {}) })
      }
    }
    return made
  } finally {
    await workspace.close()
  }
}

const WORDING: ReadonlySet<string> = new Set(['untested', 'resolution', 'window', 'selection', 'confound', 'trivial'])
const isHard = ({ severity, kind }: AuditFinding): boolean => severity !== 'note' && !WORDING.has(kind)
const keyOf = ({ rule, lines, found }: AuditFinding): string => `${rule} ${lines.join()} ${found}`

function audited(reportText: ReportText, logs = false): AuditedFile {
  const [file] = auditReports([reportText], logs ? { logs: { series: [], settings: [], verdicts: [] } } : {})
  if (file === undefined) throw new Error('one report, one answer')
  return file
}

interface Tally {
  found: number
  of: number
  zh: number
  zhFound: number
}

function table(title: string, reports: readonly ReportText[], most: number): Table {
  const tallies = new Map<string, Tally>(MUTATION_KINDS.map(kind => [kind, { found: 0, of: 0, zh: 0, zhFound: 0 }]))
  let findings = 0
  for (const one of reports) {
    const before = audited(one)
    findings += before.findings.filter(isHard).length
    for (const mutant of someOf(mutantsOf(one.text, before), most)) {
      count(tallies.get(mutant.kind), isFound(before, one, mutant, false), one.text)
    }
  }
  const rows = [...tallies].filter(([, { of }]) => of > 0).map(([what, tally]) => row(what, tally))
  const all = { found: 0, of: 0, zh: 0, zhFound: 0 }
  for (const { found, of, zh, zhFound } of tallies.values()) {
    all.found += found
    all.of += of
    all.zh += zh
    all.zhFound += zhFound
  }
  return {
    title: `${title}: ${reports.length} reports, ${findings} errors and warnings about numbers before anything was broken`,
    rows: [...rows, row('all', all)],
  }
}

function row(what: string, { found, of, zh, zhFound }: Tally): Figures {
  return { what, found, of, share: of === 0 ? 0 : found / of, 'zh found': zhFound, 'of zh': zh }
}

/** As many of each kind and report, evenly spread. */
function someOf(mutants: readonly Mutant[], most: number): readonly Mutant[] {
  return MUTATION_KINDS.flatMap(kind => {
    const all = mutants.filter(mutant => mutant.kind === kind)
    const every = Math.max(1, all.length / most)
    return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * every)])
  })
}

function isFound(before: AuditedFile, { file, remade = null }: ReportText, mutant: Mutant, logs: boolean): boolean {
  const old = new Set(before.findings.map(keyOf))
  const after = audited({ file, text: mutant.text, remade }, logs)
  return after.findings.some(
    one => isHard(one) && one.lines.some(line => mutant.lines.includes(line)) && !old.has(keyOf(one)),
  )
}

function count(tally: Tally | undefined, isHit: boolean, text: string): void {
  if (tally === undefined) return
  const isChinese = (text.match(/\p{Script=Han}/gu)?.length ?? 0) > text.length / 20
  tally.of += 1
  tally.found += isHit ? 1 : 0
  tally.zh += isChinese ? 1 : 0
  tally.zhFound += isChinese && isHit ? 1 : 0
}

/** With the logs every figure of an own report can be broken, claimed or not. */
function withLogs(reports: readonly ReportText[], most: number): Table {
  const tally = { found: 0, of: 0, zh: 0, zhFound: 0 }
  let open = 0
  for (const one of reports) {
    const before = audited(one, true)
    const ledger = before.ledger ?? []
    open += ledger.filter(({ state }) => state === 'contradicted' || state === 'untraced').length
    const every = Math.max(1, ledger.length / (4 * most))
    for (let i = 0; i < Math.min(4 * most, ledger.length); i += 1) {
      const mutant = brokenFigure(one.text, ledger[Math.floor(i * every)])
      if (mutant !== null) count(tally, isFound(before, one, mutant, true), one.text)
    }
  }
  return {
    title: `klens’s own reports with their logs: ${reports.length} reports, ${open} figures contradicted or untraced before anything was broken`,
    rows: [row('any figure', tally)],
  }
}

function brokenFigure(text: string, entry: NonNullable<AuditedFile['ledger']>[number]): Mutant | null {
  const at = text.slice(entry.offset, entry.offset + entry.text.length + 8).search(/[1-8]/)
  if (at < 0) return null
  const place = entry.offset + at
  const digit = String(Number(text[place]) + 1)
  return { kind: 'figure', lines: [entry.line], text: text.slice(0, place) + digit + text.slice(place + 1) }
}
