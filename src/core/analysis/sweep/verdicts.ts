import type { Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import type { ToSettle, Verdict, VerdictQuestion } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { mean, standardDeviation } from '../../../stats/descriptive.js'
import { type DoseCell, doseDifference, doseTrend } from '../../../stats/dose-response.js'
import { seedsForDifference } from '../../../stats/sample-size.js'
import { figure } from '../../../text/numbers.js'
import { message } from '../../../text/say.js'
import { sentences } from '../../../text/sentences.js'
import type { SeriesPoints } from '../../store/series.js'
import { seriesOf } from '../align.js'
import type { ScoreEvidence } from '../compare/evidence.js'
import { judge, undetermined } from '../compare/judge.js'
import { compareLevel } from '../compare/level.js'
import type { QuestionSpec } from '../compare/specification.js'
import { RUNS_FOR_CONFIGS } from '../conventions.js'
import { onSamePrompts, type PromptScores } from '../prompt-scores.js'
import { type Column, distinctValues, runSummary, type Setting, type SweepRun } from './matrix.js'

/**
 * Does the knob matter? A trend over its values with one degree of freedom, and each setting against the baseline. Each
 * run is one number, and only runs that are alike in all other known settings are compared. Claims about settings take
 * three runs each; with fewer, five settings may still show a trend, as a claim about these runs.
 */

export interface Judged {
  readonly metric: string
  readonly goal: Goal | null
  /** Absolute. */
  readonly margin: number | null
  readonly columns: readonly Column[]
  /** Between runs of one setting of this sweep; null where no setting has two. */
  readonly scatter: number | null
}

/** With one run per setting the error is the scatter around the line: three degrees of freedom at least. */
const SETTINGS_FOR_TREND = 5

const say = sentences({
  'sweep.scatter': {
    en: 'std {scatter} between seeds of one setting of this sweep',
    zh: '本次扫描中同一配置的 run 之间标准差为 {scatter}',
  },
})

interface Scored {
  readonly run: SweepRun
  readonly summary: number
}

/**
 * Null for a knob without an order, or with two values only: there the one difference says it all. With several knobs,
 * two values are compared over all blocks in which nothing else changes.
 */
export function trendVerdict(
  key: string,
  knob: number,
  settings: readonly Setting[],
  judged: Judged,
  others: readonly string[],
): Verdict | null {
  const scored = scoredRuns(settings, judged.columns)
  const values = distinctValues(scored.map(({ run }) => run.knobs[knob].effective))
  const isOrdered = values.every(value => typeof value === 'number')
  const isMainEffect = values.length === 2 && (scored[0]?.run.knobs.length ?? 0) > 1
  if (!isMainEffect && (values.length < 3 || !isOrdered)) return null
  const cells = doseCells(scored, values, knob)
  const replicated = cells.filter(cell => cell.values.length >= RUNS_FOR_CONFIGS)
  const speaksOfConfigs = levelsCompared(replicated) >= 2
  const used = comparable(speaksOfConfigs ? replicated : cells)
  const labels = [...new Set((used.length > 0 ? used : cells).map(({ score }) => score))]
    .sort((a, b) => a - b)
    .map(score => values[score])
  const asked: QuestionSpec = {
    question: 'trend',
    metric: judged.metric,
    goal: judged.goal,
    baseline: `${key}=${String(labels[0])}`,
    other: `${key}=${String(labels[labels.length - 1])}`,
    margin: null,
  }
  const scope = speaksOfConfigs ? 'configs' : 'runs'
  if (levelsCompared(cells) < 2) {
    return undetermined(asked, {
      scope,
      reasons: [message('sweep.never-alone', { key, others: others.slice(0, 4).join(', ') })],
    })
  }
  const runs = used.reduce((sum, cell) => sum + cell.values.length, 0)
  const estimate = doseTrend(used)
  if (estimate === null || (!speaksOfConfigs && levelsCompared(cells) < SETTINGS_FOR_TREND)) {
    const reasons = [
      message('sweep.too-few-for-trend', {
        settings: levelsCompared(cells),
        needed: SETTINGS_FOR_TREND,
        runs: RUNS_FOR_CONFIGS,
      }),
    ]
    return undetermined(asked, { scope: 'runs', reasons, toSettle: moreRuns(cells) }, estimate?.mean ?? null)
  }
  const about: Message = speaksOfConfigs
    ? message(isMainEffect ? 'sweep.main-effect' : 'sweep.trend', { key, runs, settings: labels.length })
    : message('sweep.trend-of-single-runs', { key, runs, settings: labels.length, needed: RUNS_FOR_CONFIGS })
  return judge(asked, estimate, {
    scope,
    reasons: [about],
    toSettle: speaksOfConfigs
      ? seedsFor(
          used.map(cell => cell.values),
          judged.margin,
        )
      : moreRuns(cells),
    method: {
      id: 'dose-trend',
      numbers: { runs, settings: labels.length, degreesOfFreedom: estimate.degreesOfFreedom },
    },
  })
}

/** One setting against the baseline. */
export function settingVerdict(
  baseline: Setting,
  other: Setting,
  labels: readonly [string, string],
  judged: Judged,
  others: readonly string[],
): Verdict {
  const question: VerdictQuestion = judged.columns.some(
    ({ complete, shared, window }) => complete && window.length < shared.length,
  )
    ? 'final'
    : 'level'
  const asked: QuestionSpec = {
    question,
    metric: judged.metric,
    goal: judged.goal,
    baseline: labels[0],
    other: labels[1],
    margin: judged.margin,
  }
  const [first, second] = [baseline, other].map(setting => byBlock(scoredRuns([setting], judged.columns)))
  const alike = first.filter(({ block }) => second.some(cell => cell.block === block))
  if (first.length === 0 || second.length === 0) {
    return undetermined(asked, { scope: 'runs', reasons: [message('sweep.not-evaluated', {})] })
  }
  if (alike.length === 0) {
    const reasons = [message('sweep.also-differ', { others: others.slice(0, 4).join(', ') })]
    return undetermined(asked, { scope: 'runs', reasons }, mean(valuesOf(second)) - mean(valuesOf(first)))
  }
  const enough = (cells: readonly DoseCell[]): DoseCell[] =>
    cells.filter(({ block, values }) => values.length >= RUNS_FOR_CONFIGS && alike.some(cell => cell.block === block))
  const estimate = doseDifference(enough(first), enough(second))
  if (estimate === null) {
    const verdict = comparison(asked, [baseline.runs, other.runs], judged.columns, 'runs')
    const reasons = judged.scatter === null ? [] : [say('sweep.scatter', { scatter: figure(judged.scatter, 2) })]
    return { ...verdict, reasons: [...verdict.reasons, ...reasons], toSettle: { seeds: RUNS_FOR_CONFIGS } }
  }
  if (enough(first).length === 1) return settingsAlike(asked, baseline, other, enough(first)[0].block, judged)
  const counts = { first: valuesOf(enough(first)).length, second: valuesOf(enough(second)).length }
  return judge(asked, estimate, {
    scope: 'configs',
    reasons: [message('sweep.runs-each', counts)],
    toSettle: seedsFor(
      [...enough(first), ...enough(second)].map(cell => cell.values),
      judged.margin,
    ),
    method: { id: 'welch', numbers: { ...counts, degreesOfFreedom: estimate.degreesOfFreedom } },
  })
}

/** Two settings whose runs are alike in everything else: one comparison, with nothing to be averaged over. */
function settingsAlike(asked: QuestionSpec, baseline: Setting, other: Setting, block: string, judged: Judged): Verdict {
  const [first, second] = [baseline, other].map(({ runs }) =>
    runs.filter(run => run.block === block && runSummary(run, judged.columns) !== null),
  )
  const verdict = comparison(asked, [first, second], judged.columns, 'configs')
  const counts = { first: first.length, second: second.length }
  return { ...verdict, reasons: [message('sweep.runs-each', counts), ...verdict.reasons.slice(1)] }
}

/** Runs of two settings, just as a comparison of them would judge them, with the sampling noise of the prompts where that is known. */
function comparison(
  asked: QuestionSpec,
  [baseline, other]: readonly [readonly SweepRun[], readonly SweepRun[]],
  columns: readonly Column[],
  scope: 'runs' | 'configs',
): Verdict {
  const complete = columns.filter(column => column.complete)
  const steps = (complete[0]?.window ?? []).filter(step => complete.every(({ window }) => window.includes(step)))
  const scores = complete.length === 1 ? scoresOn(complete[0].metric, [...baseline, ...other]) : null
  const counts = complete.flatMap(column => column.prompts ?? [])
  const prompts = counts.length === complete.length ? Math.min(...counts) : null
  const side = (runs: readonly SweepRun[], from: number): ScoreEvidence => ({
    series: runs.map(run => courseOf(run, complete, steps)),
    scores: scores?.slice(from, from + runs.length) ?? null,
    prompts,
  })
  return compareLevel(asked, side(baseline, 0), side(other, baseline.length), { scope })
}

/** In the order of the runs; null unless all have answered the same prompts. */
function scoresOn(metric: string, runs: readonly SweepRun[]): readonly PromptScores[] | null {
  const found = runs.flatMap(({ promptScores }) => promptScores.get(metric) ?? [])
  return found.length === runs.length ? onSamePrompts(found) : null
}

/** One run over some steps: the mean over its conditions. */
function courseOf({ id }: SweepRun, columns: readonly Column[], steps: readonly number[]): SeriesPoints {
  return seriesOf(
    steps,
    steps.map(step => mean(columns.map(({ points }) => points.get(id)?.get(step) ?? Number.NaN))),
  )
}

function scoredRuns(settings: readonly Setting[], columns: readonly Column[]): readonly Scored[] {
  return settings.flatMap(({ runs }) =>
    runs.flatMap(run => {
      const summary = runSummary(run, columns)
      return summary === null ? [] : [{ run, summary }]
    }),
  )
}

/** Cells of one knob; the values of the other knobs are part of the block. */
function doseCells(scored: readonly Scored[], values: readonly Json[], knob: number): readonly DoseCell[] {
  const place = new Map(values.map((value, i) => [JSON.stringify(value), i]))
  const scoreOf = ({ knobs }: SweepRun): number => place.get(JSON.stringify(knobs[knob].effective)) ?? 0
  const blockOf = ({ knobs, block }: SweepRun): string =>
    JSON.stringify([block, ...knobs.map(({ effective }, i) => (i === knob ? null : effective))])
  const cells = groupBy(scored, ({ run }) => JSON.stringify([scoreOf(run), blockOf(run)]))
  return [...cells.values()].map(members => ({
    score: scoreOf(members[0].run),
    block: blockOf(members[0].run),
    values: members.map(({ summary }) => summary),
  }))
}

function byBlock(scored: readonly Scored[]): readonly DoseCell[] {
  return [...groupBy(scored, ({ run }) => run.block)].map(([block, members]) => ({
    score: 0,
    block,
    values: members.map(({ summary }) => summary),
  }))
}

/** Cells of blocks in which the knob moves at all. */
function comparable(cells: readonly DoseCell[]): readonly DoseCell[] {
  const blocks = [...groupBy(cells, ({ block }) => block).values()]
  return blocks.filter(block => new Set(block.map(({ score }) => score)).size > 1).flat()
}

/** The most values of the knob that any one block holds. */
function levelsCompared(cells: readonly DoseCell[]): number {
  const blocks = [...groupBy(cells, ({ block }) => block).values()]
  return Math.max(0, ...blocks.map(block => new Set(block.map(({ score }) => score)).size))
}

function valuesOf(cells: readonly DoseCell[]): readonly number[] {
  return cells.flatMap(({ values }) => values)
}

function moreRuns(cells: readonly DoseCell[]): ToSettle {
  return cells.every(({ values }) => values.length >= RUNS_FOR_CONFIGS) ? {} : { seeds: RUNS_FOR_CONFIGS }
}

/** Seeds a setting that would show the margin, or else the largest difference there is now, with the scatter there is now. */
function seedsFor(groups: readonly (readonly number[])[], margin: number | null): ToSettle {
  const scatter = Math.sqrt(mean(groups.map(values => standardDeviation(values) ** 2)))
  const levels = groups.map(values => mean(values))
  const difference = margin ?? Math.max(...levels) - Math.min(...levels)
  return difference > 0 && scatter > 0 ? { seeds: seedsForDifference(scatter, { difference }) } : {}
}
