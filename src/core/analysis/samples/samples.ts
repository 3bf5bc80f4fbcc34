import { z } from 'zod'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { figure as figureField, list, pair } from '../../../logs/model/schema.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { mean, quantile } from '../../../stats/descriptive.js'
import { sentence } from '../../../text/answer-schema.js'
import { figure } from '../../../text/numbers.js'
import { message } from '../../../text/say.js'
import { readSampleTexts, type TextRow } from '../../store/texts.js'
import { condition, keyedVerdict, withReasonKeys } from '../answer-fields.js'
import { compareCheckpoint } from '../compare/checkpoint.js'
import { type Answer, readAnswers } from './answers.js'
import { FAILURE_CLASSES, failureJudge, isChoice, type Judged, lengthLimitOf } from './failures.js'
import {
  type Agreement,
  agreement,
  agreementOf,
  type Chosen,
  type PromptPair,
  pairPrompts,
  type Scale,
  scaleOf,
} from './pairing.js'
import { sampleText, sampleTextOf } from './sample-text.js'
import type { SelectedSide, Selection } from './select.js'

/** The samples of one checkpoint, or of two side by side: what flipped, why answers fail, whether the two choose alike. */
interface SampleFindings {
  readonly sides: readonly ExaminedSide[]
  readonly scale: Scale
  /** Prompts that all sides answered. */
  readonly n: number
  readonly paired: Paired | null
  readonly test: Verdict | null
  /** Prompts whose score changed, the largest losses first, then the largest gains. */
  readonly flips: readonly Flip[]
  readonly failures: readonly FailureCount[]
  readonly agreement: Agreement | null
  readonly warnings: readonly Message[]
}

interface ExaminedSide extends SelectedSide {
  readonly answers: readonly Answer[]
  readonly prompts: number
  readonly mean: number
  readonly hasTexts: boolean
  readonly failed: ReadonlyMap<Answer, Judged>
}

const paired = z.discriminatedUnion('kind', [
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
    /** Of the differences: smallest, quarter, middle, three quarters, largest. */
    quantiles: list(z.number()),
  }),
])

type Paired = z.infer<typeof paired>

const flip = z.object({
  id: z.string(),
  scores: pair(z.number()),
  gained: z.boolean(),
  /** Parts of the reward that changed with it. */
  parts: z.record(z.string(), pair(z.number())),
  /** Why the worse answer failed, where it counts as wrong. */
  class: z.enum(FAILURE_CLASSES).nullable(),
})

type Flip = z.infer<typeof flip>

const failureCount = z.object({
  class: z.enum(FAILURE_CLASSES),
  /** Answers, by side. */
  counts: list(z.number()),
  how: list(z.object({ reason: sentence, counts: list(z.number()) })),
  /** Ids of prompts, by side. */
  examples: list(list(z.string())),
})

type FailureCount = z.infer<typeof failureCount>

export const samplesAnswer = z.object({
  sides: list(
    z.object({
      label: z.string(),
      run: z.string(),
      step: z.number(),
      metric: z.string(),
      condition,
      prompts: z.number(),
      answers: z.number(),
      mean: figureField,
      hasTexts: z.boolean(),
    }),
  ),
  metric: z.string(),
  /** Prompts that all sides answered. */
  n: z.number(),
  paired: paired.nullable(),
  test: keyedVerdict.nullable(),
  /** With the outputs by side, of those whose texts were asked for. */
  flips: list(flip.extend({ outputs: list(z.string().nullable()).optional() })),
  failures: list(failureCount),
  agreement: agreement.nullable(),
  warnings: list(sentence),
  /** By side, then by prompt: what was asked for, as far as it is kept. */
  texts: list(z.record(z.string(), sampleText)),
  /** How many flips and failures of a kind are to be shown. */
  limit: z.number(),
  /** Metrics that might have been meant as well. */
  alternatives: list(z.string()),
  /** Where they are asked for: what each side scored, over its repeats; null where it has no score. */
  prompts: list(z.object({ id: z.string(), scores: list(figureField.nullable()) })).optional(),
})

export type SamplesFound = z.infer<typeof samplesAnswer>

export interface SamplesOptions extends WantedTexts {
  /** Whether the scores of all prompts are wanted. */
  readonly prompts: boolean
}

/** One checkpoint's samples, or two sides by side, as far as they are asked for. */
export async function answerSamples(
  { sides, alternatives }: Selection,
  options: SamplesOptions,
): Promise<SamplesFound> {
  const found = await examineSamples(sides)
  refuseUnshared(found)
  const texts = await readShownTexts(found, options)
  const { n, paired, test, flips, failures, agreement, warnings } = found
  const shown = options.flips ? options.limit : 0
  return {
    sides: found.sides.map(({ label, run, step, metric, condition, answers, prompts, mean, hasTexts }) => {
      const counts = { prompts, answers: answers.length, mean, hasTexts }
      return { label, run: run.manifest.id, step, metric, condition, ...counts }
    }),
    metric: sides[0].metric,
    n,
    paired,
    test: test === null ? null : withReasonKeys(test),
    flips: flips.map((each, at) => ({
      ...each,
      ...(at < shown && { outputs: texts.map(side => side.get(each.id)?.output ?? null) }),
    })),
    failures,
    agreement,
    warnings,
    texts: texts.map(side => Object.fromEntries([...side].map(([id, row]) => [id, sampleTextOf(row)]))),
    limit: options.limit,
    alternatives,
    ...(options.prompts && { prompts: scoresByPrompt(found) }),
  }
}

function refuseUnshared({ sides, n }: SampleFindings): void {
  if (sides.length < 2 || n > 0) return
  const [first, second] = sides
  const names = { first: first.label, second: second.label }
  const counts = { firstCount: first.prompts, secondCount: second.prompts }
  throw new Problem('not-enough', message('samples.no-shared', { ...names, ...counts }))
}

function scoresByPrompt({ sides }: SampleFindings): SamplesFound['prompts'] {
  const byPrompt = sides.map(({ answers }) => groupBy(answers, ({ id }) => id))
  const ids = [...new Set(byPrompt.flatMap(side => [...side.keys()]))]
  return ids.map(id => ({
    id,
    scores: byPrompt.map(side => {
      const scores = side.get(id)?.map(({ score }) => score)
      return scores === undefined ? null : mean(scores)
    }),
  }))
}

async function examineSamples(selected: readonly SelectedSide[]): Promise<SampleFindings> {
  const read: (readonly Answer[])[] = []
  // One after the other: texts are streamed, and DuckDB streams one result at a time.
  for (const side of selected) read.push(await readAnswers(side))
  const { goal } = selected[0].run.meaningOf(selected[0].metric)
  const scale = scaleOf(read, goal ?? 'max')
  const judge = failureJudge(
    read.flat().map(answer => ({ ...answer, right: scale.isRight(answer.score) })),
    lengthLimitOf(selected),
  )
  const sides = selected.map((side, i): ExaminedSide => {
    const failed = read[i].filter(({ score }) => !scale.isRight(score))
    return {
      ...side,
      answers: read[i],
      prompts: new Set(read[i].map(({ id }) => id)).size,
      mean: mean(read[i].map(({ score }) => score)),
      hasTexts: read[i].some(({ facts }) => facts !== null),
      failed: new Map(failed.map(answer => [answer, judge({ ...answer, right: false })])),
    }
  })
  const pairs = sides.length === 2 ? pairPrompts(sides[0].answers, sides[1].answers) : []
  return {
    sides,
    scale,
    n: sides.length === 2 ? pairs.length : sides[0].prompts,
    paired: pairs.length === 0 ? null : pairedCounts(pairs, scale),
    test: pairs.length === 0 ? null : pairedTest(sides, pairs, goal),
    flips: flipsIn(pairs, sides, scale),
    failures: failureCounts(sides),
    agreement: agreementIn(pairs),
    warnings: [
      ...(goal === null ? [message('samples.direction', { metric: selected[0].metric })] : []),
      ...warningsAbout(sides, pairs, scale),
    ],
  }
}

function pairedCounts(pairs: readonly PromptPair[], { binary, isRight, goal }: Scale): Paired {
  if (binary) {
    const count = (first: boolean, second: boolean): number =>
      pairs.filter(({ scores }) => isRight(scores[0]) === first && isRight(scores[1]) === second).length
    return {
      kind: 'binary',
      bothRight: count(true, true),
      bothWrong: count(false, false),
      toRight: count(false, true),
      toWrong: count(true, false),
    }
  }
  const differences = pairs.map(({ scores: [first, second] }) => second - first).sort((a, b) => a - b)
  const sign = goal === 'max' ? 1 : -1
  return {
    kind: 'graded',
    up: differences.filter(difference => sign * difference > 0).length,
    down: differences.filter(difference => sign * difference < 0).length,
    equal: differences.filter(difference => difference === 0).length,
    quantiles: [0, 0.25, 0.5, 0.75, 1].map(share => quantile(differences, share)),
  }
}

function pairedTest(sides: readonly ExaminedSide[], pairs: readonly PromptPair[], goal: Goal | null): Verdict {
  const score = (which: 0 | 1) => {
    const scores = pairs.map(pair => pair.scores[which])
    return { value: mean(scores), n: scores.length, scores }
  }
  const asked = { metric: sides[0].metric, goal, baseline: sides[0].label, other: sides[1].label, margin: null }
  return compareCheckpoint({ question: 'checkpoint', ...asked }, score(0), score(1))
}

function flipsIn(pairs: readonly PromptPair[], sides: readonly ExaminedSide[], { goal, isRight }: Scale): Flip[] {
  const sign = goal === 'max' ? 1 : -1
  const twins = twinsIn(sides)
  const change = ({ scores: [first, second] }: PromptPair): number => sign * (second - first)
  return pairs
    .filter(pair => change(pair) !== 0)
    .map(pair => {
      const gained = change(pair) > 0
      const worse = gained ? 0 : 1
      const failed = pair.answers[worse].find(({ score }) => !isRight(score))
      return {
        size: Math.abs(change(pair)),
        id: pair.id,
        scores: pair.scores,
        gained,
        parts: Object.fromEntries(
          partsOf(pair).filter(([name, [first, second]]) => first !== second && !twins.has(name)),
        ),
        class: failed === undefined ? null : (sides[worse].failed.get(failed)?.class ?? null),
      }
    })
    .sort((a, b) => Number(a.gained) - Number(b.gained) || b.size - a.size)
    .map(({ size: _, ...flip }) => flip)
}

/** The score itself under another name explains nothing, nor does an advantage, whose mean over a prompt is nil. */
function twinsIn(sides: readonly ExaminedSide[]): ReadonlySet<string> {
  const names = sides.flatMap(({ parts }) => [...parts.keys()])
  const isTwin = (name: string): boolean =>
    /advantage/i.test(name) ||
    sides.every(({ answers }) => answers.every(({ score, parts }) => parts.get(name) === score))
  return new Set(names.filter(isTwin))
}

function partsOf({ answers }: PromptPair): readonly (readonly [name: string, values: readonly [number, number]])[] {
  const names = new Set(answers.flatMap(side => side.flatMap(({ parts }) => [...parts.keys()])))
  return [...names].flatMap(name => {
    const [first, second] = answers.map(side => {
      const values = side.flatMap(({ parts }) => parts.get(name) ?? [])
      return values.length === 0 ? null : mean(values)
    })
    return first === null || second === null ? [] : [[name, [first, second]] as const]
  })
}

/** Enough to look at; the rest is in the texts. */
const EXAMPLES = 20

function failureCounts(sides: readonly ExaminedSide[]): FailureCount[] {
  return FAILURE_CLASSES.flatMap(failure => {
    const members = sides.map(({ failed }) => [...failed].filter(([, judged]) => judged.class === failure))
    if (members.every(({ length }) => length === 0)) return []
    const reasons = new Map(members.flat().map(([, { how }]) => [JSON.stringify(how), how]))
    const how = [...reasons].map(([key, reason]) => ({
      reason,
      counts: members.map(each => each.filter(([, judged]) => JSON.stringify(judged.how) === key).length),
    }))
    return [
      {
        class: failure,
        counts: members.map(({ length }) => length),
        how: how.sort((a, b) => Math.max(...b.counts) - Math.max(...a.counts)),
        examples: members.map(each => [...new Set(each.map(([{ id }]) => id))].slice(0, EXAMPLES)),
      },
    ]
  })
}

/** Only where each prompt has one answer: sampled repeats are no choice. */
function agreementIn(pairs: readonly PromptPair[]): Agreement | null {
  if (pairs.some(({ answers }) => answers.some(({ length }) => length !== 1))) return null
  const chosen = ({ choice, facts, output }: Answer): Chosen => ({
    choice: isChoice(choice) ? choice : null,
    answer: facts?.final ?? null,
    output,
  })
  return agreementOf(pairs.map(({ answers: [[first], [second]] }) => [chosen(first), chosen(second)]))
}

function warningsAbout(sides: readonly ExaminedSide[], pairs: readonly PromptPair[], scale: Scale): Message[] {
  const warnings = sides.flatMap(({ hasTexts, label }) =>
    hasTexts ? [] : [message('samples.no-texts', { side: label })],
  )
  if (scale.graded) warnings.push(message('samples.threshold', { threshold: figure(scale.threshold, 4) }))
  if (sides.length < 2) return warnings
  for (const { label, prompts } of sides) {
    if (prompts > pairs.length) {
      warnings.push(message('samples.unpaired', { side: label, prompts, shared: pairs.length }))
    }
  }
  const others = pairs.filter(({ answers: [[first], [second]] }) => first.input !== null && second.input !== null)
  const differing = others.filter(({ answers: [[first], [second]] }) => first.input !== second.input).length
  if (differing > 0) warnings.push(message('samples.inputs-differ', { count: differing, n: others.length }))
  const alike = pairs.filter(
    ({ answers: [[first], [second]] }) => first.output !== null && first.output === second.output,
  )
  const rescored = alike.filter(({ answers: [[first], [second]] }) => first.score !== second.score).length
  if (rescored > 0) warnings.push(message('samples.rescored', { count: rescored, n: alike.length }))
  return warnings
}

/** The answers that somebody wants to see, and no others: by side, then by prompt. */
type ShownTexts = readonly ReadonlyMap<string, TextRow>[]

interface WantedTexts {
  readonly flips: boolean
  readonly failures: boolean
  /** Of each kind. */
  readonly limit: number
  /** Of these prompts in any case. */
  readonly ids: readonly string[]
}

async function readShownTexts({ sides, flips, failures }: SampleFindings, wanted: WantedTexts): Promise<ShownTexts> {
  const flipped = wanted.flips ? flips.slice(0, wanted.limit).map(({ id }) => id) : []
  const shown: Map<string, TextRow>[] = []
  for (const [at, side] of sides.entries()) {
    const failed = wanted.failures ? failures.flatMap(({ examples }) => examples[at].slice(0, wanted.limit)) : []
    const found = new Map<string, TextRow>()
    for await (const rows of readSampleTexts(side.run, {
      ...side,
      ids: [...new Set([...wanted.ids, ...flipped, ...failed])],
    })) {
      for (const row of rows) if (isShown(side, row, found)) found.set(row.sample, row)
    }
    shown.push(found)
  }
  return shown
}

/** Of several answers to a prompt a failed one is shown, where there is one: it is what was asked about. */
function isShown({ failed }: ExaminedSide, { sample, repeat }: TextRow, found: ReadonlyMap<string, TextRow>): boolean {
  if (!found.has(sample)) return true
  return [...failed.keys()].find(({ id }) => id === sample)?.repeat === repeat
}
