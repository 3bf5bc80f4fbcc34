import { z } from 'zod'
import type { Json } from '../../../logs/model/json.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { json, list, pair } from '../../../logs/model/schema.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import { goalSchema, type JudgedBy } from '../../../logs/model/vocabulary/judged-by.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { intervalOf } from '../../../stats/student-estimate.js'
import { sentence } from '../../../text/answer-schema.js'
import type { Language } from '../../../text/language.js'
import { figure } from '../../../text/numbers.js'
import { message } from '../../../text/say.js'
import { settingLabel } from '../../../text/vocabulary.js'
import { shownName } from '../../store/manifest.js'
import type { Workspace } from '../../store/workspace.js'
import { condition, keyedVerdict, withReasonKeys } from '../answer-fields.js'
import { confounds } from '../confounds.js'
import { withoutCopies } from '../conventions.js'
import { knobsTurned } from '../differing-settings.js'
import { goalTags, judgedBy } from '../goal.js'
import { atLooks, type Growing, growthOf, type Standing, standingOf } from '../growing.js'
import type { RunView } from '../run-view.js'
import { type LoadedSweep, loadSweep } from './load.js'
import {
  type CellScore,
  cellScore,
  columnsOf,
  distinctValues,
  isEvaluated,
  runScore,
  runSummary,
  type Setting,
  type SweepRun,
} from './matrix.js'
import { sweepProblems, valuesText } from './problems.js'
import { settingRecommendation } from './recommend.js'
import { resolution } from './resolution.js'
import { lookedGroups, type Sweep, type SweepRequest, settingLabelOf, sweepOver } from './sweep.js'

/** A sweep from runs at hand: copies are left out, keys become settings, and what is wrong with the data is said. */

export interface WantedSweep {
  /** Config keys, raw or canonical. */
  readonly over: readonly string[]
  /** Raw or canonical. */
  readonly metric: string
  /** Null: as the vocabulary has it. */
  readonly goal: Goal | null
  readonly margin: SweepRequest['margin']
  /** A run of the setting to compare with; null for the first setting. */
  readonly baseline: RunView | null
  /** The user says that training is over, whatever the logs say. */
  readonly ended?: boolean
}

export interface RunSweep {
  readonly sweep: Sweep
  readonly request: SweepRequest
  readonly problems: readonly Message[]
  /** Without the copies. */
  readonly runs: readonly RunView[]
  readonly judgedBy: JudgedBy
}

export async function sweepRuns(
  workspace: Workspace,
  named: readonly RunView[],
  { over: keys, metric: wanted, goal, margin, baseline, ended = false }: WantedSweep,
): Promise<RunSweep> {
  const { runs, copies } = withoutCopies(named)
  if (runs.length < 2) throw new Problem('not-enough', message('sweep.one-run', { count: runs.length }))
  const over = [...new Set(keys)]
  if (over.length === 0) throw new Problem('bad-request', message('sweep.needs-over', { keys: differingKeys(runs) }))
  const loaded = await loadSweep(runs, over, wanted)
  refuseKeysThatDoNotVary(loaded, runs, over)
  const scores = loaded.runs.find(isEvaluated)?.scores.find(({ points }) => points.size > 0)
  if (scores === undefined) throw new Problem('not-found', noMetric(runs, wanted))
  const asked: SweepRequest = {
    keys: loaded.keys,
    metric: isOneMetric(loaded) ? scores.metric : wanted,
    goal: goal ?? goalOf(runs, scores.metric),
    margin,
    baseline: baseline === null ? null : idAmong(loaded, baseline),
    others: loaded.blocks.others.map(({ key }) => key),
  }
  const swept = runs.filter(({ manifest }) => loaded.runs.some(({ id }) => id === manifest.id))
  const request = { ...asked, standings: await standingsOn(workspace, loaded, asked, growthOf(swept, { ended })) }
  const sweep = sweepOver(loaded.runs, request)
  const metrics = new Set([scores.metric, ...sweep.columns.map(({ metric }) => metric)])
  return {
    sweep,
    request,
    problems: sweepProblems(sweep, loaded, copies),
    runs,
    judgedBy: judgedBy(runs, [...metrics]),
  }
}

/** None where all runs have ended. */
async function standingsOn(
  workspace: Workspace,
  { runs }: LoadedSweep,
  asked: SweepRequest,
  growth: Growing | null,
): Promise<readonly Standing[]> {
  const steps = columnsOf(runs).find(({ complete }) => complete)?.shared ?? []
  const looked = lookedGroups(runs, asked).map(group => ({
    sides: group.map(setting => setting.runs.filter(isEvaluated).map(({ id }) => id)),
    steps,
  }))
  const growing = await atLooks(workspace, growth, asked.metric, looked)
  return growing === null ? [] : looked.map((_, i) => standingOf(growing, steps.at(-1) ?? 0, i))
}

/** The key of the one knob that tells runs apart, for a report that was given none; null where it is not clear. */
export function keyThatDiffers(runs: readonly RunView[]): string | null {
  const differing = confounds(runs)
  const [knob, ...more] = knobsTurned(differing)
  if (knob === undefined || more.length > 0) return null
  const keys = differing.filter(confound => confound.knob === knob && confound.key.split('.')[0] === knob)
  const numeric = keys.find(({ values }) => values.filter(value => typeof value === 'number').length > 1)
  return (numeric ?? keys[0]).key
}

function refuseKeysThatDoNotVary({ runs, keys }: LoadedSweep, all: readonly RunView[], over: readonly string[]): void {
  if (runs.length === 0) {
    throw new Problem('not-found', message('sweep.no-key', { key: over.join(', '), keys: differingKeys(all) }))
  }
  keys.forEach((key, i) => {
    if (new Set(runs.map(({ knobs }) => JSON.stringify(knobs[i].effective))).size > 1) return
    const value = String(runs[0].knobs[i].effective)
    throw new Problem('not-enough', message('sweep.one-value', { key, value, count: runs.length }))
  })
}

const MOST_NAMED = 6

function differingKeys(runs: readonly RunView[]): string {
  return firstOf(confounds(runs).map(({ key }) => key))
}

function noMetric(runs: readonly RunView[], metric: string): Message {
  const known = firstOf([...new Set(runs.flatMap(({ manifest }) => [...manifest.metrics.keys()]))])
  return message('sweep.no-metric', { metric, known })
}

function firstOf(names: readonly string[]): string {
  return names.slice(0, MOST_NAMED).join(', ') || '–'
}

/** One metric in all runs and conditions has a name; several are known by what they have in common. */
function isOneMetric({ runs }: LoadedSweep): boolean {
  return (
    new Set(runs.flatMap(({ scores }) => scores.slice(0, 1).map(({ metric }) => metric))).size === 1 &&
    runs.every(
      ({ scores }) =>
        new Set(scores.map(({ condition }) => JSON.stringify({ ...condition, aggregate: null }))).size <= 1,
    )
  )
}

function goalOf(runs: readonly RunView[], metric: string): Goal | null {
  const owner = runs.find(({ manifest }) => manifest.metrics.has(metric)) ?? runs[0]
  return owner.meaningOf(metric).goal
}

function idAmong({ runs }: LoadedSweep, { manifest }: RunView): string {
  if (runs.some(({ id }) => id === manifest.id)) return manifest.id
  throw new Problem('bad-request', message('sweep.baseline-outside', { run: shownName(manifest) }))
}

/** A sweep in sentences: whether the knob matters, and what would settle it. */

/** In one sentence. `key` is what a reader calls the knob. */
export function sweepConclusion({ matters, verdicts, baseline, settings }: Sweep, key: string): Message {
  if (matters === false) {
    const margin = figure(verdicts.find(verdict => verdict.margin !== null)?.margin ?? Number.NaN, 4)
    return message('sweep.said.same', { key, baseline: valuesText(baseline.values), margin })
  }
  if (matters === null) {
    const suspects = verdicts.filter(({ tags }) => tags.includes('suspect'))
    const count = suspects.length > 0 ? suspectCount(suspects, settings) : 0
    return count > 0 ? message('sweep.said.suspect', { key, count }) : message('sweep.said.open', { key })
  }
  const main = verdicts.find(({ question, answer }) => question === 'trend' && answer !== 'undetermined')
  if (main !== undefined) {
    const [low, high] = [main.baseline, main.other].map(label => label.slice(label.lastIndexOf('=') + 1))
    const direction = message((main.estimate ?? 0) > 0 ? 'sweep.said.rises' : 'sweep.said.falls', {})
    return message('sweep.said.trend', { key, low, high, direction, answer: message(`answer.${main.answer}`, {}) })
  }
  const differing = verdicts.filter(
    ({ scope, answer }) => scope === 'configs' && !['undetermined', 'same'].includes(answer),
  )
  return message('sweep.said.some', {
    baseline: valuesText(baseline.values),
    settings: differing.map(({ other, answer }) =>
      message('sweep.said.one', { setting: other, answer: message(`answer.${answer}`, {}) }),
    ),
  })
}

function suspectCount(suspects: readonly Verdict[], settings: readonly Setting[]): number {
  const counts = suspects.flatMap(({ reasons }) => reasons.map(({ params }) => Number(params.count)))
  return counts.find(Number.isFinite) ?? settings.length
}

const FEWEST_RUNS = 3

/** The cheapest first. */
export function sweepSettling({ resolution, missing, verdicts, settings }: Sweep): readonly Message[] {
  const confirm = resolution?.toConfirm ?? null
  const seeds = Math.max(0, ...verdicts.map(verdict => verdict.toSettle.seeds ?? 0))
  const few = settings.some(({ runs }) => runs.length < FEWEST_RUNS)
  const hasPromptScores = settings.every(({ runs }) => runs.every(({ promptScores }) => promptScores.size > 0))
  const gap = Math.max(0, ...verdicts.map(({ estimate, margin }) => margin ?? Math.abs(estimate ?? 0)))
  return [
    ...(missing.some(({ kind }) => kind === 'evaluation') ? [message('sweep.settle.missing', {})] : []),
    ...(confirm === null || !few
      ? []
      : [
          ...(hasPromptScores ? [] : [message('sweep.settle.per-sample', {})]),
          message('sweep.settle.prompts', {
            gap: figure(100 * confirm.gap),
            paired: rounded(confirm.paired),
            twice: rounded(confirm.pairedTwice),
            unpaired: rounded(confirm.unpaired),
          }),
        ]),
    ...(few ? [message('sweep.settle.replicates', { seeds: FEWEST_RUNS })] : []),
    ...(!few && seeds > 0 && gap > 0
      ? [message('sweep.settle.seeds', { seeds, difference: figure(Number(gap.toPrecision(2))) })]
      : []),
  ]
}

/** A sample size to two digits, three above a hundred thousand: more would feign precision. */
function rounded(count: number): number {
  return Number(count.toPrecision(count >= 100_000 ? 3 : 2))
}

/** Effective values by the keys swept over. */
const values = z.record(z.string(), json)

const cell = z.object({ mean: z.number(), spread: z.number().nullable(), runs: z.number() })

export const sweepAnswer = z.object({
  over: list(z.string()),
  /** Of each key, the values tried, in order. */
  tried: list(list(json)),
  metric: z.string(),
  goal: z.enum(['max', 'min']).nullable(),
  judgedBy: goalSchema,
  /** What limits the value to take, such as `optimised-reward`. */
  tags: list(z.string()),
  /** true: it does; false: no setting differs beyond the margin; null: open. */
  matters: z.boolean().nullable(),
  /** The value to take; null where there are too few runs, or no order, to say. */
  take: settingRecommendation.nullable(),
  /** The answer in a sentence, and what would settle an open one. */
  sentence,
  settling: list(sentence),
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
      /** Of that mean over its runs, at 95 %; null of one run. */
      interval: pair(z.number()).nullable(),
      /** Of each run; null where it lacks a condition that others have. */
      runScores: list(z.number().nullable()),
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
  verdicts: list(keyedVerdict),
  resolution: resolution.nullable(),
  problems: list(sentence),
})

/** Over seeds, as a dose has it: the seeds are few, so the quantile is Student's. */
function intervalOfMean({ mean, spread, runs }: CellScore): readonly [number, number] | null {
  if (spread === null || runs < 2) return null
  const { low, high } = intervalOf({ mean, standardError: spread / Math.sqrt(runs), degreesOfFreedom: runs - 1 })
  return [low, high]
}

type SweepAnswer = z.infer<typeof sweepAnswer>

/** `language`: of the knob's name, which stands in the conclusion. */
export function answerSweep(
  { sweep: found, request: asked, problems, judgedBy: goal }: RunSweep,
  language: Language,
): SweepAnswer {
  const { settings, columns, missing, identical, copied, verdicts, baseline, resolution, matters } = found
  const named = (given: readonly Json[]) => Object.fromEntries(asked.keys.map((key, i) => [key, given[i]]))
  const place = ({ id, knobs }: SweepRun) => ({ run: id, values: named(knobs.map(({ effective }) => effective)) })
  const knob = asked.keys.map(key => settingLabel(key, language)).join(' × ')
  return {
    over: asked.keys,
    tried: asked.keys.map((_, i) => distinctValues(settings.map(({ values: at }) => at[i]))),
    metric: asked.metric,
    goal: asked.goal,
    judgedBy: goal,
    tags: goalTags(goal),
    matters,
    take: found.take,
    sentence: sweepConclusion(found, knob),
    settling: matters === null ? sweepSettling(found) : [],
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
        interval: whole === null ? null : intervalOfMean(whole),
        runScores: setting.runs.map(run => runSummary(run, columns)),
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
    verdicts: verdicts.map(withReasonKeys),
    resolution,
    problems,
  }
}
