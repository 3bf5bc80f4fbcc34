import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../../model/group-by.js'
import type { Message } from '../../model/run.js'
import { writeFileAtomically } from '../../store/atomic.js'
import { listRuns, type RunEntry } from '../../store/catalogue.js'
import { trainerOf } from '../../store/lease.js'
import { runFolder, type Workspace } from '../../store/workspace.js'
import { listed } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import { SOURCE } from '../../train/run/lineage.js'
import { studyFolder } from '../file/frozen.js'
import type { StudyTrial } from '../plan/trials.js'
import { type ResultCheckpoint, type RunResult, runResults } from './results.js'

/** How each trial of a study stands, from the runs of the workspace: nothing is kept that could disagree with them. */
export interface Cell {
  readonly trial: StudyTrial
  readonly state: CellState
  /** The first is the one that counts: finished, and the newest. */
  readonly runs: readonly string[]
  readonly checkpoint: ResultCheckpoint | null
  /** The last evaluation of the study's metric; null until the trial is done. */
  readonly value: number | null
  /** How many evaluations of it the run has. */
  readonly n: number
  /** Why its figure should not be taken as it is. */
  readonly suspicious: readonly Message[]
  readonly seconds: number
  /** Why it failed, where that is known. */
  readonly reasons: readonly string[]
}

/** `missing`: it was trained and its run does not have the metric. What was interrupted is pending: it will be resumed. */
export type CellState = 'done' | 'running' | 'pending' | 'failed' | 'missing'

const say = sentences({
  'study.same-course': {
    en: 'every figure of it is that of {others}',
    zh: '其每一个数都与 {others} 相同',
  },
  'study.same-weights': {
    en: 'its last checkpoint has the same weights as that of {others}',
    zh: '其最后检查点的权重与 {others} 相同',
  },
  'study.other-settings': {
    en: 'its last checkpoint says that it was trained with other settings than the study gives',
    zh: '其最后检查点记录的训练设置与研究给定的不同',
  },
})

export async function cellsOf(
  workspace: Workspace,
  study: string,
  trials: readonly StudyTrial[],
  metric: string,
): Promise<readonly Cell[]> {
  const { entries } = await listRuns(workspace)
  const byTrial = groupBy(
    entries.filter(({ source }) => source === SOURCE),
    ({ name, lineage }) => `${lineage.settings} ${name}`,
  )
  const runsOf = ({ id, name }: StudyTrial): readonly RunEntry[] =>
    (byTrial.get(`${id} ${name}`) ?? []).toSorted(
      (a, b) =>
        Number(b.status === 'finished') - Number(a.status === 'finished') || (b.startedAt ?? 0) - (a.startedAt ?? 0),
    )
  const results = await runResults(workspace, study, trials.flatMap(runsOf), metric)
  const failures = await readFailures(workspace, study)
  const cells: Cell[] = []
  for (const trial of trials) {
    const runs = runsOf(trial)
    const [run] = runs
    const result = run === undefined ? undefined : results.get(run.id)
    const figure = result?.figure ?? null
    const state = run === undefined ? 'pending' : await stateOf(workspace, run, figure !== null)
    const reasons = failures[trial.id] ?? []
    const isDone = state === 'done'
    cells.push({
      trial,
      state: state === 'pending' && reasons.length > 0 ? 'failed' : state,
      runs: runs.map(({ id }) => id),
      checkpoint: result?.checkpoint ?? null,
      value: isDone ? (figure?.last ?? null) : null,
      n: figure?.n ?? 0,
      suspicious: [],
      seconds: runs.reduce((sum, { id }) => sum + (results.get(id)?.seconds ?? 0), 0),
      reasons: isDone ? [] : reasons,
    })
  }
  return withSuspicions(cells, cell => results.get(cell.runs[0]))
}

async function stateOf(workspace: Workspace, { id, status }: RunEntry, hasMetric: boolean): Promise<CellState> {
  if (status === 'finished') return hasMetric ? 'done' : 'missing'
  if (status === 'failed') return 'failed'
  return (await trainerOf(runFolder(workspace, id))) === null ? 'pending' : 'running'
}

const MOST_NAMED = 4

/**
 * Only all figures together count as the same results: the summary of one score over a few evaluations of some hundred
 * prompts is equal by chance sooner or later (two of twenty trials on `digits` were).
 */
function withSuspicions(cells: readonly Cell[], resultOf: (cell: Cell) => RunResult | undefined): readonly Cell[] {
  const done = cells.filter(({ state }) => state === 'done')
  const alike = (keyOf: (cell: Cell) => string | null): ((cell: Cell) => string | null) => {
    const groups = groupBy(done, cell => keyOf(cell) ?? cell.trial.id)
    return cell => {
      const group = groups.get(keyOf(cell) ?? cell.trial.id) ?? []
      if (group.length < 2) return null
      // A few are enough to look at; with a thousand copies, all would be a million names.
      const others = group.slice(0, MOST_NAMED + 2).filter(other => other !== cell)
      return listed(
        others.map(({ trial }) => trial.name),
        MOST_NAMED,
      )
    }
  }
  const sameCourse = alike(cell => resultOf(cell)?.course ?? null)
  const sameWeights = alike(({ checkpoint }) => checkpoint?.contentHash ?? null)
  return cells.map(cell => {
    if (cell.state !== 'done') return cell
    const { trial, checkpoint } = cell
    const [course, weights] = [sameCourse(cell), sameWeights(cell)]
    const suspicious: Message[] = []
    if (course !== null) suspicious.push(say('study.same-course', { others: course }))
    else if (weights !== null) suspicious.push(say('study.same-weights', { others: weights }))
    if (checkpoint !== null && checkpoint.settings !== null && checkpoint.settings !== trial.id) {
      suspicious.push(say('study.other-settings', {}))
    }
    return { ...cell, suspicious }
  })
}

/** By trial, in the words of whoever ran it. */
export type Failures = { readonly [trial: string]: readonly string[] }

const failuresSchema = z.record(z.string(), z.array(z.string()))

function failuresPath(workspace: Workspace, study: string): string {
  return join(studyFolder(workspace, study), 'failed.json')
}

/** Of trials that ended before there was a run that could tell. */
async function readFailures(workspace: Workspace, study: string): Promise<Failures> {
  try {
    return failuresSchema.parse(JSON.parse(await readFile(failuresPath(workspace, study), 'utf8')))
  } catch {
    return {}
  }
}

/** Those of the last attempt: what is tried again and succeeds has not failed. */
export async function keepFailures(workspace: Workspace, study: string, failures: Failures): Promise<void> {
  await mkdir(studyFolder(workspace, study), { recursive: true })
  await writeFileAtomically(failuresPath(workspace, study), `${JSON.stringify(failures)}\n`)
}
