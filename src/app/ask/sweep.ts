import { z } from 'zod'
import type { RunView } from '../../core/analysis/run-view.js'
import { answerSweep, sweepAnswer, sweepRuns } from '../../core/analysis/sweep/answer.js'
import type { Workspace } from '../../core/store/workspace.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { ended, goal, list, metric, request, size } from './fields.js'
import { type Naming, resolveAll, resolveOne, resolveRuns } from './names.js'
import { question } from './question.js'

/** Runs as settings: what every question about a setting that was varied is asked with. */
export const sweepRequest = request({
  runs: list(z.string()),
  /** Config keys, raw or canonical. */
  over: list(z.string()).default([]),
  /** A run of the setting to compare with. */
  baseline: z.string().optional(),
  metric,
  goal,
  margin: size,
  ended,
})

/** Does this knob matter? Which cells of the matrix are missing, identical, suspicious? */
export const sweep = question({
  request: sweepRequest,
  answer: encoded(sweepAnswer),
  async ask(workspace, { runs: names, baseline: named, lang, ...options }, asking) {
    const runs = await resolveAll(workspace, names, asking)
    const baseline = named === undefined ? null : await baselineRun(workspace, named, asking)
    return encode(answerSweep(await sweepRuns(workspace, runs, { ...options, baseline }), lang), lang)
  },
})

/** Any run of the setting will do, so a name of several is no mistake. */
export async function baselineRun(workspace: Workspace, name: string, naming: Naming): Promise<RunView> {
  return (await resolveRuns(workspace, name, naming))[0] ?? resolveOne(workspace, name, naming)
}
