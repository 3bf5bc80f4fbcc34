import type { Command } from 'commander'
import { rankCheckpoints } from '../analysis/checkpoints.js'
import { jsonNumber } from '../model/json.js'
import type { Goal } from '../model/vocabulary/metric.js'
import { meaningOf, rawNamesFor } from '../model/vocabulary/resolve.js'
import { readEvaluations } from '../store/evaluations.js'
import { vocabularyOf, workspaceWords } from '../store/meaning.js'
import { readSamples } from '../store/samples.js'
import { type LoadedRun, readSeries, type SeriesPoints } from '../store/series.js'
import { openWorkspace } from '../store/workspace.js'
import { type Context, UserError, verb } from './context.js'
import { findRun } from './find-runs.js'
import { goalFrom } from './goal.js'
import { metricsNamed } from './metric-names.js'
import { alignTable, printable, shortNumber, shortStep } from './style.js'

interface Options {
  readonly json?: boolean
  readonly metric?: string
  readonly goal?: string
}

export function checkpointsVerb(context: Context): Command {
  return verb('checkpoints', context.say('checkpoints.about', {}), context)
    .argument('<run>', context.say('argument.run', {}))
    .option('-m, --metric <name>', context.say('checkpoints.option.metric', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .action((name: string, options: Options) => checkpoints(context, name, options))
}

/** What a reader weighs beside the score, as far as the run has it. */
const BESIDE = ['val.loss', 'loss.policy', 'kl.ref', 'entropy', 'adv.std', 'len.response']
const ROWS_SHOWN = 10

async function checkpoints(context: Context, name: string, options: Options): Promise<void> {
  const run = await findRun(context, name)
  const words = await workspaceWords(await openWorkspace())
  const vocabulary = vocabularyOf(run.manifest, words)
  const wanted = options.metric ?? 'val.score'
  const metric = metricsNamed(run.manifest, wanted, words)[0]
  if (metric === undefined) {
    const known = printable([...run.manifest.metrics.keys()].slice(0, 8).join(', '), 300)
    throw new UserError(context.say('show.no-metric', { run: run.manifest.id, metric: printable(wanted), known }))
  }
  const goal: Goal | null = goalFrom(context, options.goal) ?? meaningOf(metric, vocabulary).goal
  if (goal === null) throw new UserError(context.say('checkpoints.no-goal', { metric: printable(metric) }))

  const names = [...run.manifest.metrics.keys()]
  const beside = BESIDE.flatMap(canonical => rawNamesFor(canonical, names, vocabulary).slice(0, 1)).filter(
    other => other !== metric,
  )
  const series = await readSeries(run, [metric, ...beside])
  const scored = series.get(metric)
  const ranked = scored === undefined ? null : rankCheckpoints(scored, goal, await noiseOf(run, metric, scored))
  if (ranked === null) {
    throw new UserError(context.say('checkpoints.empty', { run: run.manifest.id, metric: printable(metric) }))
  }
  const others = (step: number): { readonly [metric: string]: number } => valuesAt(series, beside, step)
  if (options.json) {
    context.printJson({
      metric,
      goal,
      ranking: ranked.ranking.map(({ step, value }) => ({ step, value, others: others(step) })),
      best: { ...ranked.best, shrunken: jsonNumber(ranked.best.shrunken) },
      indistinguishable: ranked.indistinguishable,
      reasons: ranked.reasons.map(context.render),
    })
    return
  }
  const { best, indistinguishable, reasons, ranking } = ranked
  const [value, step] = [shortNumber(best.value), shortStep(best.step)]
  if (best.shrunken === null || best.interval === null) {
    context.print(context.say('checkpoints.best-plain', { value, step }))
  } else {
    const earliest = shortStep(indistinguishable[0])
    context.print(
      context.paint('bold', context.say('checkpoints.headline', { count: indistinguishable.length, earliest })),
    )
    const [low, high] = best.interval.map(shortNumber)
    context.print(
      `  ${context.say('checkpoints.best', { value, step, shrunken: shortNumber(best.shrunken), low, high })}`,
    )
  }
  for (const reason of reasons) context.print(`  ${printable(context.render(reason), 240)}`)
  context.print('')
  const alike = new Set(indistinguishable)
  const rows = ranking
    .slice(0, ROWS_SHOWN)
    .map(row => [
      shortStep(row.step),
      shortNumber(row.value),
      alike.has(row.step) ? '=' : '',
      ...beside.map(other => (others(row.step)[other] === undefined ? '' : shortNumber(others(row.step)[other]))),
    ])
  const header = [
    'step',
    printable(metric, 40),
    context.say('checkpoints.column.alike', {}),
    ...beside.map(other => printable(other, 24)),
  ]
  for (const line of alignTable([header, ...rows], new Set(header.map((_, i) => i)))) context.print(`  ${line}`)
  if (ranking.length > ROWS_SHOWN) context.print('  …')
}

function valuesAt(series: ReadonlyMap<string, SeriesPoints>, metrics: readonly string[], step: number) {
  return Object.fromEntries(
    metrics.flatMap(metric => {
      const points = series.get(metric)
      const at = points?.steps.indexOf(step) ?? -1
      return points === undefined || at < 0 ? [] : [[metric, points.values[at]]]
    }),
  )
}

/** Per-prompt scores belong to the metric whose values are their means. */
async function noiseOf({ folder }: LoadedRun, metric: string, { steps, values }: SeriesPoints) {
  const valueAt = new Map(Array.from(steps, (step, i) => [step, values[i]]))
  const scores = new Map<number, readonly number[]>()
  for (const batch of await readSamples(folder)) {
    const mean = batch.scores.reduce((sum, score) => sum + score, 0) / batch.scores.length
    if (Math.abs(mean - (valueAt.get(batch.step) ?? Number.NaN)) < 1e-6) scores.set(batch.step, batch.scores)
  }
  const told = (await readEvaluations(folder)).find(evaluation => evaluation.metric === metric && evaluation.n !== null)
  return { scores, prompts: told?.n ?? null }
}
