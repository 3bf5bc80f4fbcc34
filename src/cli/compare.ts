import type { Command } from 'commander'
import { compareRuns, type RunComparison, type Wanted } from '../analysis/compare/answer.js'
import { chooseAmong } from '../analysis/compare/choose.js'
import type { RunSide } from '../analysis/compare/evidence.js'
import { sharedMetrics } from '../analysis/compare/summary.js'
import { jsonNumber } from '../model/json.js'
import { workspaceWords } from '../store/meaning.js'
import { openWorkspace } from '../store/workspace.js'
import { printComparison } from './compare-print.js'
import { type Context, UserError, verb } from './context.js'
import { findSides } from './find-sides.js'
import { goalFrom } from './goal.js'
import { numberFrom, sizeFrom } from './size.js'
import { printable } from './style.js'
import { verdictJson } from './verdict-json.js'

interface Options {
  readonly json?: boolean
  readonly metric?: string
  readonly margin?: string
  readonly goal?: string
  readonly window?: string
  readonly seedSd?: string
  readonly all?: boolean
  readonly explain?: boolean
}

export function compareVerb(context: Context): Command {
  return verb('compare', context.say('compare.about', {}), context)
    .argument('<side...>', context.say('compare.sides', {}))
    .option('-m, --metric <name>', context.say('compare.option.metric', {}))
    .option('--margin <size>', context.say('compare.option.margin', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .option('--window <from:to>', context.say('compare.option.window', {}))
    .option('--seed-sd <size>', context.say('compare.option.seed-sd', {}))
    .option('--all', context.say('compare.option.all', {}))
    .option('--explain', context.say('compare.option.explain', {}))
    .action((names: string[], options: Options) => compare(context, names, options))
}

async function compare(context: Context, names: readonly string[], options: Options): Promise<void> {
  if (names.length < 2) throw new UserError(context.say('compare.needs-two', {}))
  const wanted = wantedFrom(context, options)
  const workspace = await openWorkspace()
  const words = await workspaceWords(workspace)
  const sides = await findSides(context, names)
  if (new Set(sides.map(({ checkpoint }) => checkpoint === null)).size > 1) {
    throw new UserError(context.say('compare.steps-for-all', {}))
  }
  const comparison = await compareRuns(workspace, words, sides, wanted)
  if (comparison === null) throw new UserError(noMetric(context, sides, wanted.metric))
  if (options.json) context.printJson(comparisonJson(context, sides, comparison))
  else printComparison(context, sides, comparison, { all: options.all === true, explain: options.explain === true })
}

function wantedFrom(context: Context, options: Options): Wanted {
  const window = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(options.window ?? '')
  if (options.window !== undefined && (window === null || Number(window[1]) > Number(window[2]))) {
    throw new UserError(context.say('compare.bad-window', { value: printable(options.window) }))
  }
  return {
    metric: options.metric ?? 'val.score',
    goal: goalFrom(context, options.goal),
    margin: sizeFrom(context, '--margin', options.margin),
    ...(window !== null && { window: { from: Number(window[1]), to: Number(window[2]) } }),
    allMetrics: options.all === true,
    seedScatter: numberFrom(context, '--seed-sd', options.seedSd, { above: 0 }),
  }
}

function noMetric(context: Context, sides: readonly RunSide[], metric: string): string {
  const shown = sharedMetrics(sides).slice(0, 6).join(', ') || '–'
  return context.say('compare.no-metric', { metric: printable(metric), shared: printable(shown, 300) })
}

function comparisonJson(context: Context, sides: readonly RunSide[], comparison: RunComparison): object {
  const { request, others, table, confounds, summary, differences, warnings } = comparison
  const choice = chooseAmong(
    others.map(({ choice }) => choice),
    sides[0].label,
  )
  return {
    sides: sides.map(({ label, runs }) => ({ label, runs: runs.map(({ manifest }) => manifest.id) })),
    confounds,
    headline: {
      verdict: others[0].verdicts.indexOf(others[0].headline),
      sets: others[0].sets,
    },
    phases: others.map(({ label, phases }) => ({ other: label, phases })),
    collapsed: others.flatMap(({ label, collapse }) =>
      collapse === null ? [] : [{ label, ...collapse, messages: collapse.messages.map(context.render) }],
    ),
    attribution: others.map(({ label, attribution }) => ({ other: label, ...attribution })),
    verdicts: others.flatMap(({ verdicts }) => verdicts).map(verdict => verdictJson(context, verdict)),
    costs: others.flatMap(({ costs }) => costs).map(verdict => verdictJson(context, verdict)),
    choose: choice === null ? null : { ...choice, assumption: context.render(choice.assumption) },
    unused: others.flatMap(({ unused }) => unused).map(context.render),
    summary: summary.map(({ metric, values }) => ({
      metric,
      values: values.map(value => Object.fromEntries(Object.entries(value).map(([name, n]) => [name, jsonNumber(n)]))),
    })),
    ...(differences !== null && { differences }),
    table: {
      metric: request.metric,
      rows: table.map(({ step, values, diff }) => ({ step, values: values.map(jsonNumber), diff: jsonNumber(diff) })),
    },
    warnings: warnings.map(context.render),
  }
}
