/**
 * Stop when the validation has not improved for `patience` evaluations. The state is plain data for the checkpoint. An
 * evaluation that is no number is no improvement.
 */
export interface EarlyStopping {
  /** Null: never stop. */
  readonly patience: number | null
  readonly goal: 'max' | 'min'
  /** An improvement must be larger than this. */
  readonly minimum_gain: number
}

export interface StoppingState {
  readonly best: number | null
  readonly bestStep: number | null
  readonly evaluationsSinceBest: number
}

export const NOTHING_EVALUATED: StoppingState = { best: null, bestStep: null, evaluationsSinceBest: 0 }

export function afterEvaluation(rule: EarlyStopping, state: StoppingState, step: number, value: number): StoppingState {
  const gain =
    state.best === null ? Number.POSITIVE_INFINITY : rule.goal === 'max' ? value - state.best : state.best - value
  if (Number.isFinite(value) && gain > rule.minimum_gain)
    return { best: value, bestStep: step, evaluationsSinceBest: 0 }
  return { ...state, evaluationsSinceBest: state.evaluationsSinceBest + 1 }
}

export function shouldStop({ patience }: EarlyStopping, { evaluationsSinceBest }: StoppingState): boolean {
  return patience !== null && evaluationsSinceBest >= patience
}
