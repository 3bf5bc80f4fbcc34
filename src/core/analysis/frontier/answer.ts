import { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { json, list, pair } from '../../../logs/model/schema.js'
import { withinKlSchema } from '../../../logs/model/study/terms.js'
import { KL_COEFFICIENTS } from '../../../logs/model/vocabulary/effective-kl.js'
import { goalSchema, type JudgedBy } from '../../../logs/model/vocabulary/judged-by.js'
import { mean } from '../../../stats/descriptive.js'
import { sentence } from '../../../text/answer-schema.js'
import { listed } from '../../../text/language.js'
import { sentences } from '../../../text/sentences.js'
import { shownName } from '../../store/manifest.js'
import { readSeries } from '../../store/series.js'
import type { Workspace } from '../../store/workspace.js'
import { keyedVerdict, withReasonKeys } from '../answer-fields.js'
import { RUNS_FOR_CONFIGS } from '../conventions.js'
import { goalTags } from '../goal.js'
import type { RunView } from '../run-view.js'
import { keyThatDiffers, type RunSweep, sweepRuns, type WantedSweep } from '../sweep/answer.js'
import { runSummary, type SweepRun } from '../sweep/matrix.js'
import { settingLabelOf } from '../sweep/sweep.js'
import { frontierPairs, peakOf, settingFigures } from './frontier.js'
import { type KlAxis, klAxis } from './kl-axis.js'
import { type EqualKl, equalKlAt, klLevel, type PathPoint, pathOf, sharedKl } from './paths.js'
import type { FrontierRun, FrontierSetting } from './setting.js'
import { bestWithin } from './within.js'

/** Score and KL of settings together, from runs at hand: the scores are those of a sweep over the same runs. */

const say = sentences({
  'frontier.without-kl': {
    en: '{count} of {all} run{all||s} log no KL to the reference ({runs}); only their scores are used',
    zh: '{all} 个 run 中有 {count} 个没有记录与参考策略的 KL（{runs}），只参与得分的比较',
  },
  'frontier.zero-without-kl': {
    en: '{count} {count|run|runs} with a KL coefficient of 0 logged no KL ({runs}): {count|its|their} distance is unknown, only the score is used (next time log it: verl use_kl_loss with a coefficient of 0, TRL a beta of 1e-6)',
    zh: '{count} 个 KL 系数为 0 的 run 没有记录 KL（{runs}）：偏离了多远无从得知，只比较得分（下次请记录：verl 打开 use_kl_loss 并把系数设为 0，TRL 把 beta 设为 1e-6）',
  },
  'frontier.moving-reference': {
    en: 'the reference moves during training ({runs}): KL is the distance to the latest reference, not to the start, so only the scores of these runs are used',
    zh: '训练中参考策略会更新（{runs}）：KL 是与最近一次参考策略的距离，而不是与起点的距离，因此这些 run 只参与得分的比较',
  },
  'frontier.legs': {
    en: 'the reference was reset {resets} {resets|time|times} in {runs}; their paths add up the KL of all legs, which is a length and not a distance from the start (log kl.start.exact for that)',
    zh: '{runs} 的参考策略重置了 {resets} 次；其路径把各段的 KL 相加，是走过的长度，而不是与起点的距离（后者需要记录 kl.start.exact）',
  },
  'frontier.from-start': {
    en: 'the reference moves during training, so KL is measured from the start ({metric})',
    zh: '训练中参考策略会更新，因此 KL 取与起点的距离（{metric}）',
  },
  'frontier.optimised-only': {
    en: 'the score is what was optimised: whether the real goal suffered cannot be seen here',
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
  /** Which is the best setting within this KL? */
  readonly maxKl?: number | null
}

const figures = z.object({ estimate: z.number(), interval: pair(z.number()).nullable() })

const pathPoint = z.object({
  step: z.number(),
  kl: z.number(),
  score: z.number(),
  optimised: z.number().nullable(),
})

const crossing = z.object({ step: z.number(), score: z.number(), runs: z.number() })

export const frontierAnswer = z.object({
  over: list(z.string()),
  metric: z.string(),
  goal: z.enum(['max', 'min']).nullable(),
  judgedBy: goalSchema,
  tags: list(z.string()),
  /** The metric that KL is read from, its unit, and what it is the distance from. */
  kl: z.object({ metric: z.string(), unit: z.string().nullable(), from: z.enum(['reference', 'start']) }),
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
      /** Of each run: KL and score at the evaluations, and the steps at which the reference was reset. */
      paths: list(z.object({ run: z.string(), points: list(pathPoint), resets: list(z.number()) })),
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
      /** Where both first reach the same KL. The difference is null where one side had trained longer by then. */
      equalKl: z
        .object({ kl: z.number(), baseline: crossing, other: crossing, difference: figures.nullable() })
        .nullable(),
    }),
  ),
  peak: z
    .object({
      setting: z.string(),
      kl: z.number(),
      interval: pair(z.number()),
      /** Its KL at the end of training. */
      end: z.number().nullable(),
      candidates: list(z.string()),
      beyond: list(z.object({ setting: z.string(), score: figures })),
    })
    .nullable(),
  /** The best setting within a KL, where one is asked for. */
  within: withinKlSchema.nullable(),
  notes: list(sentence),
})

export type FrontierAnswer = z.infer<typeof frontierAnswer>

export async function frontierOf(
  workspace: Workspace,
  named: readonly RunView[],
  wanted: WantedFrontier,
): Promise<FrontierAnswer> {
  const over = wanted.over.length > 0 ? wanted.over : defaultKeys(named)
  return frontierAmong(await sweepRuns(workspace, named, { ...wanted, over }), wanted.maxKl ?? null)
}

/** Of a sweep that is at hand. */
export async function frontierAmong(swept: RunSweep, maxKl: number | null = null): Promise<FrontierAnswer> {
  const { sweep, request, runs, judgedBy } = swept
  const steps = judgedAt(swept)
  const axis = await klAxis(runs)
  const optimised = await readOptimised(runs)
  const settings = sweep.settings.map(({ values, runs: members }): DrawnSetting => {
    const counted = members.filter(run => !sweep.repeated.includes(run))
    const scored = counted.flatMap(run => {
      const score = runSummary(run, sweep.columns)
      const kl = axis.byRun.get(run.id)
      const proxy = optimised.get(run.id)
      if (score === null) return []
      const path = pathOf(scoresOf(run, swept), kl?.points ?? [], { resets: kl?.resets, optimised: proxy })
      const figures: FrontierRun = {
        id: run.id,
        score,
        kl: kl?.isDistance === true ? klLevel(kl.points, steps) : null,
        optimised: proxy === undefined ? null : levelAt(proxy, steps),
      }
      return [{ figures, path: { run: run.id, points: path, resets: kl?.resets ?? [] } }]
    })
    return {
      values,
      label: settingLabelOf({ values, runs: members }, request.keys),
      runs: scored.map(({ figures }) => figures),
      paths: scored.map(({ path }) => path),
    }
  })
  const scored = settings.filter(setting => setting.runs.length > 0)
  const baselineAt = sweep.settings.indexOf(sweep.baseline)
  const others = settings.filter((_, i) => i !== baselineAt)
  const contrasts = sweep.verdicts.filter(({ question }) => question !== 'trend')
  const sign = request.goal === 'min' ? -1 : 1
  const computed = settingFigures(scored, sign)
  const peak = peakOf(scored, sign)
  return {
    over: request.keys,
    metric: request.metric,
    goal: request.goal,
    judgedBy,
    tags: goalTags(judgedBy),
    kl: { metric: axis.metric, unit: axis.unit, from: axis.from },
    steps,
    settings: scored.map(({ values, label, runs: members, paths }, i) => ({
      label,
      values: Object.fromEntries(request.keys.map((key, k) => [key, values[k]])),
      runs: members.map(({ id }) => id),
      ...computed[i],
      paths,
    })),
    pairs: frontierPairs(settings[baselineAt], others, contrasts).map((pairOf, i) => ({
      ...pairOf,
      score: withReasonKeys(pairOf.score),
      equalKl: equalKlOf(settings[baselineAt], others[i]),
    })),
    peak: peak === null ? null : { ...peak, end: endOf(scored.find(({ label }) => label === peak.setting)) },
    within: maxKl === null ? null : bestWithin(scored, maxKl, sign),
    notes: notesOn({ runs, settings: scored, axis, swept, judgedBy }),
  }
}

interface DrawnSetting extends FrontierSetting {
  readonly paths: readonly {
    readonly run: string
    readonly points: readonly PathPoint[]
    readonly resets: readonly number[]
  }[]
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

/** The mean over the conditions that every run has, as a sweep summarises it, at each step. */
function scoresOf({ id }: SweepRun, { sweep }: RunSweep): ReadonlyMap<number, number> {
  const [first, ...others] = sweep.columns.flatMap(({ complete, points }) => (complete ? (points.get(id) ?? []) : []))
  const shared = [...(first ?? [])].filter(([step]) => others.every(points => points.has(step)))
  return new Map(
    shared.map(([step, value]) => [step, mean([value, ...others.map(points => points.get(step) ?? Number.NaN)])]),
  )
}

/** What was optimised, as validated, by run and step. */
async function readOptimised(runs: readonly RunView[]): Promise<ReadonlyMap<string, ReadonlyMap<number, number>>> {
  const found = new Map<string, ReadonlyMap<number, number>>()
  for (const run of runs) {
    const metric = run.goal.optimised[0]?.metric
    const points = metric === undefined ? undefined : (await readSeries(run, [metric])).get(metric)
    if (points === undefined) continue
    const values = Array.from(points.steps, (step, i) => [step, points.values[i]] as const)
    found.set(run.manifest.id, new Map(values.filter(([, value]) => Number.isFinite(value))))
  }
  return found
}

function levelAt(points: ReadonlyMap<number, number>, steps: readonly number[]): number | null {
  const values = steps.flatMap(step => points.get(step) ?? [])
  return values.length === 0 ? null : mean(values)
}

function equalKlOf(baseline: DrawnSetting, other: DrawnSetting): EqualKl | null {
  const [first, second] = [baseline, other]
  const level = sharedKl([first, second].map(({ runs }) => runs.flatMap(({ kl }) => kl ?? [])))
  const ways = ({ label, paths }: DrawnSetting) => ({ label, paths: paths.map(({ points }) => points) })
  return level === null ? null : equalKlAt(ways(first), ways(second), level)
}

/** The KL of a setting over the last eighth of its evaluations. */
function endOf(setting: DrawnSetting | undefined): number | null {
  const ends = (setting?.paths ?? []).flatMap(({ points }) => {
    const last = points.slice(-Math.max(1, Math.round(points.length / 8)))
    return last.length === 0 ? [] : [mean(last.map(({ kl }) => kl))]
  })
  return ends.length === 0 ? null : mean(ends)
}

interface Noted {
  readonly runs: readonly RunView[]
  readonly settings: readonly FrontierSetting[]
  readonly axis: KlAxis
  readonly swept: RunSweep
  readonly judgedBy: JudgedBy
}

function notesOn({ runs, settings, axis, swept, judgedBy }: Noted): readonly Message[] {
  const counted = new Set(settings.flatMap(setting => setting.runs.map(({ id }) => id)))
  const among = runs.filter(({ manifest }) => counted.has(manifest.id))
  const named = (members: readonly RunView[]): string => listed(members.map(({ manifest }) => shownName(manifest)))
  const klOf = ({ manifest }: RunView) => axis.byRun.get(manifest.id)
  const without = among.filter(run => klOf(run) === undefined)
  const unpenalised = without.filter(({ kl }) => kl.inLoss.coefficient === 0 && kl.inReward.coefficient === 0)
  const others = without.filter(run => !unpenalised.includes(run))
  const moving = among.filter(run => klOf(run)?.isDistance === false)
  const reset = moving.filter(run => (klOf(run)?.resets.length ?? 0) > 0)
  const resets = Math.max(0, ...reset.map(run => klOf(run)?.resets.length ?? 0))
  const few = settings.some(setting => setting.runs.length < RUNS_FOR_CONFIGS)
  return [
    ...(judgedBy.role === 'optimised' ? [say('frontier.optimised-only', {})] : []),
    ...(axis.from === 'start' ? [say('frontier.from-start', { metric: axis.metric })] : []),
    ...(unpenalised.length === 0
      ? []
      : [say('frontier.zero-without-kl', { count: unpenalised.length, runs: named(unpenalised) })]),
    ...(others.length === 0
      ? []
      : [say('frontier.without-kl', { count: others.length, all: among.length, runs: named(others) })]),
    ...(moving.length === 0 ? [] : [say('frontier.moving-reference', { runs: named(moving) })]),
    ...(reset.length === 0 ? [] : [say('frontier.legs', { resets, runs: named(reset) })]),
    ...(few ? [say('frontier.few-runs', { needed: RUNS_FOR_CONFIGS })] : []),
    ...swept.problems,
  ]
}
