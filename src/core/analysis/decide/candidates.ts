import { z } from 'zod'
import { Problem } from '../../../logs/model/problem.js'
import { list } from '../../../logs/model/schema.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { goalSchema } from '../../../logs/model/vocabulary/judged-by.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { mean } from '../../../stats/descriptive.js'
import { trend } from '../../../stats/trend.js'
import { sentences } from '../../../text/sentences.js'
import { shownName } from '../../store/manifest.js'
import { readSeries } from '../../store/series.js'
import type { WorkspaceVocabulary } from '../../store/vocabulary.js'
import type { Workspace } from '../../store/workspace.js'
import { rankRun } from '../checkpoints/rank-run.js'
import { promptsBehind, sideOf } from '../compare/evidence.js'
import { confounds, settingKey } from '../confounds.js'
import { isTrained, judgedSteps } from '../conventions.js'
import { differingSettings } from '../differing-settings.js'
import { forecastRun } from '../forecast/answer.js'
import { goalTags, judgedBy } from '../goal.js'
import { growthOf } from '../growing.js'
import { judgePair } from '../judge-pair.js'
import { onEverySet, type RunView } from '../run-view.js'
import { bestRun, type Candidate, type CandidateRun, type JudgedRival } from './candidate.js'
import { type Aim, aim, chooseRun, decide, decision } from './decide.js'

/** The settings of some runs as candidates, and the decision among them. */

const say = sentences({
  'decide.nothing': {
    en: 'none of the runs has a validation score to decide by; name a metric with --metric',
    zh: '这些 run 都没有可供决策的验证得分；请用 --metric 指定指标',
  },
})

export const decisionAmongRuns = decision.extend({
  metric: z.string(),
  judgedBy: goalSchema,
  /** What limits the decision, such as `optimised-reward`. */
  tags: list(z.string()),
  for: aim,
  /** The best first. */
  settings: list(
    z.object({
      setting: z.string(),
      runs: list(z.string()),
      /** Over the end of training. */
      mean: z.number(),
      /** Of its best run, estimated at the step that would be shipped. */
      value: z.number(),
    }),
  ),
})

export interface DecideOptions {
  /** Null: the validation score. */
  readonly metric: string | null
  readonly goal: Goal | null
  readonly for: Aim
  /** Training is over, whatever the logs say. */
  readonly ended?: boolean
}

const SCORE = 'val.score'

/** So many of the other settings are judged against the one to ship: those whose best run comes nearest. */
const MOST_RIVALS = 4

export async function decideAmongRuns(
  workspace: Workspace,
  words: WorkspaceVocabulary,
  views: readonly RunView[],
  { metric: wanted, goal, for: asked, ended }: DecideOptions,
): Promise<z.infer<typeof decisionAmongRuns>> {
  const scored = (await Promise.all(views.map(view => readRun(view, wanted, goal, ended)))).filter(run => run !== null)
  if (scored.length === 0) throw new Problem('not-enough', say('decide.nothing', {}))
  const { metric, sign } = scored[0]
  const alike = scored.filter(run => run.metric === metric)
  const groups = [...groupBy(alike, ({ view }) => settingKey(view) ?? view.manifest.id).values()]
  const labels = labelsOf(groups.map(group => group.map(({ view }) => view)))
  const sides = new Map(
    groups.map((group, i) => {
      const candidate: Candidate = { label: labels[i], runs: group.map(run => run.candidate) }
      return [
        candidate,
        sideOf(
          labels[i],
          group.map(({ view }) => view),
          null,
        ),
      ] as const
    }),
  )
  const candidates = [...sides.keys()].toSorted((a, b) => bestRun(b).value - bestRun(a).value)
  const chosen = chooseRun(candidates, asked)
  // Asked by no name, all validation sets are judged, as a comparison that is asked by none judges them.
  const asksByGoal = wanted === null && alike[0].view.metricsNamed(SCORE)[0] === metric
  const rivals: JudgedRival[] = []
  const taken = chosen.choice === null ? undefined : sides.get(chosen.choice.side)
  for (const rival of candidates.filter(each => each !== chosen.choice?.side).slice(0, MOST_RIVALS)) {
    const side = sides.get(rival)
    if (taken === undefined || side === undefined) break
    const spec = {
      metric: asksByGoal ? SCORE : metric,
      goal: sign === 1 ? ('max' as const) : ('min' as const),
      margin: null,
      ended,
    }
    rivals.push({ rival, judged: await judgePair(workspace, words, [side, taken], spec) })
  }
  const prompts = await promptsBehind(alike[0].view, metric)
  const goalOfRuns = judgedBy(
    alike.map(({ view }) => view),
    onEverySet(alike[0].view, metric),
  )
  return {
    metric,
    judgedBy: goalOfRuns,
    tags: goalTags(goalOfRuns),
    for: asked,
    ...decide(candidates, chosen, rivals, { aim: asked, prompts, sign }),
    settings: candidates.map(candidate => ({
      setting: candidate.label,
      runs: candidate.runs.map(({ id }) => id),
      mean: sign * mean(candidate.runs.map(({ level }) => level)),
      value: sign * bestRun(candidate).value,
    })),
  }
}

interface ScoredRun {
  readonly view: RunView
  readonly metric: string
  readonly sign: 1 | -1
  readonly candidate: CandidateRun
}

/** Null for a run without the score, or without a direction for it. */
async function readRun(
  view: RunView,
  wanted: string | null,
  given: 'max' | 'min' | null,
  ended?: boolean,
): Promise<ScoredRun | null> {
  const ranked = await rankRun(view, wanted, given, { ended })
  if (ranked === null || ranked.ranked === null || ranked.goal === null) return null
  const { metric, take } = ranked.ranked
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
      value: sign * (take.expected ?? take.value ?? sign * level),
      hours: hours !== null && hours > 0 ? hours : null,
      rest: ended === true ? null : await restOf(view, metric, ranked.goal),
      rise: riseOf(
        last.map(i => points.steps[i]),
        last.map(i => sign * points.values[i]),
        hours,
      ),
    },
  }
}

/** Null for a run that has ended, or whose end no finished runs vouch for. */
async function restOf(view: RunView, metric: string, goal: 'max' | 'min'): Promise<CandidateRun['rest']> {
  if (growthOf([view]) === null) return null
  const wanted = { metric, goal, target: null, baseline: null, until: null, at: null }
  const { gain, until, now } = await forecastRun(view.workspace, view, wanted)
  return gain === null || until === null ? null : { gain: gain.left, hours: gain.hours, share: 1 - now.step / until }
}

/** Per hour, where the slope at the end is above zero beyond its error; else 0. */
function riseOf(steps: readonly number[], values: readonly number[], hours: number | null): number {
  if (hours === null || steps.length < 6) return 0
  const { slope, slopeInterval } = trend(steps, values)
  return slopeInterval.low > 0 ? (slope * steps[steps.length - 1]) / hours : 0
}

/** By what was turned; where that is much, by what the names of its runs have in common. */
function labelsOf(groups: readonly (readonly RunView[])[]): readonly string[] {
  const { turned } = differingSettings(confounds(groups.map(([first]) => first)))
  const isShort = turned.length > 0 && turned.length <= MOST_WORDS
  return groups.map((views, i) =>
    isShort
      ? turned.map(({ key, values }) => `${key}=${String(values[i] ?? '–')}`).join(', ')
      : commonName(views.map(({ manifest }) => shownName(manifest))),
  )
}

const MOST_WORDS = 3

function commonName([first, ...others]: readonly string[]): string {
  if (others.length === 0) return first
  let length = 0
  while (length < first.length && others.every(name => name[length] === first[length])) length += 1
  return first.slice(0, length).replace(/[/_.-]+(?:s|seed)?[/_.-]*$/i, '') || first
}
