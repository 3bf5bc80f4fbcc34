import { z } from 'zod'
import type { RunView } from '../analysis/run-view.js'
import { type RunSweep, sweepConclusion, sweepRuns, sweepSettling } from '../analysis/sweep/answer.js'
import {
  type CellScore,
  cellScore,
  distinctValues,
  runScore,
  runSummary,
  type SweepRun,
} from '../analysis/sweep/matrix.js'
import { settingLabelOf } from '../analysis/sweep/sweep.js'

import type { Json } from '../model/json.js'
import type { Workspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { render } from '../text/sentences.js'
import { settingLabel } from '../text/vocabulary.js'
import { condition, goal, inWords, json, list, metric, pair, request, size } from './fields.js'
import { type Naming, resolveAll, resolveOne, resolveRuns } from './names.js'
import { question } from './question.js'
import { verdictAnswer, verdictSchema } from './verdict.js'

/** Does this knob matter? Which cells of the matrix are missing, identical, suspicious? */

const sweepRequest = request({
  runs: list(z.string()),
  /** Config keys, raw or canonical. */
  over: list(z.string()).default([]),
  /** A run of the setting to compare with. */
  baseline: z.string().optional(),
  metric,
  goal,
  margin: size,
})

/** Effective values by the keys swept over. */
const values = z.record(z.string(), json)

const cell = z.object({ mean: z.number(), spread: z.number().nullable(), runs: z.number() })

const sweepAnswer = z.object({
  over: list(z.string()),
  /** Of each key, the values tried, in order. */
  tried: list(list(json)),
  metric: z.string(),
  goal: z.enum(['max', 'min']).nullable(),
  /** true: it does; false: no setting differs beyond the margin; null: open. */
  matters: z.boolean().nullable(),
  /** The value to take; null where there are too few runs, or no order, to say. */
  take: z
    .object({
      value: json,
      /** Between which nothing was shown to differ. */
      alike: list(json),
      /** Shown to be worse than the baseline. */
      harmful: list(json),
      why: list(z.string()),
    })
    .nullable(),
  /** The answer in a sentence, and what would settle an open one. */
  sentence: z.string(),
  settling: list(z.string()),
  baseline: values,
  cells: list(
    z.object({
      /** As the verdicts call it. */
      label: z.string(),
      values,
      configured: list(json),
      runs: list(z.string()),
      metrics: z.record(z.string(), z.number().nullable()),
      /** Parallel to the conditions. */
      scores: list(cell.nullable()),
      mean: z.number().nullable(),
      spread: z.number().nullable(),
      /** Whether its scores are those of another setting to the last digit. */
      identical: z.boolean(),
    }),
  ),
  conditions: list(
    z.object({
      metric: z.string(),
      condition,
      n: z.number().nullable(),
      /** The steps that enter a cell. */
      steps: list(z.number()),
      /** How many evaluations all runs share. */
      shared: z.number(),
      /** Whether every evaluated run has it. */
      complete: z.boolean(),
    }),
  ),
  missing: list(
    z.object({
      values,
      kind: z.enum(['run', 'evaluation', 'training']),
      metrics: list(z.string()),
      steps: list(z.number()),
      marked: z.boolean(),
    }),
  ),
  identical: list(list(z.object({ run: z.string(), values, metrics: list(z.string()), steps: list(z.number()) }))),
  verdicts: list(verdictSchema),
  resolution: z
    .object({
      scale: z.union([z.literal(1), z.literal(100)]),
      n: z.number(),
      halfWidth: z.number(),
      unpaired: z.number(),
      paired: pair(z.number()),
      toConfirm: z
        .object({ gap: z.number(), paired: z.number(), pairedTwice: z.number(), unpaired: z.number() })
        .nullable(),
    })
    .nullable(),
  problems: list(z.string()),
})

export type SweepAnswer = z.infer<typeof sweepAnswer>

export const sweep = question({
  request: sweepRequest,
  answer: sweepAnswer,
  async ask(workspace, asked, asking) {
    return answerOf(await sweepOf(workspace, asked, asking), asked.lang)
  },
})

/** The sweep itself, for who builds on it. */
export async function sweepOf(
  workspace: Workspace,
  { runs: names, over, baseline, metric, goal, margin }: Omit<z.output<typeof sweepRequest>, 'lang'>,
  naming: Naming,
): Promise<RunSweep> {
  const runs = await resolveAll(workspace, names, naming)
  const against = baseline === undefined ? null : await baselineOf(workspace, baseline, naming)
  return sweepRuns(runs, { over, metric, goal, margin, baseline: against })
}

/** Any run of the setting will do, so a name of several is no mistake. */
async function baselineOf(workspace: Workspace, name: string, naming: Naming): Promise<RunView> {
  return (await resolveRuns(workspace, name, naming))[0] ?? resolveOne(workspace, name, naming)
}

function takeAnswer({ take }: RunSweep['sweep'], language: Language): SweepAnswer['take'] {
  return take === null ? null : { ...take, why: inWords(take.why, language) }
}

function answerOf({ sweep: found, request: asked, problems }: RunSweep, language: Language): SweepAnswer {
  const { settings, columns, missing, identical, copied, verdicts, baseline, resolution, matters } = found
  const named = (given: readonly Json[]) => Object.fromEntries(asked.keys.map((key, i) => [key, given[i]]))
  const place = ({ id, knobs }: SweepRun) => ({ run: id, values: named(knobs.map(({ effective }) => effective)) })
  const knob = asked.keys.map(key => settingLabel(key, language)).join(' × ')
  return {
    over: asked.keys,
    tried: asked.keys.map((_, i) => distinctValues(settings.map(({ values: at }) => at[i]))),
    metric: asked.metric,
    goal: asked.goal,
    matters,
    take: takeAnswer(found, language),
    sentence: render(sweepConclusion(found, knob), language),
    settling: matters === null ? inWords(sweepSettling(found), language) : [],
    baseline: named(baseline.values),
    cells: settings.map(setting => {
      const scores = columns.map(column => cellScore(setting, run => runScore(run, column)))
      const whole: CellScore | null = cellScore(setting, run => runSummary(run, columns))
      return {
        label: settingLabelOf(setting, asked.keys),
        values: named(setting.values),
        configured: setting.runs[0].knobs.map(({ configured }) => configured),
        runs: setting.runs.map(({ id }) => id),
        metrics: Object.fromEntries(columns.map(({ metric }, i) => [metric, scores[i]?.mean ?? null])),
        scores,
        mean: whole?.mean ?? null,
        spread: whole?.spread ?? null,
        identical: identical.some(({ places }) => places.some(({ run }) => setting.runs.includes(run))),
      }
    }),
    conditions: columns.map(({ metric, condition, n, window, shared, complete }) => ({
      metric,
      condition,
      n,
      steps: window,
      shared: shared.length,
      complete,
    })),
    missing: missing.map(({ values: at, ...rest }) => ({ values: named(at), ...rest })),
    identical: [
      ...identical.map(({ metrics, places }) => places.map(({ run, steps }) => ({ ...place(run), metrics, steps }))),
      ...copied.map(({ runs, step, metrics }) =>
        runs.map(run => ({ ...place(run), metrics: metrics.map(({ metric }) => metric), steps: [step] })),
      ),
    ],
    verdicts: verdicts.map(verdict => verdictAnswer(verdict, language)),
    resolution,
    problems: inWords(problems, language),
  }
}
