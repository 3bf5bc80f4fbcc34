import type { Command } from 'commander'
import { examineSamples, type SampleFindings } from '../analysis/samples/samples.js'
import { type NamedSide, type Selection, selectSamples } from '../analysis/samples/select.js'
import type { Condition } from '../model/evaluation.js'
import { jsonNumber } from '../model/json.js'
import { readSampleTexts, type TextRow } from '../store/texts.js'
import { type Context, collect, UserError, verb } from './context.js'
import { findSides } from './find-sides.js'
import { printSamples } from './print/samples.js'
import { printable, shortStep } from './print/style.js'
import { numberFrom } from './size.js'
import { verdictJson } from './verdict-json.js'

interface Options {
  readonly json?: boolean
  readonly flips?: boolean
  readonly failures?: boolean
  readonly metric?: string
  readonly condition?: readonly string[]
  readonly limit?: string
}

export function samplesVerb(context: Context): Command {
  return verb('samples', context.say('samples.about', {}), context)
    .argument('<side...>', context.say('samples.sides', {}))
    .option('--flips', context.say('samples.option.flips', {}))
    .option('--failures', context.say('samples.option.failures', {}))
    .option('-m, --metric <name>', context.say('samples.option.metric', {}))
    .option('--condition <key=value>', context.say('samples.option.condition', {}), collect)
    .option('--limit <n>', context.say('samples.option.limit', {}))
    .action((names: string[], options: Options) => samples(context, names, options))
}

const SHOWN = 5

async function samples(context: Context, names: readonly string[], options: Options): Promise<void> {
  if (names.length > 2) throw new UserError(context.say('samples.too-many-sides', {}))
  const limit = numberFrom(context, '--limit', options.limit, { above: 0, whole: true }) ?? SHOWN
  const condition = conditionFrom(context, options.condition ?? [])
  const named = await sidesNamed(context, names)
  const selection = await selectSamples(named, { metric: options.metric ?? null, condition })
  if (selection.kind !== 'selected') throw new UserError(problemOf(context, selection, condition))
  const findings = await examineSamples(selection.sides)
  refuseUnshared(context, findings)
  const texts = await shownTexts(findings, limit, options)
  if (options.json) {
    context.printJson(samplesJson(context, findings, texts, limit))
    return
  }
  const { flips = false, failures = false } = options
  printSamples(context, findings, { limit, flips, failures, texts, alternatives: selection.alternatives })
}

async function sidesNamed(context: Context, names: readonly string[]): Promise<NamedSide[]> {
  const sides = await findSides(context, names)
  return sides.map(({ label, runs, checkpoint }) => {
    if (runs.length !== 1) {
      throw new UserError(context.say('samples.one-run', { side: printable(label), count: runs.length }))
    }
    return { label, run: runs[0], step: checkpoint }
  })
}

function conditionFrom(context: Context, given: readonly string[]): Condition {
  return Object.fromEntries(
    given.map(text => {
      const [, key, value] = /^(dataset|split|shots|temperature)=(.+)$/s.exec(text) ?? []
      const read = key === 'shots' || key === 'temperature' ? Number(value) : value
      if (key === undefined || Number.isNaN(read)) {
        throw new UserError(context.say('samples.bad-condition', { value: printable(text) }))
      }
      return [key, read]
    }),
  )
}

function problemOf(
  context: Context,
  problem: Exclude<Selection, { readonly kind: 'selected' }>,
  wanted: Condition,
): string {
  switch (problem.kind) {
    case 'no-samples':
      return context.say('samples.none', { side: printable(problem.label) })
    case 'no-step': {
      const side = printable(problem.label)
      const shown = problem.steps.slice(0, 12).map(shortStep).join(', ')
      const steps = problem.steps.length > 12 ? `${shown}, …` : shown
      const last = problem.steps[problem.steps.length - 1]
      if (problem.step === null) return context.say('samples.which-step', { side, steps, last })
      return context.say('samples.no-step', { side, step: problem.step, steps })
    }
    case 'no-metric':
      return context.say('samples.no-metric', { metrics: printable(problem.metrics.slice(0, 12).join(', '), 400) })
    case 'no-condition': {
      const texts = problem.conditions.map(conditionText)
      const conditions = printable(texts.slice(0, 8).join('; '), 400)
      const example = printable(tellingPart(problem.conditions))
      if (Object.keys(wanted).length > 0) return context.say('samples.no-condition', { conditions })
      return context.say('samples.which-condition', { conditions, example })
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

function refuseUnshared(context: Context, { sides, n }: SampleFindings): void {
  if (sides.length < 2 || n > 0) return
  const [first, second] = sides
  const names = { first: printable(first.label), second: printable(second.label) }
  const counts = { firstCount: first.prompts, secondCount: second.prompts }
  throw new UserError(context.say('samples.no-shared', { ...names, ...counts }))
}

/** By side, then by prompt: the answers that will be shown, and no others. */
export type ShownTexts = readonly ReadonlyMap<string, TextRow>[]

async function shownTexts(findings: SampleFindings, limit: number, options: Options): Promise<ShownTexts> {
  const flipped = options.flips || options.json ? findings.flips.slice(0, limit).map(({ id }) => id) : []
  const shown: Map<string, TextRow>[] = []
  for (const [at, side] of findings.sides.entries()) {
    const failed = options.failures ? findings.failures.flatMap(({ examples }) => examples[at].slice(0, limit)) : []
    const found = new Map<string, TextRow>()
    for await (const rows of readSampleTexts(side.run, { ...side, ids: [...new Set([...flipped, ...failed])] })) {
      for (const row of rows) if (isShown(side, row, found)) found.set(row.sample, row)
    }
    shown.push(found)
  }
  return shown
}

/** Of several answers to a prompt a failed one is shown, where there is one: it is what was asked about. */
function isShown(
  { failed }: SampleFindings['sides'][number],
  { sample, repeat }: TextRow,
  found: ReadonlyMap<string, TextRow>,
): boolean {
  if (!found.has(sample)) return true
  return [...failed.keys()].find(({ id }) => id === sample)?.repeat === repeat
}

function samplesJson(context: Context, findings: SampleFindings, texts: ShownTexts, limit: number): object {
  const { sides, n, paired, test, flips, failures, agreement, warnings } = findings
  return {
    sides: sides.map(({ label, run, step, metric, condition, answers, prompts, mean }) => ({
      label,
      run: run.manifest.id,
      step,
      metric,
      condition,
      prompts,
      answers: answers.length,
      mean: jsonNumber(mean),
    })),
    metric: sides[0].metric,
    n,
    paired,
    test: test === null ? null : verdictJson(context, test),
    flips: flips.map(({ id, scores, parts, class: failure }, at) => ({
      id,
      scores,
      parts: Object.fromEntries(parts.map(({ name, values }) => [name, values])),
      class: failure,
      ...(at < limit && { outputs: texts.map(side => side.get(id)?.output ?? null) }),
    })),
    failures: failures.map(({ class: failure, counts, how, examples }) => ({
      class: failure,
      counts,
      how: how.map(({ reason, counts }) => ({ reason: context.render(reason), counts })),
      examples,
    })),
    agreement,
    warnings: warnings.map(context.render),
  }
}
