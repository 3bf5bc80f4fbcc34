import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { RunView } from '../analysis/run-view.js'
import { type Diagnosis, diagnose as examine } from '../diagnosis/diagnose.js'
import { overview } from '../diagnosis/overview.js'
import { RULES } from '../diagnosis/registry.js'
import type { Diagnosed } from '../present/report/diagnosis.js'
import { pointCount } from '../store/catalogue.js'
import { shownName } from '../store/manifest.js'
import { perWorkspace } from '../store/workspace.js'
import { render } from '../text/sentences.js'
import { list, request } from './fields.js'
import { finding, findingAnswer, severity } from './finding.js'
import { resolveAll } from './names.js'
import { type Asking, problemOf, question } from './question.js'

/** Is the training healthy? What is wrong since when, what to change, and what could not be checked? */

/** With the raw metrics that the rule looks at, as far as the run has them: where its numbers come from. */
const tracedFinding = finding.extend({ metrics: list(z.string()) })

const diagnoseAnswer = z.object({
  findings: list(tracedFinding),
  /** Of several runs, what could be checked on all of them and found nothing in any. */
  passed: list(z.string()),
  notChecked: list(z.object({ rule: z.string(), run: z.string(), reason: z.string() })),
  /** The sickest first. */
  runs: list(
    z.object({
      id: z.string(),
      name: z.string(),
      passed: list(z.string()),
      /** The gravest finding, and the first step at which it shows. */
      worst: z.object({ rule: z.string(), severity, since: z.number() }).nullable(),
    }),
  ),
  /** Findings that several runs share, the gravest and most common first; `isSame`: figures included. */
  shared: list(
    z.object({ rule: z.string(), severity, message: z.string(), runs: list(z.string()), isSame: z.boolean() }),
  ),
})

export type DiagnoseAnswer = z.infer<typeof diagnoseAnswer>

export const diagnose = question({
  request: request({ runs: list(z.string()) }),
  answer: diagnoseAnswer,
  async ask(workspace, { runs: names, lang }, asking: Asking<DiagnosisProgress>) {
    const runs = await resolveAll(workspace, names, asking)
    const diagnosed = await diagnoseAll(runs, asking)
    const [first] = diagnosed
    const { rows, shared } = overview(diagnosed.map(({ run, diagnosis }) => ({ run: run.manifest.id, diagnosis })))
    const byId = new Map(
      diagnosed.map(({ run: { manifest }, diagnosis: { passed } }) => [manifest.id, { manifest, passed }] as const),
    )
    return {
      findings: diagnosed.flatMap(({ run, diagnosis }) =>
        diagnosis.findings.map(found => ({ ...findingAnswer(found, lang), metrics: metricsBehind(found.rule, run) })),
      ),
      passed: (first?.diagnosis.passed ?? []).filter(rule =>
        diagnosed.every(({ diagnosis }) => diagnosis.passed.includes(rule)),
      ),
      notChecked: diagnosed.flatMap(({ run, diagnosis }) =>
        diagnosis.notChecked.map(({ rule, reason }) => ({ rule, run: run.manifest.id, reason: render(reason, lang) })),
      ),
      runs: rows.flatMap(({ run, worst, since }) => {
        const { manifest, passed } = byId.get(run) ?? {}
        if (manifest === undefined || passed === undefined) return []
        const gravest = worst === null || since === null ? null : { rule: worst.rule, severity: worst.severity, since }
        return [{ id: run, name: shownName(manifest), passed, worst: gravest }]
      }),
      shared: shared.map(({ finding: { rule, severity, message }, runs, isSame }) => ({
        rule,
        severity,
        message: render(message, lang),
        runs,
        isSame,
      })),
    }
  },
})

function metricsBehind(id: string, run: RunView): readonly string[] {
  const rule = RULES.find(each => each.id === id)
  const canonical = rule === undefined ? [] : [...rule.needs.flat(), ...(rule.uses ?? [])]
  return [...new Set(canonical.flatMap(name => run.metricsNamed(name).slice(0, 1)))]
}

const healthAnswer = z.object({
  runs: list(
    z.object({
      id: z.string(),
      worst: z.object({ rule: z.string(), severity, since: z.number(), message: z.string() }).nullable(),
      counts: z.object({ error: z.number(), warning: z.number(), note: z.number() }),
    }),
  ),
  /** Runs whose data cannot be read, and why. */
  unread: list(z.object({ run: z.string(), reason: z.string() })),
})

export type HealthAnswer = z.infer<typeof healthAnswer>

/** Of each run, only the gravest finding and how many there are: what a list of runs has room for. */
export const health = question({
  request: request({ runs: list(z.string()) }),
  answer: healthAnswer,
  async ask(workspace, { runs: names, lang }, asking: Asking<DiagnosisProgress>) {
    const diagnosed: Diagnosed[] = []
    const unread: HealthAnswer['unread'][number][] = []
    for (const run of await resolveAll(workspace, names, asking)) {
      try {
        diagnosed.push(...(await diagnoseAll([run], asking)))
      } catch (error) {
        const problem = problemOf(error)
        if (problem === null) throw error
        unread.push({ run: run.manifest.id, reason: render(problem.sentence, lang) })
      }
    }
    return {
      unread,
      runs: diagnosed.map(({ run, diagnosis: { findings } }) => {
        const [worst] = findings
        const count = (wanted: z.infer<typeof severity>): number =>
          findings.filter(found => found.severity === wanted).length
        return {
          id: run.manifest.id,
          worst:
            worst === undefined
              ? null
              : {
                  rule: worst.rule,
                  severity: worst.severity,
                  since: worst.steps[0],
                  message: render(worst.message, lang),
                },
          counts: { error: count('error'), warning: count('warning'), note: count('note') },
        }
      }),
    }
  },
})

export interface DiagnosisProgress {
  readonly done: number
  readonly runs: number
}

export async function diagnoseAll(
  runs: readonly RunView[],
  { signal, onProgress }: Pick<Asking<DiagnosisProgress>, 'signal' | 'onProgress'> = {},
): Promise<readonly Diagnosed[]> {
  const diagnosed: Diagnosed[] = []
  for (const run of runs) {
    signal?.throwIfAborted()
    diagnosed.push({ run, diagnosis: await diagnosisOf(run) })
    onProgress?.({ done: diagnosed.length, runs: runs.length })
  }
  return diagnosed
}

/** By run, as long as its data and the user's words are what they were: a server is asked for the same runs again and again. */
const memoryOf = perWorkspace((): Map<string, { readonly stamp: string; readonly diagnosis: Diagnosis }> => new Map())
const MOST_REMEMBERED = 20_000

async function diagnosisOf(run: RunView): Promise<Diagnosis> {
  const memory = memoryOf(run.workspace)
  const { id } = run.manifest
  const stamp = await stampOf(run)
  const before = memory.get(id)
  if (before?.stamp === stamp) return before.diagnosis
  const diagnosis = await examine(run)
  if (memory.size >= MOST_REMEMBERED) memory.clear()
  memory.set(id, { stamp, diagnosis })
  return diagnosis
}

async function stampOf({ workspace, manifest, live }: RunView): Promise<string> {
  const { parts, status, evaluations, samples, files } = manifest
  const vocabulary = await stat(join(workspace.root, 'vocabulary.yaml')).catch(() => null)
  const read = files.map(({ path, size }) => [path, size])
  return JSON.stringify([
    parts,
    status,
    evaluations,
    samples,
    read,
    pointCount(manifest),
    live !== null,
    vocabulary?.mtimeMs,
  ])
}
