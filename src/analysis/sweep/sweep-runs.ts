import { Problem } from '../../model/problem.js'
import type { Message } from '../../model/run.js'
import type { Goal } from '../../model/vocabulary/metric.js'
import { shownName } from '../../store/manifest.js'
import { message } from '../../text/say.js'
import { confounds, knobsTurned } from '../confounds.js'
import { withoutCopies } from '../conventions.js'
import type { RunView } from '../run-view.js'
import { type Sweep, type SweepRequest, sweepOver } from './sweep.js'
import { isEvaluated } from './sweep-cells.js'
import { type LoadedSweep, loadSweep } from './sweep-load.js'
import { sweepProblems } from './sweep-problems.js'

/** A sweep from runs at hand: copies are left out, keys become settings, and what is wrong with the data is said. */

export interface WantedSweep {
  /** Config keys, raw or canonical. */
  readonly over: readonly string[]
  /** Raw or canonical. */
  readonly metric: string
  /** Null: as the vocabulary has it. */
  readonly goal: Goal | null
  readonly margin: SweepRequest['margin']
  /** A run of the setting to compare with; null for the first setting. */
  readonly baseline: RunView | null
}

export interface RunSweep {
  readonly sweep: Sweep
  readonly request: SweepRequest
  readonly problems: readonly Message[]
  /** Without the copies. */
  readonly runs: readonly RunView[]
}

export async function sweepRuns(
  named: readonly RunView[],
  { over: keys, metric: wanted, goal, margin, baseline }: WantedSweep,
): Promise<RunSweep> {
  const { runs, copies } = withoutCopies(named)
  if (runs.length < 2) throw new Problem('not-enough', message('sweep.one-run', { count: runs.length }))
  const over = [...new Set(keys)]
  if (over.length === 0) throw new Problem('bad-request', message('sweep.needs-over', { keys: differingKeys(runs) }))
  const loaded = await loadSweep(runs, over, wanted)
  refuseKeysThatDoNotVary(loaded, runs, over)
  const scores = loaded.runs.find(isEvaluated)?.scores.find(({ points }) => points.size > 0)
  if (scores === undefined) throw new Problem('not-found', noMetric(runs, wanted))
  const request: SweepRequest = {
    keys: loaded.keys,
    metric: isOneMetric(loaded) ? scores.metric : wanted,
    goal: goal ?? goalOf(runs, scores.metric),
    margin,
    baseline: baseline === null ? null : idAmong(loaded, baseline),
    others: loaded.blocks.others.map(({ key }) => key),
  }
  const sweep = sweepOver(loaded.runs, request)
  return { sweep, request, problems: sweepProblems(sweep, loaded, copies), runs }
}

/** The key of the one knob that tells runs apart, for a report that was given none; null where it is not clear. */
export function keyThatDiffers(runs: readonly RunView[]): string | null {
  const differing = confounds(runs)
  const [knob, ...more] = knobsTurned(differing)
  if (knob === undefined || more.length > 0) return null
  const keys = differing.filter(confound => confound.knob === knob && confound.key.split('.')[0] === knob)
  const numeric = keys.find(({ values }) => values.filter(value => typeof value === 'number').length > 1)
  return (numeric ?? keys[0]).key
}

function refuseKeysThatDoNotVary({ runs, keys }: LoadedSweep, all: readonly RunView[], over: readonly string[]): void {
  if (runs.length === 0) {
    throw new Problem('not-found', message('sweep.no-key', { key: over.join(', '), keys: differingKeys(all) }))
  }
  keys.forEach((key, i) => {
    if (new Set(runs.map(({ knobs }) => JSON.stringify(knobs[i].effective))).size > 1) return
    const value = String(runs[0].knobs[i].effective)
    throw new Problem('not-enough', message('sweep.one-value', { key, value, count: runs.length }))
  })
}

const MOST_NAMED = 6

function differingKeys(runs: readonly RunView[]): string {
  return firstOf(confounds(runs).map(({ key }) => key))
}

function noMetric(runs: readonly RunView[], metric: string): Message {
  const known = firstOf([...new Set(runs.flatMap(({ manifest }) => [...manifest.metrics.keys()]))])
  return message('sweep.no-metric', { metric, known })
}

function firstOf(names: readonly string[]): string {
  return names.slice(0, MOST_NAMED).join(', ') || '–'
}

/** One metric in all runs and conditions has a name; several are known by what they have in common. */
function isOneMetric({ runs }: LoadedSweep): boolean {
  return (
    new Set(runs.flatMap(({ scores }) => scores.slice(0, 1).map(({ metric }) => metric))).size === 1 &&
    runs.every(
      ({ scores }) =>
        new Set(scores.map(({ condition }) => JSON.stringify({ ...condition, aggregate: null }))).size <= 1,
    )
  )
}

function goalOf(runs: readonly RunView[], metric: string): Goal | null {
  const owner = runs.find(({ manifest }) => manifest.metrics.has(metric)) ?? runs[0]
  return owner.meaningOf(metric).goal
}

function idAmong({ runs }: LoadedSweep, { manifest }: RunView): string {
  if (runs.some(({ id }) => id === manifest.id)) return manifest.id
  throw new Problem('bad-request', message('sweep.baseline-outside', { run: shownName(manifest) }))
}
