import type { Message } from '../../logs/model/run.js'
import type { TrialState } from '../../logs/model/study/state.js'
import type { StudyCost } from '../../logs/model/study/terms.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { mean, variance } from '../../stats/descriptive.js'
import { intervalOf } from '../../stats/student-estimate.js'
import type { Language } from '../../text/language.js'
import { render } from '../../text/sentences.js'
import type { PlannedCondition } from './evaluations/plan-evaluations.js'
import type { EvaluationRecord } from './evaluations/records.js'
import type { Acknowledgement } from './ledger.js'
import type { PlannedArm, StudyStage, Trial, TrialCheckpoint } from './trial.js'

/** A cell of a study's matrix: a trial under a condition, with its figure or why there is none. */
export interface Cell {
  readonly trial: Trial
  /** Null: the trial's own validation, in training. */
  readonly condition: PlannedCondition | null
  readonly state: Exclude<TrialState, 'suspicious'>
  /** Of the checkpoint that is asked for; null where it is not known yet, and for the validation in training. */
  readonly step: number | null
  /** Where its single scores are; of the validation in training the trial's own runs. */
  readonly runs: readonly string[]
  /** Whose weights the figure is of. */
  readonly checkpoint: TrialCheckpoint | null
  /**
   * The last evaluation of the study's metric; under a condition null unless every sample has a score: the mean of those that
   * came through would favour what fails on hard ones.
   */
  readonly value: number | null
  /** How many evaluations of the metric the run has; under a condition, how many samples have a score. */
  readonly n: number
  readonly record: EvaluationRecord | null
  /** Why its figure should not be taken as it is. */
  readonly suspicious: readonly Suspicion[]
  /** Why there is no figure. */
  readonly reasons: readonly (Message | string)[]
}

/** One of an evaluation that the study file names. */
export type EvaluationCell = Cell & { readonly condition: PlannedCondition }

/** Why a figure should not be taken as it is. */
export interface Suspicion {
  readonly rule:
    | 'same-course'
    | 'same-weights'
    | 'other-settings'
    | 'other-run'
    | 'evaluated-other'
    | 'identical-results'
    | 'adopted-otherwise'
  /** What it is about, by content: what was acknowledged of one thing is not acknowledged of another. */
  readonly subject: string
  readonly message: Message
  /** Null: it stands in the way of a comparison. */
  readonly acknowledged: Acknowledgement | null
}

export type NewSuspicion = Omit<Suspicion, 'acknowledged'>

/** Those that stand in the way of a comparison. */
export function openSuspicions({ suspicious }: Pick<Cell, 'suspicious'>): readonly Suspicion[] {
  return suspicious.filter(({ acknowledged }) => acknowledged === null)
}

/** Whatever else it is, what should not be taken as it is comes first. */
export function shownState(cell: Cell): TrialState {
  return openSuspicions(cell).length > 0 ? 'suspicious' : cell.state
}

/** As it was kept, or in the words of the reader. */
export function reasonText(reason: Message | string, language: Language): string {
  return typeof reason === 'string' ? reason : render(reason, language)
}

/** Null for what is not there yet or should not be taken as it is. */
export function usableValue(cell: Pick<Cell, 'value' | 'suspicious'>): number | null {
  const { value } = cell
  return value !== null && Number.isFinite(value) && openSuspicions(cell).length === 0 ? value : null
}

/** What the seeds of an arm came to: their mean, with the interval in which the mean of all seeds lies. */
interface ArmValues {
  readonly arm: PlannedArm
  /** Of seeds with a finite value that nothing speaks against. */
  readonly values: readonly number[]
  readonly mean: number | null
  /** 95 %, from the scatter of seeds; null with fewer than two. */
  readonly interval: readonly [low: number, high: number] | null
}

export function valuesByArm(arms: readonly PlannedArm[], cells: readonly Cell[]): readonly ArmValues[] {
  const byArm = groupBy(cells, ({ trial }) => trial.arm.name)
  return arms.map(arm => {
    const values = (byArm.get(arm.name) ?? []).flatMap(cell => usableValue(cell) ?? [])
    if (values.length < 2) return { arm, values, mean: values[0] ?? null, interval: null }
    const standardError = Math.sqrt(variance(values) / values.length)
    const degreesOfFreedom = values.length - 1
    const { estimate, low, high } = intervalOf({ mean: mean(values), standardError, degreesOfFreedom })
    return { arm, values, mean: estimate, interval: [low, high] }
  })
}

/** A stage counts once, however many trials rest on it. */
export function costOf(cells: readonly Cell[]): StudyCost {
  const trials = cells.map(({ trial }) => trial)
  const stages = new Map<string, StudyStage>()
  for (const { start } of trials) {
    for (let stage = start; stage !== null; stage = stage.start) stages.set(stage.id, stage)
  }
  return {
    trials: trials.filter(({ runs }) => runs.length > 0).length,
    hours: [...trials, ...stages.values()].reduce((sum, { seconds }) => sum + seconds, 0) / 3600,
  }
}
