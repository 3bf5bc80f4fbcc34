import { readCell } from '../../document/printed-cell.js'
import type { Condition } from '../../model/evaluation.js'
import { type Json, numberFromJson } from '../../model/json.js'
import { isUsableStep } from '../source-helpers.js'
import { plainNumber } from '../table/rows.js'
import { note, type TableTally } from '../table/tally.js'
import { isTruth } from './shape.js'

/** Reads the values of per-sample records, which are strings in CSV and typed in JSONL. */

export function numberOf(value: Json | undefined): number | null {
  if (typeof value !== 'string') return numberFromJson(value) ?? null
  const plain = plainNumber(value)
  if (plain !== undefined) return plain
  const cell = readCell(value)
  return cell.kind === 'number' ? cell.value : null
}

/** A small whole number: a repeat, a number of shots. */
export function countOf(value: Json | undefined): number | null {
  const count = numberOf(value)
  return count !== null && Number.isInteger(count) && count >= 0 && count < 2 ** 31 ? count : null
}

/** Null where there is no score; NaN and infinities are none, and noted. Right and wrong are 1 and 0. */
export function scoreOf(value: Json | undefined, tally: TableTally): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'string' && isTruth(value)) return value.toLowerCase() === 'true' ? 1 : 0
  const score = numberOf(value)
  if (score === null || Number.isFinite(score)) return score
  note(tally, 'badScore')
  return null
}

/** Null, and noted, where the step is no place on an axis. */
export function stepOf(value: Json | undefined, tally: TableTally): number | null {
  const step = numberOf(value)
  if (step !== null && isUsableStep(step)) return step
  if (value === undefined || value === null || value === '') note(tally, 'noStep')
  else note(tally, 'badStep', JSON.stringify(value))
  return null
}

export function textOf(value: Json | undefined): string | null {
  if (value === undefined || value === null || value === '') return null
  return (typeof value === 'object' ? JSON.stringify(value) : String(value).trim()).toWellFormed()
}

export function conditionFrom(
  valueIn: (part: 'dataset' | 'shots' | 'temperature' | 'split') => Json | undefined,
): Condition {
  const dataset = textOf(valueIn('dataset'))
  const shots = countOf(valueIn('shots'))
  const temperature = numberOf(valueIn('temperature'))
  const split = textOf(valueIn('split'))
  return {
    ...(dataset !== null && { dataset }),
    ...(shots !== null && { shots }),
    ...(temperature !== null && Number.isFinite(temperature) && { temperature }),
    ...(split !== null && { split }),
  }
}
