import { z } from 'zod'
import { doseOf } from '../analysis/dose.js'
import { jsonNumber } from '../model/json.js'
import { Problem } from '../model/problem.js'
import { listRuns } from '../store/catalogue.js'
import type { Workspace } from '../store/workspace.js'
import { readDropLedger } from '../study/drop/ledger.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import { type PlannedArm, type StudyTrial, seedsOf, trialsOf } from '../study/plan/trials.js'
import { inOrder, type SettlePlan, settlePlan, settleSeeds } from '../study/settle/settle-seeds.js'
import { armsToSettle, verdictOf } from '../study/settle/settled-arms.js'
import { usableValue, valuesByArm } from '../study/status/arm-values.js'
import type { Cell, EvaluationCell } from '../study/status/cell.js'
import { studyStand } from '../study/status/cells.js'
import type { Language } from '../text/language.js'
import { render, sentences } from '../text/sentences.js'
import { SOURCE } from '../train/run/lineage.js'
import { request } from './fields.js'
import { question } from './question.js'
import { openFrozen, shownState } from './studies.js'
import { type StudyViewAnswer, studyViewAnswer } from './study-answers.js'
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
    const { cells: all, evaluations } = await studyStand(workspace, study, [...study.trials, ...bought])
    const { drops, kept } = await readDropLedger(workspace, name)
    const standingOf = (arm: string): 'open' | 'dropped' | 'kept' =>
      drops.some(drop => drop.arm === arm) ? 'dropped' : kept.includes(arm) ? 'kept' : 'open'
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
      cells: [...cells.map(cell => cellView(cell, lang)), ...evaluations.map(cell => evaluationView(cell, lang))],
      arms: valuesByArm(arms, cells).map(({ arm: { name: arm, settings }, ...values }) => ({
        arm,
        settings,
        ...values,
        standing: standingOf(arm),
      })),
      dose: doseOf(arms.map(({ settings }) => settings)),
      settle: settleSoFar(study, cells),
      unplanned: await unplannedRuns(workspace, name, all),
    }
  },
})

type CellView = StudyViewAnswer['cells'][number]

function cellView(cell: Cell, language: Language): CellView {
  const { trial, runs, value, suspicious, reasons } = cell
  return {
    trial: trial.name,
    arm: trial.arm.name,
    table: '',
    seed: trial.seed,
    step: null,
    state: shownState(cell),
    run: runs[0] ?? null,
    value: jsonNumber(value),
    why: [...suspicious.map(({ message }) => render(message, language)), ...reasons],
  }
}

function evaluationView(cell: EvaluationCell, language: Language): CellView {
  const { trial, condition, step, run, value, suspicious, reasons } = cell
  const { evaluation, condition: under } = condition
  const words = Object.entries(under).flatMap(([key, given]) => (key === 'dataset' ? [] : [`${key} ${given}`]))
  return {
    trial: trial.name,
    arm: trial.arm.name,
    table: [evaluation, ...words].join(', '),
    seed: trial.seed,
    step,
    state: shownState(cell),
    run,
    value: jsonNumber(value),
    why: [...suspicious.map(({ message }) => message), ...reasons].map(message => render(message, language)),
  }
}

/** Where prompts are bought, only `klens study settle` itself knows how they were answered. */
function canSettle({ arms, file: { settle } }: PlannedStudy): boolean {
  return (settle.arms ?? arms).length > 1 && settle.by === 'seeds' && settle.prompts === undefined
}

/** Beyond those of the file, what settle may buy. */
function boughtTrials(study: PlannedStudy): readonly StudyTrial[] {
  if (!canSettle(study)) return []
  const planned = new Set(study.trials.map(({ id }) => id))
  const seeds = seedsOf(study.file.seeds, study.file.settle.most)
  return trialsOf(study.name, armsToSettle(study), seeds).filter(({ id }) => !planned.has(id))
}

/** Bounds take half a second to work out, and a page asks again whenever a run has grown. */
const plans = new Map<number, SettlePlan>()

function planFor(most: number): SettlePlan {
  const plan = plans.get(most) ?? settlePlan(most)
  plans.set(most, plan)
  return plan
}

/** Only looks whose every seed is there: a seed that failed must not be passed over. */
function settleSoFar(study: PlannedStudy, cells: readonly Cell[]): StudyViewAnswer['settle'] {
  if (!canSettle(study)) return null
  const { seeds: inFile, settle, margin, direction } = study.file
  const [baseline, ...others] = armsToSettle(study)
  const plan = planFor(settle.most)
  const seeds = seedsOf(inFile, settle.most)
  const valuesOf = ({ name }: PlannedArm): readonly number[] => {
    const values = seeds.map(seed => {
      const cell = cells.find(({ trial }) => trial.arm.name === name && trial.seed === seed)
      return cell === undefined ? null : usableValue(cell)
    })
    const gap = values.indexOf(null)
    return values.slice(0, gap < 0 ? undefined : gap).flatMap(value => value ?? [])
  }
  const settled = settleSeeds(others.length, inOrder(valuesOf(baseline), others.map(valuesOf)), margin, plan)
  return {
    baseline: baseline.name,
    planned: plan.looks,
    others: others.map(({ name }, i) => {
      const { looks, answer } = settled[i]
      return {
        arm: name,
        looks: looks.map(({ scatter: _, ...look }) => look),
        verdict: answer === null ? null : verdictOf(answer, direction),
      }
    }),
  }
}

/** The file may have been changed since it was frozen; what was trained then belongs to another design. */
async function unplannedRuns(workspace: Workspace, study: string, cells: readonly Cell[]): Promise<number> {
  const planned = new Set(cells.flatMap(({ runs }) => runs))
  const { entries } = await listRuns(workspace)
  return entries.filter(({ id, name, source }) => source === SOURCE && name.startsWith(`${study}/`) && !planned.has(id))
    .length
}
