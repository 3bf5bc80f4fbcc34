import { Problem } from '../model/problem.js'
import type { Workspace } from '../store/workspace.js'
import { type FrozenStudy, frozenStudies, readFrozen } from '../study/file/frozen.js'
import { openSuspicions, type Suspicion } from '../study/lineage/suspicion.js'
import { type PlannedStudy, planFrozen } from '../study/plan/plan-study.js'
import { valuesByArm } from '../study/status/arm-values.js'
import type { Cell, CellState } from '../study/status/cell.js'
import { cellsOf } from '../study/status/cells.js'
import { sentences } from '../text/sentences.js'
import { request } from './fields.js'
import { question } from './question.js'
import { type StudiesAnswer, type StudyViewAnswer, studiesAnswer } from './study-answers.js'
import { costOf } from './study-status.js'

/**
 * The studies of which something was run in this workspace. They are read from the design that was frozen before the first
 * result, not from the file: whoever looks from elsewhere, such as a page, needs no path and reads nothing outside.
 */

const say = sentences({
  'studies.none': { en: 'nothing of a study "{name}" was run here', zh: '这里没有运行过研究“{name}”' },
})

export const studies = question({
  request: request({}),
  answer: studiesAnswer,
  async ask(workspace) {
    const found: StudiesAnswer['studies'][number][] = []
    const damaged: string[] = []
    for (const name of await frozenStudies(workspace)) {
      const study = await openFrozen(workspace, name).catch(error => {
        if (error instanceof Problem) return 'damaged' as const
        throw error
      })
      if (study === 'damaged') damaged.push(name)
      else if (study !== null) found.push(await summaryOf(workspace, study))
    }
    return { studies: found.toSorted((a, b) => b.frozenAt - a.frozenAt), damaged }
  },
})

export interface OpenedStudy extends PlannedStudy {
  readonly frozen: FrozenStudy
}

/** By its name, which is looked up and never becomes a path; null where a run was begun and nothing was frozen yet. */
export async function openFrozen(workspace: Workspace, name: string): Promise<OpenedStudy | null> {
  const known = (await frozenStudies(workspace)).includes(name)
  if (!known) throw new Problem('not-found', say('studies.none', { name }))
  const frozen = await readFrozen(workspace, name)
  return frozen === null ? null : { ...(await planFrozen(name, frozen)), frozen }
}

async function summaryOf(workspace: Workspace, study: OpenedStudy): Promise<StudiesAnswer['studies'][number]> {
  const { name, frozen, arms, trials, file } = study
  const cells = await cellsOf(workspace, study, trials)
  const sign = file.direction === 'max' ? -1 : 1
  const [best] = valuesByArm(arms, cells)
    .flatMap(({ arm, values, mean }) => (mean === null ? [] : [{ arm: arm.name, mean, n: values.length }]))
    .toSorted((a, b) => sign * (a.mean - b.mean))
  return {
    study: name,
    question: file.question,
    metric: file.metric,
    frozenAt: frozen.at,
    states: countStates(cells),
    best: best ?? null,
    cost: costOf(cells),
  }
}

function countStates(cells: readonly Cell[]): StudiesAnswer['studies'][number]['states'] {
  const counts = { done: 0, running: 0, pending: 0, failed: 0, missing: 0, suspicious: 0, dropped: 0 }
  for (const cell of cells) counts[shownState(cell)] += 1
  return counts
}

/** Whatever else it is, what should not be taken as it is comes first. */
export function shownState(cell: {
  readonly state: CellState
  readonly suspicious: readonly Suspicion[]
}): StudyViewAnswer['cells'][number]['state'] {
  return openSuspicions(cell.suspicious).length > 0 ? 'suspicious' : cell.state
}
