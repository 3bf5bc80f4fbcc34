import type { Sweep } from '../analysis/sweep/sweep.js'
import type { SweepRun } from '../analysis/sweep/sweep-cells.js'
import type { CopiedRow, IdenticalScores } from '../analysis/sweep/sweep-identical.js'
import type { LoadedSweep } from '../analysis/sweep/sweep-load.js'
import type { Missing } from '../analysis/sweep/sweep-missing.js'
import { groupBy } from '../model/group-by.js'
import type { Json } from '../model/json.js'
import { shownName } from '../store/manifest.js'
import type { LoadedRun } from '../store/series.js'
import type { Context } from './context.js'
import { printable, shortNumber, shortStep } from './print/style.js'

/** What is wrong with a sweep, in words: the worst first. */
export function problemsOf(
  context: Context,
  { identical, copied, missing, repeated, columns }: Sweep,
  { runs, keys, blocks, without, logged }: LoadedSweep,
  copies: readonly LoadedRun[],
): readonly string[] {
  const list = (words: readonly string[]): string => {
    const shown = words.slice(0, NAMED).map(word => printable(word, 40))
    return words.length > NAMED ? `${shown.join(', ')}, … (${words.length})` : shown.join(', ')
  }
  return [
    ...copied.flatMap(row => copiedText(context, row)),
    ...identical.map(group => identicalText(context, group, columns.length)),
    ...repeated.map(({ label }) => context.say('sweep.problem.duplicate', { run: printable(label) })),
    ...copies.map(({ manifest }) => context.say('sweep.problem.duplicate', { run: printable(shownName(manifest)) })),
    ...(without.length === 0
      ? []
      : [
          context.say('sweep.problem.without-key', {
            key: keys.join(', '),
            runs: list(without.map(run => shownName(run.manifest))),
          }),
        ]),
    ...knobTexts(context, runs, keys, list),
    ...logged.map(({ run, configured, logged: told }) =>
      context.say('sweep.problem.logged', {
        run: printable(run),
        configured: shortNumber(configured),
        logged: shortNumber(told),
      }),
    ),
    ...(blocks.others.length === 0
      ? []
      : [
          context.say('sweep.problem.others', {
            keys: list(blocks.others.map(({ key }) => key)),
            n: blocks.others.length,
          }),
        ]),
    ...(blocks.together.length === 0
      ? []
      : [
          context.say('sweep.problem.together', {
            keys: list(blocks.together),
            key: keys.join(', '),
            n: blocks.together.length,
          }),
        ]),
    ...(blocks.unknown.length === 0 ? [] : [context.say('sweep.problem.unknown-keys', { keys: list(blocks.unknown) })]),
    ...missingTexts(context, missing, columns.length, list),
    ...runs.flatMap(run => estimateText(context, run)),
  ]
}

const NAMED = 6

/** `0.145`, or `0.145, cosine` for two knobs. */
export function valuesText(values: readonly Json[]): string {
  return values.map(value => printable(String(value), 30)).join(', ')
}

function settingOf({ knobs }: SweepRun): string {
  return valuesText(knobs.map(({ effective }) => effective))
}

function stepsText(context: Context, steps: readonly number[]): string {
  if (steps.length <= 3) return context.say('sweep.step', { step: steps.map(shortStep).join(', ') })
  const [from, to] = [shortStep(steps[0]), shortStep(steps[steps.length - 1])]
  return context.say('sweep.steps', { n: steps.length, from, to })
}

function copiedText(context: Context, { step, metrics, runs, implied }: CopiedRow): string[] {
  const said = context.say('sweep.problem.copied', {
    steps: stepsText(context, [step]),
    metrics: metrics.map(({ metric, value }) => `${metric} ${shortNumber(value)}`).join(', '),
    first: settingOf(runs[0]),
    second: settingOf(runs[1]),
  })
  const fits = runs.map(({ klCoefficient }, i) => impliedFits(implied[i], klCoefficient))
  if (implied.includes(null) || fits[0] === fits[1]) return [said]
  const [owner, copy] = fits[0] ? runs : [runs[1], runs[0]]
  const [kept, broken] = fits[0] ? implied : [implied[1], implied[0]]
  return [
    said,
    context.say('sweep.problem.implied', {
      kept: shortNumber(kept ?? Number.NaN),
      broken: shortNumber(broken ?? Number.NaN),
      owner: settingOf(owner),
      copy: settingOf(copy),
    }),
  ]
}

/** Printed figures of four digits carry an error of about a per cent into the quotient. */
const QUOTIENT_ERROR = 0.02

function impliedFits(implied: number | null, coefficient: number | null): boolean {
  return implied !== null && coefficient !== null && Math.abs(implied - coefficient) <= QUOTIENT_ERROR * coefficient
}

function identicalText(context: Context, { metrics, places }: IdenticalScores, columns: number): string {
  const settings = groupBy(places, ({ run }) => settingOf(run))
  const shown = [...settings].slice(0, NAMED).map(([setting, found]) => {
    const steps = [...new Set(found.flatMap(place => place.steps))].sort((a, b) => a - b)
    return context.say('sweep.problem.place', { setting, steps: stepsText(context, steps) })
  })
  return context.say('sweep.problem.identical', {
    scores:
      columns > 2
        ? context.say('sweep.problem.scores', { n: metrics.length })
        : context.say('sweep.problem.course', {}),
    settings: settings.size,
    places: shown.join('; '),
  })
}

/** Effective against configured values; runs of which the same is to be said share a line. A 0 that is 0 surprises nobody. */
function knobTexts(
  context: Context,
  runs: readonly SweepRun[],
  keys: readonly string[],
  list: (words: readonly string[]) => string,
): string[] {
  return keys.flatMap((key, i) => {
    const told = runs.flatMap(({ label, knobs }) => {
      const { configured, effective, reason } = knobs[i]
      if (reason === null) return []
      const changed = JSON.stringify(configured) !== JSON.stringify(effective)
      if (!changed && effective === 0) return []
      return [
        {
          label,
          changed,
          configured: String(configured ?? '–'),
          effective: String(effective),
          reason: context.render(reason),
        },
      ]
    })
    const groups = groupBy(told, ({ changed, configured, effective, reason }) =>
      changed ? `${configured} ${effective} ${reason}` : reason,
    )
    return [...groups.values()].map(group => {
      const { changed, configured, effective, reason } = group[0]
      const members = list(group.map(({ label }) => label))
      return changed
        ? context.say('sweep.problem.effective', { runs: members, key, configured, effective, reason })
        : context.say('sweep.problem.start-only', { runs: members, key, reason })
    })
  })
}

/** Settings that lack the same cells share a line. */
function missingTexts(
  context: Context,
  missing: readonly Missing[],
  columns: number,
  list: (words: readonly string[]) => string,
): string[] {
  const groups = groupBy(missing, ({ kind, metrics, steps, marked }) => JSON.stringify([kind, metrics, steps, marked]))
  return [...groups.values()].map(group => {
    const { kind, metrics, steps, marked } = group[0]
    const setting = list(group.map(({ values }) => valuesText(values)))
    if (kind === 'run')
      return context.say('sweep.problem.missing-run', {
        setting: list(group.map(({ values }) => `(${valuesText(values)})`)),
      })
    if (kind === 'training') return context.say('sweep.problem.missing-training', { setting, metrics: list(metrics) })
    const all = metrics.length === columns && columns > 1
    const what = all ? context.say('sweep.problem.all-scores', { n: columns }) : list(metrics)
    const said = { setting, what, steps: stepsText(context, steps) }
    return context.say(marked ? 'sweep.problem.missing-marked' : 'sweep.problem.missing-evaluation', said)
  })
}

function estimateText(context: Context, { label, scores }: SweepRun): string[] {
  const count = scores.reduce((sum, { estimated }) => sum + estimated, 0)
  return count === 0 ? [] : [context.say('sweep.problem.estimates', { run: printable(label), count })]
}
