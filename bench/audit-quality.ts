import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type AuditedFile, type AuditFinding, auditReports } from '../src/audit/audit.js'
import { reworded, SYNONYMS } from '../test/support/synonyms.js'
import type { Benchmark, Figures } from './benchmark.js'

/**
 * How good the audit is, not how fast. On reports with known faults (KLENS_REPORTS names a folder with faults.json and
 * twins.json): recall, false errors, and how many warnings stand on a fault. On any reports: words are exchanged for
 * synonyms, and no finding about numbers may change. Faults put in one at a time: audit-mutations.ts.
 */
export const auditQuality: Benchmark = {
  name: 'audit-quality',
  about: 'what klens audit finds: known faults (folder KLENS_REPORTS), and the same in other words',
  async run() {
    const known = process.env.KLENS_REPORTS
    const own = reportsIn(fileURLToPath(new URL('../test/reports', import.meta.url)))
    const reports =
      known === undefined ? own : [...own, ...reportsIn(join(known, 'zh')), ...reportsIn(join(known, 'en'))]
    return [
      ...(known === undefined ? [] : [{ title: 'known faults', rows: knownFaults(known) }]),
      { title: 'findings about numbers after rewording', rows: synonyms(reports) },
    ]
  },
}

interface Report {
  readonly file: string
  readonly text: string
}

function reportsIn(folder: string): readonly Report[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter(name => name.endsWith('.md'))
  return names.map(file => ({ file, text: readFileSync(join(folder, file), 'utf8').replace(/\r\n?/g, '\n') }))
}

function audited(report: Report): AuditedFile {
  const [file] = auditReports([report])
  if (file === undefined) throw new Error('one report, one answer')
  return file
}

const Fault = z.object({ lines: z.array(z.number()), kind: z.string(), duplicateOf: z.unknown().optional() })
const Known = z.record(
  z.string(),
  z.object({
    faults: z.array(Fault),
    arguable: z.array(z.number()).default([]),
    readWhole: z.boolean().default(false),
  }),
)
const WORDING = new Set(['untested', 'resolution', 'window', 'selection', 'confound', 'trivial'])

/** As the folder's own twins.py counts: a numeric fault needs an error or warning, a judgement any finding about it. */
function knownFaults(folder: string): readonly Figures[] {
  const known = Known.parse(JSON.parse(readFileSync(join(folder, 'faults.json'), 'utf8')))
  const found = { numeric: [0, 0], judgement: [0, 0], errors: [0, 0], warnings: [0, 0] }
  for (const [file, { faults, arguable, readWhole }] of Object.entries(known)) {
    const { findings } = audited({ file, text: readFileSync(join(folder, file), 'utf8').replace(/\r\n?/g, '\n') })
    const lines = new Set([...arguable, ...faults.flatMap(fault => fault.lines)])
    for (const fault of faults.filter(({ duplicateOf }) => duplicateOf === undefined)) {
      const isNumeric = fault.kind === 'numeric'
      const isFound = findings.some(
        one => touches(one, new Set(fault.lines)) && (isNumeric ? isHard(one) : WORDING.has(one.kind)),
      )
      count(isNumeric ? found.numeric : found.judgement, isFound)
    }
    for (const one of findings) {
      if (one.severity === 'error') count(found.errors, touches(one, lines))
      if (one.severity === 'warning' && readWhole) count(found.warnings, touches(one, lines))
    }
  }
  return Object.entries(found).map(([what, [hit = 0, of = 0]]) => ({ what, hit, of, share: of === 0 ? 1 : hit / of }))
}

function touches({ lines }: AuditFinding, wanted: ReadonlySet<number>): boolean {
  return lines.some(line => wanted.has(line))
}

const isHard = ({ severity, kind }: AuditFinding): boolean => severity !== 'note' && !WORDING.has(kind)

function count(tally: number[], isHit: boolean): void {
  tally[0] = (tally[0] ?? 0) + (isHit ? 1 : 0)
  tally[1] = (tally[1] ?? 0) + 1
}

/** Every synonym by itself and all of them at once, also in the words that a test is asked for. */
function synonyms(reports: readonly Report[]): readonly Figures[] {
  const once = { before: 0, kept: 0, added: 0 }
  const single = { before: 0, kept: 0, added: 0 }
  for (const report of reports) {
    const before = keysOf(report)
    compareKeys(once, before, keysOf({ ...report, text: reworded(report.text) }))
    for (const synonym of SYNONYMS) {
      const text = reworded(report.text, [synonym])
      if (text !== report.text) compareKeys(single, before, keysOf({ ...report, text }))
    }
  }
  return [
    { what: 'all at once', ...once },
    { what: 'one at a time', ...single },
  ]
}

function keysOf(report: Report): ReadonlySet<string> {
  return new Set(
    audited(report)
      .findings.filter(isHard)
      .map(({ rule, line }) => `${rule} ${line}`),
  )
}

function compareKeys(
  tally: { before: number; kept: number; added: number },
  before: ReadonlySet<string>,
  after: ReadonlySet<string>,
): void {
  tally.before += before.size
  tally.kept += [...before].filter(one => after.has(one)).length
  tally.added += [...after].filter(one => !before.has(one)).length
}
