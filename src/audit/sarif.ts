import type { JsonObject } from '../logs/model/json.js'
import { sarifLog, sarifPlace } from '../logs/model/sarif.js'
import type { Language } from '../text/language.js'
import { render } from '../text/sentences.js'
import type { AuditedFile } from './audit.js'
import { fingerprints } from './fingerprint.js'
import { isRuleId, KNOWN_RULES, type RuleId } from './rules.js'

/** Findings as SARIF 2.1.0, so that code-review tools show them beside the lines, and know them again after an edit. */
export function sarif(
  files: readonly AuditedFile[],
  { version, language }: { readonly version: string; readonly language: Language },
): JsonObject {
  const used = [...new Set(files.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].filter(isRuleId)
  const cards = used.map(id => ruleCard(id, language))
  return sarifLog(
    version,
    cards,
    files.flatMap(file => resultsOf(file, used, language)),
  )
}

/** What a tool shows of a rule: its meaning, and the example of the docs. */
function ruleCard(id: RuleId, language: Language): JsonObject {
  const { kind, severity, help, ...more } = KNOWN_RULES[id]
  const example = 'example' in more ? `\n\n\`\`\`markdown\n${more.example.faulty}\n\`\`\`` : ''
  return {
    id,
    shortDescription: { text: help[language] },
    help: { text: help[language], markdown: `${help[language]}${example}` },
    properties: { kind },
    defaultConfiguration: { level: severity },
  }
}

function resultsOf({ file, text, findings }: AuditedFile, rules: readonly string[], language: Language): JsonObject[] {
  const marks = fingerprints(text, findings)
  return findings.map(({ rule, severity, message, line, column, kind, found, expected }, i) => ({
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: severity,
    message: { text: render(message, language) },
    locations: [sarifPlace(file, { startLine: line, startColumn: column })],
    partialFingerprints: { 'klensFinding/v1': marks[i] ?? '' },
    properties: { kind, found, expected },
  }))
}
