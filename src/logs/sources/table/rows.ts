import { readCell } from '../../document/printed-cell.js'
import type { Row } from '../../model/events.js'
import { type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import type { Quality } from '../../model/run.js'
import type { Hints } from '../source.js'
import { isUsableStep, nameAlone, nameLists, timeFromNumber, timeFromText } from '../source-helpers.js'
import { SETTINGS, withDecimalPoint } from './head.js'
import type { TablePlan } from './plan.js'
import { countStep, firstOfTwo, newStepCount, placeColumns, type StepCount } from './step.js'
import { note, type TableTally } from './tally.js'

/**
 * Rows of numbers out of what a table holds: the fields of a CSV record, or a JSON object. Both ways take the bulk of
 * an import's time, so plain numbers go the short way, and no list of leaves is made in between.
 */

interface FieldLayout {
  readonly columns: readonly string[]
  readonly decimalComma: boolean
}

/** Which runs' rows are wanted, where a table holds several. */
export type RunFilter = (run: string) => boolean

export type FieldRowReader = (fields: readonly string[]) => Row | null

export function fieldRowReader(
  { columns, decimalComma }: FieldLayout,
  plan: TablePlan,
  hints: Hints,
  tally: TableTally,
  wanted: RunFilter,
  count: StepCount,
): FieldRowReader {
  const stepAt = columns.indexOf(plan.step)
  const outerAt = plan.outer === null ? -1 : columns.indexOf(plan.outer)
  const timeAt = plan.time === null ? -1 : columns.indexOf(plan.time)
  const runAt = plan.run === null ? -1 : columns.indexOf(plan.run)
  const metricAt = plan.long === null ? -1 : columns.indexOf(plan.long.metric)
  const valueAt = plan.long === null ? -1 : columns.indexOf(plan.long.value)
  const chosen = chosenMetrics(hints)
  const metrics = metricColumns(columns, plan, chosen)
  const names = metrics.map(({ name }) => name)
  const printed = metrics.some(({ decimals }) => decimals !== null)
  const shared = nameLists()
  const longNames = nameAlone()

  function read(fields: readonly string[]): Row | null {
    if (plan.run !== null && !wanted(fields[runAt]?.trim() ?? '')) return null
    const step = countStep(plan, numberOf(fields[stepAt]), numberOf(fields[outerAt]), count)
    if (step === undefined || !isUsableStep(step)) return rejectStep(fields)
    const time = timeAt < 0 ? null : timeOfField(fields[timeAt])
    if (plan.long !== null) return readLong(fields, step, time)
    return readQuickly(fields, step, time) ?? readCarefully(fields, step, time)
  }

  /** All cells plain numbers, or empty: nothing to say about them but their values. */
  function readQuickly(fields: readonly string[], step: number, time: number | null): Row | null {
    if (decimalComma) return null
    const values: number[] = []
    const decimals: (number | null)[] | undefined = printed ? [] : undefined
    let found: string[] | null = null
    for (const metric of metrics) {
      const field = fields[metric.at] ?? ''
      if (field === '') {
        found ??= names.slice(0, values.length)
        continue
      }
      const value = plainNumber(field)
      if (value === undefined) return null
      values.push(value)
      found?.push(metric.name)
      decimals?.push(metric.decimals === printedDecimals(field) ? metric.decimals : null)
    }
    if (values.length === 0) return null
    const row: Row = { type: 'row', step, time, metrics: found === null ? names : shared(found), values }
    return decimals === undefined ? row : { ...row, decimals }
  }

  function readCarefully(fields: readonly string[], step: number, time: number | null): Row | null {
    const found: string[] = []
    const values: number[] = []
    const qualities: Quality[] = []
    const decimals: (number | null)[] = []
    for (const metric of metrics) {
      const cell = cellOf(fields[metric.at])
      if (cell.kind === 'empty' || cell.kind === 'text') continue
      found.push(metric.name)
      values.push(cell.kind === 'number' ? cell.value : Number.NaN)
      qualities.push(cell.kind === 'number' ? cell.quality : 'missing')
      decimals.push(cell.kind === 'number' && cell.decimals === metric.decimals ? metric.decimals : null)
    }
    if (found.length === 0) return null
    const row: Row = { type: 'row', step, time, metrics: shared(found), values }
    return {
      ...row,
      ...(qualities.some(quality => quality !== 'measured') ? { qualities } : {}),
      ...(decimals.some(count => count !== null) ? { decimals } : {}),
    }
  }

  function readLong(fields: readonly string[], step: number, time: number | null): Row | null {
    const name = fields[metricAt]?.trim() ?? ''
    if (name === '' || (chosen !== null && !chosen.has(name))) return null
    const list = longNames(name)
    const value = decimalComma || printed ? undefined : plainNumber(fields[valueAt] ?? '')
    if (value !== undefined) return { type: 'row', step, time, metrics: list, values: [value] }
    const row = readCarefully(fields, step, time)
    return row === null ? null : { ...row, metrics: list }
  }

  function rejectStep(fields: readonly string[]): null {
    if (readCarefully(fields, 0, null) === null) return null
    const text = fields[stepAt]?.trim() ?? ''
    if (text === '') note(tally, 'noStep')
    else note(tally, 'badStep', text)
    return null
  }

  function cellOf(field = '') {
    return readCell(decimalComma ? withDecimalPoint(field) : field)
  }

  function numberOf(field = ''): number | undefined {
    const plain = decimalComma ? undefined : plainNumber(field)
    if (plain !== undefined) return plain
    const cell = cellOf(field)
    if (cell.kind === 'text') return firstOfTwo(cell.text)
    return cell.kind === 'number' && cell.quality === 'measured' && !cell.percent ? cell.value : undefined
  }

  return read
}

interface MetricColumn {
  readonly name: string
  readonly at: number
  readonly decimals: number | null
}

/** Null: all of them. */
function chosenMetrics({ metrics = [] }: Hints): ReadonlySet<string> | null {
  return metrics.length === 0 ? null : new Set(metrics)
}

function metricColumns(
  columns: readonly string[],
  plan: TablePlan,
  chosen: ReadonlySet<string> | null,
): MetricColumn[] {
  const others = new Set([...placeColumns(plan), plan.time, plan.run, plan.long?.metric, '', ...plan.ignored])
  const decimals = new Map(plan.decimals)
  return columns.flatMap((name, at) => {
    if (plan.long === null ? others.has(name) || isRowNumber(name) : name !== plan.long.value) return []
    if (plan.long === null && chosen !== null && !chosen.has(name)) return []
    return [{ name, at, decimals: decimals.get(name) ?? null }]
  })
}

/** pandas writes its row numbers as a column without a name, and reads that back as this. */
function isRowNumber(name: string): boolean {
  return name.startsWith('Unnamed: ')
}

function timeOfField(field = ''): number | null {
  const plain = plainNumber(field)
  return plain === undefined ? timeFromText(field.trim()) : timeFromNumber(plain)
}

const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57

/** The number in a field that is nothing but a number as programs print it; undefined sends it to `readCell`. */
export function plainNumber(field: string): number | undefined {
  const first = field.charCodeAt(0)
  if (!(first >= ZERO && first <= NINE) && first !== MINUS && first !== POINT) return undefined
  // Number() would also read 0x10.
  if (field.charCodeAt(1) > NINE) return undefined
  const value = Number(field)
  return Number.isNaN(value) ? undefined : value
}

function printedDecimals(field: string): number | null {
  const point = field.indexOf('.')
  return point < 0 || field.includes('e') || field.includes('E') ? null : field.trimEnd().length - point - 1
}

/** Every number in an object, at any depth, is a metric named by its path. */
type ObjectRowReader = (object: JsonObject) => Row | null

/** Deeper than any log nests; a guard against objects that recursion would not survive. */
const DEEPEST = 64

export function objectRowReader(
  plan: TablePlan,
  hints: Hints,
  tally: TableTally,
  wanted: RunFilter,
  count: StepCount = newStepCount(),
): ObjectRowReader {
  const chosen = chosenMetrics(hints)
  const shared = plan.long === null ? nameLists() : (names: readonly string[]) => alone(names[0] ?? '')
  const alone = nameAlone()
  let step: Json | undefined
  let outer: Json | undefined
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
      if (value === undefined) continue
      const path = prefix === '' ? key : `${prefix}.${key}`
      if (path === plan.outer) outer = value
      if (path === plan.step) step = value
      else if (path === plan.time) time = timeOf(value)
      else if (path === plan.run) run = String(value).trim()
      else if (typeof value === 'number') take(path, value)
      else if (typeof value === 'string') takeText(path, value)
      else if (typeof value !== 'object' || value === null || isList(value) || path === SETTINGS) continue
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
    outer = undefined
    time = null
    run = ''
    longMetric = ''
    longValue = undefined
    names = []
    values = []
    walk(object, '', 1)
    if (plan.run !== null && !wanted(run)) return null
    const placed = countStep(plan, numberOf(step), numberOf(outer), count)
    if (plan.long !== null) finishLong()
    if (tooDeep) note(tally, 'tooDeep')
    tooDeep = false
    if (names.length === 0) return null
    if (placed !== undefined && isUsableStep(placed)) {
      return { type: 'row', step: placed, time, metrics: shared(names), values }
    }
    if (step === undefined || step === null) note(tally, 'noStep')
    else note(tally, 'badStep', typeof step === 'object' ? '[]' : String(step))
    return null
  }
}

function numberOf(value: Json | undefined): number | undefined {
  if (typeof value === 'string') return firstOfTwo(value)
  return typeof value === 'number' ? value : undefined
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function timeOf(value: Json): number | null {
  if (typeof value === 'number') return timeFromNumber(value)
  return typeof value === 'string' ? timeFromText(value) : null
}
