import type { Command } from 'commander'
import { compareSides, headline, type Request, type Side } from '../analysis/compare.js'
import { type Confound, confounds, knobsTurned } from '../analysis/confounds.js'
import { jsonNumber } from '../model/json.js'
import type { Verdict } from '../model/verdict.js'
import { meaningOf } from '../model/vocabulary/resolve.js'
import { shownName, wholeConfig } from '../store/manifest.js'
import { frameworkOf, vocabularyOf, type WorkspaceWords, workspaceWords } from '../store/meaning.js'
import { type LoadedRun, readSeries, type SeriesPoints } from '../store/series.js'
import { openWorkspace } from '../store/workspace.js'
import { settingLabel } from '../text/vocabulary.js'
import { type Context, UserError, verb } from './context.js'
import { findRuns } from './find-runs.js'
import { goalFrom } from './goal.js'
import { metricsNamed } from './metric-names.js'
import { meanOf } from './run-json.js'
import { alignTable, printable, shortNumber, shortStep } from './style.js'

interface Options {
  readonly json?: boolean
  readonly metric?: string
  readonly margin?: string
  readonly goal?: string
  readonly window?: string
}

export function compareVerb(context: Context): Command {
  return verb('compare', context.say('compare.about', {}), context)
    .argument('<side...>', context.say('compare.sides', {}))
    .option('-m, --metric <name>', context.say('compare.option.metric', {}))
    .option('--margin <size>', context.say('compare.option.margin', {}))
    .option('--goal <max|min>', context.say('compare.option.goal', {}))
    .option('--window <from:to>', context.say('compare.option.window', {}))
    .action((names: string[], options: Options) => compare(context, names, options))
}

interface NamedSide {
  readonly label: string
  readonly runs: readonly LoadedRun[]
}

async function compare(context: Context, names: readonly string[], options: Options): Promise<void> {
  if (names.length < 2) throw new UserError(context.say('compare.needs-two', {}))
  const words = await workspaceWords(await openWorkspace())
  const named = await Promise.all(names.map(async label => sideOf(context, label, await findRuns(context, label))))
  const wanted = options.metric ?? 'val.score'
  const metrics = named.map(({ runs }) => sharedMetric(runs, wanted, words))
  if (metrics.some(metric => metric === null)) throw new UserError(noMetric(context, named, wanted))

  const request = requestFrom(context, options, named[0].runs[0], metrics[0] ?? wanted, words)
  const warnings: string[] = []
  const sides = await Promise.all(
    named.map((side, i) => readSide(context, side, metrics[i] ?? wanted, words, warnings)),
  )
  const { verdicts, table } = compareSides(sides, request)
  const differing = confounds(
    named.map(({ runs }) => wholeConfig(runs[0].manifest)),
    named.map(({ runs }) => frameworkOf(runs[0].manifest)),
  )
  if (options.json) {
    context.printJson({
      sides: named.map(({ label, runs }) => ({ label, runs: runs.map(({ manifest }) => manifest.id) })),
      confounds: differing,
      verdicts: verdicts.map(verdict => verdictJson(context, verdict)),
      choose: null,
      summary: summaryOf(named),
      table: {
        metric: request.metric,
        rows: table.map(({ step, values, diff }) => ({ step, values: values.map(jsonNumber), diff: jsonNumber(diff) })),
      },
      warnings,
    })
    return
  }
  for (const warning of warnings) context.remark(printable(warning, 200))
  for (const other of sides.slice(1)) {
    printVerdicts(
      context,
      verdicts.filter(verdict => verdict.other === other.label),
      request,
    )
  }
  printConfounds(context, differing)
  printTable(context, sides, table)
}

/** Runs that differ in more than seeds and names are no replicates of each other. */
function sideOf(context: Context, label: string, runs: readonly LoadedRun[]): NamedSide {
  const differing = confounds(
    runs.map(({ manifest }) => wholeConfig(manifest)),
    runs.map(({ manifest }) => frameworkOf(manifest)),
  )
  if (differing.length > 0) {
    const keys = differing
      .slice(0, 4)
      .map(({ key }) => key)
      .join(', ')
    throw new UserError(context.say('compare.not-replicates', { side: printable(label), keys: printable(keys, 200) }))
  }
  return { label: runs.length === 1 ? shownName(runs[0].manifest) : label, runs }
}

function sharedMetric(runs: readonly LoadedRun[], wanted: string, words: WorkspaceWords): string | null {
  const candidates = metricsNamed(runs[0].manifest, wanted, words)
  return candidates.find(name => runs.every(({ manifest }) => manifest.metrics.has(name))) ?? null
}

function noMetric(context: Context, sides: readonly NamedSide[], metric: string): string {
  const runs = sides.flatMap(side => side.runs)
  const shared = [...runs[0].manifest.metrics.keys()].filter(name => runs.every(run => run.manifest.metrics.has(name)))
  const shown = shared.slice(0, 6).join(', ') || '–'
  return context.say('compare.no-metric', { metric: printable(metric), shared: printable(shown, 300) })
}

async function readSide(
  context: Context,
  { label, runs }: NamedSide,
  metric: string,
  words: WorkspaceWords,
  warnings: string[],
): Promise<Side> {
  const estimated = runs.reduce((sum, { manifest }) => sum + (manifest.metrics.get(metric)?.estimated ?? 0), 0)
  if (estimated > 0) warnings.push(context.say('compare.estimates-left-out', { side: label, count: estimated }))
  const read = async (name: (run: LoadedRun) => string | undefined): Promise<SeriesPoints[]> => {
    const found = await Promise.all(
      runs.map(async run => {
        const metric = name(run)
        return metric === undefined ? undefined : (await readSeries(run, [metric])).get(metric)
      }),
    )
    return found.filter(points => points !== undefined)
  }
  return {
    label,
    series: await read(() => metric),
    stepTimes: await read(run => metricsNamed(run.manifest, 'time.step', words)[0]),
  }
}

function requestFrom(
  context: Context,
  options: Options,
  { manifest }: LoadedRun,
  metric: string,
  words: WorkspaceWords,
): Request {
  const window = /^(\d+(?:\.\d+)?):(\d+(?:\.\d+)?)$/.exec(options.window ?? '')
  if (options.window !== undefined && window === null) {
    throw new UserError(context.say('compare.bad-window', { value: printable(options.window) }))
  }
  return {
    metric,
    goal: goalFrom(context, options.goal) ?? meaningOf(metric, vocabularyOf(manifest, words)).goal,
    margin: marginFrom(context, options.margin),
    ...(window !== null && { window: { from: Number(window[1]), to: Number(window[2]) } }),
  }
}

function marginFrom(context: Context, text: string | undefined): Request['margin'] {
  if (text === undefined) return null
  const size = Number(text.replace(/%$/, ''))
  if (text.trim() === '' || !(size > 0))
    throw new UserError(context.say('compare.bad-margin', { value: printable(text) }))
  return text.endsWith('%') ? { share: size / 100 } : { absolute: size }
}

function verdictJson(context: Context, verdict: Verdict): object {
  const { note, ...settle } = verdict.toSettle
  return {
    ...verdict,
    reasons: verdict.reasons.map(context.render),
    toSettle: { ...settle, ...(note && { note: context.render(note) }) },
  }
}

/** Every metric that all sides have, averaged over replicates. */
function summaryOf(sides: readonly NamedSide[]): object[] {
  const runs = sides.flatMap(side => side.runs)
  const shared = [...runs[0].manifest.metrics.keys()].filter(name => runs.every(run => run.manifest.metrics.has(name)))
  return shared.map(metric => ({
    metric,
    values: sides.map(side => {
      const records = side.runs.map(run => run.manifest.metrics.get(metric)).filter(record => record !== undefined)
      const over = (member: (record: (typeof records)[number]) => number): number | string | null =>
        jsonNumber(records.reduce((sum, record) => sum + member(record), 0) / records.length)
      return {
        first: over(record => record.first),
        last: over(record => record.last),
        mean: over(meanOf),
        min: over(record => record.min),
        max: over(record => record.max),
      }
    }),
  }))
}

function printVerdicts(context: Context, verdicts: readonly Verdict[], request: Request): void {
  const main = headline(verdicts)
  const { paint } = context
  context.print(
    `${paint('bold', context.say(`answer.${main.answer}`, {}))}  ${printable(main.other)} − ${printable(main.baseline)}`,
  )
  context.print(
    `    ${context.say(`question.${main.question}`, {})}, ${printable(request.metric)}   ${estimateText(context, main)}`,
  )
  if (main.smallestMargin !== null && main.answer === 'undetermined') {
    const smallest = shortNumber(main.smallestMargin)
    context.print(
      `    ${
        main.margin === null
          ? context.say('compare.smallest', { smallest })
          : context.say('compare.not-same', { margin: shortNumber(main.margin), smallest })
      }`,
    )
  }
  for (const reason of main.reasons) context.print(`    ${printable(context.render(reason), 300)}`)
  if (main.toSettle.note) context.print(`    ${context.render(main.toSettle.note)}`)
  context.print('')
  const rows = verdicts
    .filter(verdict => verdict !== main)
    .map(verdict => [
      context.say(`question.${verdict.question}`, {}),
      context.say(`answer.${verdict.answer}`, {}),
      estimateText(context, verdict),
      paint('dim', printable(verdict.reasons.map(context.render).join('; '), 160)),
    ])
  for (const line of alignTable(rows)) context.print(`  ${line}`)
  context.print('')
}

function estimateText(context: Context, { question, estimate, interval }: Verdict): string {
  if (estimate === null) return ''
  if (interval === null) return shortNumber(estimate)
  const [low, high] = interval.map(shortNumber)
  if (question === 'speed') return context.say('compare.steps-apart', { low, high })
  return `${shortNumber(estimate)}   ${context.say('compare.interval', { low, high })}`
}

function printConfounds(context: Context, differing: readonly Confound[]): void {
  if (differing.length === 0) {
    context.print(context.say('compare.no-differences', {}))
  } else {
    const count = knobsTurned(differing)
    const note = count > 1 ? context.say('compare.cannot-credit', {}) : ''
    context.print(context.say('compare.differences', { count, note }))
    const rows = [...differing]
      .sort((a, b) => Number(a.knob === null) - Number(b.knob === null))
      .map(({ key, values }) => [
        printable(settingLabel(key, context.language), 40),
        values.map(value => printable(value === null ? '–' : String(value), 30)).join(' → '),
      ])
    for (const line of alignTable(rows)) context.print(`    ${line}`)
  }
  context.print('')
}

/** The whole table would drown the answer; it is in --json. */
const ROWS_SHOWN = 12

function printTable(context: Context, sides: readonly Side[], table: ReturnType<typeof compareSides>['table']): void {
  const rows = table
    .slice(0, ROWS_SHOWN)
    .map(({ step, values, diff }) => [
      shortStep(step),
      ...values.map(value => (value === null ? '' : shortNumber(value))),
      diff === null ? '' : `${diff > 0 ? '+' : ''}${shortNumber(diff)}`,
    ])
  const header = ['step', ...sides.map(({ label }) => printable(label, 20)), 'diff']
  const right = new Set(header.map((_, i) => i))
  for (const line of alignTable([header, ...rows], right)) context.print(`  ${line}`)
  if (table.length > ROWS_SHOWN) context.print('  …')
}
