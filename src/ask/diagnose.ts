import { z } from 'zod'
import type { RunView } from '../analysis/run-view.js'
import { diagnose as examine } from '../diagnosis/diagnose.js'
import { overview } from '../diagnosis/overview.js'
import type { Diagnosed } from '../report/diagnosis.js'
import { shownName } from '../store/manifest.js'
import { render } from '../text/sentences.js'
import { list, request } from './fields.js'
import { finding, findingAnswer, severity } from './finding.js'
import { resolveAll } from './names.js'
import { type Asking, question } from './question.js'

/** Is the training healthy? What is wrong since when, what to change, and what could not be checked? */

const diagnoseAnswer = z.object({
  findings: list(finding),
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
      findings: diagnosed.flatMap(({ diagnosis }) => diagnosis.findings.map(found => findingAnswer(found, lang))),
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
    diagnosed.push({ run, diagnosis: await examine(run) })
    onProgress?.({ done: diagnosed.length, runs: runs.length })
  }
  return diagnosed
}
