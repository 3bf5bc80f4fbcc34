import { byteTable } from '../binary/byte-table.js'
import { bytesField, readFields, readText, type Wire } from '../binary/protobuf.js'

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
  /** Of its key in that record. */
  number: number
}

interface HistoryColumns {
  /** By the key fields of a HistoryItem as they stand in the file. */
  ofKey(bytes: Buffer, start: number, end: number): HistoryColumn
  /** The same, where the scanner has given the key a number. */
  ofNumber(number: number, bytes: Buffer, start: number, end: number): HistoryColumn
  ofName(name: string): HistoryColumn
  /** Forgets all columns when there are suspiciously many, and says so. Not to be called within a record. */
  trim(): boolean
  /** Forgets all columns, because axes were defined again. */
  clear(): void
}

/** HistoryItem */
const KEY = bytesField(1)
const NESTED_KEY = bytesField(2)

const MOST_COLUMNS = 65_536

export function historyColumns(axes: Axes): HistoryColumns {
  const byName = new Map<string, HistoryColumn>()
  let byNumber: HistoryColumn[] = []
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
      number: -1,
    }
    byName.set(name, column)
    return column
  }

  function clear(): void {
    byName.clear()
    byKey.clear()
    byNumber = []
  }

  return {
    ofKey: byKey.find,
    ofNumber(number, bytes, start, end) {
      const column = byNumber[number] ?? byKey.find(bytes, start, end)
      byNumber[number] = column
      return column
    },
    ofName,
    trim() {
      const isFull = byName.size > MOST_COLUMNS
      if (isFull) clear()
      return isFull
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

/**
 * Which metric counts the steps of which: W&B's `define_metric`. A definition names one metric, or a whole family by a
 * prefix and a star; W&B allows the star at the end only. W&B 0.30.0 also logs what a star expands to, 0.15.12 and
 * 0.31.0 do not, so klens expands by itself.
 */
export interface MetricDefinition {
  readonly name: string
  /** The name is a prefix. */
  readonly isPrefix: boolean
  /** '' when the metric is defined without an axis of its own. */
  readonly stepMetric: string
}

/** More than any real run defines; what a hostile file defines beyond is ignored. */
const MOST_NAMES = 10_000
const MOST_PREFIXES = 1_000

export interface Axes {
  /** Whether anything changed by it. */
  define(definition: MetricDefinition): boolean
  /** The metric that counts the steps of this one, or undefined when that is the run's own step. */
  axisOf(metric: string): string | undefined
  isAxis(metric: string): boolean
  definitions(): readonly MetricDefinition[]
}

export function axesFrom(known: readonly MetricDefinition[]): Axes {
  const byName = new Map<string, MetricDefinition>()
  const byPrefix = new Map<string, MetricDefinition>()
  const stepMetrics = new Set<string>()
  for (const definition of known) define(definition)

  function define(definition: MetricDefinition): boolean {
    const { name, isPrefix, stepMetric } = definition
    const definitions = isPrefix ? byPrefix : byName
    const before = definitions.get(name)
    if (before?.stepMetric === stepMetric) return false
    if (before === undefined && definitions.size >= (isPrefix ? MOST_PREFIXES : MOST_NAMES)) return false
    definitions.set(name, definition)
    if (stepMetric !== '') stepMetrics.add(stepMetric)
    return true
  }

  function axisOf(metric: string): string | undefined {
    const definition = byName.get(metric) ?? longestPrefix(metric)
    const axis = definition?.stepMetric
    return axis === undefined || axis === '' || axis === '_step' || axis === metric ? undefined : axis
  }

  function longestPrefix(metric: string): MetricDefinition | undefined {
    let longest: MetricDefinition | undefined
    for (const definition of byPrefix.values()) {
      if (!metric.startsWith(definition.name)) continue
      if (longest === undefined || definition.name.length > longest.name.length) longest = definition
    }
    return longest
  }

  return {
    define,
    axisOf,
    isAxis: metric => stepMetrics.has(metric),
    definitions: () => [...byName.values(), ...byPrefix.values()],
  }
}

/**
 * Most rows carry the same metrics as an earlier row, though W&B writes them in a new order every time. Rows are put in alphabetical order, and rows with the same metrics share one array of names: less memory, and
 * whoever consumes them recognises a shape by identity. Sorting happens once per shape, not once per row.
 */

/** A metric; compared by identity. */
interface Column {
  readonly name: string
  /** A number that few columns share. */
  readonly mark: number
}

export interface ShapedRow<C> {
  readonly metrics: readonly string[]
  /** Of these metrics. */
  readonly columns: readonly C[]
  readonly values: readonly number[]
}

/** Shapes one row: parallel arrays, no column twice. */
type RowShaper<C> = (columns: readonly C[], values: readonly number[]) => ShapedRow<C>

interface Shape<C> {
  readonly metrics: readonly string[]
  readonly columns: readonly C[]
  readonly places: ReadonlyMap<C, number>
}

export function rowShaper<C extends Column>({ capacity = 256 } = {}): RowShaper<C> {
  const shapes = new Map<number, Shape<C>>()

  function learn(key: number, columns: readonly C[]): Shape<C> {
    const sorted = columns.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const shape = {
      metrics: sorted.map(({ name }) => name),
      columns: sorted,
      places: new Map(sorted.map((column, place) => [column, place])),
    }
    if (shapes.size >= capacity) shapes.clear()
    shapes.set(key, shape)
    return shape
  }

  return (columns, values) => {
    let key = columns.length
    for (const { mark } of columns) key = (key + mark) | 0
    const known = shapes.get(key)
    const ordered = known && arrange(known, columns, values)
    if (known !== undefined && ordered !== undefined) return { ...known, values: ordered }
    const shape = learn(key, columns)
    return { ...shape, values: arrange(shape, columns, values) ?? [] }
  }
}

/** The values in the order of the shape; undefined when the columns are others that happen to have the same key. */
function arrange<C>({ places }: Shape<C>, columns: readonly C[], values: readonly number[]): number[] | undefined {
  if (places.size !== columns.length) return undefined
  const ordered = new Array<number>(columns.length).fill(0)
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index]
    const place = column && places.get(column)
    if (place === undefined) return undefined
    ordered[place] = values[index] ?? 0
  }
  return ordered
}
