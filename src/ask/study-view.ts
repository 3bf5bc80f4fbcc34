import { z } from 'zod'
import { doseOf } from '../analysis/dose.js'
import { jsonNumber } from '../model/json.js'
import { Problem } from '../model/problem.js'
import { dropSentence } from '../present/study/spending.js'
import { listRuns } from '../store/catalogue.js'
import { workerOn } from '../store/lease.js'
import type { Workspace } from '../store/workspace.js'
import { type Drop, readDropLedger } from '../study/drop/ledger.js'
import { jobRecords } from '../study/executor/records.js'
import { studyFolder } from '../study/file/kept-file.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import { type PlannedArm, type StudyTrial, seedsOf, trialsOf } from '../study/plan/trials.js'
import { readSettling } from '../study/settle/ledger.js'
import { inOrder, type SettlePlan, settlePlan, settleSeeds } from '../study/settle/settle-seeds.js'
import { armsToSettle, verdictOf } from '../study/settle/settled-arms.js'
import { usableValue, valuesByArm } from '../study/status/arm-values.js'
import type { Cell, EvaluationCell } from '../study/status/cell.js'
import { studyStand } from '../study/status/cells.js'
import type { Language } from '../text/language.js'
import { render, sentences } from '../text/sentences.js'
import { epochsOf } from '../train/config/any.js'
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
    const standingOf = (arm: string): Pick<StudyViewAnswer['arms'][number], 'standing' | 'drop'> => {
      const drop = drops.find(each => each.arm === arm)
      if (drop !== undefined) return { standing: 'dropped', drop: dropView(drop, lang) }
      return { standing: kept.includes(arm) ? 'kept' : 'open', drop: null }
    }
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
        ...standingOf(arm),
      })),
      dose: doseOf(arms.map(({ settings }) => settings)),
      settle: buysPrompts(study) ? await readSettling(workspace, name) : settleSoFar(study, cells),
      work: await workOn(workspace, name),
      dropsByRule: file.drop !== 'none',
      canSettle: hasRivals(study),
      unplanned: await unplannedRuns(workspace, name, all),
    }
  },
})

type CellView = StudyViewAnswer['cells'][number]

function dropView(drop: Drop, language: Language): NonNullable<StudyViewAnswer['arms'][number]['drop']> {
  return { by: drop.by, at: drop.at, why: render(dropSentence(drop), language) }
}

async function workOn(workspace: Workspace, name: string): Promise<StudyViewAnswer['work']> {
  const worker = await workerOn(studyFolder(workspace, name))
  const open = (await jobRecords(workspace, name).all()).filter(({ end }) => end === null)
  return { process: worker === null ? null : worker.pid === null ? 'elsewhere' : 'here', jobs: open.length }
}

function progressOf({ state, n, trial: { config } }: Cell): CellView['progress'] {
  if (state !== 'running') return null
  return { done: n, planned: config === null ? null : Math.ceil(epochsOf(config) / config.eval.every) }
}

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
    progress: progressOf(cell),
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
    progress: null,
    why: [...suspicious.map(({ message }) => message), ...reasons].map(message => render(message, language)),
  }
}

function hasRivals({ arms, file: { settle } }: PlannedStudy): boolean {
  return (settle.arms ?? arms).length > 1
}

/** Then only `klens study settle` itself knows how they were answered, and has kept what it said of them. */
function buysPrompts({ file: { settle } }: PlannedStudy): boolean {
  return settle.by === 'prompts' || settle.prompts !== undefined
}

/** Beyond those of the file, what settle may buy. */
function boughtTrials(study: PlannedStudy): readonly StudyTrial[] {
  if (!hasRivals(study) || study.file.settle.by === 'prompts') return []
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
  if (!hasRivals(study)) return null
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
    by: 'seeds',
    baseline: baseline.name,
    planned: plan.looks,
    others: others.map(({ name }, i) => {
      const { looks, answer } = settled[i]
      return {
        arm: name,
        looks,
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
