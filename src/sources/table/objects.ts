import type { Row } from '../../model/events.js'
import { type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import { nameAlone, nameLists } from '../name-lists.js'
import type { Hints } from '../source.js'
import { chosenMetrics, type RunFilter } from './fields.js'
import type { TablePlan } from './plan.js'
import { isUsableStep } from './step.js'
import { note, type TableTally } from './tally.js'
import { timeFromNumber, timeFromText } from './time.js'

/**
 * Turns JSON objects into rows of numbers: every number at any depth is a metric, named by its path. Written as one
 * walk without a list of leaves in between, because a log has one object per step and millions of leaves.
 */
export type ObjectRowReader = (object: JsonObject) => Row | null

/** Deeper than any log nests; a guard against objects that recursion would not survive. */
const DEEPEST = 64

export function objectRowReader(plan: TablePlan, hints: Hints, tally: TableTally, wanted: RunFilter): ObjectRowReader {
  const chosen = chosenMetrics(hints)
  const shared = plan.long === null ? nameLists() : (names: readonly string[]) => alone(names[0])
  const alone = nameAlone()
  let step: Json | undefined
  let time: number | null = null
  let run = ''
  let longMetric = ''
  let longValue: number | undefined
  let tooDeep = false
  let names: string[] = []
  let values: number[] = []

  function walk(object: JsonObject, prefix: string, depth: number): void {
    for (const key in object) {
      const value = object[key]
      const path = prefix === '' ? key : `${prefix}.${key}`
      if (path === plan.step) step = value
      else if (path === plan.time) time = timeOf(value)
      else if (path === plan.run) run = String(value).trim()
      else if (typeof value === 'number') take(path, value)
      else if (typeof value === 'string') takeText(path, value)
      else if (typeof value !== 'object' || value === null || isList(value)) continue
      else if (depth < DEEPEST) walk(value, path, depth + 1)
      else tooDeep = true
    }
  }

  function take(path: string, value: number): void {
    if (plan.long !== null) {
      if (path === plan.long.value) longValue = value
    } else if (chosen === null || chosen.has(path)) {
      names.push(path)
      values.push(value)
    }
  }

  function takeText(path: string, text: string): void {
    if (path === plan.long?.metric) longMetric = text.trim()
    const number = numberFromJson(text)
    if (number !== undefined) take(path, number)
  }

  function finishLong(): void {
    if (longValue === undefined || longMetric === '' || (chosen !== null && !chosen.has(longMetric))) return
    names.push(longMetric)
    values.push(longValue)
  }

  return object => {
    step = undefined
    time = null
    run = ''
    longMetric = ''
    longValue = undefined
    names = []
    values = []
    walk(object, '', 1)
    if (plan.run !== null && !wanted(run)) return null
    if (plan.long !== null) finishLong()
    if (tooDeep) note(tally, 'tooDeep')
    tooDeep = false
    if (names.length === 0) return null
    if (typeof step === 'number' && isUsableStep(step)) {
      return { type: 'row', step, time, metrics: shared(names), values }
    }
    if (step === undefined || step === null) note(tally, 'noStep')
    else note(tally, 'badStep', typeof step === 'object' ? '[]' : String(step))
    return null
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function timeOf(value: Json): number | null {
  if (typeof value === 'number') return timeFromNumber(value)
  return typeof value === 'string' ? timeFromText(value) : null
}
