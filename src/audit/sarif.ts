import type { JsonObject } from '../model/json.js'
import type { Message } from '../model/run.js'
import type { RuleCard } from './assertion.js'
import type { AuditedFile } from './audit.js'

/** Findings as SARIF 2.1.0, so that code-review tools show them beside the lines. */
export function sarif(
  files: readonly AuditedFile[],
  rules: readonly RuleCard[],
  { version, render }: { readonly version: string; readonly render: (message: Message) => string },
): JsonObject {
  const used = [...new Set(files.flatMap(({ findings }) => findings.map(({ rule }) => rule)))]
  const known = new Map(rules.map(rule => [rule.id, rule]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'klens',
            version,
            rules: used.map(id => ({
              id,
              properties: { kind: known.get(id)?.kind ?? 'data' },
              defaultConfiguration: { level: known.get(id)?.severity ?? 'warning' },
            })),
          },
        },
        columnKind: 'unicodeCodePoints',
        results: files.flatMap(({ file, findings }) =>
          findings.map(finding => ({
            ruleId: finding.rule,
            ruleIndex: used.indexOf(finding.rule),
            level: finding.severity,
            message: { text: render(finding.message) },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: uriOf(file) },
                  region: { startLine: finding.line, startColumn: finding.column },
                },
              },
            ],
            properties: { kind: finding.kind, found: finding.found, expected: finding.expected },
          })),
        ),
      },
    ],
  }
}

/** Relative as it was given, or a file's address: a name may hold what means something else in an address. */
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
  return path.startsWith('/') ? `file://${path}` : path
}
