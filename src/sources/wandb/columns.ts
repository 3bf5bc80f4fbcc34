import { byteTable } from '../binary/byte-table.js'
import { bytesField, readFields, readText, type Wire } from '../binary/protobuf.js'
import type { Axes } from './axes.js'
import type { Column } from './row-shapes.js'

/** What the key of a history item means, worked out once per key and found again by the key's encoded bytes. */
export interface HistoryColumn extends Column {
  readonly role: 'step' | 'time' | 'metric' | 'internal'
  /** Some other metric counts its steps in this one. */
  readonly isAxis: boolean
  /** The metric that this one counts its steps in. */
  readonly axis: string | undefined
  /** `x` where this is `x._type`, the mark of an image, a table, a histogram. */
  readonly mediaName: string | undefined
  /** In which record the column was last seen, and at which place: a key given twice keeps its last value. */
  record: number
  place: number
}

export interface HistoryColumns {
  /** By the key fields of a HistoryItem as they stand in the file. */
  ofKey(bytes: Buffer, start: number, end: number): HistoryColumn
  ofName(name: string): HistoryColumn
  /** Forgets all columns when there are suspiciously many. Not to be called within a record. */
  trim(): void
  /** Forgets all columns, because axes were defined anew. */
  clear(): void
}

/** HistoryItem */
const KEY = bytesField(1)
const NESTED_KEY = bytesField(2)

const MOST_COLUMNS = 65_536

export function historyColumns(axes: Axes): HistoryColumns {
  const byName = new Map<string, HistoryColumn>()
  const byKey = byteTable((bytes, start, end) => ofName(nameOfKey({ bytes, position: start, end })))

  function ofName(name: string): HistoryColumn {
    const known = byName.get(name)
    if (known !== undefined) return known
    const column: HistoryColumn = {
      name,
      mark: Math.imul(byName.size + 1, 0x9e37_79b1),
      role: roleOf(name),
      isAxis: axes.isAxis(name),
      axis: axes.axisOf(name),
      mediaName: name.endsWith('._type') ? name.slice(0, -'._type'.length) : undefined,
      record: -1,
      place: 0,
    }
    byName.set(name, column)
    return column
  }

  function clear(): void {
    byName.clear()
    byKey.clear()
  }

  return {
    ofKey: byKey.find,
    ofName,
    trim: () => {
      if (byName.size > MOST_COLUMNS) clear()
    },
    clear,
  }
}

/** W&B keeps its own figures (`_runtime`, `_wandb`) under names with a leading underscore. */
function roleOf(name: string): HistoryColumn['role'] {
  if (name === '_step') return 'step'
  if (name === '_timestamp') return 'time'
  return name.startsWith('_') ? 'internal' : 'metric'
}

/** Newer W&B writes the path to a leaf, older W&B one key. */
function nameOfKey(wire: Wire): string {
  let key = ''
  const path: string[] = []
  readFields(wire, tag => {
    if (tag === KEY) key = readText(wire)
    else if (tag === NESTED_KEY) path.push(readText(wire))
    else return false
    return true
  })
  return path.length > 0 ? path.join('.') : key
}
