import type { Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { figure } from '../../../text/numbers.js'
import { message } from '../../../text/say.js'
import { shownName } from '../../store/manifest.js'
import type { LoadedRun } from '../../store/series.js'
import type { CopiedRow, IdenticalScores } from './identical.js'
import type { LoadedSweep } from './load.js'
import type { Missing, SweepRun } from './matrix.js'
import type { Sweep } from './sweep.js'

/** What is wrong with a sweep: the worst first. */
export function sweepProblems(
  { identical, copied, missing, repeated, columns }: Sweep,
  { runs, keys, blocks, without, logged }: LoadedSweep,
  copies: readonly LoadedRun[],
): readonly Message[] {
  const key = keys.join(', ')
  const about = (names: readonly string[], say: (names: string, n: number) => Message): Message[] =>
    names.length === 0 ? [] : [say(someOf(names), names.length)]
  return [
    ...copied.flatMap(copiedRow),
    ...identical.map(group => identicalPlaces(group, columns.length)),
    ...[...repeated.map(({ label }) => label), ...copies.map(({ manifest }) => shownName(manifest))].map(run =>
      message('sweep.problem.duplicate', { run: short(run) }),
    ),
    ...about(
      without.map(({ manifest }) => shownName(manifest)),
      names => message('sweep.problem.without-key', { key, runs: names }),
    ),
    ...keys.flatMap((each, i) => otherThanConfigured(runs, each, i)),
    ...logged.map(({ run, configured, logged: told }) =>
      message('sweep.problem.logged', { run: short(run), configured: figure(configured, 4), logged: figure(told, 4) }),
    ),
    ...about(
      blocks.others.map(other => other.key),
      (names, n) => message('sweep.problem.others', { keys: names, n }),
    ),
    ...about(blocks.together, (names, n) => message('sweep.problem.together', { keys: names, key, n })),
    ...about(blocks.unknown, names => message('sweep.problem.unknown-keys', { keys: names })),
    ...missingMessages(missing, columns.length),
    ...runs.flatMap(estimates),
  ]
}

const MOST_NAMED = 6
const LONGEST_NAME = 40

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map(short).join(', ')
  return names.length > MOST_NAMED ? `${shown}, … (${names.length})` : shown
}

function short(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`
}

/** `0.145`, or `0.145, cosine` for two knobs. */
export function valuesText(values: readonly Json[]): string {
  return values.map(value => short(String(value))).join(', ')
}

function settingOf({ knobs }: SweepRun): string {
  return valuesText(knobs.map(({ effective }) => effective))
}

function stepText(step: number): string {
  return Number.isInteger(step) ? String(step) : figure(step, 4)
}

function atSteps(steps: readonly number[]): Message {
  if (steps.length <= 3) return message('sweep.step', { step: steps.map(stepText).join(', ') })
  const [from, to] = [stepText(steps[0]), stepText(steps[steps.length - 1])]
  return message('sweep.steps', { n: steps.length, from, to })
}

function copiedRow({ step, metrics, runs, implied }: CopiedRow): readonly Message[] {
  const copied = message('sweep.problem.copied', {
    steps: atSteps([step]),
    metrics: metrics.map(({ metric, value }) => `${metric} ${figure(value, 4)}`).join(', '),
    first: settingOf(runs[0]),
    second: settingOf(runs[1]),
  })
  const fits = runs.map(({ klCoefficient }, i) => impliedFits(implied[i], klCoefficient))
  if (implied.includes(null) || fits[0] === fits[1]) return [copied]
  const [owner, copy] = fits[0] ? runs : [runs[1], runs[0]]
  const [kept, broken] = fits[0] ? implied : [implied[1], implied[0]]
  return [
    copied,
    message('sweep.problem.implied', {
      kept: figure(kept ?? Number.NaN, 4),
      broken: figure(broken ?? Number.NaN, 4),
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

function identicalPlaces({ metrics, places }: IdenticalScores, columns: number): Message {
  const settings = groupBy(places, ({ run }) => settingOf(run))
  const shown = [...settings].slice(0, MOST_NAMED).map(([setting, found]) => {
    const steps = [...new Set(found.flatMap(place => place.steps))].sort((a, b) => a - b)
    return message('sweep.problem.place', { setting, steps: atSteps(steps) })
  })
  return message('sweep.problem.identical', {
    scores: columns > 2 ? message('sweep.problem.scores', { n: metrics.length }) : message('sweep.problem.course', {}),
    settings: settings.size,
    places: shown,
  })
}

/** Effective against configured values; runs of which the same is to be said share a line. A 0 that is 0 surprises nobody. */
function otherThanConfigured(runs: readonly SweepRun[], key: string, at: number): Message[] {
  const told = runs.flatMap(({ label, knobs }) => {
    const { configured, effective, reason } = knobs[at]
    if (reason === null) return []
    const changed = JSON.stringify(configured) !== JSON.stringify(effective)
    if (!changed && effective === 0) return []
    return [{ label, changed, configured: String(configured ?? '–'), effective: String(effective), reason }]
  })
  const groups = groupBy(told, ({ changed, configured, effective, reason }) =>
    JSON.stringify(changed ? [configured, effective, reason] : reason),
  )
  return [...groups.values()].map(group => {
    const [{ changed, configured, effective, reason }] = group
    const members = someOf(group.map(({ label }) => label))
    return changed
      ? message('sweep.problem.effective', { runs: members, key, configured, effective, reason })
      : message('sweep.problem.start-only', { runs: members, key, reason })
  })
}

/** Settings that lack the same cells share a line. */
function missingMessages(missing: readonly Missing[], columns: number): Message[] {
  const groups = groupBy(missing, ({ kind, metrics, steps, marked }) => JSON.stringify([kind, metrics, steps, marked]))
  return [...groups.values()].map(group => {
    const { kind, metrics, steps, marked } = group[0]
    const values = group.map(cell => valuesText(cell.values))
    if (kind === 'run') {
      return message('sweep.problem.missing-run', { setting: someOf(values.map(value => `(${value})`)) })
    }
    const setting = someOf(values)
    if (kind === 'training') return message('sweep.problem.missing-training', { setting, metrics: someOf(metrics) })
    const all = metrics.length === columns && columns > 1
    const what = all ? message('sweep.problem.all-scores', { n: columns }) : someOf(metrics)
    const said = { setting, what, steps: atSteps(steps) }
    return message(marked ? 'sweep.problem.missing-marked' : 'sweep.problem.missing-evaluation', said)
  })
}

function estimates({ label, scores }: SweepRun): Message[] {
  const count = scores.reduce((sum, { estimated }) => sum + estimated, 0)
  return count === 0 ? [] : [message('sweep.problem.estimates', { run: short(label), count })]
}
