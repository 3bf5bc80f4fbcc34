import type { Command } from 'commander'
import { confounds, knobsTurned } from '../analysis/confounds.js'
import { withoutCopies } from '../analysis/conventions.js'
import { type RunView, viewRun } from '../analysis/run-view.js'
import { type Sweep, type SweepRequest, sweepOver } from '../analysis/sweep/sweep.js'
import { cellScore, isEvaluated, runScore, runSummary, type Setting } from '../analysis/sweep/sweep-cells.js'
import { type LoadedSweep, loadSweep } from '../analysis/sweep/sweep-load.js'
import { type Json, jsonNumber } from '../model/json.js'
import { shownName } from '../store/manifest.js'
import { workspaceWords } from '../store/meaning.js'
import { openWorkspace } from '../store/workspace.js'
import { type Context, collect, UserError, verb } from './context.js'
import { findAllRuns, findRun, findRuns } from './find-runs.js'
import { goalFrom } from './goal.js'
import { printSweep } from './print-sweep.js'
import { sizeFrom } from './size.js'
import { printable } from './style.js'
import { problemsOf } from './sweep-problems.js'
import { verdictJson } from './verdict-json.js'

interface Options {
  readonly json?: boolean
  readonly over?: readonly string[]
  readonly baseline?: string
  readonly metric?: string
  readonly goal?: string
  readonly margin?: string
}

export function sweepVerb(context: Context): Command {
  return verb('sweep', context.say('sweep.about', {}), context)
    .argument('<run...>', context.say('sweep.runs', {}))
    .option('--over <key>', context.say('sweep.option.over', {}), collect)
    .option('--baseline <run>', context.say('sweep.option.baseline', {}))
    .option('-m, --metric <name>', context.say('sweep.option.metric', {}))
    .option('--goal <max|min>', context.say('sweep.option.goal', {}))
    .option('--margin <size>', context.say('sweep.option.margin', {}))
    .action((names: string[], options: Options) => sweep(context, names, options))
}

async function sweep(context: Context, names: readonly string[], options: Options): Promise<void> {
  const { sweep, request, problems } = await gatherSweep(context, names, options)
  if (options.json) return context.printJson(sweepJson(context, sweep, request, problems))
  printSweep(context, sweep, request, problems)
}

export interface GatheredSweep {
  readonly sweep: Sweep
  readonly request: SweepRequest
  /** What is wrong with the data, in words. */
  readonly problems: readonly string[]
  readonly runs: readonly RunView[]
}

export async function gatherSweep(
  context: Context,
  names: readonly string[],
  options: Options,
): Promise<GatheredSweep> {
  const margin = sizeFrom(context, '--margin', options.margin)
  const goal = goalFrom(context, options.goal)
  const { runs, copies } = await runsNamed(context, names)
  const over = [...new Set(options.over ?? [])]
  if (over.length === 0) throw new UserError(context.say('sweep.needs-over', { keys: differingKeys(runs) }))

  const wanted = options.metric ?? 'val.score'
  const loaded = await loadSweep(runs, over, wanted)
  checkKeys(context, loaded, runs, over)
  if (!loaded.runs.some(isEvaluated)) throw new UserError(noMetric(context, runs, wanted))
  const metric = loaded.runs.find(isEvaluated)?.scores.find(({ points }) => points.size > 0)?.metric ?? wanted
  const request: SweepRequest = {
    keys: loaded.keys,
    metric: options.metric ?? (sameMetric(loaded) ? metric : wanted),
    goal: goal ?? goalOf(runs, metric),
    margin,
    baseline: await baselineId(context, options.baseline, loaded),
    others: loaded.blocks.others.map(({ key }) => key),
  }
  const sweep = sweepOver(loaded.runs, request)
  return { sweep, request, problems: problemsOf(context, sweep, loaded, copies), runs }
}

/** The one knob that tells several sides apart, for a report that was given no key; none where it is not clear. */
export async function knobsThatDiffer(context: Context, names: readonly string[]): Promise<readonly string[]> {
  const differing = confounds(await allViews(context, names))
  const [knob, ...more] = knobsTurned(differing)
  if (knob === undefined || more.length > 0) return []
  const keys = differing.filter(confound => confound.knob === knob && confound.key.split('.')[0] === knob)
  const numeric = keys.find(({ values }) => values.filter(value => typeof value === 'number').length > 1)
  return [(numeric ?? keys[0]).key]
}

async function runsNamed(
  context: Context,
  names: readonly string[],
): Promise<{ readonly runs: readonly RunView[]; readonly copies: readonly RunView[] }> {
  const found = withoutCopies(await allViews(context, names))
  if (found.runs.length < 2) throw new UserError(context.say('sweep.one-run', { count: found.runs.length }))
  return found
}

async function allViews(context: Context, names: readonly string[]): Promise<readonly RunView[]> {
  const words = await workspaceWords(await openWorkspace())
  return (await findAllRuns(context, names)).map(run => viewRun(run, words))
}

function checkKeys(
  context: Context,
  { runs, keys }: LoadedSweep,
  all: readonly RunView[],
  over: readonly string[],
): void {
  if (runs.length === 0) {
    throw new UserError(context.say('sweep.no-key', { key: printable(over.join(', ')), keys: differingKeys(all) }))
  }
  keys.forEach((key, i) => {
    const values = new Set(runs.map(({ knobs }) => JSON.stringify(knobs[i].effective)))
    if (values.size > 1) return
    const value = printable(String(runs[0].knobs[i].effective))
    throw new UserError(context.say('sweep.one-value', { key: printable(key), value, count: runs.length }))
  })
}

const KEYS_NAMED = 6

function differingKeys(runs: readonly RunView[]): string {
  const differing = confounds(runs)
  return printable(
    differing
      .slice(0, KEYS_NAMED)
      .map(({ key }) => key)
      .join(', ') || '–',
    300,
  )
}

function noMetric(context: Context, runs: readonly RunView[], metric: string): string {
  const known = [...new Set(runs.flatMap(({ manifest }) => [...manifest.metrics.keys()]))]
  const shown = known.slice(0, KEYS_NAMED).join(', ') || '–'
  return context.say('sweep.no-metric', { metric: printable(metric), known: printable(shown, 300) })
}

/** One metric in all runs and conditions has a name; several are known by what they have in common. */
function sameMetric({ runs }: LoadedSweep): boolean {
  return (
    new Set(runs.flatMap(({ scores }) => scores.slice(0, 1).map(({ metric }) => metric))).size === 1 &&
    runs.every(
      ({ scores }) =>
        new Set(scores.map(({ condition }) => JSON.stringify({ ...condition, aggregate: null }))).size <= 1,
    )
  )
}

function goalOf(runs: readonly RunView[], metric: string): SweepRequest['goal'] {
  const owner = runs.find(({ manifest }) => manifest.metrics.has(metric)) ?? runs[0]
  return owner.meaningOf(metric).goal
}

async function baselineId(context: Context, name: string | undefined, { runs }: LoadedSweep): Promise<string | null> {
  if (name === undefined) return null
  const { manifest } = (await findRuns(context, name))[0] ?? (await findRun(context, name))
  if (runs.some(({ id }) => id === manifest.id)) return manifest.id
  throw new UserError(context.say('sweep.baseline-outside', { run: printable(shownName(manifest)) }))
}

function sweepJson(context: Context, result: Sweep, request: SweepRequest, problems: readonly string[]): object {
  const { settings, columns, missing, identical, copied, verdicts, baseline, resolution } = result
  const named = (values: readonly Json[]): object => Object.fromEntries(request.keys.map((key, i) => [key, values[i]]))
  const places = (
    runs: readonly { readonly id: string; readonly knobs: Setting['runs'][number]['knobs'] }[],
  ): object[] => runs.map(({ id, knobs }) => ({ run: id, values: named(knobs.map(({ effective }) => effective)) }))
  return {
    over: request.keys,
    metric: request.metric,
    goal: request.goal,
    matters: result.matters,
    take: result.take === null ? null : { ...result.take, why: result.take.why.map(context.render) },
    baseline: named(baseline.values),
    cells: settings.map(setting => ({
      values: named(setting.values),
      configured: setting.runs[0].knobs.map(({ configured }) => configured),
      runs: setting.runs.map(({ id }) => id),
      metrics: Object.fromEntries(
        columns.map(column => [
          column.metric,
          jsonNumber(cellScore(setting, run => runScore(run, column))?.mean ?? null),
        ]),
      ),
      mean: cellScore(setting, run => runSummary(run, columns))?.mean ?? null,
      spread: cellScore(setting, run => runSummary(run, columns))?.spread ?? null,
    })),
    conditions: columns.map(({ metric, condition, n, window, shared }) => ({
      metric,
      condition,
      n,
      steps: window,
      shared: shared.length,
    })),
    missing: missing.map(({ values, ...rest }) => ({ values: named(values), ...rest })),
    identical: [
      ...identical.map(group =>
        group.places.map(({ run, steps }) => ({ ...places([run])[0], metrics: group.metrics, steps })),
      ),
      ...copied.map(({ runs, step, metrics }) =>
        places(runs).map(place => ({ ...place, metrics: metrics.map(({ metric }) => metric), steps: [step] })),
      ),
    ],
    verdicts: verdicts.map(verdict => verdictJson(context, verdict)),
    resolution,
    problems,
  }
}
