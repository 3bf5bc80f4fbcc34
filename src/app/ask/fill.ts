import { readFile, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { type FilledFigure, filledText, type ReferenceSpot, referencesIn } from '../../audit/fill.js'
import { type RunSide, sideOf } from '../../core/analysis/compare/evidence.js'
import type { RunView } from '../../core/analysis/run-view.js'
import { isWritable } from '../../core/present/figure-source.js'
import { speakerIn } from '../../core/present/speaker.js'
import { verdictPart } from '../../core/present/verdict.js'
import { readSeries } from '../../core/store/series.js'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import { mean, standardDeviation } from '../../stats/descriptive.js'
import { encode } from '../../text/encode.js'
import { figure, fixed } from '../../text/numbers.js'
import { render, sentences } from '../../text/sentences.js'
import { comparisonOf } from './compare.js'
import { list, request, size } from './fields.js'
import { type ParsedReference, parseReference } from './fill-reference.js'
import { resolveRuns, resolveSides } from './names.js'
import { type Asking, question } from './question.js'

/**
 * Figures from the store into a report, each with its source behind it. Run again after new data it updates them; a
 * verdict that turned is left as it stands and told, because the sentence around it was written for the other one.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'fill.no-file': { en: 'there is no report {path}', zh: '没有报告 {path}' },
  'fill.turned': { en: 'the verdict was “{before}” and is now “{after}”; read the sentence around it, then run klens fill --accept', zh: '判定原为“{before}”，现为“{after}”；请检查上下文，再运行 klens fill --accept' },
  'fill.edited': { en: 'klens wrote {before}, and it is now {found}; restore it, or accept it with klens fill --accept', zh: 'klens 写的是 {before}，现在是 {found}；请恢复，或用 klens fill --accept 覆盖' },
  'fill.unwritable': { en: 'the figure “{text}” cannot be written into a comment', zh: '数字“{text}”无法写入注释' },
  'fill.no-metric': { en: '{run} has no metric {metric}', zh: '{run} 没有指标 {metric}' },
  'fill.no-step': { en: '{run} has no {metric} at step {step}', zh: '{run} 在 step {step} 没有 {metric}' },
  'fill.no-goal': { en: 'it is unknown which {metric} is best; write max or min', zh: '不知道 {metric} 越大越好还是越小越好；请写 max 或 min' },
  'fill.no-verdict': { en: 'the comparison has no question “{question}”', zh: '此对比没有“{question}”这一问' },
})

const STATES = ['filled', 'same', 'changed', 'turned', 'edited', 'failed'] as const

const fillAnswer = z.object({
  file: z.string(),
  /** Whether the file was written. */
  written: z.boolean(),
  references: list(
    z.object({
      line: z.number(),
      column: z.number(),
      reference: z.string(),
      state: z.enum(STATES),
      before: z.string().nullable(),
      after: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
})

export type FillAnswer = z.infer<typeof fillAnswer>
type Outcome = FillAnswer['references'][number]

export const fill = question({
  request: request({
    report: z.string(),
    /** Write here instead of into the report. */
    output: z.string().optional(),
    /** Say what would change, and write nothing. */
    check: z.boolean().default(false),
    /** Take verdicts that turned and put figures back that were changed by hand. */
    accept: z.boolean().default(false),
  }),
  answer: fillAnswer,
  async ask(workspace, { report, output, check, accept, lang }, asking) {
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Problem('not-found', say('fill.no-file', { path: report }))
    })
    const figures = new Map<ReferenceSpot, FilledFigure>()
    const references: Outcome[] = []
    for (const spot of referencesIn(text)) {
      const outcome = await outcomeOf(workspace, spot, { lang, accept }, asking)
      references.push(outcome.told)
      if (outcome.figure !== null) figures.set(outcome.spot, outcome.figure)
    }
    const filled = filledText(text, figures)
    const target = output ?? report
    const written = !check && (filled !== text || output !== undefined)
    // Whoever reads it meanwhile sees the old text or the new one, never half of it.
    if (written) await writeFile(`${target}.klens-fill`, filled).then(() => rename(`${target}.klens-fill`, target))
    return { file: report, written, references }
  },
})

interface SpotOutcome {
  readonly told: Outcome
  readonly spot: ReferenceSpot
  /** What is put there; null where it stays as it is. */
  readonly figure: FilledFigure | null
}

async function outcomeOf(
  workspace: Workspace,
  spot: ReferenceSpot,
  { lang, accept }: { readonly lang: 'en' | 'zh'; readonly accept: boolean },
  asking: Asking,
): Promise<SpotOutcome> {
  const { line, column, before, verdict, edited } = spot
  const tell = (state: Outcome['state'], after: string | null, reason: string | null = null): Outcome => {
    return { line, column, reference: spot.reference, state, before, after, reason }
  }
  try {
    const parsed = parseReference(spot.reference, lang)
    const found = await figureOf(workspace, parsed, asking)
    const { text } = found
    if (!isWritable({ reference: parsed.written, text }))
      throw new Problem('bad-request', say('fill.unwritable', { text }))
    const named = { ...spot, reference: parsed.written }
    if (edited !== null) {
      const reason = render(say('fill.edited', { before: before ?? '', found: edited }), lang)
      const whole = { ...named, from: spot.from - edited.length }
      return accept
        ? { told: tell('changed', text), spot: whole, figure: found }
        : { told: tell('edited', text, reason), spot, figure: null }
    }
    if (verdict !== null && found.verdict !== verdict) {
      const reason = render(say('fill.turned', { before: verdict, after: found.verdict ?? '' }), lang)
      return accept
        ? { told: tell('changed', text), spot: named, figure: found }
        : { told: tell('turned', text, reason), spot, figure: null }
    }
    const state = before === null ? 'filled' : before === text ? 'same' : 'changed'
    return { told: tell(state, text), spot: named, figure: state === 'same' ? null : found }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { told: tell('failed', null, render(error.sentence, lang)), spot, figure: null }
  }
}

async function figureOf(workspace: Workspace, parsed: ParsedReference, asking: Asking): Promise<FilledFigure> {
  if (parsed.question === 'show') return { text: await shown(workspace, parsed, asking), verdict: null }
  const sides = await Promise.all(parsed.sides.map(name => sideNamed(workspace, name, asking)))
  const spec = { metric: parsed.metric, goal: null, margin: size.parse(parsed.margin) }
  const answer = encode(await comparisonOf(workspace, sides, spec), parsed.language)
  const asked = parsed.asked
  const [pair] = answer.others
  const verdict =
    asked === null ? answer.verdicts[pair.headline] : answer.verdicts.find(({ question: its }) => its === asked)
  if (verdict === undefined) throw new Problem('not-found', say('fill.no-verdict', { question: asked ?? '' }))
  return { text: verdictPart(verdict, parsed.part, speakerIn(parsed.language)), verdict: verdict.answer }
}

/** `a+b+c` is one side of three runs. */
async function sideNamed(workspace: Workspace, name: string, asking: Asking): Promise<RunSide> {
  const [only, ...more] = name.split('+')
  if (more.length === 0) return (await resolveSides(workspace, [only], asking))[0]
  const runs = await Promise.all([only, ...more].map(one => resolveRuns(workspace, one, asking)))
  return sideOf(name, runs.flat(), null)
}

/** One run's figure, or of several runs the mean and the standard deviation. */
async function shown(
  workspace: Workspace,
  { run, metric, part, format }: Extract<ParsedReference, { question: 'show' }>,
  asking: Asking,
): Promise<string> {
  const runs = (await Promise.all(run.split('+').map(name => resolveRuns(workspace, name, asking)))).flat()
  const values = await Promise.all(runs.map(one => metricValue(one, metric, part)))
  const print = (value: number): string => {
    if (format === null) return figure(value, 4)
    return format.isPercent ? `${fixed(100 * value, format.decimals)}%` : fixed(value, format.decimals)
  }
  if (values.length === 1) return print(values[0])
  return `${print(mean(values))} ± ${print(standardDeviation(values))}`
}

async function metricValue(run: RunView, metric: string, part: string): Promise<number> {
  const { manifest, carriersAmong, meaningOf } = run
  const names = [...manifest.metrics.keys()]
  const name = names.includes(metric) ? metric : carriersAmong(names, metric)[0]
  const series = name === undefined ? undefined : (await readSeries(run, [name])).get(name)
  if (name === undefined || series === undefined || series.values.length === 0)
    throw new Problem('not-found', say('fill.no-metric', { run: manifest.name, metric }))
  const { steps, values } = series
  if (part === 'last') return values[values.length - 1]
  if (part === 'first') return values[0]
  if (part === 'mean') return mean([...values])
  if (part.startsWith('@')) {
    const at = steps.indexOf(Number(part.slice(1)))
    if (at < 0) throw new Problem('not-found', say('fill.no-step', { run: manifest.name, metric, step: part.slice(1) }))
    return values[at]
  }
  const goal = part === 'best' ? meaningOf(name).goal : part
  if (goal !== 'max' && goal !== 'min') throw new Problem('bad-request', say('fill.no-goal', { metric }))
  return values.reduce((best, value) => (goal === 'max' ? Math.max(best, value) : Math.min(best, value)))
}
