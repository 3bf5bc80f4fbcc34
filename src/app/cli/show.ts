import { dirname } from 'node:path'
import type { Command } from 'commander'
import { terminalChart } from '../../core/present/terminal-chart.js'
import type { Json } from '../../logs/model/json.js'
import { harmlessText } from '../../text/harmless.js'
import { signedFigure } from '../../text/numbers.js'
import { metricLabel, settingLabel } from '../../text/vocabulary.js'
import { type SeriesAnswer, type ShowAnswer, show } from '../ask/show.js'
import { type Context, collect, verb } from './context.js'
import { alignTable, count, printable, shortNumber, shortStep } from './print/style.js'

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
    .action((run: string, options: Options) =>
      options.json ? printJson(context, run, options) : showRun(context, run, options),
    )
}

/** Written piece by piece: a long run's JSON need not fit into memory as one text. */
async function printJson(context: Context, run: string, { metric }: Options): Promise<void> {
  const { write, end } = seriesWriter(text => process.stdout.write(harmlessText(text)))
  const { series, ...rest } = await context.ask(show, { run, metric, points: 'streamed' }, { onProgress: write })
  end()
  process.stdout.write(`],${harmlessText(JSON.stringify(rest)).slice(1)}\n`)
}

/** Pieces of one metric that come one after the other are one series. */
function seriesWriter(write: (text: string) => void) {
  let open: { readonly metric: string; readonly hasPoints: boolean; readonly end: string } | null = null
  // Nothing is written before there is something to say: what stands in the way is an answer of its own.
  const end = (): void => write(open?.end ?? '{"series":[')
  return {
    end,
    write({ points, estimates, ...meaning }: SeriesAnswer): void {
      const isNew = open?.metric !== meaning.metric
      if (isNew) {
        end()
        write(`${open === null ? '' : ','}${JSON.stringify(meaning).slice(0, -1)},"points":[`)
      }
      const isBehind = !isNew && open?.hasPoints === true && points.length > 0
      write(`${isBehind ? ',' : ''}${JSON.stringify(points).slice(1, -1)}`)
      const told = estimates === undefined ? '' : `,"estimates":${JSON.stringify(estimates)}`
      open = { metric: meaning.metric, hasPoints: points.length > 0, end: `]${told}}` }
    },
  }
}

async function showRun(context: Context, run: string, { metric, all = false }: Options): Promise<void> {
  const answer = await context.ask(show, { run, metric, points: 'telling' })
  printHead(context, answer)
  if (metric === undefined) printSettings(context, answer, all)
  printCurves(context, answer)
  printMetrics(context, answer)
  printNotes(context, answer)
  printIntegrity(context, answer)
}

function printHead(context: Context, { run }: ShowAnswer): void {
  const { paint } = context
  const { id, source } = run
  const said = context.say('show.head', {
    id,
    source: printable(source, 40),
    status: context.say(`status.${run.status}`, {}),
  })
  context.print(`${paint('bold', printable(run.name))}   ${said}`)
  context.print(
    run.steps === null
      ? context.say('show.no-steps', {})
      : context.say('show.size', {
          first: shortStep(run.steps[0]),
          last: shortStep(run.steps[1]),
          metrics: run.metrics,
          points: count(run.points),
        }),
  )
  if (run.evaluations + run.samples > 0) {
    context.print(context.say('show.evaluations', { count: run.evaluations, samples: count(run.samples) }))
  }
  if (run.duplicateOf !== null) {
    context.print(paint('yellow', context.say('import.duplicate', { run: run.duplicateOf })))
  }
  for (const line of filesRead(context, run.files))
    context.print(paint('dim', `${context.say('show.files', {})} ${line}`))
}

/** A folder of thousands of completions, one file a step, is one line. */
const MOST_FILES_OF_A_FOLDER = 3

function filesRead(context: Context, files: ShowAnswer['run']['files']): readonly string[] {
  const folders = new Set(files.map(({ path }) => dirname(path)))
  return [...folders].flatMap(folder => {
    const inside = files.filter(({ path }) => dirname(path) === folder)
    const isMany = inside.length > MOST_FILES_OF_A_FOLDER + 1
    const lines = (isMany ? inside.slice(0, MOST_FILES_OF_A_FOLDER) : inside).map(({ path }) => printable(path, 160))
    const count = inside.length - lines.length
    return count === 0 ? lines : [...lines, context.say('show.more-files', { count, folder: printable(folder, 160) })]
  })
}

function printCurves(context: Context, { series }: ShowAnswer): void {
  const curves = series.map(curveOf).filter(({ n }) => n > 0)
  if (curves.length === 0) return
  heading(context, context.say('show.curves', {}))
  const width = Math.max(20, Math.min(100, (process.stdout.columns ?? 80) - 16))
  for (const { metric, canonical, unit, goal, n, points } of curves) {
    const { lines, envelope, beyond } = terminalChart(
      points.map(([step]) => step),
      points.map(([, value]) => Number(value)),
      { width },
    )
    const about = [
      context.say('show.points', { n }),
      ...(unit === null ? [] : [unit]),
      ...(goal === null ? [] : [context.say(goal === 'max' ? 'show.higher' : 'show.lower', {})]),
      ...(envelope ? [context.say('show.envelope', {})] : []),
      ...(beyond === null
        ? []
        : [context.say('show.beyond', { count: beyond.count, farthest: shortNumber(beyond.farthest) })]),
    ]
    const label = canonical === null ? [] : [metricLabel(canonical, context.language), canonical]
    const title = [...label, printable(metric)].join('  ')
    context.print(`  ${context.paint('bold', title)}   ${context.paint('dim', about.join(' · '))}`)
    for (const line of lines) context.print(`  ${line}`)
    context.print('')
  }
}

/** A range is drawn from its lowest value to its highest. */
function curveOf({ points, ranges, ...meaning }: SeriesAnswer) {
  if (ranges === undefined) return { ...meaning, n: points.length, points }
  return {
    ...meaning,
    n: ranges.reduce((sum, range) => sum + range.points, 0),
    points: ranges.flatMap(({ from, to, low, high }) => [[from, low] as const, [to, high] as const]),
  }
}

function printMetrics(context: Context, { run, metrics }: ShowAnswer): void {
  if (metrics.length === 0) return
  heading(context, context.say('show.metrics', {}))
  const columns = ['metric', 'canonical', 'n', 'first', 'last', 'change', 'min', 'max', 'mean'] as const
  const header = columns.map(column => context.say(`show.column.${column}`, {}))
  const rows = metrics.map(({ metric, canonical }) => {
    const { n, mean, ...values } = run.summary[metric]
    const start = [printable(metric, 48), canonical ?? '', count(n)]
    if (n === 0) return [...start, '', '', '', '', '', '']
    const [first, last] = [Number(values.first), Number(values.last)]
    const at = (value: Figure, step: Figure): string => `${text(value)} @ ${shortStep(Number(step ?? Number.NaN))}`
    return [
      ...start,
      shortNumber(first),
      shortNumber(last),
      signedFigure(last - first),
      at(values.min, values.minStep),
      at(values.max, values.maxStep),
      text(mean),
    ]
  })
  const lines = alignTable([header, ...rows], new Set([2, 3, 4, 5, 6, 7, 8]))
  lines.forEach((line, i) => {
    context.print(`  ${i === 0 ? context.paint('dim', line) : line}`)
  })
}

type Figure = ShowAnswer['run']['summary'][string]['mean']

function text(value: Figure): string {
  return shortNumber(Number(value ?? Number.NaN))
}

/** What the framework's logs are known to mislead about. */
function printNotes(context: Context, { notes }: ShowAnswer): void {
  if (notes.length === 0) return
  heading(context, context.say('show.notes', {}))
  for (const { note, metrics } of notes) {
    context.print(`  ${printable(metrics.join(', '), 100)}`)
    context.print(`      ${printable(note, 400)}`)
  }
}

function printIntegrity(context: Context, { integrity }: ShowAnswer): void {
  heading(context, context.say('show.integrity', {}))
  if (integrity.length === 0) context.print(`  ${context.say('integrity.whole', {})}`)
  for (const remark of integrity) context.print(`  ${context.paint('yellow', '!')} ${printable(remark, 240)}`)
}

function heading(context: Context, title: string): void {
  context.print('')
  context.print(context.paint('bold', title))
}

/** A run's settings: what takes effect, and what was configured where that differs. */
export function printSettings(context: Context, { settings, run: { config } }: ShowAnswer, all: boolean): void {
  const keys = Object.keys(config)
  if (keys.length === 0) return
  if (settings.length > 0) {
    context.print('')
    context.print(context.paint('bold', context.say('show.settings', {})))
    const rows = settings.map(({ key, rawKey, effective }) => [
      settingLabel(key, context.language),
      valueText(effective),
      rawKey === null ? '' : context.paint('dim', printable(rawKey, 60)),
    ])
    alignTable(rows).forEach((line, i) => {
      context.print(`  ${line}`)
      const reason = reasonText(context, settings[i])
      if (reason !== null) context.print(context.paint('yellow', `      ${printable(reason, 200)}`))
    })
  }
  if (all) {
    context.print('')
    context.print(context.paint('bold', context.say('show.config', {})))
    const rows = keys.sort().map(key => [printable(key), valueText(config[key])])
    for (const line of alignTable(rows)) context.print(`  ${line}`)
    return
  }
  const shown = new Set(settings.map(({ rawKey }) => rawKey))
  const more = keys.filter(key => !shown.has(key)).length
  if (more > 0) context.print(context.paint('dim', `  ${context.say('show.more-settings', { count: more })}`))
}

function reasonText(
  context: Context,
  { configured, effective, reason }: ShowAnswer['settings'][number],
): string | null {
  if (reason === null) return null
  if (configured === null || JSON.stringify(configured) === JSON.stringify(effective)) return reason
  return context.say('show.replaced-by-effect', { configured: valueText(configured), reason })
}

function valueText(value: Json): string {
  if (value === null) return '–'
  return printable(typeof value === 'string' ? value : JSON.stringify(value), 60)
}
