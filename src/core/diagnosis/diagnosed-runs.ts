import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Finding, Severity } from '../../logs/model/finding.js'
import { attempt } from '../../logs/model/problem.js'
import { figure, list, pair } from '../../logs/model/schema.js'
import { sentence } from '../../text/answer-schema.js'
import { type Message, sentences } from '../../text/sentences.js'
import { isEvaluation } from '../analysis/evaluations/evaluation-run.js'
import type { RunView } from '../analysis/run-view.js'
import { countUnknown } from '../analysis/unknown-names.js'
import { pointCount } from '../store/catalogue.js'
import { shownName } from '../store/manifest.js'
import { perWorkspace } from '../store/workspace.js'
import { coverageSchema, silenceMeans } from './coverage.js'
import { type Diagnosis, diagnose } from './diagnose.js'
import { overview } from './overview.js'
import { RULES } from './registry.js'
import { recordOf } from './rule-record.js'

/** Several runs diagnosed: each one's findings, and what is said of them together. */
export interface Diagnosed {
  readonly run: RunView
  readonly diagnosis: Diagnosis
}

const severity = z.enum(['error', 'warning', 'note'])

/** The numbers that a finding rests on. */
export const evidenceSchema = z.record(z.string(), z.union([figure, z.string(), list(z.union([figure, z.string()]))]))

export const findingSchema = z.object({
  rule: z.string(),
  severity,
  run: z.string(),
  steps: pair(z.number()),
  message: sentence,
  evidence: evidenceSchema,
  remedy: sentence,
})

export const diagnosedRuns = z.object({
  /** With the raw metrics that the rule looks at, as far as the run has them, and how often the rule was right so far. */
  findings: list(findingSchema.extend({ metrics: list(z.string()), record: sentence })),
  /** Of several runs, what could be checked on all of them and found nothing in any. */
  passed: list(z.string()),
  notChecked: list(z.object({ rule: z.string(), run: z.string(), reason: sentence })),
  /** The sickest first. */
  runs: list(
    z.object({
      id: z.string(),
      name: z.string(),
      passed: list(z.string()),
      coverage: coverageSchema,
      /** What it means that nothing was found: that the run is well, or that the log cannot tell. Null with findings. */
      silence: sentence.nullable(),
      /** The gravest finding, and the first step at which it shows. */
      worst: z.object({ rule: z.string(), severity, since: z.number() }).nullable(),
      /** Metrics that have no meaning yet, so that no rule can look at them. */
      unknownNames: z.number(),
    }),
  ),
  /** Findings that several runs share, the gravest and most common first; `isSame`: figures included. */
  shared: list(
    z.object({ rule: z.string(), severity, message: sentence, runs: list(z.string()), isSame: z.boolean() }),
  ),
})

export function summariseDiagnoses(diagnosed: readonly Diagnosed[]): z.infer<typeof diagnosedRuns> {
  const { rows, shared } = overview(diagnosed.map(({ run, diagnosis }) => ({ run: run.manifest.id, diagnosis })))
  const byId = new Map(diagnosed.map(each => [each.run.manifest.id, each]))
  return {
    findings: diagnosed.flatMap(({ run, diagnosis }) =>
      diagnosis.findings.map(finding => ({
        ...finding,
        metrics: metricsBehind(finding, run),
        record: recordOf(finding.rule),
      })),
    ),
    passed: (diagnosed[0]?.diagnosis.passed ?? []).filter(rule =>
      diagnosed.every(({ diagnosis }) => diagnosis.passed.includes(rule)),
    ),
    notChecked: diagnosed.flatMap(({ run, diagnosis }) =>
      (isEvaluation(run) ? [] : diagnosis.notChecked).map(({ rule, reason }) => ({
        rule,
        run: run.manifest.id,
        reason,
      })),
    ),
    runs: rows.flatMap(({ run: id, worst }) => {
      const found = byId.get(id)
      return found === undefined
        ? []
        : [
            {
              id,
              name: shownName(found.run.manifest),
              passed: isEvaluation(found.run) ? [] : found.diagnosis.passed,
              coverage: found.diagnosis.coverage,
              silence: silenceOf(found),
              worst: gravest(worst),
              unknownNames: countUnknown(found.run),
            },
          ]
    }),
    shared: shared.map(({ finding: { rule, severity, message }, runs, isSame }) => {
      return { rule, severity, message, runs, isSame }
    }),
  }
}

/** An evaluation has no training that could be ill. */
function silenceOf({ run, diagnosis: { findings, coverage } }: Diagnosed): Message | null {
  if (isEvaluation(run)) return say('diagnosis.evaluation', {})
  return findings.length === 0 ? silenceMeans(coverage) : null
}

const say = sentences({
  'diagnosis.evaluation': {
    en: 'this is an evaluation, not a training: there is nothing to diagnose; klens show lists its tasks, klens compare compares it with another',
    zh: '这是评测文件，不是训练，没有可诊断的内容；klens show 列出其任务，klens compare 可与另一个评测比较',
  },
})

function gravest(finding: Finding | null) {
  return finding === null ? null : { rule: finding.rule, severity: finding.severity, since: finding.steps[0] }
}

function metricsBehind({ rule: id }: Finding, run: RunView): readonly string[] {
  const rule = RULES.find(each => each.id === id)
  const canonical = rule === undefined ? [] : [...rule.needs.flat(), ...(rule.uses ?? [])]
  return [...new Set(canonical.flatMap(name => run.metricsNamed(name).slice(0, 1)))]
}

/** Only the gravest finding of a run and how many there are: what a list of runs has room for. */
export const runHealth = z.object({
  id: z.string(),
  worst: z.object({ rule: z.string(), severity, since: z.number(), message: sentence }).nullable(),
  counts: z.object({ error: z.number(), warning: z.number(), note: z.number() }),
  /** Most checks that apply were made: without it, finding nothing is no sign of health. */
  canTell: z.boolean(),
})

export type RunHealth = z.infer<typeof runHealth>

export function summariseHealth({ run, diagnosis: { findings, coverage } }: Diagnosed): RunHealth {
  const [worst] = findings
  const count = (wanted: Severity): number => findings.filter(found => found.severity === wanted).length
  const about = gravest(worst ?? null)
  return {
    id: run.manifest.id,
    worst: about === null ? null : { ...about, message: worst.message },
    counts: { error: count('error'), warning: count('warning'), note: count('note') },
    canTell: coverage.canTell,
  }
}

export interface DiagnosisProgress {
  readonly done: number
  readonly runs: number
}

export interface DiagnosisOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: DiagnosisProgress) => void
}

export async function diagnoseRuns(
  runs: readonly RunView[],
  { signal, onProgress }: DiagnosisOptions = {},
): Promise<readonly Diagnosed[]> {
  const diagnosed: Diagnosed[] = []
  for (const run of runs) {
    signal?.throwIfAborted()
    diagnosed.push({ run, diagnosis: await rememberedDiagnosis(run) })
    onProgress?.({ done: diagnosed.length, runs: runs.length })
  }
  return diagnosed
}

/** By run, as long as its data and the user's vocabulary are what they were: a server is asked for the same runs again and again. */
const memoryOf = perWorkspace((): Map<string, { readonly stamp: string; readonly diagnosis: Diagnosis }> => new Map())
const MOST_REMEMBERED = 20_000

async function rememberedDiagnosis(run: RunView): Promise<Diagnosis> {
  const memory = memoryOf(run.workspace)
  const { id } = run.manifest
  const stamp = stampOf(run)
  const before = memory.get(id)
  if (before?.stamp === stamp) return before.diagnosis
  const diagnosis = await diagnose(run)
  if (memory.size >= MOST_REMEMBERED) memory.clear()
  memory.set(id, { stamp, diagnosis })
  return diagnosis
}

function stampOf({ workspace, manifest, live }: RunView): string {
  const { parts, status, evaluations, samples, files } = manifest
  const vocabulary = attempt(() => lstatSync(join(workspace.root, 'vocabulary.yaml')), null)
  const read = files.map(({ path, size }) => [path, size])
  const points = pointCount(manifest)
  return JSON.stringify([parts, status, evaluations, samples, read, points, live !== null, vocabulary?.mtimeMs])
}
