import { basename } from 'node:path'
import type { Command } from 'commander'
import { integrity } from '../analysis/integrity.js'
import { jsonNumber } from '../model/json.js'
import { configuredSettings } from '../model/vocabulary/config-lookup.js'
import { numberOf } from '../model/vocabulary/config-value.js'
import { meaningOf, rawNamesFor, type Vocabulary } from '../model/vocabulary/resolve.js'
import { settingsOf } from '../model/vocabulary/settings.js'
import { trapsFor } from '../model/vocabulary/traps.js'
import { pointCount, stepRange } from '../store/catalogue.js'
import { regularities } from '../store/gaps.js'
import { meanOf, shownName, wholeConfig } from '../store/manifest.js'
import { frameworkOf, metricsNamed, vocabularyOf, type WorkspaceWords, workspaceWords } from '../store/meaning.js'
import { type LoadedRun, readSeries } from '../store/series.js'
import { openWorkspace } from '../store/workspace.js'
import { metricLabel } from '../text/vocabulary.js'
import { type Context, collect, UserError, verb } from './context.js'
import { findRun } from './find-runs.js'
import { printSettings } from './print-settings.js'
import { runJson } from './run-json.js'
import { alignTable, count, printable, shortNumber, shortStep } from './style.js'
import { terminalChart } from './terminal-chart.js'

interface Options {
  readonly json?: boolean
  readonly metric?: readonly string[]
  readonly all?: boolean
}

export function showVerb(context: Context): Command {
  return verb('show', context.say('show.about', {}), context)
    .argument('<run>', context.say('argument.run', {}))
    .option('-m, --metric <name>', context.say('show.option.metric', {}), collect)
    .option('--all', context.say('show.option.all', {}))
    .action((name: string, options: Options) => show(context, name, options))
}

async function show(context: Context, name: string, options: Options): Promise<void> {
  const run = await findRun(context, name)
  const words = await workspaceWords(await openWorkspace())
  for (const problem of words.problems) context.remark(printable(context.render(problem), 300))
  const vocabulary = vocabularyOf(run.manifest, words)
  const named = options.metric ?? []
  const metrics = chosenMetrics(context, run, named, words)
  const remarks = await integrityLines(context, run)
  if (options.json) return printJson(run, metrics, vocabulary, remarks)
  printHead(context, run)
  if (named.length === 0) {
    const settings = settingsOf(wholeConfig(run.manifest), frameworkOf(run.manifest), words.user)
    printSettings(context, settings, wholeConfig(run.manifest), options.all === true)
  }
  const charted = named.length > 0 ? metrics : tellingMetrics(run, vocabulary)
  await printCurves(context, run, charted, vocabulary)
  printMetrics(context, run, metrics, vocabulary)
  printNotes(context, run, metrics, vocabulary)
  printIntegrity(context, remarks)
}

function chosenMetrics(
  context: Context,
  { manifest }: LoadedRun,
  names: readonly string[],
  words: WorkspaceWords,
): string[] {
  if (names.length === 0) return [...manifest.metrics.keys()].sort()
  return names.flatMap(name => {
    const metrics = metricsNamed(manifest, name, words)
    if (metrics.length > 0) return metrics
    const known = [...manifest.metrics.keys()].slice(0, 8).join(', ')
    throw new UserError(
      context.say('show.no-metric', { run: manifest.id, metric: printable(name), known: printable(known, 300) }),
    )
  })
}

/** Series are written one by one: a long run's JSON need not fit into memory as one text. */
async function printJson(
  run: LoadedRun,
  metrics: readonly string[],
  vocabulary: Vocabulary,
  remarks: readonly string[],
): Promise<void> {
  process.stdout.write(`{"run":${JSON.stringify(runJson(run.manifest))},"series":[`)
  for (const [i, metric] of metrics.entries()) {
    const points = (await readSeries(run, [metric])).get(metric)
    const marked = run.manifest.metrics.get(metric)?.estimated ?? 0
    const estimates = marked > 0 ? (await readSeries(run, [metric], 'estimated')).get(metric) : undefined
    const { canonical, unit, goal } = meaningOf(metric, vocabulary)
    const series = {
      metric,
      canonical,
      unit,
      goal,
      points: pairs(points),
      ...(estimates && { estimates: pairs(estimates) }),
    }
    process.stdout.write(`${i > 0 ? ',' : ''}${JSON.stringify(series)}`)
  }
  process.stdout.write(`],"integrity":${JSON.stringify(remarks)}}\n`)
}

function pairs(points: { steps: Float64Array; values: Float64Array } | undefined): (number | string | null)[][] {
  return points === undefined ? [] : Array.from(points.steps, (step, i) => [step, jsonNumber(points.values[i])])
}

function printHead(context: Context, { manifest }: LoadedRun): void {
  const { paint } = context
  const { id, source, status } = manifest
  const said = context.say('show.head', { id, source, status: context.say(`status.${status}`, {}) })
  context.print(`${paint('bold', printable(shownName(manifest)))}   ${said}`)
  const steps = stepRange(manifest)
  context.print(
    steps === null
      ? context.say('show.no-steps', {})
      : context.say('show.size', {
          first: shortStep(steps[0]),
          last: shortStep(steps[1]),
          metrics: manifest.metrics.size,
          points: count(pointCount(manifest)),
        }),
  )
  if (manifest.evaluations + manifest.samples > 0) {
    const evaluations = { count: manifest.evaluations, samples: count(manifest.samples) }
    context.print(context.say('show.evaluations', evaluations))
  }
  if (manifest.duplicateOf !== null) {
    context.print(paint('yellow', context.say('import.duplicate', { run: manifest.duplicateOf })))
  }
  for (const file of manifest.files) {
    context.print(paint('dim', `${context.say('show.files', {})} ${printable(file.path, 160)}`))
  }
}

/** What a reader looks at first, as far as the run has it. */
const TELLING = ['val.score', 'score.mean', 'val.loss', 'kl.ref', 'entropy', 'grad.norm', 'loss.total']
const MOST_CHARTS = 4

function tellingMetrics({ manifest }: LoadedRun, vocabulary: Vocabulary): string[] {
  const names = [...manifest.metrics.keys()]
  const telling = TELLING.flatMap(canonical => rawNamesFor(canonical, names, vocabulary).slice(0, 1))
  const long = [...new Set(telling)].filter(name => (manifest.metrics.get(name)?.n ?? 0) > 1)
  const chosen = long.length > 0 ? long : names.filter(name => (manifest.metrics.get(name)?.n ?? 0) > 1)
  return chosen.slice(0, MOST_CHARTS)
}

async function printCurves(
  context: Context,
  run: LoadedRun,
  metrics: readonly string[],
  vocabulary: Vocabulary,
): Promise<void> {
  const series = await readSeries(run, metrics)
  if (series.size === 0) return
  heading(context, context.say('show.curves', {}))
  const width = Math.max(20, Math.min(100, (process.stdout.columns ?? 80) - 16))
  for (const [metric, { steps, values }] of series) {
    const { canonical, unit, goal } = meaningOf(metric, vocabulary)
    const { lines, envelope } = terminalChart(steps, values, { width })
    const about = [
      context.say('show.points', { n: steps.length }),
      ...(unit === null ? [] : [unit]),
      ...(goal === null ? [] : [context.say(goal === 'max' ? 'show.higher' : 'show.lower', {})]),
      ...(envelope ? [context.say('show.envelope', {})] : []),
    ]
    const label = canonical === null ? [] : [metricLabel(canonical, context.language), canonical]
    const title = [...label, printable(metric)].join('  ')
    context.print(`  ${context.paint('bold', title)}   ${context.paint('dim', about.join(' · '))}`)
    for (const line of lines) context.print(`  ${line}`)
    context.print('')
  }
}

function printMetrics(
  context: Context,
  { manifest }: LoadedRun,
  metrics: readonly string[],
  vocabulary: Vocabulary,
): void {
  if (metrics.length === 0) return
  heading(context, context.say('show.metrics', {}))
  const columns = ['metric', 'canonical', 'n', 'first', 'last', 'change', 'min', 'max', 'mean'] as const
  const header = columns.map(column => context.say(`show.column.${column}`, {}))
  const rows = metrics.flatMap(name => {
    const record = manifest.metrics.get(name)
    if (record === undefined) return []
    const { n, first, last, min, minStep, max, maxStep } = record
    const canonical = meaningOf(name, vocabulary).canonical ?? ''
    if (n === 0) return [[printable(name, 48), canonical, '0', '', '', '', '', '', '']]
    return [
      [
        printable(name, 48),
        canonical,
        count(n),
        shortNumber(first),
        shortNumber(last),
        signed(last - first),
        `${shortNumber(min)} @ ${shortStep(minStep)}`,
        `${shortNumber(max)} @ ${shortStep(maxStep)}`,
        shortNumber(meanOf(record)),
      ],
    ]
  })
  const lines = alignTable([header, ...rows], new Set([2, 3, 4, 5, 6, 7, 8]))
  lines.forEach((line, i) => {
    context.print(`  ${i === 0 ? context.paint('dim', line) : line}`)
  })
}

/** What the framework's logs are known to mislead about, each said once with the metrics it is about. */
function printNotes(
  context: Context,
  { manifest }: LoadedRun,
  metrics: readonly string[],
  vocabulary: Vocabulary,
): void {
  const about = new Map<string, string[]>()
  const loggedEvery = numberOf(configuredSettings(wholeConfig(manifest), vocabulary.framework).get('log.every')?.value)
  for (const metric of metrics) {
    const traps = trapsFor(metric, vocabulary.framework, manifest.about.versions ?? {}, loggedEvery)
    for (const note of [...meaningOf(metric, vocabulary).notes, ...traps]) {
      const said = context.render(note)
      about.set(said, [...(about.get(said) ?? []), metric])
    }
  }
  if (about.size === 0) return
  heading(context, context.say('show.notes', {}))
  for (const [said, named] of about) {
    context.print(`  ${printable(named.join(', '), 100)}`)
    context.print(`      ${printable(said, 400)}`)
  }
}

function signed(value: number): string {
  return value > 0 ? `+${shortNumber(value)}` : shortNumber(value)
}

async function integrityLines(context: Context, run: LoadedRun): Promise<string[]> {
  return integrity(run.manifest, await regularities(run)).map(({ message, file }) =>
    file === null
      ? context.render(message)
      : context.say('integrity.warning', { file: basename(file), warning: context.render(message) }),
  )
}

function printIntegrity(context: Context, remarks: readonly string[]): void {
  heading(context, context.say('show.integrity', {}))
  if (remarks.length === 0) context.print(`  ${context.say('integrity.whole', {})}`)
  for (const remark of remarks) context.print(`  ${context.paint('yellow', '!')} ${printable(remark, 240)}`)
}

function heading(context: Context, text: string): void {
  context.print('')
  context.print(context.paint('bold', text))
}
