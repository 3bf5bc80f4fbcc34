/** What a contestant of the language-model race is asked, and what it answers. */
export interface LmRequest {
  /** `given`: updates on the batch whose every token is given; `training`: whole steps, rollouts and evaluations included. */
  readonly what: 'given' | 'training'
  readonly steps: number
}

export type Part = 'rollout' | 'update' | 'evaluation'

/** Of each time that a part was done. */
export interface LmTimes {
  readonly seconds: number[]
  readonly cpuSeconds: number[]
}

export type LmAnswer = { readonly [part in Part]: LmTimes }

export interface GivenAnswer {
  readonly losses: readonly number[]
  readonly norms: readonly number[]
}
