import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type AuditedFile, type AuditFinding, auditReports } from '../src/audit/audit.js'
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
      { title: 'synonyms', rows: synonyms(reports) },
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

/** Words of one sense; the figures stay. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/更稳定/g, '稳定得多'],
  [/提升到/g, '提高到'],
  [/下降到/g, '降低到'],
  [/降至/g, '跌至'],
  [/最高/g, '最大'],
  [/最佳/g, '最优'],
  [/几乎相同/g, '基本一致'],
  [/导致/g, '造成'],
  [/\brose\b/g, 'climbed'],
  [/\bfell\b/g, 'dropped'],
  [/\bhighest\b/g, 'largest'],
  [/\blowest\b/g, 'smallest'],
  [/\bimproved\b/g, 'increased'],
]

function synonyms(reports: readonly Report[]): readonly Figures[] {
  let [kept, all, added] = [0, 0, 0]
  for (const report of reports) {
    const text = SYNONYMS.reduce((words, [pattern, instead]) => words.replace(pattern, instead), report.text)
    const key = ({ rule, line }: AuditFinding): string => `${rule} ${line}`
    const before = new Set(audited(report).findings.filter(isHard).map(key))
    const after = new Set(
      audited({ ...report, text })
        .findings.filter(isHard)
        .map(key),
    )
    all += before.size
    kept += [...before].filter(one => after.has(one)).length
    added += [...after].filter(one => !before.has(one)).length
  }
  return [{ what: 'findings about numbers', before: all, kept, added }]
}
