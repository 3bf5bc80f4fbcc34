import { z } from 'zod'
import { jsonNumber } from '../model/json.js'
import { Problem } from '../model/problem.js'
import { listRuns } from '../store/catalogue.js'
import type { Workspace } from '../store/workspace.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import { type StudyTrial, trialsOf } from '../study/plan/trials.js'
import { settlePlan, settleSeeds } from '../study/settle/settle-seeds.js'
import { doseOf, usableValue, valuesByArm } from '../study/status/arm-values.js'
import { type Cell, cellsOf } from '../study/status/cells.js'
import type { Language } from '../text/language.js'
import { sentences } from '../text/sentences.js'
import { SOURCE } from '../train/run/lineage.js'
import { inWords, request } from './fields.js'
import { question } from './question.js'
import { openFrozen, shownState } from './studies.js'
import { type StudyViewAnswer, studyViewAnswer } from './study-answers.js'
import { armsToSettle, seedsOf, verdictOf } from './study-settle.js'
import { costOf } from './study-status.js'

/** A study as it stands, by its name: its cells, what the arms came to, and what the looks of `settle` say so far. */

const say = sentences({
  'study.view.not-frozen': {
    en: 'of the study "{name}" nothing has been run yet',
    zh: '研究“{name}”还没有运行过',
  },
})

export const studyView = question({
  request: request({ name: z.string() }),
  answer: studyViewAnswer,
  async ask(workspace, { name, lang }) {
    const study = await openFrozen(workspace, name)
    if (study === null) throw new Problem('not-found', say('study.view.not-frozen', { name }))
    const { file, arms } = study
    const bought = boughtTrials(study)
    const all = await cellsOf(workspace, name, [...study.trials, ...bought], file.metric)
    // A seed that settle may buy is a cell once it was bought.
    const cells = all.filter(({ runs }, i) => i < study.trials.length || runs.length > 0)
    return {
      study: name,
      question: file.question,
      metric: file.metric,
      direction: file.direction,
      margin: file.margin,
      expectations: file.expectations,
      frozen: { hash: study.frozen.hash, at: study.frozen.at },
      cost: costOf(cells),
      budget: file.budget,
      cells: cells.map(cell => cellView(cell, lang)),
      arms: valuesByArm(arms, cells).map(({ arm: { name: arm, settings }, ...values }) => ({
        arm,
        settings,
        ...values,
      })),
      dose: doseOf(arms),
      settle: settleSoFar(study, cells),
      unplanned: await unplannedRuns(workspace, name, all),
    }
  },
})

function cellView(cell: Cell, language: Language): StudyViewAnswer['cells'][number] {
  const { trial, runs, value, suspicious, reasons } = cell
  return {
    trial: trial.name,
    arm: trial.arm.name,
    column: String(trial.seed),
    state: shownState(cell),
    run: runs[0] ?? null,
    value: jsonNumber(value),
    why: [...inWords(suspicious, language), ...reasons],
  }
}

function canSettle({ arms, file: { settle } }: PlannedStudy): boolean {
  return settle.arms !== undefined || arms.length === 2
}

/** Beyond those of the file, what settle may buy. */
function boughtTrials(study: PlannedStudy): readonly StudyTrial[] {
  if (!canSettle(study)) return []
  const planned = new Set(study.trials.map(({ id }) => id))
  const seeds = seedsOf(study.file.seeds, study.file.settle.most)
  return trialsOf(study.name, armsToSettle(study), seeds).filter(({ id }) => !planned.has(id))
}

/** Only looks whose every seed is there: a seed that failed must not be passed over. */
function settleSoFar(study: PlannedStudy, cells: readonly Cell[]): StudyViewAnswer['settle'] {
  if (!canSettle(study)) return null
  const { seeds: inFile, settle, margin, direction } = study.file
  const arms = armsToSettle(study)
  const plan = settlePlan(settle.most)
  const seeds = seedsOf(inFile, settle.most)
  const [first, second] = arms.map(({ name }) => {
    const values = seeds.map(seed => {
      const cell = cells.find(({ trial }) => trial.arm.name === name && trial.seed === seed)
      return cell === undefined ? null : usableValue(cell)
    })
    const gap = values.indexOf(null)
    return values.slice(0, gap < 0 ? undefined : gap).flatMap(value => value ?? [])
  })
  const settled = settleSeeds(first, second, margin, plan)
  return {
    baseline: arms[0].name,
    other: arms[1].name,
    planned: plan.looks,
    looks: settled.looks.map(({ scatter: _, ...look }) => look),
    verdict: verdictOf(settled, direction)?.verdict ?? null,
  }
}

/** The file may have been changed since it was frozen; what was trained then belongs to another design. */
async function unplannedRuns(workspace: Workspace, study: string, cells: readonly Cell[]): Promise<number> {
  const planned = new Set(cells.flatMap(({ runs }) => runs))
  const { entries } = await listRuns(workspace)
  return entries.filter(({ id, name, source }) => source === SOURCE && name.startsWith(`${study}/`) && !planned.has(id))
    .length
}
