import type { Json } from '../../../logs/model/json.js'
import type { Design, Drop, FinalVerdict, StudyCost, WithinKl } from '../../../logs/model/study/terms.js'

import type { JudgedBy } from '../../../logs/model/vocabulary/judged-by.js'
import type { Encoded } from '../../../text/encode.js'

/** All that a report on a study says, as plain data: nothing is read or judged in the report. */
export interface StudyFacts {
  readonly name: string
  readonly question: string
  readonly metric: string
  readonly direction: 'max' | 'min'
  readonly margin: number | null
  readonly expectations: readonly string[]
  readonly design: Design
  readonly baseline: string
  readonly seeds: readonly number[]
  readonly arms: readonly ArmFacts[]
  /** Each arm against the baseline. */
  readonly verdicts: readonly StudyVerdict[]
  readonly judgedBy: Encoded<JudgedBy> | null
  /** The best arm within the KL that the study allows; null where it allows any. */
  readonly within: WithinKl | null
  /** How they were come by: as planned (null), or by interim analyses while seeds or prompts were added. */
  readonly settled: {
    readonly by: 'seeds' | 'prompts'
    readonly looks: number
    /** Whether it is not resolved yet. */
    readonly isOpen: boolean
    readonly fixed: (StudyCost & { readonly prompts: number | null }) | null
  } | null
  readonly drops: readonly Drop[]
  readonly cost: StudyCost
  /** The setting to take, as a config that can be launched. */
  readonly take: TakeFacts
}

export interface ArmFacts {
  readonly name: string
  readonly settings: { readonly [key: string]: Json }
  /** By seed of the study; null where there is none. */
  readonly trials: readonly (TrialFacts | null)[]
}

export interface TrialFacts {
  readonly seed: number
  readonly state: string
  readonly value: number | null
  readonly run: string | null
  readonly checkpoint: { readonly step: number; readonly contentHash: string } | null
  readonly suspicious: readonly string[]
  readonly seconds: number
}

export type StudyVerdict = Omit<FinalVerdict, 'pSame'>

interface TakeFacts {
  readonly arm: string
  /** Whether it was shown to be better than the baseline, or is the baseline itself. */
  readonly why: 'better' | 'baseline'
  readonly config: string
  /** Of all settings, seed included. */
  readonly hash: string
  readonly file: string
  /** What launches it. */
  readonly verb: 'train' | 'study run'
}

/** Of the trials that have a score. */
export function scoresOf({ trials }: ArmFacts): readonly number[] {
  return trials.flatMap(trial => trial?.value ?? [])
}
