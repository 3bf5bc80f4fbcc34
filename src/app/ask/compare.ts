import { z } from 'zod'
import { compareRuns } from '../../core/analysis/compare/compare-runs.js'
import type { RunSide } from '../../core/analysis/compare/evidence.js'
import { isPaidDifferently } from '../../core/analysis/compare/paid-differently.js'
import { type ComparisonResult, comparisonSchema } from '../../core/analysis/compare/result.js'
import { sharedMetrics } from '../../core/analysis/compare/shared-metrics.js'
import type { ComparisonSpec } from '../../core/analysis/compare/specification.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import { AXES } from '../../logs/model/axis.js'
import { Problem } from '../../logs/model/problem.js'
import { comparisonSentences as message } from '../../text/compare.js'
import { encode } from '../../text/encode.js'
import { sentences } from '../../text/sentences.js'
import { ended, goal, HEADLINE_METRIC, list, numberWithin, otherwise, request, size, someOf, window } from './fields.js'
import { resolveSides } from './names.js'
import { question } from './question.js'

export type { CompareAnswer } from '../../core/analysis/compare/result.js'

/** Better, worse, about the same, or undetermined? The first side is the baseline. */

const compareRequest = request({
  sides: list(z.string()).refine(sides => sides.length > 1, otherwise('compare.needs-two')),
  /** Null: the validation score, else the reward of training. */
  metric: z.string().nullable().default(null),
  by: z.enum(AXES, otherwise('compare.bad-by')).default('steps'),
  goal,
  margin: size,
  window,
  /** How much runs of one setting scatter, where the user knows it. */
  seedSd: numberWithin({ above: 0 }),
  /** Every metric that all sides log, with its q. */
  all: z.boolean().default(false),
  ended,
  /** The column by which items of evaluations are clustered. */
  cluster: z.string().nullable().default(null),
  /** At most so many rows of the table; all unless given. */
  rows: numberWithin({ above: 0, whole: true }),
})

export const compare = question({
  request: compareRequest,
  answer: comparisonSchema,
  async ask(workspace, { sides: names, rows, lang, ...spec }, asking) {
    const result = await comparisonOf(workspace, await resolveSides(workspace, names, asking), spec)
    const { table } = result
    return encode({ ...result, table: { ...table, rows: table.rows.slice(0, rows ?? undefined) } }, lang)
  },
})

/** The comparison itself, for who builds on it. */
export async function comparisonOf(
  workspace: Workspace,
  sides: readonly RunSide[],
  { metric, ...spec }: Omit<ComparisonSpec, 'metric'> & { readonly metric: string | null },
): Promise<ComparisonResult> {
  if (new Set(sides.map(({ checkpoint }) => checkpoint === null)).size > 1) {
    throw new Problem('bad-request', message('compare.steps-for-all', {}))
  }
  const words = await loadVocabulary(workspace)
  for (const name of metric === null
    ? [HEADLINE_METRIC, ...REWARDS.filter(reward => moves(sides, reward))]
    : [metric]) {
    const comparison = await compareRuns(workspace, words, sides, { ...spec, metric: name })
    if (comparison === null) continue
    if (metric !== null || !REWARDS.includes(name)) return comparison
    const refused = comparison.verdicts.flatMap(({ reasons }) => reasons).find(isPaidDifferently)
    const parts = refused === undefined ? null : await compareRuns(workspace, words, sides, { ...spec, metric: PARTS })
    const instead = parts === null ? say('compare.by-reward', { metric: name }) : say('compare.by-parts', {})
    const { warnings, ...rest } = parts ?? comparison
    return { ...rest, warnings: [...(refused === undefined ? [] : [refused]), instead, ...warnings] }
  }
  const shared = someOf(sharedMetrics(sides), 6)
  throw new Problem('not-found', message('compare.no-metric', { metric: metric ?? HEADLINE_METRIC, shared }))
}

/** What stands in for a validation score where runs were never validated. */
const REWARDS: readonly string[] = ['reward.mean', 'score.mean']

/** A reward of logged choices is the same at every step, and says nothing of a policy. */
function moves(sides: readonly RunSide[], reward: string): boolean {
  const series = sides.flatMap(({ runs }) =>
    runs.flatMap(run => run.metricsNamed(reward).flatMap(name => run.manifest.metrics.get(name) ?? [])),
  )
  return series.length === 0 || series.some(({ n, min, max }) => n < 2 || max > min)
}

/** What a reward adds up, which sides that were paid for different things may share. */
const PARTS = 'reward.part'

const say = sentences({
  'compare.by-parts': {
    en: 'judged by the parts of the training reward that all of them have; no validation score is logged by all',
    zh: '改用各方共有的训练奖励分项判定；各方没有共同的验证得分',
  },
  'compare.by-reward': {
    en: 'no validation score is logged by all of them, so they are judged by {metric}, the training reward: it was optimised, and its prompts change at every step',
    zh: '各方没有共同的验证得分，改用训练奖励 {metric} 判定：它就是被优化的量，且每步的 prompt 都不同',
  },
})
