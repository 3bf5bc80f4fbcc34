import { z } from 'zod'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { json, list, pair } from '../../../logs/model/schema.js'
import { goalSchema, type JudgedBy } from '../../../logs/model/vocabulary/judged-by.js'
import { mean } from '../../../stats/descriptive.js'
import { sentence } from '../../../text/answer-schema.js'
import { listed } from '../../../text/language.js'
import { figure as shown } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { shownName } from '../../store/manifest.js'
import { readSeries } from '../../store/series.js'
import type { Workspace } from '../../store/workspace.js'
import { keyedVerdict, withReasonKeys } from '../answer-fields.js'
import { goalTags } from '../goal.js'
import type { RunView } from '../run-view.js'
import { keyThatDiffers, type RunSweep, sweepRuns, type WantedSweep } from '../sweep/answer.js'
import { runSummary, type SweepRun } from '../sweep/matrix.js'
import { settingLabelOf } from '../sweep/sweep.js'
import { type FrontierRun, type FrontierSetting, frontierPairs, peakOf, settingFigures } from './frontier.js'

/** Score and KL of settings together, from runs at hand: the scores are those of a sweep over the same runs. */

const say = sentences({
  'frontier.no-kl': {
    en: 'none of these runs logs a KL to the reference, so there is nothing to set beside the score (TRL logs it with beta > 0; verl with use_kl_loss, or as actor/kl_loss at a coefficient of 0)',
    zh: '这些 run 都没有记录与参考策略的 KL，没有可与得分对照的量（TRL 在 beta > 0 时记录；verl 需要 use_kl_loss，系数可为 0）',
  },
  'frontier.without-kl': {
    en: '{count} of {all} runs log no KL to the reference ({runs}); they count in the scores only',
    zh: '{all} 个 run 中有 {count} 个没有记录与参考策略的 KL（{runs}），只参与得分的比较',
  },
  'frontier.mixed': {
    en: 'these runs measure KL in different ways ({ways}); such figures cannot be put on one axis',
    zh: '这些 run 的 KL 口径不同（{ways}），不能放在同一坐标轴上',
  },
  'frontier.moving-reference': {
    en: 'the reference moves during training ({runs}): its KL is the distance to the latest reference, not to the start',
    zh: '训练中参考策略会更新（{runs}）：KL 是与最近一次参考策略的距离，而不是与起点的距离',
  },
  'frontier.equal-kl': {
    en: 'a KL of {kl} is reached by {baseline} at step {first} and by {other} at step {second}: at equal KL one side has trained longer, so nothing is claimed there',
    zh: 'KL 达到 {kl} 时，{baseline} 在第 {first} 步，{other} 在第 {second} 步：同一 KL 下训练步数不同，不作结论',
  },
  'frontier.optimised-only': {
    en: 'the score is what was optimised: whether the purpose was missed on the way cannot be seen here',
    zh: '这里的得分就是被优化的量：看不出真正的目标是否受损',
  },
  'frontier.few-runs': {
    en: 'claims about settings take {needed} runs each',
    zh: '关于配置的结论需要每组至少 {needed} 个 run',
  },
})

export interface WantedFrontier extends Omit<WantedSweep, 'over'> {
  /** Config keys, raw or canonical; none: the KL coefficient where it differs, else the one setting that does. */
  readonly over: readonly string[]
}

const figures = z.object({ estimate: z.number(), interval: pair(z.number()).nullable() })

const pathPoint = z.object({ step: z.number(), kl: z.number(), score: z.number() })

export const frontierAnswer = z.object({
  over: list(z.string()),
  metric: z.string(),
  goal: z.enum(['max', 'min']).nullable(),
  judgedBy: goalSchema,
  tags: list(z.string()),
  /** The metric that KL is read from, and its unit. */
  kl: z.object({ metric: z.string(), unit: z.string().nullable() }),
  /** The steps that every level is over. */
  steps: list(z.number()),
  settings: list(
    z.object({
      label: z.string(),
      values: z.record(z.string(), json),
      runs: list(z.string()),
      score: figures,
      kl: figures.nullable(),
      optimised: figures.nullable(),
      dominated: z.boolean(),
      /** Of each run: KL and score at the evaluations. */
      paths: list(z.object({ run: z.string(), points: list(pathPoint) })),
    }),
  ),
  pairs: list(
    z.object({
      baseline: z.string(),
      other: z.string(),
      score: keyedVerdict,
      /** As a share of the baseline's KL, less 1. */
      kl: z
        .object({
          estimate: z.number(),
          interval: pair(z.number()).nullable(),
          p: z.number().nullable(),
          answer: z.enum(['higher', 'lower', 'undetermined']),
        })
        .nullable(),
      joint: z
        .object({ level: z.number(), region: z.object({ score: pair(z.number()), kl: pair(z.number()) }) })
        .nullable(),
    }),
  ),
  peak: z
    .object({
      setting: z.string(),
      kl: z.number(),
      interval: pair(z.number()),
      candidates: list(z.string()),
      beyond: list(z.object({ setting: z.string(), score: figures })),
    })
    .nullable(),
  notes: list(sentence),
})

export type FrontierAnswer = z.infer<typeof frontierAnswer>

const KL_COEFFICIENTS = ['kl.loss.coef', 'kl.reward.coef']
const RUNS_NEEDED = 3

export async function frontierOf(
  workspace: Workspace,
  named: readonly RunView[],
  wanted: WantedFrontier,
): Promise<FrontierAnswer> {
  const over = wanted.over.length > 0 ? wanted.over : defaultKeys(named)
  const swept = await sweepRuns(workspace, named, { ...wanted, over })
  const { sweep, request, runs, judgedBy } = swept
  const steps = judgedAt(swept)
  const kl = oneKl(runs)
  const optimised = await optimisedLevels(runs, steps)
  const settings = sweep.settings.map(({ values, runs: members }): FrontierSetting => {
    const counted = members.filter(run => !sweep.repeated.includes(run))
    return {
      values,
      label: settingLabelOf({ values, runs: members }, request.keys),
      runs: counted.flatMap((run): FrontierRun[] => {
        const score = runSummary(run, sweep.columns)
        if (score === null) return []
        return [{ id: run.id, score, kl: klLevel(run, steps), optimised: optimised.get(run.id) ?? null }]
      }),
    }
  })
  const scored = settings.filter(setting => setting.runs.length > 0)
  const baselineAt = sweep.settings.indexOf(sweep.baseline)
  const others = settings.filter((_, i) => i !== baselineAt)
  const contrasts = sweep.verdicts.filter(({ question }) => question !== 'trend')
  const sign = request.goal === 'min' ? -1 : 1
  const computed = settingFigures(scored, sign)
  const memberOf = new Map(sweep.settings.flatMap(setting => setting.runs.map(run => [run.id, run] as const)))
  return {
    over: request.keys,
    metric: request.metric,
    goal: request.goal,
    judgedBy,
    tags: goalTags(judgedBy),
    kl,
    steps,
    settings: scored.map(({ values, label, runs: members }, i) => ({
      label,
      values: Object.fromEntries(request.keys.map((key, k) => [key, values[k]])),
      runs: members.map(({ id }) => id),
      ...computed[i],
      paths: members.map(({ id }) => ({ run: id, points: pathOf(memberOf.get(id), swept) })),
    })),
    pairs: frontierPairs(settings[baselineAt], others, contrasts).map(pairOf => ({
      ...pairOf,
      score: withReasonKeys(pairOf.score),
    })),
    peak: peakOf(scored, sign),
    notes: notesOn({ runs, settings: scored, baseline: settings[baselineAt], swept, judgedBy }),
  }
}

function defaultKeys(runs: readonly RunView[]): readonly string[] {
  const coefficient = KL_COEFFICIENTS.find(
    key => new Set(runs.map(({ settings }) => JSON.stringify(settings.get(key)?.effective ?? null))).size > 1,
  )
  const key = coefficient ?? keyThatDiffers(runs)
  return key === null ? [] : [key]
}

/** The steps that enter the score of every run. */
function judgedAt({ sweep }: RunSweep): readonly number[] {
  const complete = sweep.columns.filter(column => column.complete)
  const [first] = complete
  return first === undefined ? [] : first.window.filter(step => complete.every(({ window }) => window.includes(step)))
}

/** One metric in one unit by one estimator, or a refusal. */
function oneKl(runs: readonly RunView[]): { metric: string; unit: string | null } {
  const found = runs.flatMap(run => {
    const [metric] = run.carriersAmong([...run.manifest.metrics.keys()], 'kl.ref')
    if (metric === undefined) return []
    // Of a penalty that is switched off the estimator has no effect, but it is what the logged KL is made with.
    const estimator = run.settings.get('kl.loss.estimator')?.configured ?? null
    return [{ metric, unit: run.meaningOf(metric).unit, estimator }]
  })
  const [first] = found
  if (first === undefined) throw new Problem('not-found', say('frontier.no-kl', {}))
  const metrics = new Set(found.map(({ metric, unit }) => (unit === null ? metric : `${metric}, ${unit}`)))
  const estimators = new Set(found.flatMap(({ estimator }) => (estimator === null ? [] : [String(estimator)])))
  const ways = metrics.size > 1 ? metrics : estimators
  if (ways.size > 1) throw new Problem('bad-request', say('frontier.mixed', { ways: [...ways].join('; ') }))
  return { metric: first.metric, unit: first.unit }
}

/** Mean KL over the training steps that the judged evaluations span; null where there are none, or no ratio can be made. */
function klLevel({ training }: SweepRun, steps: readonly number[]): number | null {
  const points = training.get('kl.ref')
  const [first, last] = [steps[0], steps.at(-1)]
  if (points === undefined || first === undefined || last === undefined) return null
  const from = steps.length > 1 ? first : last - Math.max(1, last / 10)
  const values = [...points].filter(([step]) => step >= from && step <= last).map(([, value]) => value)
  const level = values.length === 0 ? Number.NaN : mean(values)
  return level > 0 ? level : null
}

async function optimisedLevels(
  runs: readonly RunView[],
  steps: readonly number[],
): Promise<ReadonlyMap<string, number>> {
  const levels = new Map<string, number>()
  for (const run of runs) {
    const metric = run.goal.optimised[0]?.metric
    const points = metric === undefined ? undefined : (await readSeries(run, [metric])).get(metric)
    if (points === undefined) continue
    const values = Array.from(points.values).filter(
      (value, i) => steps.includes(points.steps[i]) && Number.isFinite(value),
    )
    if (values.length > 0) levels.set(run.manifest.id, mean(values))
  }
  return levels
}

/** KL and score of a run at its evaluations; KL is the mean since the evaluation before. */
function pathOf(run: SweepRun | undefined, { sweep }: RunSweep): z.infer<typeof pathPoint>[] {
  const [column] = sweep.columns.filter(({ complete }) => complete)
  const [scores, kl] = [column?.points.get(run?.id ?? ''), run?.training.get('kl.ref')]
  if (scores === undefined || kl === undefined) return []
  const steps = [...scores.keys()].sort((a, b) => a - b)
  return steps.flatMap((step, i) => {
    const since = steps[i - 1] ?? Number.NEGATIVE_INFINITY
    const values = [...kl].filter(([at]) => at > since && at <= step).map(([, value]) => value)
    const score = scores.get(step)
    return values.length === 0 || score === undefined ? [] : [{ step, kl: mean(values), score }]
  })
}

interface Told {
  readonly runs: readonly RunView[]
  readonly settings: readonly FrontierSetting[]
  readonly baseline: FrontierSetting
  readonly swept: RunSweep
  readonly judgedBy: JudgedBy
}

function notesOn({ runs, settings, baseline, swept, judgedBy }: Told): readonly Message[] {
  const nameOf = new Map(runs.map(({ manifest }) => [manifest.id, shownName(manifest)]))
  const all = settings.flatMap(setting => setting.runs)
  const without = all.filter(({ kl }) => kl === null).map(({ id }) => nameOf.get(id) ?? id)
  const moving = runs.filter(({ settings: set }) => set.get('ref.sync')?.effective === true)
  const few = settings.some(setting => setting.runs.length < RUNS_NEEDED)
  return [
    ...(judgedBy.role === 'optimised' ? [say('frontier.optimised-only', {})] : []),
    ...(without.length === 0
      ? []
      : [say('frontier.without-kl', { count: without.length, all: all.length, runs: listed(without) })]),
    ...(moving.length === 0
      ? []
      : [say('frontier.moving-reference', { runs: listed(moving.map(({ manifest }) => shownName(manifest))) })]),
    ...(few ? [say('frontier.few-runs', { needed: RUNS_NEEDED })] : []),
    ...settings.flatMap(setting => (setting === baseline ? [] : equalKl(baseline, setting, swept))),
    ...swept.problems,
  ]
}

/** By so much of the later step may two sides differ to count as equally trained. */
const STEPS_ALIKE = 0.1

/** Where both sides pass the same KL, and when: a picture of score over KL compares these, whatever the steps. */
function equalKl(baseline: FrontierSetting, other: FrontierSetting, swept: RunSweep): readonly Message[] {
  const reached = [baseline, other].map(({ runs }) => runs.flatMap(({ kl }) => kl ?? []))
  if (reached.some(levels => levels.length === 0)) return []
  const level = 0.9 * Math.min(...reached.map(levels => mean(levels)))
  const [first, second] = [baseline, other].map(setting => meanStepAt(setting, level, swept))
  if (first === null || second === null || Math.abs(first - second) <= STEPS_ALIKE * Math.max(first, second)) return []
  return [
    say('frontier.equal-kl', {
      kl: shown(level, 2),
      baseline: baseline.label,
      first: Math.round(first),
      other: other.label,
      second: Math.round(second),
    }),
  ]
}

function meanStepAt({ runs }: FrontierSetting, level: number, swept: RunSweep): number | null {
  const members = swept.sweep.settings.flatMap(setting => setting.runs)
  const steps = runs.flatMap(({ id }) => {
    const path = pathOf(
      members.find(run => run.id === id),
      swept,
    )
    return path.find(({ kl }) => kl >= level)?.step ?? []
  })
  return steps.length === 0 ? null : mean(steps)
}
