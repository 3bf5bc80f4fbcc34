import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { Command } from 'commander'
import { rankRun } from '../analysis/checkpoints/checkpoint-evidence.js'
import { compareRuns } from '../analysis/compare/comparison.js'
import { chartSvg } from '../charts/svg.js'
import { diagnose } from '../diagnosis/diagnose.js'
import type { Block, Report } from '../report/blocks.js'
import { comparisonCharts, rankingCharts, trainingCharts } from '../report/charts.js'
import type { Diagnosed } from '../report/diagnosis.js'
import { toHtml } from '../report/html.js'
import { toMarkdown } from '../report/markdown.js'
import { memoryIn } from '../report/memory.js'
import { pairReport } from '../report/pair.js'
import { runReport } from '../report/run.js'
import { readSideSeries } from '../report/series.js'
import { sweepReport } from '../report/sweep.js'
import { type Voice, voiceIn } from '../report/voice.js'
import { type WorkspaceWords, workspaceWords } from '../store/meaning.js'
import type { LoadedRun } from '../store/series.js'
import { openWorkspace } from '../store/workspace.js'
import { type Context, collect, UserError, verb } from './context.js'
import { findSides } from './find-sides.js'
import { goalFrom } from './goal.js'
import { sweepAnswer, sweepSettling } from './print-sweep.js'
import { sizeFrom } from './size.js'
import { printable } from './style.js'
import { gatherSweep, knobsThatDiffer } from './sweep.js'
import { version } from './version.js'

interface Options {
  readonly json?: boolean
  readonly output: string
  readonly metric?: string
  readonly goal?: string
  readonly margin?: string
  readonly over?: readonly string[]
  readonly title?: string
  readonly date?: string
}

export function reportVerb(context: Context): Command {
  return verb('report', context.say('report.about', {}), context)
    .argument('<run...>', context.say('report.runs', {}))
    .option('-o, --output <file>', context.say('report.option.output', {}), 'report.md')
    .option('-m, --metric <name>', context.say('compare.option.metric', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .option('--margin <size>', context.say('compare.option.margin', {}))
    .option('--over <key>', context.say('report.option.over', {}), collect)
    .option('--title <title>', context.say('report.option.title', {}))
    .option('--date <date>', context.say('report.option.date', {}))
    .action((names: string[], options: Options) => report(context, names, options))
}

async function report(context: Context, names: readonly string[], options: Options): Promise<void> {
  const format = extname(options.output).toLowerCase()
  if (format !== '.md' && format !== '.html') {
    throw new UserError(context.say('report.bad-output', { path: printable(options.output, 200) }))
  }
  if (options.date !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(options.date)) {
    throw new UserError(context.say('report.bad-date', { value: printable(options.date) }))
  }
  const before = memoryIn(await readFile(options.output, 'utf8').catch(() => ''))
  const made = await documentOf(context, names, options, {
    voice: voiceIn(context.language),
    before,
    title: options.title ?? null,
    date: options.date ?? null,
    provenance: { version: version(), command: commandLine(names, options) },
  })
  const files = await write(options.output, format, made)
  if (options.json) context.printJson({ files, title: made.title })
  else for (const path of files) context.print(context.say('report.written', { path: printable(path, 300) }))
}

interface Frame {
  readonly voice: Voice
  readonly before: ReturnType<typeof memoryIn>
  readonly title: string | null
  readonly date: string | null
  readonly provenance: { readonly version: string; readonly command: string }
}

/** One run, two sides, or a sweep: by what is given. Three sides and more are a sweep when one knob tells them apart. */
async function documentOf(context: Context, names: readonly string[], options: Options, frame: Frame): Promise<Report> {
  const workspace = await openWorkspace()
  const words = await workspaceWords(workspace)
  const over = options.over ?? (names.length > 2 ? await knobsThatDiffer(context, names) : [])
  if (over.length > 0) return sweepDocument(context, names, { ...options, over }, frame, words)
  const sides = await findSides(context, names)
  if (sides.length === 1 && sides[0].runs.length === 1)
    return runDocument(context, sides[0].runs[0], options, frame, words)
  if (sides.length === 1) throw new UserError(context.say('compare.needs-two', {}))
  const wanted = {
    metric: options.metric ?? 'val.score',
    goal: goalFrom(context, options.goal),
    margin: sizeFrom(context, '--margin', options.margin),
    seedScatter: null,
  }
  const comparison = await compareRuns(workspace, words, sides, wanted)
  if (comparison === null)
    throw new UserError(context.say('compare.no-metric', { metric: printable(wanted.metric), shared: '–' }))
  const diagnosed = await diagnoseAll(
    sides.flatMap(({ runs }) => runs),
    words,
  )
  const series = await readSideSeries(sides, comparison.metrics, words)
  return pairReport(frame.voice, {
    ...frame,
    sides,
    comparison,
    diagnosed,
    words,
    charts: {
      evaluations: comparisonCharts(frame.voice, series, comparison),
      training: trainingCharts(frame.voice, series, diagnosed),
    },
  })
}

async function diagnoseAll(runs: readonly LoadedRun[], words: WorkspaceWords): Promise<readonly Diagnosed[]> {
  const diagnosed: Diagnosed[] = []
  for (const run of runs) diagnosed.push({ run, diagnosis: await diagnose(run, words) })
  return diagnosed
}

async function runDocument(
  context: Context,
  run: LoadedRun,
  options: Options,
  frame: Frame,
  words: WorkspaceWords,
): Promise<Report> {
  const wanted = options.metric ?? 'val.score'
  const ranking = await rankRun(run, wanted, goalFrom(context, options.goal), words)
  const [diagnosed] = await diagnoseAll([run], words)
  const series = await readSideSeries([{ label: run.manifest.name, runs: [run] }], [], words)
  return runReport(frame.voice, {
    ...frame,
    diagnosed,
    ranking,
    wanted,
    charts: {
      evaluations: ranking === null ? [] : rankingCharts(frame.voice, ranking, wanted),
      training: trainingCharts(frame.voice, series, [diagnosed]),
    },
  })
}

async function sweepDocument(
  context: Context,
  names: readonly string[],
  options: Options,
  frame: Frame,
  words: WorkspaceWords,
): Promise<Report> {
  const gathered = await gatherSweep(context, names, options)
  const { sweep, request, problems, runs } = gathered
  return sweepReport(frame.voice, {
    ...frame,
    sweep,
    request,
    problems,
    runs,
    answer: sweepAnswer(context, sweep, request),
    settling: sweepSettling(context, sweep),
    diagnosed: await diagnoseAll(runs, words),
  })
}

/** Charts of a Markdown report stand in a folder named after it, so that several reports can share a place. */
async function write(path: string, format: '.md' | '.html', made: Report): Promise<readonly string[]> {
  await mkdir(dirname(path), { recursive: true })
  if (format === '.html') {
    await writeFile(path, toHtml(made))
    return [path]
  }
  const folder = `${basename(path, extname(path))}-charts`
  const charts = made.blocks.filter((block): block is Extract<Block, { kind: 'chart' }> => block.kind === 'chart')
  if (charts.length > 0) await mkdir(join(dirname(path), folder), { recursive: true })
  const files: string[] = []
  for (const { chart } of charts) {
    const file = join(dirname(path), folder, `${chart.id}.svg`)
    await writeFile(file, chartSvg(chart.definition, { prefix: chart.id, scheme: 'light' }))
    files.push(file)
  }
  await writeFile(
    path,
    toMarkdown(made, id => `${folder}/${id}.svg`),
  )
  return [path, ...files]
}

/** The command that makes the report again, with the language it was made in. */
function commandLine(
  names: readonly string[],
  { output, metric, goal, margin, over = [], title, date }: Options,
): string {
  const quoted = (word: string): string => (/^[\w./@:%=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)
  const option = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [name, quoted(value)]
  return [
    'klens report',
    ...names.map(name => quoted(name.startsWith('/') ? basename(name) : name)),
    ...option('--metric', metric),
    ...option('--goal', goal),
    ...option('--margin', margin),
    ...over.flatMap(key => option('--over', key)),
    ...option('--title', title),
    ...option('--date', date),
    ...option('-o', basename(output)),
  ].join(' ')
}
