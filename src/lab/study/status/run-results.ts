import { mkdir, readFile } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { loadRun, type RunEntry } from '../../../core/store/catalogue.js'
import type { LoadedRun } from '../../../core/store/series.js'
import { loadVocabulary, metricsNamed } from '../../../core/store/vocabulary.js'
import { cacheFolder, runFolder, type Workspace } from '../../../core/store/workspace.js'
import { sha256 } from '../../../logs/model/id.js'
import { type JsonNumber, jsonNumber } from '../../../logs/model/json.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { SOURCE } from '../../train/run/lineage.js'
import type { AdoptedRuns } from '../ledger.js'
import { allCheckpoints } from '../program/trial-folder.js'
import { type StudyStage, stagesBehind, type Trial, type TrialCheckpoint } from '../trial.js'
import type { KeptCheckpoint } from './kept-checkpoints.js'

/**
 * What a run of a study came to: the figure it is judged by, the weights that figures belong to, what it cost. Read off
 * the manifest and the headers of checkpoints once, then remembered for as long as the run does not change: a thousand
 * manifests take longer to parse than somebody who asks for the status wants to wait.
 */
export interface RunResult {
  /** The last value of the study's metric, and how many there are; null where the run does not have it. */
  readonly figure: { readonly last: number; readonly n: number } | null
  /** Of every figure that does not depend on the machine; equal for two trainings that went the same way. */
  readonly course: string
  /** In the order of their steps; only the last where no more are wanted. */
  readonly checkpoints: readonly TrialCheckpoint[]
  /** Steps of the kept checkpoint with the best figure and of the one that `klens checkpoints` advises, where wanted. */
  readonly best: number | null
  readonly chosen: number | null
  /** That its epochs took, all together. */
  readonly seconds: number
}

/** What is wanted of each run beyond its last checkpoint. */
export interface ResultNeeds {
  readonly metric: string
  readonly direction: 'max' | 'min'
  readonly all: boolean
  readonly best: boolean
  readonly chosen: boolean
}

/** Where a trial's program leaves its checkpoints. */
export interface ProgramPlace {
  readonly folder: string
  readonly pattern: string | null
}

/** As it is remembered: a number that JSON has no word for is a text, and checkpoints of klens are named from the run's folder. */
interface CachedResult extends Omit<RunResult, 'figure' | 'checkpoints'> {
  readonly figure: { readonly last: JsonNumber; readonly n: number } | null
  readonly checkpoints: readonly KeptCheckpoint[]
}

interface Cache {
  readonly format: typeof FORMAT
  readonly results: { readonly [run: string]: { readonly stamp: string; readonly result: CachedResult } }
}

const FORMAT = 2

/** By run id. */
export async function runResults(
  workspace: Workspace,
  study: string,
  entries: readonly RunEntry[],
  needs: ResultNeeds,
  programs: ReadonlyMap<string, ProgramPlace> = new Map(),
): Promise<ReadonlyMap<string, RunResult>> {
  const path = join(cacheFolder(workspace), `study-${study}.json`)
  const known = await readCache(path)
  const fresh: { [run: string]: { stamp: string; result: CachedResult } } = {}
  const asked = Object.values(needs).join(' ')
  let isChanged = Object.keys(known).length !== entries.length
  for (const entry of entries) {
    const stamp = `${asked} ${entry.status} ${entry.points} ${entry.endedAt}`
    const before = known[entry.id]
    if (before?.stamp === stamp) {
      fresh[entry.id] = before
      continue
    }
    const run = await loadRun(workspace, entry.id)
    if (run === null) continue
    isChanged = true
    fresh[entry.id] = { stamp, result: await resultOf(run, needs, programs) }
  }
  if (isChanged) await writeCache(path, fresh)
  return new Map(Object.entries(fresh).map(([run, each]) => [run, located(each.result, workspace, run)]))
}

function located({ checkpoints, figure, ...result }: CachedResult, workspace: Workspace, run: string): RunResult {
  const folder = checkpointFolder(runFolder(workspace, run))
  return {
    ...result,
    figure: figure === null ? null : { last: Number(figure.last), n: figure.n },
    checkpoints: checkpoints.map(({ name, ...each }) => ({
      ...each,
      path: isAbsolute(name) ? name : `${folder}${sep}${name}`,
    })),
  }
}

function checkpointFolder(run: string): string {
  return join(run, 'checkpoints')
}

/** Disposable: one that cannot be read is as good as none. */
async function readCache(path: string): Promise<Cache['results']> {
  try {
    const { format, results } = JSON.parse(await readFile(path, 'utf8')) as Cache
    return format === FORMAT ? results : {}
  } catch {
    return {}
  }
}

async function writeCache(path: string, results: Cache['results']): Promise<void> {
  try {
    await mkdir(join(path, '..'), { recursive: true })
    await writeFileAtomically(path, JSON.stringify({ format: FORMAT, results } satisfies Cache))
  } catch {
    // A workspace that may only be read: the answer is right all the same.
  }
}

const OF_THE_MACHINE = /^(?:time|throughput)\b/

async function resultOf(
  run: LoadedRun,
  asked: ResultNeeds,
  programs: ReadonlyMap<string, ProgramPlace>,
): Promise<CachedResult> {
  const { metrics } = run.manifest
  // Other programs have names of their own for it.
  const words = await loadVocabulary(run.workspace)
  const carrier = metricsNamed(run.manifest, asked.metric, words).find(name => metrics.has(name))
  const needs = { ...asked, metric: carrier ?? asked.metric }
  const own = [...metrics].filter(([name]) => !OF_THE_MACHINE.test(name)).sort(([a], [b]) => (a < b ? -1 : 1))
  const course = own.map(([name, { n, last, sum, min, max }]) => [name, n, last, sum, min, max].join(' ')).join('\n')
  const record = metrics.get(needs.metric)
  const program = programs.get(run.manifest.lineage.settings ?? '')
  const checkpoints =
    program === undefined ? await checkpointsOf(checkpointFolder(run.folder), needs) : await programCheckpoints(program)
  const steps = checkpoints.map(each => each.step)
  return {
    figure: record === undefined ? null : { last: jsonNumber(record.last), n: record.n },
    course: sha256(course),
    checkpoints,
    best: needs.best ? await bestStep(run, needs, steps) : null,
    chosen: needs.chosen ? await chosenStep(run, needs, steps) : null,
    seconds: metrics.get('time.step')?.sum ?? 0,
  }
}

/** Weights are only opened for a run that has changed: a status of what was there before needs none of that code. */
async function checkpointsOf(folder: string, { all, best, chosen }: ResultNeeds): Promise<CachedResult['checkpoints']> {
  const { keptCheckpoints } = await import('./kept-checkpoints.js')
  return keptCheckpoints(folder, all || best || chosen ? 'all' : 'last')
}

async function programCheckpoints({ folder, pattern }: ProgramPlace): Promise<CachedResult['checkpoints']> {
  return (await allCheckpoints(folder, pattern)).map(({ path, ...each }) => ({ ...each, name: path }))
}

/** The earliest of equal ones. */
async function bestStep(run: LoadedRun, { metric, direction }: ResultNeeds, kept: readonly number[]) {
  if (!run.manifest.metrics.has(metric)) return null
  const { readSeries } = await import('../../../core/store/series.js')
  const points = (await readSeries(run, [metric])).get(metric)
  let best: { readonly step: number; readonly value: number } | null = null
  for (const [place, at] of Array.from(points?.steps ?? []).entries()) {
    const value = (direction === 'max' ? 1 : -1) * (points?.values[place] ?? Number.NaN)
    if (kept.includes(at) && (best === null ? !Number.isNaN(value) : value > best.value)) best = { step: at, value }
  }
  return best?.step ?? null
}

async function chosenStep(run: LoadedRun, { metric, direction }: ResultNeeds, kept: readonly number[]) {
  const { rankRun } = await import('../../../core/analysis/checkpoints/rank-run.js')
  const { viewRun } = await import('../../../core/analysis/run-view.js')
  const { loadVocabulary } = await import('../../../core/store/vocabulary.js')
  const ranked = await rankRun(viewRun(run, await loadVocabulary(run.workspace)), metric, direction)
  const advised = ranked?.ranked?.take.step ?? null
  return advised !== null && kept.includes(advised) ? advised : null
}

/**
 * Which runs of the workspace are those of a trial or a stage: the same settings, and the same start by content. A trial
 * has its runs to itself, by its name; a stage belongs to every trial that needs it, in whichever study it was trained.
 */
interface TrialRuns {
  /** The first is the one that counts: finished, and the newest. */
  ofTrial(trial: Trial): readonly RunEntry[]
  ofStage(stage: StudyStage): readonly RunEntry[]
}

/** The runs that can be those of these trials and their stages, to be told apart when their checkpoints are known. */
export function candidateRuns(
  entries: readonly RunEntry[],
  trials: readonly Trial[],
  adopted: AdoptedRuns,
): readonly RunEntry[] {
  const foreign = new Set(Object.values(adopted).map(({ run }) => run))
  const settings = new Set([...trials, ...stagesBehind(trials)].map(each => each.settings))
  // What another program logged is known by the hash that klens gave it.
  const programs = new Set(trials.flatMap(trial => (trial.program === null ? [] : [trial.settings])))
  return entries.filter(
    ({ id, source, lineage: { settings: own = '' } }) =>
      foreign.has(id) || (source === SOURCE ? settings.has(own) : programs.has(own)),
  )
}

export function trialRuns(
  candidates: readonly RunEntry[],
  trials: readonly Trial[],
  results: ReadonlyMap<string, RunResult>,
  adopted: AdoptedRuns,
): TrialRuns {
  const bySettings = groupBy(candidates, ({ lineage }) => lineage.settings)
  const byName = groupBy(candidates, ({ lineage, name }) => `${lineage.settings} ${name}`)
  const stages = new Map<string, StageRuns>()

  function startingAs({ start }: Pick<Trial | StudyStage, 'start'>, alike: readonly RunEntry[]): readonly RunEntry[] {
    const weights = start === null ? null : (stages.get(start.id)?.weights ?? new Set())
    const isOwn = ({ lineage: { parent = null } }: RunEntry): boolean =>
      weights === null ? parent === null : parent !== null && weights.has(parent.contentHash)
    return alike.filter(isOwn).toSorted(countsBefore)
  }

  for (const stage of stagesBehind(trials)) {
    const runs = startingAs(stage, bySettings.get(stage.settings) ?? [])
    const finished = runs.filter(({ status }) => status === 'finished')
    const weights = finished.flatMap(({ id }) => results.get(id)?.checkpoints.at(-1)?.contentHash ?? [])
    stages.set(stage.id, { runs, weights: new Set(weights) })
  }
  return {
    ofStage: ({ id }) => stages.get(id)?.runs ?? [],
    ofTrial: trial => {
      const { id, settings, name, program } = trial
      const own = adopted[id]
      const taken = own === undefined ? [] : candidates.filter(run => run.id === own.run)
      if (taken.length > 0) return taken
      const alike = program === null ? byName.get(`${settings} ${name}`) : bySettings.get(settings)
      return startingAs(trial, alike ?? [])
    },
  }
}

interface StageRuns {
  readonly runs: readonly RunEntry[]
  /** Of the last checkpoint of each that is finished: trained again, a stage gives the same weights under another run. */
  readonly weights: ReadonlySet<string>
}

function countsBefore(a: RunEntry, b: RunEntry): number {
  return Number(b.status === 'finished') - Number(a.status === 'finished') || (b.startedAt ?? 0) - (a.startedAt ?? 0)
}
