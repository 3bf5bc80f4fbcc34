import { groupBy } from '../../model/util/group-by.js'
import type { RunEntry } from '../../store/catalogue.js'
import { SOURCE } from '../../train/run/lineage.js'
import type { AdoptedRuns } from '../adopt/adopted.js'
import type { StudyTrial } from '../plan/trials.js'
import { type Determined, type StageTrial, stagesBehind } from '../stages/plan-stages.js'
import type { RunResult } from './results.js'

/**
 * Which runs of the workspace are those of a trial or a stage: the same settings, and the same start by content. A trial
 * has its runs to itself, by its name; a stage belongs to whoever needs it, in whichever study it was trained.
 */
export interface TrialRuns {
  /** The first is the one that counts: finished, and the newest. */
  ofTrial(trial: StudyTrial): readonly RunEntry[]
  ofStage(stage: StageTrial): readonly RunEntry[]
}

/** The runs that can be those of these trials and their stages, to be told apart when their checkpoints are known. */
export function candidateRuns(
  entries: readonly RunEntry[],
  trials: readonly StudyTrial[],
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
  trials: readonly StudyTrial[],
  results: ReadonlyMap<string, RunResult>,
  adopted: AdoptedRuns,
): TrialRuns {
  const bySettings = groupBy(candidates, ({ lineage }) => lineage.settings)
  const byName = groupBy(candidates, ({ lineage, name }) => `${lineage.settings} ${name}`)
  const stages = new Map<string, StageRuns>()

  function startingAs({ start }: Pick<Determined, 'start'>, alike: readonly RunEntry[]): readonly RunEntry[] {
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
      const taken = candidates.filter(run => run.id === adopted[id]?.run)
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
