import type { Condition } from '../evaluation.js'
import type { MetricMeaning } from './metric.js'
import { goalByName } from './metric.js'
import { type Known, ROWS } from './metric-index.js'

/** Reading a name that may hold more than a table can list: a reward function, a number of shots. */

/** A meaning, and how well the name carries it: what is needed to choose between several names of one run. */
export interface Reading extends MetricMeaning {
  /** Other canonical metrics that this name can stand in for. */
  readonly alsoMeans: readonly string[]
  /** Smaller carries the meaning better. */
  readonly rank: number
}

export function readingOfKnown(known: Known): Reading {
  const { row, unit, notes, alsoMeans, rank } = known
  const validation = isValidation(row.canonical)
  return { canonical: row.canonical, unit, goal: row.goal, validation, condition: {}, notes, alsoMeans, rank }
}

/** Canonical names say it themselves. */
export function isValidation(canonical: string): boolean {
  return canonical.startsWith('val.')
}

export function unknownReading(name: string, validation = false, condition: Condition = {}): Reading {
  const unit = unitByName(name)
  const goal = unit === null ? goalByName(name) : 'min'
  return { canonical: null, unit, goal, validation, condition, notes: [], alsoMeans: [], rank: 0 }
}

/** verl times every part of a step, and adds parts from version to version. */
function unitByName(name: string): string | null {
  if (name.startsWith('timing_per_token_ms/')) return 'ms/token'
  return name.startsWith('timing_s/') || name.startsWith('timing/') ? 's' : null
}

/** `rewards/<function>/mean` in TRL: one of the parts that a reward is made of, never the reward itself. */
export function readRewardPart(name: string): Reading | null {
  if (!name.startsWith('rewards/')) return null
  const canonical = name.endsWith('/std') ? 'reward.part.std' : 'reward.part'
  return { ...unknownReading(name), canonical, goal: ROWS.get(canonical)?.goal ?? null }
}

const SHOTS = /(?:^|[/_.\s-])(?:shots?(?:_?num)?[\s_=-]{0,3}(\d{1,3})|(\d{1,3})[\s_-]?shots?)(?=$|[/_.\s(（-])/i

/** `shot_num=2`, `Shot 2`, `acc_4shot`: a score with that many demonstrations, unless the rest of the name says more. */
export function readShots(name: string, readRest: (rest: string) => Reading): Reading | null {
  const found = SHOTS.exec(name)
  if (found === null) return null
  const shots = Number(found[1] ?? found[2])
  const rest = `${name.slice(0, found.index)}${name.slice(found.index + found[0].length)}`
  const reading = readRest(rest)
  const condition: Condition = { ...reading.condition, shots }
  if (reading.canonical !== null || reading.goal === 'min') return { ...reading, condition }
  return { ...reading, canonical: 'val.score', goal: 'max', validation: true, condition, rank: OTHER_VALIDATION }
}

/** Where the validation names of a run stand that verl did not choose itself: see validation.ts. */
export const OTHER_VALIDATION = 2_000_000
