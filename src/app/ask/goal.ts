import { z } from 'zod'
import { judgedBy } from '../../core/analysis/goal.js'
import { onEverySet, type RunView } from '../../core/analysis/run-view.js'
import { listRuns } from '../../core/store/catalogue.js'
import { writeGoal } from '../../core/store/goal-file.js'
import { shownName } from '../../core/store/manifest.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import { Problem } from '../../logs/model/problem.js'
import { goalSchema } from '../../logs/model/vocabulary/judged-by.js'
import { comparableName } from '../../logs/model/vocabulary/names.js'
import { closestWord } from '../../logs/model/vocabulary/suggest.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { sentences } from '../../text/sentences.js'
import { goal as direction, list, request } from './fields.js'
import { resolveAll } from './names.js'
import { question } from './question.js'

/** By what are runs judged, and why? And the metric that a person judges them by, for the whole workspace. */

const say = sentences({
  'goal.no-metric': {
    en: 'no run of this workspace logs "{metric}"{hint}',
    zh: '此工作区中没有 run 记录“{metric}”{hint}',
  },
  'goal.meant': { en: '; did you mean {meant}?', zh: '；是否指 {meant}？' },
  'goal.no-direction': {
    en: 'it is unknown whether higher {metric} is better; add max or min',
    zh: '无法得知 {metric} 越高越好还是越低越好；请加上 max 或 min',
  },
})

const userGoal = z.object({ metric: z.string(), goal: z.enum(['max', 'min']).nullable() }).nullable()

const goalsAnswer = z.object({
  /** What the user set; null: each run is judged as its log has it. */
  set: userGoal,
  /** Runs that are judged by the same metrics for the same reason are told together. */
  groups: list(
    z.object({
      judgedBy: goalSchema,
      runs: list(z.object({ id: z.string(), name: z.string() })),
      /** Every validation series that the first of them logs. */
      series: list(
        z.object({
          metric: z.string(),
          role: goalSchema.shape.role,
          dataset: z.string().nullable(),
          unit: z.string().nullable(),
          goal: z.enum(['max', 'min']).nullable(),
          reason: sentence,
        }),
      ),
    }),
  ),
  /** Runs that log nothing they could be judged by. */
  without: list(z.object({ id: z.string(), name: z.string() })),
})

export const goals = question({
  /** Without any, all runs of the workspace. */
  request: request({ runs: list(z.string()).default([]) }),
  answer: encoded(goalsAnswer),
  async ask(workspace, { runs: names, lang }, asking) {
    const runs = await resolveAll(workspace, names.length > 0 ? names : await allRuns(workspace), asking)
    const { goal } = await loadVocabulary(workspace)
    const groups = new Map<string, RunView[]>()
    const without: RunView[] = []
    for (const run of runs) {
      const key = keyOf(run)
      if (key === null) without.push(run)
      else groups.set(key, [...(groups.get(key) ?? []), run])
    }
    return encode(
      {
        set: goal ?? null,
        groups: [...groups.values()].map(([first, ...others]) => ({
          judgedBy: judgedBy([first], onEverySet(first, first.goal.yardsticks[0].metric)),
          runs: [first, ...others].map(nameOf),
          series: first.goal.series.map(({ metric, role, dataset, unit, goal: better, reason }) => {
            return { metric, role, dataset, unit, goal: better, reason }
          }),
        })),
        without: without.map(nameOf),
      },
      lang,
    )
  },
})

/** The ids of every run. */
export async function allRuns(workspace: Parameters<typeof listRuns>[0]): Promise<readonly string[]> {
  return (await listRuns(workspace)).entries.map(({ id }) => id)
}

/** Null where nothing could judge. */
function keyOf({ goal: { yardsticks, rewardKind } }: RunView): string | null {
  if (yardsticks.length === 0) return null
  return JSON.stringify([yardsticks.map(({ metric, reason }) => [metric, reason]), rewardKind.kind])
}

function nameOf({ manifest }: RunView): { readonly id: string; readonly name: string } {
  return { id: manifest.id, name: shownName(manifest) }
}

export const setGoal = question({
  request: request({
    /** Raw or canonical; null: each run is judged as its log has it. */
    metric: z.string().min(1).nullable(),
    goal: direction,
  }),
  answer: z.object({ set: userGoal, runs: z.number() }),
  async ask(workspace, { metric, goal }, asking) {
    if (metric === null) {
      await writeGoal(workspace, null)
      return { set: null, runs: 0 }
    }
    const runs = await resolveAll(workspace, await allRuns(workspace), asking)
    const logging = runs.filter(run => logs(run, metric))
    if (logging.length === 0) throw new Problem('not-found', noMetric(runs, metric))
    const known = logging.map(({ meaningOf, metricsNamed }) => meaningOf(metricsNamed(metric)[0] ?? metric).goal)
    if (goal === null && !known.some(each => each !== null)) {
      throw new Problem('bad-request', say('goal.no-direction', { metric }))
    }
    const set = { metric, goal: goal ?? known.find(each => each !== null) ?? null }
    await writeGoal(workspace, set)
    return { set, runs: logging.length }
  },
})

function logs({ manifest, metricsNamed }: RunView, metric: string): boolean {
  const wanted = comparableName(metric)
  return metricsNamed(metric).length > 0 || [...manifest.metrics.keys()].some(name => comparableName(name) === wanted)
}

function noMetric(runs: readonly RunView[], metric: string) {
  const meant = closestWord(metric, new Set(runs.flatMap(({ manifest }) => [...manifest.metrics.keys()])))
  return say('goal.no-metric', { metric, hint: meant === null ? '' : say('goal.meant', { meant }) })
}
