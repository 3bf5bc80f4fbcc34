import { z } from 'zod'
import { sampleCourse } from '../analysis/samples/course.js'
import { FAILURE_CLASSES } from '../analysis/samples/failures.js'
import { examineSamples, type SampleFindings } from '../analysis/samples/samples.js'
import { type NamedSide, type Selection, selectSamples } from '../analysis/samples/select.js'
import { readShownTexts, type ShownTexts } from '../analysis/samples/shown-texts.js'
import type { Condition } from '../model/evaluation.js'
import { jsonNumber } from '../model/json.js'
import { Problem } from '../model/problem.js'
import { groupBy } from '../model/util/group-by.js'
import { mean } from '../stats/descriptive.js'
import type { TextRow } from '../store/texts.js'
import type { Workspace } from '../store/workspace.js'
import type { Language } from '../text/language.js'
import { message } from '../text/say.js'
import { render } from '../text/sentences.js'
import { condition, figure, inWords, list, numberWithin, otherwise, pair, refuse, request, someOf } from './fields.js'
import { type Naming, resolveSides } from './names.js'
import { question } from './question.js'
import { verdictAnswer, verdictSchema } from './verdict.js'

/** Which prompts flipped between two checkpoints, and why do answers fail? */

const USUALLY_SHOWN = 5

/** `dataset=gsm8k`, `shots=4`, … */
const conditionAsked = list(
  z.string().transform((text, context): readonly [key: string, value: string | number] => {
    const [, key, value] = /^(dataset|split|shots|temperature)=(.+)$/s.exec(text) ?? []
    const read = key === 'shots' || key === 'temperature' ? Number(value) : value
    if (key === undefined || Number.isNaN(read)) return refuse(context, text, 'samples.bad-condition')
    return [key, read]
  }),
)
  .default([])
  .transform((conditions): Condition => Object.fromEntries(conditions))

const samplesRequest = request({
  sides: list(z.string()).refine(sides => sides.length < 3, otherwise('samples.too-many-sides')),
  /** Whether the texts of flips, and of failed answers, are wanted. */
  flips: z.boolean().default(false),
  failures: z.boolean().default(false),
  /** How many of each. */
  limit: numberWithin({ above: 0, whole: true }),
  metric: z.string().nullable().default(null),
  condition: conditionAsked,
  /** Whether the scores of all prompts are wanted, and of which of them the texts. */
  prompts: z.boolean().default(false),
  ids: list(z.string()).default([]),
})

const text = z.object({
  input: z.string().nullable(),
  output: z.string().nullable(),
  expected: z.string().nullable(),
  choice: z.string().nullable(),
})

const failureClass = z.enum(FAILURE_CLASSES)

const samplesAnswer = z.object({
  sides: list(
    z.object({
      label: z.string(),
      run: z.string(),
      step: z.number(),
      metric: z.string(),
      condition,
      prompts: z.number(),
      answers: z.number(),
      mean: figure,
      hasTexts: z.boolean(),
    }),
  ),
  metric: z.string(),
  /** How many flips and failures of a kind are to be shown. */
  limit: z.number(),
  /** Metrics that might have been meant as well. */
  alternatives: list(z.string()),
  /** Prompts that all sides answered. */
  n: z.number(),
  paired: z
    .discriminatedUnion('kind', [
      z.object({
        kind: z.literal('binary'),
        bothRight: z.number(),
        bothWrong: z.number(),
        toRight: z.number(),
        toWrong: z.number(),
      }),
      z.object({
        kind: z.literal('graded'),
        up: z.number(),
        down: z.number(),
        equal: z.number(),
        quantiles: list(z.number()),
      }),
    ])
    .nullable(),
  test: verdictSchema.nullable(),
  flips: list(
    z.object({
      id: z.string(),
      scores: pair(z.number()),
      gained: z.boolean(),
      parts: z.record(z.string(), pair(z.number())),
      class: failureClass.nullable(),
      /** By side, of those whose texts were asked for. */
      outputs: list(z.string().nullable()).optional(),
    }),
  ),
  failures: list(
    z.object({
      class: failureClass,
      counts: list(z.number()),
      how: list(z.object({ reason: z.string(), counts: list(z.number()) })),
      examples: list(list(z.string())),
    }),
  ),
  agreement: z
    .object({
      basis: z.enum(['choice', 'answer', 'output']),
      n: z.number(),
      identical: z.number(),
      asSets: z.number().nullable(),
    })
    .nullable(),
  warnings: list(z.string()),
  /** Where they are asked for: what each side scored, over its repeats; null where it has no score. */
  prompts: list(z.object({ id: z.string(), scores: list(figure.nullable()) })).optional(),
  /** By side, then by prompt: what was asked for, as far as it is kept. */
  texts: list(z.record(z.string(), text)),
})

export type SamplesAnswer = z.infer<typeof samplesAnswer>
export type SampleText = z.infer<typeof text>

export const samples = question({
  request: samplesRequest,
  answer: samplesAnswer,
  async ask(workspace, asked, asking) {
    const { flips, failures, metric, condition, lang, ids } = asked
    const limit = asked.limit ?? USUALLY_SHOWN
    const named = await sidesNamed(workspace, asked.sides, asking)
    const selection = await selectSamples(named, { metric, condition })
    if (selection.kind !== 'selected') throw problemWith(selection, condition)
    const findings = await examineSamples(selection.sides)
    refuseUnshared(findings)
    const texts = await readShownTexts(findings, { flips, failures, limit, ids })
    const shown = flips ? limit : 0
    return {
      ...answerOf(findings, texts, shown, lang),
      limit,
      alternatives: selection.alternatives,
      ...(asked.prompts && { prompts: promptScores(findings) }),
    }
  },
})

function promptScores({ sides }: SampleFindings): SamplesAnswer['prompts'] {
  const byPrompt = sides.map(({ answers }) => groupBy(answers, ({ id }) => id))
  const ids = [...new Set(byPrompt.flatMap(side => [...side.keys()]))]
  return ids.map(id => ({
    id,
    scores: byPrompt.map(side => {
      const scores = side.get(id)?.map(({ score }) => score)
      return scores === undefined ? null : jsonNumber(mean(scores))
    }),
  }))
}

/** How many steps of a course are shown. */
const STEPS_SHOWN = 6

const stepSamples = z.object({
  step: z.number(),
  prompts: z.number(),
  answers: z.number(),
  mean: figure,
  best: figure,
  /** How many answers have the best score, and how many different texts they are. */
  top: z.number(),
  distinct: z.number().nullable(),
  /** Characters, the median of the best answers and of all. */
  topLength: z.number().nullable(),
  length: z.number().nullable(),
  example: text.extend({ id: z.string(), repeat: z.number() }).nullable(),
})

/** What is rewarded, step by step? Null where there is one step only, which `samples` is asked about. */
export const samplesCourse = question({
  request: request({
    run: z.string(),
    metric: z.string().nullable().default(null),
    condition: conditionAsked,
    limit: numberWithin({ above: 0, whole: true }),
  }),
  answer: z
    .object({
      run: z.string(),
      label: z.string(),
      metric: z.string(),
      alternatives: list(z.string()),
      steps: list(z.number()),
      shown: list(stepSamples),
    })
    .nullable(),
  async ask(workspace, { run: name, metric, condition, limit }, asking) {
    const [{ label, run }] = await sidesNamed(workspace, [name], asking)
    const found = await sampleCourse(run, { metric, condition, count: limit ?? STEPS_SHOWN })
    if (found === null) return null
    if ('kind' in found) throw problemWith(found, condition)
    const { shown, ...about } = found
    return {
      run: run.manifest.id,
      label,
      ...about,
      shown: shown.map(({ mean, best, example, ...step }) => ({
        ...step,
        mean: jsonNumber(mean),
        best: jsonNumber(best),
        example: example === null ? null : exampleOf(example),
      })),
    }
  },
})

export type SamplesCourseAnswer = NonNullable<z.infer<typeof samplesCourse.answer>>

function exampleOf({ sample, repeat, input, output, expected, choice }: TextRow) {
  return { id: sample, repeat, input, output, expected, choice }
}

async function sidesNamed(
  workspace: Workspace,
  names: readonly string[],
  naming: Naming,
): Promise<readonly NamedSide[]> {
  const sides = await resolveSides(workspace, names, naming)
  return sides.map(({ label, runs, checkpoint }) => {
    if (runs.length === 1) return { label, run: runs[0], step: checkpoint }
    throw new Problem('bad-request', message('samples.one-run', { side: label, count: runs.length }))
  })
}

function problemWith(problem: Exclude<Selection, { readonly kind: 'selected' }>, wanted: Condition): Problem {
  switch (problem.kind) {
    case 'no-samples':
      return new Problem('not-enough', message('samples.none', { side: problem.label }))
    case 'no-step': {
      const { label: side, step, steps: all } = problem
      const steps = `${someOf(all.map(String), 12)}${all.length > 12 ? ', …' : ''}`
      if (step !== null) return new Problem('not-found', message('samples.no-step', { side, step, steps }))
      const last = all[all.length - 1]
      return new Problem('bad-request', message('samples.which-step', { side, steps, last }))
    }
    case 'no-metric':
      return new Problem('not-found', message('samples.no-metric', { metrics: someOf(problem.metrics, 12) }))
    case 'no-condition': {
      const conditions = problem.conditions.slice(0, 8).map(conditionText).join('; ')
      if (Object.keys(wanted).length > 0) {
        return new Problem('not-found', message('samples.no-condition', { conditions }))
      }
      const example = tellingPart(problem.conditions)
      return new Problem('bad-request', message('samples.which-condition', { conditions, example }))
    }
  }
}

/** A part of the first condition that not all of them share. */
function tellingPart(conditions: readonly Condition[]): string {
  const [first = [], ...others] = conditions.map(condition => Object.entries(condition))
  const isShared = ([key, value]: readonly [string, unknown]): boolean =>
    others.every(other => other.some(([otherKey, otherValue]) => otherKey === key && otherValue === value))
  return (first.find(entry => !isShared(entry)) ?? first[0] ?? []).join('=')
}

function conditionText(condition: Condition): string {
  const told = Object.entries(condition).map(([key, value]) => `${key}=${value}`)
  return told.join(' ') || '–'
}

function refuseUnshared({ sides, n }: SampleFindings): void {
  if (sides.length < 2 || n > 0) return
  const [first, second] = sides
  const names = { first: first.label, second: second.label }
  const counts = { firstCount: first.prompts, secondCount: second.prompts }
  throw new Problem('not-enough', message('samples.no-shared', { ...names, ...counts }))
}

function answerOf(
  { sides, n, paired, test, flips, failures, agreement, warnings }: SampleFindings,
  texts: ShownTexts,
  shown: number,
  language: Language,
): Omit<SamplesAnswer, 'limit' | 'alternatives'> {
  return {
    sides: sides.map(({ label, run, step, metric, condition, answers, prompts, mean, hasTexts }) => ({
      label,
      run: run.manifest.id,
      step,
      metric,
      condition,
      prompts,
      answers: answers.length,
      mean: jsonNumber(mean),
      hasTexts,
    })),
    metric: sides[0].metric,
    n,
    paired,
    test: test === null ? null : verdictAnswer(test, language),
    flips: flips.map(({ id, scores, gained, parts, class: failure }, at) => ({
      id,
      scores,
      gained,
      parts: Object.fromEntries(parts.map(({ name, values }) => [name, values])),
      class: failure,
      ...(at < shown && { outputs: texts.map(side => side.get(id)?.output ?? null) }),
    })),
    failures: failures.map(({ class: failure, counts, how, examples }) => ({
      class: failure,
      counts,
      how: how.map(({ reason, counts: each }) => ({ reason: render(reason, language), counts: each })),
      examples,
    })),
    agreement,
    warnings: inWords(warnings, language),
    texts: texts.map(side =>
      Object.fromEntries(
        [...side].map(([id, { input, output, expected, choice }]) => [id, { input, output, expected, choice }]),
      ),
    ),
  }
}
