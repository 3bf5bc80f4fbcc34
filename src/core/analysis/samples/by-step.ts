import { z } from 'zod'
import type { Condition } from '../../../logs/model/evaluation.js'
import { figure, list } from '../../../logs/model/schema.js'
import { median } from '../../../stats/descriptive.js'
import { listSamples } from '../../store/samples.js'
import { readSampleTexts, type TextRow } from '../../store/texts.js'
import { isTraining } from '../prompt-scores.js'
import type { RunView } from '../run-view.js'
import { type Answer, readAnswers } from './answers.js'
import { sampleText, sampleTextOf } from './sample-text.js'
import { type NamedSide, noSamples, preferredScore, selectSamples } from './select.js'

/**
 * What is rewarded, step by step: at some steps of a training the answers with the highest score beside all others. A
 * reward that is being gamed shows here before any curve turns: the best answers grow, or become one and the same.
 */
const stepSamples = z.object({
  step: z.number(),
  prompts: z.number(),
  answers: z.number(),
  mean: figure,
  best: figure,
  /** How many answers have the best score, and how many different texts they are; null where there are no texts. */
  top: z.number(),
  distinct: z.number().nullable(),
  /** Characters, the median over the best answers and over all. */
  topLength: z.number().nullable(),
  length: z.number().nullable(),
  /** The best answer of the median length: neither the shortest nor the longest of them. */
  example: sampleText.extend({ id: z.string(), repeat: z.number() }).nullable(),
})

type StepSamples = z.infer<typeof stepSamples>

export const samplesByStepAnswer = z.object({
  run: z.string(),
  label: z.string(),
  metric: z.string(),
  alternatives: list(z.string()),
  /** Every step that has samples of this score. */
  steps: list(z.number()),
  /** Some of them, evenly spread, the first and the last among them. */
  shown: list(stepSamples),
})

/** Null where the run has samples at one step only: then that step is what was asked for. */
export async function samplesByStep(
  { label, run }: Pick<NamedSide, 'label' | 'run'>,
  request: { readonly metric: string | null; readonly condition: Condition; readonly count: number },
): Promise<z.infer<typeof samplesByStepAnswer> | null> {
  const { id, name } = run.manifest
  const all = run.manifest.samples === 0 ? [] : await listSamples(run)
  if (all.length === 0) throw noSamples(name)
  // What training rewarded tells more of it than what validation did, where both were kept.
  const stepsOf = (metric: string): number => all.filter(set => set.metric === metric).length
  const trained = [...new Set(all.map(set => set.metric))].filter(metric => isTraining(metric) && stepsOf(metric) > 1)
  const wanted = request.metric ?? preferredScore(trained, null, run)
  // What the last step is scored by, the others are too, or they do not belong to this course.
  const named = all.filter(set => wanted === null || isNamed(set.metric, wanted))
  const last = Math.max(...(named.length > 0 ? named : all).map(({ step }) => step))
  const selected = await selectSamples([{ label: name, run, step: last }], { ...request, metric: wanted })
  const [{ metric, condition, parts }] = selected.sides
  const same = (other: Condition): boolean => JSON.stringify(other) === JSON.stringify(condition)
  const sets = all.filter(set => set.metric === metric && same(set.condition)).sort((a, b) => a.step - b.step)
  if (sets.length < 2 && request.metric === null) return null
  const goal = run.meaningOf(metric).goal ?? 'max'
  const shown: StepSamples[] = []
  for (const { step, prompts, mean: level } of spread(sets, request.count)) {
    const side = { label: name, run, step, metric, condition, parts }
    const answers = await readAnswers({ ...side, parts: new Map() })
    const { example, ...about } = stepOf(answers, goal === 'max' ? 1 : -1)
    const text = example === null ? null : await textOf(side, example)
    shown.push({ step, prompts, mean: level, ...about, example: text })
  }
  return { run: id, label, metric, alternatives: selected.alternatives, steps: sets.map(({ step }) => step), shown }
}

function isNamed(metric: string, wanted: string): boolean {
  return metric === wanted || metric.endsWith(`/${wanted}`)
}

function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items
  if (count === 1) return items.slice(-1)
  const places = Array.from({ length: count }, (_, i) => Math.round((i * (items.length - 1)) / (count - 1)))
  return places.map(place => items[place])
}

function stepOf(
  answers: readonly Answer[],
  sign: number,
): Omit<StepSamples, 'step' | 'prompts' | 'mean' | 'example'> & { readonly example: Answer | null } {
  const best = sign * Math.max(...answers.map(({ score }) => sign * score))
  const top = answers.filter(({ score }) => score === best)
  const texts = top.flatMap(({ output }) => output ?? [])
  const byLength = top.filter(({ length }) => length !== null).sort((a, b) => (a.length ?? 0) - (b.length ?? 0))
  return {
    answers: answers.length,
    best,
    top: top.length,
    distinct: texts.length === 0 ? null : new Set(texts).size,
    topLength: medianLength(top),
    length: medianLength(answers),
    example: byLength[Math.floor((byLength.length - 1) / 2)] ?? null,
  }
}

function medianLength(answers: readonly Answer[]): number | null {
  const lengths = answers.flatMap(({ length }) => length ?? [])
  return lengths.length === 0 ? null : median(lengths)
}

async function textOf(
  side: Parameters<typeof readSampleTexts>[1] & { readonly run: RunView },
  { id, repeat }: Answer,
): Promise<StepSamples['example']> {
  let found: TextRow | null = null
  for await (const rows of readSampleTexts(side.run, { ...side, ids: [id] })) {
    found = rows.find(row => row.repeat === repeat) ?? found
  }
  return found === null ? null : { id: found.sample, repeat: found.repeat, ...sampleTextOf(found) }
}
