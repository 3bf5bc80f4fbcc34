import type { Row } from '../../model/events.js'
import { isJsonObject, numberFromJson } from '../../model/json.js'
import {
  bytesField,
  enter,
  leave,
  readOneField,
  readTag,
  readVarint,
  skipField,
  varintField,
  type Wire,
} from '../binary/protobuf.js'
import { layOut, type Scanned, scan } from '../binary/scanner.js'
import { flatten, parsePythonJson } from '../python-json.js'
import { type StepGate, stepGate } from '../source-helpers.js'
import { type Axes, type HistoryColumn, historyColumns, rowShaper, type ShapedRow } from './columns.js'

/**
 * A history record becomes rows: one of the run's own step, and one for each other axis that its metrics count in.
 *
 * Nearly all time of an import goes here. So keys are found by their bytes, and numbers are read from theirs. Newer W&B writes a nested dict as one item per leaf, older W&B as one JSON object; both give
 * dotted names. Images, tables and histograms are dicts with a `_type`: their sizes and counts are no points.
 */

/** What is carried from record to record, and from one reading to the next. */
export interface HistoryMemory {
  /** The step of a record that does not tell its own. */
  nextStep: number
  lastTime: number | null
  readonly axisValues: Map<string, number>
}

interface HistoryReader {
  /** Reads the record that the wire has been narrowed to. */
  read(wire: Wire): readonly Row[]
  /** To be called after an axis was defined. */
  axesChanged(): void
  /** What is to be said of records whose step is no whole number. */
  readonly steps: StepGate
}

/** HistoryRecord */
const ITEM = bytesField(1)
const STEP = bytesField(2)
/** HistoryStep */
const STEP_NUMBER = varintField(1)
/** HistoryItem */
const VALUE_JSON = bytesField(16)

/** What most records of a log hold, in ever changing order: numbers under these keys, which the scanner puts into a row. */
interface Layout {
  readonly metrics: readonly string[]
  /** Those of the metrics, in the same order; then what is no metric. */
  readonly columns: readonly HistoryColumn[]
  readonly others: readonly HistoryColumn[]
  /** The numbers of all their keys. */
  readonly names: readonly number[]
}

/** What has been read of a record: `usual` is a row of the layout. */
type Content = 'none' | 'usual' | 'other'

/** Its tag, and a length below 128. */
const VALUE_HEADER_BYTES = 3
const OPENING_BRACE = 0x7b

export function historyReader(axes: Axes, memory: HistoryMemory): HistoryReader {
  const columns = historyColumns(axes)
  const shape = rowShaper<HistoryColumn>()
  const steps = stepGate(Number.isSafeInteger)

  let record = 0
  let seen: HistoryColumn[] = []
  let values: number[] = []
  let media = new Set<string>()
  let step: number | undefined
  let time: number | null = null
  let layout: Layout | null = null
  let content: Content = 'none'
  /** Of a record that is nothing but numbers, as far as it has been read. */
  let numeric: readonly HistoryColumn[] | null = null
  let metricsBefore: readonly string[] | null = null

  function read(wire: Wire): readonly Row[] {
    if (columns.trim()) layout = null
    content = 'none'
    record += 1
    seen = []
    values = []
    media = new Set()
    step = undefined
    time = null
    let stepField: number | undefined
    for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
      if (tag === ITEM) readItems(wire)
      else if (tag === STEP) stepField = readOneField(wire, STEP_NUMBER, readVarint)
      else skipField(wire, tag)
    }
    return rowsAt(step ?? stepField ?? memory.nextStep)
  }

  /** From an item whose tag has been read; what the scanner does not know goes one by one. */
  function readItems(wire: Wire): void {
    const { bytes } = wire
    const isFirst = content === 'none'
    if (content === 'usual') seeLayout()
    content = 'other'
    numeric = null
    const items = scan('readItems', bytes, wire.position - 1, wire.end)
    const { count, shift, names } = items
    if (count === 0) return void readItem(wire)
    wire.position = items.end
    if (isFirst && layout !== null && isRowOf(layout, items)) {
      takeRow(layout, items.row)
      return
    }
    const held: HistoryColumn[] = []
    for (let i = 0; i < count; i += 1) {
      const start = shift + (items.starts[i] ?? 0)
      const valueStart = shift + (items.steps[i] ?? 0)
      const column = columns.ofNumber(names[i] ?? -1, bytes, start, valueStart - VALUE_HEADER_BYTES)
      const value = items.values[i] ?? Number.NaN
      if (column.mediaName === undefined && !Number.isNaN(value)) {
        note(column, value)
        column.number = names[i] ?? -1
        held.push(column)
      } else noteValue(column, bytes, valueStart, shift + (items.ends[i] ?? 0))
    }
    if (isFirst && held.length === count) numeric = held
  }

  function takeRow({ metrics, others }: Layout, row: Float64Array): void {
    content = 'usual'
    values = new Array<number>(metrics.length)
    for (let place = 0; place < metrics.length; place += 1) values[place] = row[place + 1] ?? Number.NaN
    for (const [i, column] of others.entries()) note(column, row[metrics.length + 1 + i])
  }

  /** The record goes on behind what looked like all of it. */
  function seeLayout(): void {
    seen = [...(layout?.columns ?? [])]
    for (const [place, column] of seen.entries()) Object.assign(column, { record, place })
  }

  function readItem(wire: Wire): void {
    const outer = enter(wire)
    const keyStart = wire.position
    let keyEnd = keyStart
    let valueStart = 0
    let valueEnd = 0
    for (let tag = readTag(wire); tag !== 0; tag = readTag(wire)) {
      if (tag === VALUE_JSON) {
        const item = enter(wire)
        valueStart = wire.position
        valueEnd = wire.end
        leave(wire, item)
      } else {
        skipField(wire, tag)
        keyEnd = wire.position
      }
    }
    leave(wire, outer)
    noteValue(columns.ofKey(wire.bytes, keyStart, keyEnd), wire.bytes, valueStart, valueEnd)
  }

  function noteValue(column: HistoryColumn, bytes: Buffer, start: number, end: number): void {
    if (column.mediaName !== undefined) media.add(column.mediaName)
    else if (start < end && bytes[start] === OPENING_BRACE) noteLeaves(column.name, bytes.toString('utf8', start, end))
    else note(column, numberIn(bytes, start, end))
  }

  function noteLeaves(name: string, json: string): void {
    const object = parsePythonJson(json)
    if (!isJsonObject(object)) return
    for (const [leaf, value] of flatten(object, name).leaves) {
      const column = columns.ofName(leaf)
      if (column.mediaName !== undefined) media.add(column.mediaName)
      else note(column, numberFromJson(value))
    }
  }

  function note(column: HistoryColumn, value: number | undefined): void {
    if (value === undefined) return
    if (column.isAxis && Number.isFinite(value)) memory.axisValues.set(column.name, value)
    if (column.role === 'step') step = value
    else if (column.role === 'time') time = Number.isFinite(value) ? value : null
    else if (column.role === 'metric') {
      if (column.record === record) {
        values[column.place] = value
        return
      }
      column.record = record
      column.place = seen.length
      seen.push(column)
      values.push(value)
    }
  }

  function rowsAt(ownStep: number): readonly Row[] {
    if (!steps.admits(ownStep)) return []
    memory.nextStep = ownStep + 1
    if (time !== null) memory.lastTime = time
    if (content === 'usual' && layout !== null)
      return [{ type: 'row', step: ownStep, time, metrics: layout.metrics, values }]
    if (media.size > 0) dropMedia()
    if (seen.some(({ axis }) => axis !== undefined)) return rowsByAxis(ownStep)
    if (seen.length === 0) return []
    const shaped = shape(seen, values)
    // Learned when two in a row are alike: where they change all the time, learning would cost more than it spares.
    if (shaped.metrics === metricsBefore && numeric !== null) learn(numeric, shaped)
    metricsBefore = shaped.metrics
    return [{ type: 'row', step: ownStep, time, metrics: shaped.metrics, values: shaped.values }]
  }

  function learn(held: readonly HistoryColumn[], { metrics, columns: sorted }: ShapedRow<HistoryColumn>): void {
    if (new Set(held).size < held.length || held.some(({ isAxis }) => isAxis)) return
    const others = held.filter(({ role }) => role !== 'metric')
    layout = { metrics, columns: sorted, others, names: [...sorted, ...others].map(({ number }) => number) }
    layOut(layout.names)
  }

  function dropMedia(): void {
    const isPoint = seen.map(({ name }) => !liesWithin(name, media))
    seen = seen.filter((_, index) => isPoint[index])
    values = values.filter((_, index) => isPoint[index])
  }

  /** A metric whose axis has no value yet keeps the run's own step. */
  function rowsByAxis(ownStep: number): readonly Row[] {
    const groups = new Map<string | undefined, { readonly columns: HistoryColumn[]; readonly values: number[] }>()
    for (const [index, column] of seen.entries()) {
      const axis = column.axis !== undefined && memory.axisValues.has(column.axis) ? column.axis : undefined
      const group = groups.get(axis) ?? { columns: [], values: [] }
      groups.set(axis, group)
      group.columns.push(column)
      group.values.push(values[index] ?? Number.NaN)
    }
    const own = groups.get(undefined)
    const rows = own === undefined ? [] : [rowOf(own.columns, own.values, ownStep)]
    for (const axis of [...groups.keys()].filter(key => key !== undefined).sort()) {
      const group = groups.get(axis)
      const axisStep = memory.axisValues.get(axis)
      if (group === undefined || axisStep === undefined) continue
      rows.push({ ...rowOf(group.columns, group.values, axisStep), axis })
    }
    return rows
  }

  function rowOf(rowColumns: readonly HistoryColumn[], rowValues: readonly number[], rowStep: number): Row {
    const shaped = shape(rowColumns, rowValues)
    return { type: 'row', step: rowStep, time, metrics: shaped.metrics, values: shaped.values }
  }

  return {
    read,
    axesChanged: () => {
      columns.clear()
      layout = null
    },
    steps,
  }
}

/** Whether just these keys were read, each once and with a number. */
function isRowOf({ names }: Layout, { layout, count, placed }: Scanned): boolean {
  return layout === names && count === names.length && placed === count
}

/** Whether one of the names is the start of the dotted name. Media are nested a few levels at most. */
function liesWithin(name: string, parents: ReadonlySet<string>): boolean {
  let dot = name.lastIndexOf('.')
  for (let level = 0; dot > 0 && level < 16; level += 1) {
    if (parents.has(name.slice(0, dot))) return true
    dot = name.lastIndexOf('.', dot - 1)
  }
  return false
}

/** Of what the scanner cannot tell. W&B writes bare NaN and Infinity, which `Number` knows. Text, truth values, lists and null are no numbers. */
function numberIn(bytes: Buffer, start: number, end: number): number | undefined {
  const text = bytes.toString('latin1', start, end)
  const value = Number(text)
  if (Number.isNaN(value)) return text === 'NaN' ? value : undefined
  return text === '' ? undefined : value
}
