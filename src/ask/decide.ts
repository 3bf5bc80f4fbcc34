import { z } from 'zod'
import { rankRun } from '../analysis/checkpoints/checkpoint-evidence.js'
import { promptsBehind } from '../analysis/compare/evidence.js'
import { confounds, settingKey } from '../analysis/confounds.js'
import { isTrained, judgedSteps, withoutCopies } from '../analysis/conventions.js'
import type { Candidate, CandidateRun } from '../analysis/decide/beliefs.js'
import { decide as decideAmong } from '../analysis/decide/decide.js'
import type { RunView } from '../analysis/run-view.js'
import { Problem } from '../model/problem.js'
import { groupBy } from '../model/util/group-by.js'
import { mean } from '../stats/descriptive.js'
import { trend } from '../stats/trend.js'
import { listRuns } from '../store/catalogue.js'
import { shownName } from '../store/manifest.js'
import { readSeries } from '../store/series.js'
import { render, sentences } from '../text/sentences.js'
import { goal, list, request } from './fields.js'
import { resolveAll } from './names.js'
import { question } from './question.js'

/** What to ship now, and what should the next hours buy? */

const say = sentences({
  'decide.nothing': {
    en: 'none of the runs has a validation score to decide by; name a metric with --metric',
    zh: '这些 run 都没有可供决策的验证得分；请用 --metric 指定指标',
  },
  'decide.no-runs': {
    en: 'there is no run in this workspace yet; import logs first',
    zh: '工作区中还没有 run，请先导入日志',
  },
})

export const aim = z.enum(['score', 'worst-seed', 'cost'])

const decideAnswer = z.object({
  metric: z.string(),
  for: aim,
  ship: z
    .object({
      run: z.string(),
      name: z.string(),
      setting: z.string(),
      step: z.number(),
      saved: z.boolean().nullable(),
      why: z.string(),
    })
    .nullable(),
  /** The setting for each aim; null where nothing tells its cost. */
  aims: z.record(aim, z.string().nullable()),
  /** On average, in the metric's unit, as against knowing the truth; null where there is nothing to choose from. */
  expectedLoss: z.number().nullable(),
  next: list(
    z.object({
      buy: z.enum(['seed', 'prompts', 'steps']),
      setting: z.string(),
      what: z.string(),
      /** In hours of a run; null where nothing tells. */
      cost: z.number().nullable(),
      /** In the metric's unit. */
      gain: z.number(),
      why: z.string(),
    }),
  ),
  settings: list(z.object({ setting: z.string(), runs: list(z.string()), mean: z.number() })),
  assumption: z.string(),
})

export type DecideAnswer = z.infer<typeof decideAnswer>

const decideRequest = request({
  /** Without any, all runs of the workspace. */
  runs: list(z.string()).default([]),
  metric: z.string().nullable().default(null),
  goal,
  for: aim.default('score'),
})

type Wanted = Pick<z.output<typeof decideRequest>, 'metric' | 'goal' | 'for'>

/** What there is to choose from, and what is chosen: for the answer and for a page of a report. */
export async function decisionAmong(views: readonly RunView[], wanted: Wanted) {
  const scored = (await Promise.all(views.map(view => readRun(view, wanted.metric, wanted.goal)))).filter(
    run => run !== null,
  )
  if (scored.length === 0) throw new Problem('not-enough', say('decide.nothing', {}))
  const { metric, sign } = scored[0]
  const alike = scored.filter(run => run.metric === metric)
  const groups = [...groupBy(alike, ({ view }) => settingKey(view) ?? view.manifest.id).values()]
  const labels = labelsOf(groups.map(group => group.map(({ view }) => view)))
  const candidates: readonly Candidate[] = groups.map((group, i) => ({
    label: labels[i],
    runs: group.map(({ candidate }) => candidate),
  }))
  const prompts = await promptsBehind(alike[0].view, metric)
  const decision = decideAmong(candidates, { aim: wanted.for, prompts, sign })
  return { metric, sign, candidates, decision, runs: alike.map(({ view }) => view) }
}

export const decide = question({
  request: decideRequest,
  answer: decideAnswer,
  async ask(workspace, { lang, runs: names, ...asked }, asking) {
    const chosen = names.length > 0 ? names : (await listRuns(workspace)).entries.map(({ id }) => id)
    if (chosen.length === 0) throw new Problem('not-found', say('decide.no-runs', {}))
    const named = withoutCopies(await resolveAll(workspace, chosen, asking))
    const { metric, sign, candidates, decision, runs } = await decisionAmong(named.runs, asked)
    const { ship } = decision
    const shipped = runs.find(({ manifest }) => manifest.id === ship?.run)
    return {
      metric,
      for: asked.for,
      ship:
        ship === null || shipped === undefined
          ? null
          : {
              run: ship.run,
              name: shownName(shipped.manifest),
              setting: ship.label,
              step: ship.step,
              saved: ship.saved,
              why: render(ship.why, lang),
            },
      aims: decision.aims,
      expectedLoss: decision.expectedLoss,
      next: decision.next.map(({ buy, label, message, cost, gain, why }) => ({
        buy,
        setting: label,
        what: render(message, lang),
        cost,
        gain,
        why: render(why, lang),
      })),
      settings: candidates.map(({ label, runs }) => ({
        setting: label,
        runs: runs.map(({ id }) => id),
        mean: sign * mean(runs.map(({ level }) => level)),
      })),
      assumption: render(decision.assumption, lang),
    }
  },
})

interface ScoredRun {
  readonly view: RunView
  readonly metric: string
  readonly sign: 1 | -1
  readonly candidate: CandidateRun
}

/** Null for a run without the score, or without a direction for it. */
async function readRun(view: RunView, wanted: string | null, given: 'max' | 'min' | null): Promise<ScoredRun | null> {
  const ranked = await rankRun(view, wanted, given)
  if (ranked === null || ranked.take === null || ranked.goal === null) return null
  const { metric, take } = ranked
  const sign = ranked.goal === 'max' ? 1 : -1
  const points = (await readSeries(view, [metric])).get(metric)
  const kept = [...(points?.steps.keys() ?? [])].filter(
    i => points !== undefined && isTrained(points.steps[i]) && Number.isFinite(points.values[i]),
  )
  if (points === undefined || kept.length === 0) return null
  const end = new Set(judgedSteps(kept.map(i => points.steps[i])))
  const last = kept.filter(i => end.has(points.steps[i]))
  const level = sign * mean(last.map(i => points.values[i]))
  const { startedAt, endedAt } = view.manifest.about
  const hours = startedAt === undefined || endedAt === undefined ? null : (endedAt - startedAt) / 3600
  return {
    view,
    metric,
    sign,
    candidate: {
      id: view.manifest.id,
      name: shownName(view.manifest),
      level,
      step: take.step,
      saved: take.saved,
      worth: sign * (take.expected ?? take.value ?? sign * level),
      hours: hours !== null && hours > 0 ? hours : null,
      rise: riseOf(
        last.map(i => points.steps[i]),
        last.map(i => sign * points.values[i]),
        hours,
      ),
    },
  }
}

/** Per hour, where the slope at the end is above zero beyond its error; else 0. */
function riseOf(steps: readonly number[], values: readonly number[], hours: number | null): number {
  if (hours === null || steps.length < 6) return 0
  const { slope, slopeInterval } = trend(steps, values)
  return slopeInterval.low > 0 ? (slope * steps[steps.length - 1]) / hours : 0
}

/** By what was turned; where that is much, by what the names of its runs have in common. */
function labelsOf(groups: readonly (readonly RunView[])[]): readonly string[] {
  const differing = confounds(groups.map(([first]) => first)).filter(({ knob }) => knob !== null)
  return groups.map((views, i) => {
    const words = differing.map(({ key, values }) => `${key}=${String(values[i] ?? '–')}`)
    const isShort = words.length > 0 && words.length <= MOST_WORDS
    return isShort ? words.join(', ') : commonName(views.map(({ manifest }) => shownName(manifest)))
  })
}

const MOST_WORDS = 3

function commonName([first, ...others]: readonly string[]): string {
  if (others.length === 0) return first
  let length = 0
  while (length < first.length && others.every(name => name[length] === first[length])) length += 1
  return first.slice(0, length).replace(/[/_.-]+(?:s|seed)?[/_.-]*$/i, '') || first
}
