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
