import type { JsonObject } from '../logs/model/json.js'
import type { Message } from '../logs/model/run.js'
import type { AuditedFile, AuditFinding } from './audit.js'
import type { RuleCard } from './rules.js'

/** Findings as SARIF 2.1.0, so that code-review tools show them beside the lines. */
export function sarif(
  files: readonly AuditedFile[],
  rules: readonly RuleCard[],
  { version, render }: { readonly version: string; readonly render: (message: Message) => string },
): JsonObject {
  const used = [...new Set(files.flatMap(({ findings }) => findings.map(({ rule }) => rule)))]
  const known = new Map(rules.map(rule => [rule.id, rule]))
  const cards = used.map(id => ({
    id,
    properties: { kind: known.get(id)?.kind ?? 'data' },
    defaultConfiguration: { level: known.get(id)?.severity ?? 'warning' },
  }))
  const resultOf = (file: string, { rule, severity, message, line, column, ...more }: AuditFinding): JsonObject => {
    const region = { startLine: line, startColumn: column }
    return {
      ruleId: rule,
      ruleIndex: used.indexOf(rule),
      level: severity,
      message: { text: render(message) },
      locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region } }],
      properties: { kind: more.kind, found: more.found, expected: more.expected },
    }
  }
  const results = files.flatMap(({ file, findings }) => findings.map(finding => resultOf(file, finding)))
  const tool = { driver: { name: 'klens', version, rules: cards } }
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool, columnKind: 'unicodeCodePoints', results }],
  }
}

/** Relative as it was given, or a file's address: a name may hold what means something else in an address. */
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
  return path.startsWith('/') ? `file://${path}` : path
}

/**
 * Corrections as a unified diff, for `git apply` or `patch -p1`. Only figures that arithmetic alone decides are in it, and
 * nothing is written to the report itself. `raw` is the file as it stands, with its byte-order mark and line ends.
 */
export function fixPatch({ file, findings }: Pick<AuditedFile, 'file' | 'findings'>, raw: string): string {
  const lines = raw.split('\n')
  const changed = changedLines(findings, lines)
  if (changed.size === 0) return ''
  const hunks = groups([...changed.keys()].sort((a, b) => a - b)).map(numbers => hunkOf(numbers, lines, changed))
  const name = file.replaceAll('\\', '/').replace(/^\/+/, '')
  return `--- a/${name}\n+++ b/${name}\n${hunks.join('')}`
}

type ChangedLines = ReadonlyMap<number, string>

/** By line number, from 1. */
function changedLines(findings: AuditedFile['findings'], lines: readonly string[]): ChangedLines {
  const changed = new Map<number, string>()
  for (const { isFix, found, expected, line, column, severity } of findings) {
    const before = changed.get(line) ?? lines[line - 1]
    if (!isFix || before === undefined || severity === 'note') continue
    const at = before.indexOf(found, Math.max(0, unitsOf(before, column - 1) - SLACK))
    if (at >= 0) changed.set(line, before.slice(0, at) + expected + before.slice(at + found.length))
  }
  return changed
}

/** Markup may stand before a figure, and a correction further left may have moved it. */
const SLACK = 8

/** How many units the first so many characters take. */
function unitsOf(line: string, characters: number): number {
  return [...line.slice(0, 2 * characters)].slice(0, characters).join('').length
}

const CONTEXT = 3

/** Lines whose contexts meet make one hunk. */
function groups(numbers: readonly number[]): readonly (readonly number[])[] {
  const starts = numbers.flatMap((number, i) =>
    number - (numbers[i - 1] ?? Number.NEGATIVE_INFINITY) > 2 * CONTEXT ? [i] : [],
  )
  return starts.map((start, i) => numbers.slice(start, starts[i + 1]))
}

function hunkOf(numbers: readonly number[], lines: readonly string[], changed: ChangedLines): string {
  const isEnded = lines.at(-1) === ''
  const count = isEnded ? lines.length - 1 : lines.length
  const from = Math.max(1, (numbers[0] ?? 1) - CONTEXT)
  const to = Math.min(count, (numbers.at(-1) ?? count) + CONTEXT)
  const body = lines.slice(from - 1, to).flatMap((before, i) => {
    const after = changed.get(from + i)
    const end = from + i === count && !isEnded ? '\n\\ No newline at end of file\n' : '\n'
    return after === undefined ? [` ${before}${end}`] : [`-${before}${end}`, `+${after}${end}`]
  })
  return `@@ -${from},${to - from + 1} +${from},${to - from + 1} @@\n${body.join('')}`
}
