import { type RunView, viewRun } from '../../core/analysis/run-view.js'
import { listRuns, loadRun } from '../../core/store/catalogue.js'
import { meanOf, shownName } from '../../core/store/manifest.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import { mean } from '../../stats/descriptive.js'
import type { Preflight } from './preflight.js'

/** What a launch would cost, by the step time of like runs in the workspace. */
export interface LaunchCost {
  readonly secondsPerStep: number
  readonly hours: number
  readonly gpuHours: number | null
  /** The runs by which it is told. */
  readonly runs: readonly string[]
}

/** The most recent are enough to know how long a step takes. */
const MOST_RUNS = 200
const SECONDS_PER_HOUR = 3_600

/** From runs of the same model, batch, group, answer length and number of GPUs. */
export async function launchCost(workspace: Workspace, { subject }: Preflight): Promise<LaunchCost | null> {
  const { amounts, setting } = subject
  if (amounts.totalSteps === null) return null
  const { entries } = await listRuns(workspace)
  const recent = entries.toSorted((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0)).slice(0, MOST_RUNS)
  const words = await loadVocabulary(workspace)
  const alike: { readonly name: string; readonly seconds: number }[] = []
  for (const { id } of recent) {
    const run = await loadRun(workspace, id)
    if (run === null) continue
    const view = viewRun(run, words)
    const seconds = secondsPerStep(view)
    const isAlike = LIKE_RUNS.every(key => {
      const own = view.settings.get(key)?.effective
      return own !== undefined && own !== null && shortName(own) === shortName(setting(key).value ?? null)
    })
    if (isAlike && seconds !== null) alike.push({ name: shownName(run.manifest), seconds })
  }
  if (alike.length === 0) return null
  const seconds = mean(alike.map(each => each.seconds))
  const hours = (seconds * amounts.totalSteps) / SECONDS_PER_HOUR
  return {
    secondsPerStep: seconds,
    hours,
    gpuHours: amounts.gpus === null ? null : hours * amounts.gpus,
    runs: alike.map(({ name }) => name),
  }
}

const LIKE_RUNS = ['model', 'batch.prompts', 'group.size', 'len.response.max', 'gpus']

/** A model is the same wherever its folder lies. */
function shortName(value: unknown): string {
  return String(value).replace(/\/+$/, '').split('/').pop() ?? ''
}

function secondsPerStep({ manifest, metricsNamed }: RunView): number | null {
  const [metric] = metricsNamed('time.step')
  const record = metric === undefined ? undefined : manifest.metrics.get(metric)
  const seconds = record === undefined ? Number.NaN : meanOf(record)
  return Number.isFinite(seconds) ? seconds : null
}
