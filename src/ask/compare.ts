import { z } from 'zod'
import { compareRuns, type OtherSide, type RunComparison } from '../analysis/compare/answer.js'
import { type Choice, choiceSentence, chooseAmong } from '../analysis/compare/choose.js'
import type { RunSide } from '../analysis/compare/evidence.js'
import { sharedMetrics } from '../analysis/compare/summary.js'
import { finalSteps } from '../analysis/conventions.js'
import { AXES } from '../model/axis.js'
import { jsonNumber } from '../model/json.js'
import { Problem } from '../model/problem.js'
import { loadVocabulary } from '../store/vocabulary.js'
import type { Workspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { message } from '../text/say.js'
import { render, sentences } from '../text/sentences.js'
import {
  figure,
  goal,
  HEADLINE_METRIC,
  inWords,
  json,
  list,
  numberWithin,
  otherwise,
  pair,
  request,
  size,
  someOf,
  window,
} from './fields.js'
import { resolveSides } from './names.js'
import { question } from './question.js'
import { verdictAnswer, verdictSchema } from './verdict.js'

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
  /** At most so many rows of the table; all unless given. */
  rows: numberWithin({ above: 0, whole: true }),
})

const confound = z.object({ key: z.string(), values: list(json), knob: z.string().nullable() })

const choice = z.object({
  side: z.string(),
  probability: z.number(),
  lossIfWrong: z.number(),
  assumption: z.string(),
  sentence: z.string(),
})

const compareAnswer = z.object({
  sides: list(
    z.object({
      label: z.string(),
      runs: list(z.string()),
      /** The raw metric on this side. */
      metric: z.string(),
      /** Of each run, the files that it was read from. */
      files: list(list(z.string())),
    }),
  ),
  /** What the metric means, where the vocabulary knows. */
  canonical: z.string().nullable(),
  goal: z.enum(['max', 'min']).nullable(),
  /** As it was asked for; the verdicts have it in the metric's unit. */
  margin: z.union([z.object({ share: z.number() }), z.object({ absolute: z.number() })]).nullable(),
  by: z.enum(AXES),
  /** By its place among the verdicts; and what it says on every validation set. */
  headline: z.object({
    verdict: z.number(),
    sets: list(z.object({ metric: z.string(), answer: verdictSchema.shape.answer })),
  }),
  /** One per side but the first. Verdicts and costs by their places in the lists below. */
  others: list(
    z.object({
      label: z.string(),
      /** Of the axis `by`; `windows` is how wide each is, null where the evaluations are shared ones. */
      steps: z.object({ n: z.number(), from: z.number(), to: z.number(), windows: z.number().nullable() }).nullable(),
      headline: z.number(),
      /** The steps that the headline is over. */
      window: pair(z.number()).nullable(),
      verdicts: list(z.number()),
      costs: list(z.number()),
      confounds: list(confound),
      choose: choice.nullable(),
      unused: list(z.string()),
      sets: list(z.object({ metric: z.string(), answer: verdictSchema.shape.answer })),
      /** Runs that collapsed, by their places on each side, and Fisher's p that the shares differ; null where none did. */
      collapse: z.object({ baseline: list(z.number()), other: list(z.number()), p: z.number() }).nullable(),
      /** Early, middle, late: a description, no verdict. */
      phases: list(z.object({ from: z.number(), to: z.number(), baseline: z.number(), other: z.number() })),
    }),
  ),
  confounds: list(confound),
  attribution: list(
    z.object({
      other: z.string(),
      knobs: list(z.string()),
      smallestFix: z.string().nullable(),
      separating: list(z.object({ knob: z.string(), run: z.string() })),
    }),
  ),
  verdicts: list(verdictSchema),
  costs: list(verdictSchema),
  choose: choice.nullable(),
  unused: list(z.string()),
  summary: list(
    z.object({
      metric: z.string(),
      values: list(
        z.object({
          first: figure,
          last: figure,
          mean: figure,
          min: figure,
          max: figure,
          change: figure,
          minStep: figure.nullable(),
          maxStep: figure.nullable(),
        }),
      ),
    }),
  ),
  differences: list(
    z.object({ metric: z.string(), other: z.string(), estimate: z.number(), p: z.number(), q: z.number() }),
  ).nullable(),
  table: z.object({
    metric: z.string(),
    /** How wide the windows of its rows are, each named by its end; null where rows are evaluations. */
    windows: z.number().nullable(),
    /** How many rows there are; they need not all be here. */
    total: z.number(),
    rows: list(z.object({ step: z.number(), values: list(figure.nullable()), diff: figure.nullable() })),
  }),
  warnings: list(z.string()),
})

export type CompareAnswer = z.infer<typeof compareAnswer>

export const compare = question({
  request: compareRequest,
  answer: compareAnswer,
  async ask(workspace, asked, asking) {
    const sides = await resolveSides(workspace, asked.sides, asking)
    return answerOf(sides, await comparisonOf(workspace, sides, asked), asked)
  },
})

/** The comparison itself, for who builds on it. */
export async function comparisonOf(
  workspace: Workspace,
  sides: readonly RunSide[],
  { metric, by, goal, margin, window, seedSd, all }: Omit<z.output<typeof compareRequest>, 'sides' | 'lang' | 'rows'>,
): Promise<RunComparison> {
  if (new Set(sides.map(({ checkpoint }) => checkpoint === null)).size > 1) {
    throw new Problem('bad-request', message('compare.steps-for-all', {}))
  }
  const wanted = {
    goal,
    margin,
    ...(window !== undefined && { window }),
    allMetrics: all,
    seedScatter: seedSd,
    axis: by,
  }
  const words = await loadVocabulary(workspace)
  for (const name of metric === null ? [HEADLINE_METRIC, ...REWARDS] : [metric]) {
    const comparison = await compareRuns(workspace, words, sides, { ...wanted, metric: name })
    if (comparison === null) continue
    const instead = REWARDS.includes(name) && metric === null ? [say('compare.by-reward', { metric: name })] : []
    return { ...comparison, warnings: [...instead, ...comparison.warnings] }
  }
  const shared = someOf(sharedMetrics(sides), 6)
  throw new Problem('not-found', message('compare.no-metric', { metric: metric ?? HEADLINE_METRIC, shared }))
}

/** What stands in for a validation score where runs were never validated. */
const REWARDS: readonly string[] = ['reward.mean', 'score.mean']

const say = sentences({
  'compare.by-reward': {
    en: 'no validation score is logged on all sides, so they are judged by {metric}, the reward in training: what was optimised, on other prompts at every step',
    zh: '各方没有共同的验证得分，改用训练奖励 {metric} 判定：它就是被优化的量，且每步的 prompt 都不同',
  },
})

function answerOf(
  sides: readonly RunSide[],
  comparison: RunComparison,
  { lang: language, rows }: Pick<z.output<typeof compareRequest>, 'lang' | 'rows'>,
): CompareAnswer {
  const {
    request: asked,
    others,
    table,
    confounds,
    summary,
    differences,
    warnings,
    canonical,
    metrics,
    along,
  } = comparison
  const verdicts = others.flatMap(other => other.verdicts)
  const costs = others.flatMap(other => other.costs)
  const chosen = chooseAmong(
    others.map(other => other.choice),
    sides[0].label,
  )
  return {
    sides: sides.map(({ label, runs }, i) => ({
      label,
      runs: runs.map(({ manifest }) => manifest.id),
      metric: metrics[i],
      files: runs.map(({ manifest }) => manifest.files.map(({ path }) => path)),
    })),
    canonical,
    goal: asked.goal,
    margin: asked.margin,
    by: along.axis,
    headline: { verdict: verdicts.indexOf(others[0].headline), sets: others[0].sets },
    others: others.map(other => ({
      label: other.label,
      steps: stepsOf(other),
      headline: verdicts.indexOf(other.headline),
      window: windowOf(other),
      verdicts: other.verdicts.map(verdict => verdicts.indexOf(verdict)),
      costs: other.costs.map(cost => costs.indexOf(cost)),
      confounds: other.confounds,
      choose: choiceOf(other.choice, language),
      unused: inWords(other.unused, language),
      sets: other.sets,
      collapse: collapseAnswer(other),
      phases: other.phases,
    })),
    confounds,
    attribution: others.map(({ label, attribution }) => ({ other: label, ...attribution })),
    verdicts: verdicts.map(verdict => verdictAnswer(verdict, language)),
    costs: costs.map(cost => verdictAnswer(cost, language)),
    choose: choiceOf(chosen, language),
    unused: others.flatMap(({ unused }) => inWords(unused, language)),
    summary: summary.map(({ metric, values }) => ({
      metric,
      values: values.map(({ first, last, mean, min, max, change, minStep, maxStep }) => ({
        first: jsonNumber(first),
        last: jsonNumber(last),
        mean: jsonNumber(mean),
        min: jsonNumber(min),
        max: jsonNumber(max),
        change: jsonNumber(change),
        minStep: jsonNumber(minStep),
        maxStep: jsonNumber(maxStep),
      })),
    })),
    differences,
    table: {
      metric: asked.metric,
      windows: along.width,
      total: table.length,
      rows: table.slice(0, rows ?? undefined).map(({ step, values, diff }) => ({
        step,
        values: values.map(value => jsonNumber(value)),
        diff: jsonNumber(diff),
      })),
    },
    warnings: inWords(warnings, language),
  }
}

function collapseAnswer({ collapse }: OtherSide): CompareAnswer['others'][number]['collapse'] {
  if (collapse === null) return null
  const { baseline, other, p } = collapse
  return { baseline, other, p }
}

function windowOf({ headline, steps: shared }: OtherSide): readonly [number, number] | null {
  if (headline.question === 'checkpoint') return null
  const steps = (headline.question === 'final' ? finalSteps(shared) : null) ?? shared
  return steps.length === 0 ? null : [steps[0], steps[steps.length - 1]]
}

function stepsOf({ steps, along: { width } }: OtherSide): CompareAnswer['others'][number]['steps'] {
  if (steps.length === 0) return null
  return { n: steps.length, from: steps[0] - (width ?? 0), to: steps[steps.length - 1], windows: width }
}

function choiceOf(choice: Choice | null, language: Language): CompareAnswer['choose'] {
  if (choice === null) return null
  const sentence = render(choiceSentence(choice), language)
  return { ...choice, assumption: render(choice.assumption, language), sentence }
}
