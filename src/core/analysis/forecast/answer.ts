import { z } from 'zod'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { list, pair } from '../../../logs/model/schema.js'
import { goalSchema } from '../../../logs/model/vocabulary/judged-by.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { median } from '../../../stats/descriptive.js'
import { sentence } from '../../../text/answer-schema.js'
import { figure, percentage } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { shownName } from '../../store/manifest.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import type { Workspace } from '../../store/workspace.js'
import { goalTags, judgedBy } from '../goal.js'
import { growthOf } from '../growing.js'
import type { RunView } from '../run-view.js'
import { checkForecast, FORECAST_LEVEL, fallsShort, forecastScore, levelAt } from './forecast.js'
import { curveOf, endOf, FEWEST_EVALUATIONS, reaches, runsOfExperiment, settingOf } from './history.js'

/** The end of a training, by the finished runs of its workspace; silent where these cannot vouch for the interval. */

const say = sentences({
  'forecast.ended': {
    en: 'training has ended: {metric} reached {level} (--at STEP forecasts it from an earlier step, to see how well that works)',
    zh: '训练已结束：{metric} 最终为 {level}（--at STEP 可从较早的 step 预测，以检验效果）',
  },
  'forecast.no-end': {
    en: 'the length of this training is unknown; name its last step with --until',
    zh: '不知道该训练有多长；请用 --until 给出最后一步',
  },
  'forecast.early': {
    en: '{count} evaluation{count||s} so far; a forecast takes {needed}',
    zh: '目前只有 {count} 次验证；预测至少需要 {needed} 次',
  },
  'forecast.few': {
    en: '{runs} finished run{runs||s} with this score reached step {until}, about {similar} of them with a similar score at step {at}; an interval of {level} % needs {needed}',
    zh: '有 {runs} 个带此得分的已完成 run 到达 step {until}，其中约 {similar} 个在 step {at} 处的状况与它相近；{level}% 的区间需要 {needed} 个',
  },
  'forecast.short': {
    en: 'forecasts at step {at} are unreliable in this workspace: {covered} of {runs} finished run{runs||s} ended within their {level} % interval',
    zh: '在此工作区，step {at} 处的预测不可靠：{runs} 个已完成的 run 中只有 {covered} 个落在其 {level}% 区间内',
  },
  'forecast.checked': {
    en: 'checked at step {at} on finished runs here: {covered} of {runs} intervals contained the final score',
    zh: '对此处已完成的 run 在 step {at} 作同样的预测，{runs} 个区间中有 {covered} 个包含了最终得分',
  },
  'forecast.by': {
    en: 'from {runs} finished run{runs||s}, about {similar} of them with a similar score at this step',
    zh: '依据 {runs} 个已完成的 run，其中约 {similar} 个与它当时的状况相近',
  },
  'forecast.these-prompts': {
    en: 'the score is the mean of the final evaluations, on the same prompts',
    zh: '这里的得分指训练末尾、同一批样本上的验证得分',
  },
  'forecast.no-metric': {
    en: '{run} has no score {metric} to forecast; it logs {known}',
    zh: '{run} 没有可预测的得分 {metric}；它记录了 {known}',
  },
  'forecast.no-goal': {
    en: 'it is unknown whether a high or a low {metric} is good; set --goal',
    zh: '不知道 {metric} 是越高越好还是越低越好；请用 --goal 指定',
  },
  'forecast.no-baseline': {
    en: '{run} has no {metric} at step {until}, so there is nothing to pass',
    zh: '{run} 在 step {until} 没有 {metric}，没有可比的目标',
  },
})

export interface WantedForecast {
  /** Raw or canonical; null: what the run is judged by. */
  readonly metric: string | null
  readonly goal: Goal | null
  /** A score to pass. */
  readonly target: number | null
  /** A run whose end is to be passed. */
  readonly baseline: RunView | null
  /** The last step; null: as planned, else where the finished runs ended. */
  readonly until: number | null
  /** As if only the evaluations up to this step had been seen. */
  readonly at: number | null
}

const interval = pair(z.number())

export const forecastAnswer = z.object({
  run: z.string(),
  name: z.string(),
  metric: z.string(),
  goal: z.enum(['max', 'min']),
  judgedBy: goalSchema,
  tags: list(z.string()),
  /** What is seen. */
  now: z.object({ step: z.number(), level: z.number() }),
  until: z.number().nullable(),
  final: z.object({ estimate: z.number(), interval, level: z.number() }).nullable(),
  passes: z.object({ target: z.number(), of: z.string().nullable(), probability: z.number() }).nullable(),
  /** What is still to be gained, in the direction that is good. */
  gain: z
    .object({ left: z.number(), interval, hours: z.number().nullable(), perHour: z.number().nullable() })
    .nullable(),
  /** Finished runs that it rests on; as if so many had stood exactly here. */
  history: z.object({ runs: z.number(), similar: z.number() }),
  /** The same forecast of finished runs here: how many intervals were made, how many held the end. */
  check: z.object({ runs: z.number(), covered: z.number() }).nullable(),
  reasons: list(sentence),
})

export type ForecastAnswer = z.infer<typeof forecastAnswer>

/** Of full weight: fewer cannot make an interval of 80 %. */
const FEWEST_SIMILAR = Math.round(FORECAST_LEVEL / (1 - FORECAST_LEVEL))

export async function forecastRun(workspace: Workspace, run: RunView, wanted: WantedForecast): Promise<ForecastAnswer> {
  const metric = scoreOf(run, wanted.metric)
  const goal = wanted.goal ?? run.meaningOf(metric).goal
  if (goal === null) throw new Problem('bad-request', say('forecast.no-goal', { metric }))
  const curve = curveOf((await readSeries(run, [metric])).get(metric))
  const seen = wanted.at ?? curve.steps.at(-1) ?? 0
  const step = curve.steps.findLast(each => each <= seen)
  if (step === undefined)
    throw new Problem('not-enough', say('forecast.early', { count: 0, needed: FEWEST_EVALUATIONS }))
  const others = await runsOfExperiment(workspace, run, metric)
  const until = wanted.until ?? endOf(run, others)
  const finished = others.filter(({ steps }) => until !== null && reaches(steps, until))
  const judged = judgedBy([run], [metric])
  const about = {
    run: run.manifest.id,
    name: shownName(run.manifest),
    metric,
    goal,
    judgedBy: judged,
    tags: goalTags(judged),
    now: { step, level: levelAt(curve, step, until ?? step) ?? Number.NaN },
    until,
  }
  const nothing = { final: null, passes: null, gain: null, check: null }
  const silent = (reason: Message, similar = 0): ForecastAnswer => ({
    ...about,
    ...nothing,
    history: { runs: finished.length, similar },
    reasons: [reason],
  })
  if (until === null) return silent(say('forecast.no-end', {}))
  if (step >= until || (wanted.at === null && wanted.until === null && growthOf([run]) === null)) {
    return silent(say('forecast.ended', { metric, level: figure(about.now.level) }))
  }
  const count = curve.steps.filter(each => each > 0 && each <= step).length
  if (count < FEWEST_EVALUATIONS) return silent(say('forecast.early', { count, needed: FEWEST_EVALUATIONS }))
  const setting = settingOf(run)
  const forecast = forecastScore(curve, finished, { at: step, until, setting })
  const level = percentage(FORECAST_LEVEL)
  if (forecast?.interval == null) {
    const similar = forecast?.similar ?? 0
    const params = {
      runs: finished.length,
      until,
      at: step,
      similar: figure(similar, 2),
      level,
      needed: FEWEST_SIMILAR,
    }
    return silent(say('forecast.few', params), similar)
  }
  const check = checkForecast(finished, step, until)
  const checked = { at: step, ...check }
  if (fallsShort(check)) return { ...silent(say('forecast.short', { ...checked, level }), forecast.similar), check }
  const target = await targetOf(wanted, { metric, until })
  const hours = await hoursLeft(run, until - step)
  const [low, high] = forecast.interval
  const sign = goal === 'max' ? 1 : -1
  const left = sign * (forecast.estimate - forecast.now)
  const ends = [sign * (low - forecast.now), sign * (high - forecast.now)].sort((a, b) => a - b)
  return {
    ...about,
    final: { estimate: forecast.estimate, interval: forecast.interval, level: FORECAST_LEVEL },
    passes: target === null ? null : { ...target, probability: chanceToPass(forecast.chanceOf(target.target), goal) },
    gain: { left, interval: [ends[0], ends[1]], hours, perHour: hours === null ? null : left / hours },
    history: { runs: finished.length, similar: forecast.similar },
    check,
    reasons: [
      say('forecast.by', { runs: finished.length, similar: figure(forecast.similar, 2) }),
      ...(check.runs === 0 ? [] : [say('forecast.checked', checked)]),
      say('forecast.these-prompts', {}),
    ],
  }
}

function chanceToPass(chanceOfMore: number, goal: Goal): number {
  return goal === 'max' ? chanceOfMore : 1 - chanceOfMore
}

function scoreOf(run: RunView, wanted: string | null): string {
  const found = wanted === null ? run.goal.yardsticks[0]?.metric : run.metricsNamed(wanted)[0]
  const metric = found ?? (wanted === null ? run.metricsNamed('val.score')[0] : undefined)
  if (metric !== undefined) return metric
  const known = [...run.manifest.metrics.keys()].slice(0, 8).join(', ')
  throw new Problem(
    'not-found',
    say('forecast.no-metric', { run: shownName(run.manifest), metric: wanted ?? 'val.score', known }),
  )
}

async function targetOf(
  { target, baseline }: WantedForecast,
  { metric, until }: { readonly metric: string; readonly until: number },
): Promise<{ readonly target: number; readonly of: string | null } | null> {
  if (target !== null) return { target, of: null }
  if (baseline === null) return null
  const curve = curveOf((await readSeries(baseline, [metric])).get(metric))
  const level = reaches(curve.steps, until) ? levelAt(curve, until, until) : null
  const run = shownName(baseline.manifest)
  if (level === null) throw new Problem('not-enough', say('forecast.no-baseline', { run, metric, until }))
  return { target: level, of: run }
}

const RECENT_STEPS = 40

/** By the step times that the log tells, else by when its points were written; null where it tells neither. */
async function hoursLeft(run: RunView, steps: number): Promise<number | null> {
  const names = [...run.manifest.metrics.keys()]
  const [timed, longest] = [run.carriersAmong(names, 'time.step')[0], run.carriersAmong(names, 'reward.mean')[0]]
  const series = await readSeries(
    run,
    [timed, longest].filter(name => name !== undefined),
  )
  const told = Array.from((timed === undefined ? undefined : series.get(timed)?.values) ?? []).slice(-RECENT_STEPS)
  const points = longest === undefined ? undefined : series.get(longest)
  const written = Array.from(points?.times ?? [])
    .slice(-RECENT_STEPS)
    .map((time, i, all) => (time - all[i - 1]) / stepsBetween(points, i, all.length))
  const seconds = (told.length > 0 ? told : written).filter(each => Number.isFinite(each) && each > 0)
  return seconds.length === 0 ? null : (median(seconds) * steps) / 3600
}

function stepsBetween(points: SeriesPoints | undefined, i: number, count: number): number {
  const at = (points?.steps.length ?? 0) - count + i
  return (points?.steps[at] ?? Number.NaN) - (points?.steps[at - 1] ?? Number.NaN)
}
