import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { json, list } from '../logs/model/schema.js'
import { sentence } from '../text/answer-schema.js'
import { encode } from '../text/encode.js'
import type { Language } from '../text/language.js'
import type { JudgedAssertion } from './assertion.js'
import type { AuditedFile } from './audit.js'
import { fingerprints } from './fingerprint.js'
import { fixPatch } from './fix.js'
import type { LedgerEntry } from './trace/entry.js'
import { ledgerHtml } from './trace/page.js'

/** An audit as an answer: findings, the ledger of figures, and what else was asked for. */

export const faultSeverity = z.enum(['error', 'warning', 'note'])

export const faultKind = z.enum([
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
  aggregate: z.enum(['first', 'last', 'min', 'max', 'mean', 'median', 'std', 'setting', 'count', 'step']).nullable(),
  /** The steps of a stretch; of the last ones counted from the end, −1 being the last. */
  over: z.tuple([z.number(), z.number()]).readonly().nullable(),
  /** What was made of several runs, and of how many. */
  across: z.object({ made: z.enum(['mean', 'std', 'max', 'min', 'range', 'curve']), runs: z.number() }).nullable(),
  file: z.string().nullable(),
  /** Of that file, where one value is meant and the format has lines. */
  line: z.number().nullable(),
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
  /** It fits something that was logged, but so would many a figure of its size. */
  fitsByChance: z.boolean(),
  /** The source in words. */
  says: sentence,
  section: z.string().nullable(),
})

export const auditAnswer = z.object({
  files: list(
    z.object({
      file: z.string(),
      /** By line. */
      findings: list(
        z.object({
          rule: z.string(),
          kind: faultKind,
          severity: faultSeverity,
          line: z.number(),
          column: z.number(),
          message: sentence,
          found: z.string(),
          expected: z.string(),
          /** All lines that it is about. */
          lines: list(z.number()),
          /** The same when the report is edited elsewhere. */
          fingerprint: z.string(),
        }),
      ),
      quantities: z.number(),
      claims: z.number(),
      assertions: z.object({ confirmed: z.number(), refuted: z.number(), unchecked: z.number() }),
      /** Every figure against the logs; null where no runs were named. */
      ledger: list(ledgerEntry).nullable(),
      suppressed: z.number(),
      /** Findings that the baseline holds. */
      known: z.number(),
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

type AnsweredFile = z.infer<typeof auditAnswer>['files'][number]

export interface FileOptions {
  /** What was read, and what came of it. */
  readonly printAssertions: boolean
  /** Corrected figures as a patch of the report as it was written; null: none. */
  readonly fix: string | null
}

/** One report: what was found in it, and on request every assertion and a patch. */
export function answerFile(audited: AuditedFile, { printAssertions, fix }: FileOptions): AnsweredFile {
  const { file, text, findings, quantities, judged, assertions, ledger, suppressed, known } = audited
  const marks = fingerprints(text, findings)
  return {
    file,
    findings: findings.map(({ isFix: _, ...finding }, i) => ({ ...finding, fingerprint: marks[i] ?? '' })),
    quantities,
    claims: judged.length,
    assertions,
    ledger: ledger?.map(entryAnswer) ?? null,
    suppressed,
    known,
    ...(printAssertions && { judged: judged.map(judgedAnswer) }),
    ...(fix !== null && { patch: fixPatch(audited, fix) }),
  }
}

function entryAnswer({ offset: _, ...entry }: LedgerEntry): z.infer<typeof ledgerEntry> {
  return entry
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

export async function writeLedger(path: string, files: readonly AuditedFile[], language: Language): Promise<void> {
  if (path.toLowerCase().endsWith('.json')) {
    const entries = files.map(({ file, ledger }) => ({ file, ledger: ledger?.map(entryAnswer) ?? null }))
    return writeFile(path, `${JSON.stringify(encode({ files: entries }, language), null, 1)}\n`)
  }
  return writeMarked(path, files, language)
}

/** The reports as one page with every figure marked. */
export async function writeMarked(path: string, files: readonly AuditedFile[], language: Language): Promise<void> {
  return writeFile(path, ledgerHtml(files, language))
}
