import { groupBy } from '../../../logs/model/util/group-by.js'
import { mean } from '../../../stats/descriptive.js'
import { FEWEST_EVALUATIONS } from '../../../stats/paired-mean.js'
import { typicalVariance } from '../../../stats/typical-variance.js'
import { listRuns, loadRun, type RunEntry } from '../../store/catalogue.js'
import { hasSeries, shownName } from '../../store/manifest.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import type { WorkspaceVocabulary } from '../../store/vocabulary.js'
import type { Workspace } from '../../store/workspace.js'
import { align, type Window } from '../align.js'
import { settingKey } from '../confounds.js'
import { withoutCopies } from '../conventions.js'
import { type RunView, viewRun } from '../run-view.js'

/** The other runs of the workspace, as evidence that is already there: replicates, and runs that separate two knobs. */
export interface WorkspaceRun {
  readonly run: RunView
  /** Equal for replicates; null where the config tells nothing. */
  readonly setting: string | null
}

/** A big workspace is not read from end to end for a side note. */
const MOST_LOOKED_AT = 400

/** Runs that log a metric; copies of other runs are no evidence. */
export async function workspaceRuns(
  workspace: Workspace,
  words: WorkspaceVocabulary,
  metric: string,
): Promise<readonly WorkspaceRun[]> {
  const { entries } = await listRuns(workspace)
  const found = new Map<RunView, WorkspaceRun>()
  for (const entry of entries.slice(0, MOST_LOOKED_AT)) {
    const known = await viewedOnce(workspace, words, entry)
    if (known !== null && hasSeries(known.run.manifest, metric)) found.set(known.run, known)
  }
  return withoutCopies([...found.keys()]).runs.map(run => found.get(run) ?? workspaceRun(run))
}

const viewed = new WeakMap<RunEntry, { readonly words: WorkspaceVocabulary; readonly known: WorkspaceRun | null }>()

/** A process that answers one comparison after the other looks at a run once: its entry is another when it has changed. */
async function viewedOnce(
  workspace: Workspace,
  words: WorkspaceVocabulary,
  entry: RunEntry,
): Promise<WorkspaceRun | null> {
  const before = viewed.get(entry)
  if (before?.words === words) return before.known
  const run = await loadRun(workspace, entry.id).catch(() => null)
  const known = run === null ? null : workspaceRun(viewRun(run, words))
  viewed.set(entry, { words, known })
  return known
}

export function workspaceRun(run: RunView): WorkspaceRun {
  return { run, setting: settingKey(run) }
}

/**
 * How much do two runs of one setting differ in this workspace? Replicates that the workspace already holds say how often
 * chance alone makes a difference as large as the one just found between two settings.
 */
export interface WorkspaceNoise {
  readonly runs: number
  readonly settings: number
  readonly pairs: number
  /** Pairs of replicates that differ at least as much as the difference in question. */
  readonly asLarge: number
  /** Standard deviation between replicates of a typical setting. */
  readonly seedSd: number
}

/** Enough for a rate; reading more would only take time. */
const MOST_RUNS = 40
/** Several settings say more of a typical one than many runs of the first. */
const MOST_OF_A_SETTING = 10

/** The evaluations of replicates, one list per setting of the same experiment that has several. */
export async function readReplicates(
  all: readonly WorkspaceRun[],
  metric: string,
  compared: readonly RunView[],
): Promise<readonly (readonly SeriesPoints[])[]> {
  const known = all.filter(({ run, setting }) => setting !== null && isSameExperiment(run, compared))
  const settings = [...groupBy(known, ({ setting }) => setting).values()]
  const chosen: WorkspaceRun[][] = []
  for (const group of settings.flatMap(byExperiment).map(runs => runs.slice(0, MOST_OF_A_SETTING))) {
    if (chosen.flat().length + group.length > MOST_RUNS && chosen.length > 0) break
    chosen.push(group)
  }
  return Promise.all(
    chosen.map(async group => {
      const series = await Promise.all(group.map(({ run }) => pointsOf(run, metric)))
      return series.filter(points => points !== undefined)
    }),
  )
}

/** What a run starts from and learns on; a metric of one name may be another quantity elsewhere. */
const EXPERIMENT = ['model', 'data.train']

export function isSameExperiment(run: RunView, compared: readonly RunView[]): boolean {
  return EXPERIMENT.every(key => {
    const value = (of: RunView): string => JSON.stringify(of.settings.get(key)?.effective ?? null)
    return compared.some(other => value(other) === value(run))
  })
}

/**
 * A config does not tell all: another reward model, other data behind one name, a fault. Where the names of its runs fall
 * into groups of several, such as `kl-0.1/seed3` and `kl-0.1-broken/seed3`, each is a setting.
 */
function byExperiment(replicates: readonly WorkspaceRun[]): readonly WorkspaceRun[][] {
  const groups = [...groupBy(replicates, ({ run }) => nameWithoutSeed(shownName(run.manifest))).values()]
  const several = groups.filter(({ length }) => length > 1)
  return several.length > 0 ? several : [[...replicates]].filter(({ length }) => length > 1)
}

function nameWithoutSeed(name: string): string {
  return name.replace(/[/_.-]*(?:s|seed|run)?[/_.=-]*\d+$/i, '')
}

/** Points that weigh so little are remembered for the next comparison, of one metric of each run. */
const MOST_REMEMBERED = 20_000
const remembered = new WeakMap<RunView, { readonly metric: string; readonly points: SeriesPoints | undefined }>()

async function pointsOf(run: RunView, metric: string): Promise<SeriesPoints | undefined> {
  const before = remembered.get(run)
  if (before?.metric === metric) return before.points
  const points = (await readSeries(run, [metric])).get(metric)
  if ((points?.steps.length ?? 0) <= MOST_REMEMBERED) remembered.set(run, { metric, points })
  return points
}

export function workspaceNoise(
  replicates: readonly (readonly SeriesPoints[])[],
  window: Window,
  difference: number,
): WorkspaceNoise | null {
  const levels = replicates.map(series => levelsOf(series, window)).filter(level => level !== null)
  return noiseOf(levels, difference)
}

/** One number per run: its mean over the steps of the window that all replicates have. */
function levelsOf(series: readonly SeriesPoints[], window: Window): number[] | null {
  const { steps, values } = align(series, window)
  return series.length < 2 || steps.length < FEWEST_EVALUATIONS ? null : values.map(run => mean(run))
}

function noiseOf(groups: readonly (readonly number[])[], difference: number): WorkspaceNoise | null {
  let [pairs, asLarge, runs] = [0, 0, 0]
  for (const levels of groups) {
    runs += levels.length
    for (let i = 0; i < levels.length; i += 1) {
      for (let j = i + 1; j < levels.length; j += 1) {
        pairs += 1
        if (Math.abs(levels[i] - levels[j]) >= Math.abs(difference)) asLarge += 1
      }
    }
  }
  const typical = typicalVariance(groups)
  if (typical === null) return null
  return { runs, settings: groups.length, pairs, asLarge, seedSd: Math.sqrt(typical) }
}

/**
 * Where the workspace has no replicates: how often the headline told two real runs of one setting apart by their curves
 * alone, by the number of evaluations (196 pairs of 0.6 M-parameter GRPO runs; docs/statistics.md).
 */
const ELSEWHERE: readonly (readonly [evaluations: number, percent: number])[] = [
  [9, 2],
  [20, 1],
  [50, 2],
  [80, 9],
]

export function elsewhere(evaluations: number): { readonly evaluations: number; readonly percent: number } {
  const nearest = [...ELSEWHERE].sort(
    ([a], [b]) => Math.abs(Math.log(a / evaluations)) - Math.abs(Math.log(b / evaluations)),
  )[0]
  return { evaluations: nearest[0], percent: nearest[1] }
}
