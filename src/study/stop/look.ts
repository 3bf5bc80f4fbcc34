import type { Evidence, Finding } from '../../model/finding.js'
import type { Message } from '../../model/run.js'
import type { Goal } from '../../model/vocabulary/metric.js'

/** What one look at a growing run sees, as far as a decision to stop may rest on it. */
export interface Look {
  /** The last step that anything was logged at. */
  readonly step: number
  readonly hours: number | null
  /** The score that the run is judged by; null where it has none, or nobody knows which direction is good. */
  readonly score: ScoreCourse | null
  readonly findings: readonly Finding[]
}

export interface ScoreCourse {
  readonly metric: string
  readonly goal: Goal
  readonly steps: readonly number[]
  readonly values: readonly number[]
  /** Prompts behind one evaluation, where known. */
  readonly prompts: number | null
}

/** A reason to stop, with the numbers it rests on and how often it would have stopped a healthy run. */
export interface StopDecision {
  readonly rule: string
  readonly step: number
  readonly message: Message
  readonly evidence: Evidence
  readonly falseStops: Message
}

export interface StopRule {
  readonly id: string
  readonly decide: (look: Look) => StopDecision | null
}

/** As if higher were better, so that rules need to know one direction only. */
export function upward({ goal, values }: ScoreCourse): readonly number[] {
  return goal === 'max' ? values : values.map(value => -value)
}

export function downward({ goal }: ScoreCourse, value: number): number {
  return goal === 'max' ? value : -value
}
