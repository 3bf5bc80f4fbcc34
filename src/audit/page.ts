import { RELATIONS, type RuleCard } from './assertion.js'
import { RULE_CARDS } from './registry.js'

/** docs/audit.md, made of the rules themselves: a page that is written by hand falls behind. */
export function auditPage(): string {
  const kinds = [...new Set(RULE_CARDS.map(({ kind }) => kind))].sort()
  return [
    OPENING,
    ...kinds.flatMap(kind => [
      `## ${kind}`,
      ...RULE_CARDS.filter(card => card.kind === kind).map(({ id, severity, example }) => rule(id, severity, example)),
    ]),
    ASSERTIONS,
  ].join('\n\n')
}

const OPENING = `# What \`klens audit\` looks for

A report is read as **assertions**: what a sentence, a cell or a caption claims, with its relation, its figures and how the author stands to it. Each is bound to the report's own figures in every sensible way, and the kindest reading decides: *confirmed* where one makes it true, *refuted* only where none does, else *not checkable*, and counted as such. Printed figures stand for all that correct rounding or cutting off could have produced.

*error* is false by the report's own numbers, *warning* is unsupported or nearly certain, *note* is worth a look. Judgement is given once per report and rule, with the lines; a report that brings intervals or tests has earned the words. How to run it: [verbs/audit.md](verbs/audit.md). This page is generated from \`src/audit/rules.ts\`; a test runs every example.`

function rule(id: string, severity: string, { faulty, sound, beside }: RuleCard['example']): string {
  const block = (title: string, text: string): string => `${title}:\n\n\`\`\`markdown\n${text}\n\`\`\``
  const blocks = [
    block('Found in', faulty),
    block('Not in', sound),
    ...(beside === undefined ? [] : [block('Beside', beside)]),
  ]
  return [`### ${id}`, `*${severity}*`, ...blocks].join('\n\n')
}

const ASSERTIONS = `## Assertions of your own

\`--assertions FILE.json\` checks what a person or a program read, and a language model may be asked for the same form; each must quote the report exactly, and every figure must stand in the quotation. klens binds and checks them as its own.

\`\`\`json
[{"relation": "change", "quote": "from 40.0% to 50.0% (+15%)",
  "figures": [{"role": "from", "text": "40.0%"}, {"role": "to", "text": "50.0%"}, {"role": "result", "text": "+15%"}]}]
\`\`\`

Relations: ${RELATIONS.join(', ')}. \`--print-assertions\` shows what was read and what came of it.
`
