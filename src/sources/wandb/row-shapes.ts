/**
 * Most rows carry the same metrics as an earlier row, though W&B writes them in a new order every time. Rows are put in alphabetical order, and rows with the same metrics share one array of names: less memory, and
 * whoever consumes them recognises a shape by identity. Sorting happens once per shape, not once per row.
 */

/** A metric; compared by identity. */
export interface Column {
  readonly name: string
  /** A number that few columns share. */
  readonly mark: number
}

interface ShapedRow {
  readonly metrics: readonly string[]
  readonly values: readonly number[]
}

/** Shapes one row: parallel arrays, no column twice. */
export type RowShaper = (columns: readonly Column[], values: readonly number[]) => ShapedRow

interface Shape {
  readonly metrics: readonly string[]
  readonly places: ReadonlyMap<Column, number>
}

export function rowShaper({ capacity = 256 } = {}): RowShaper {
  const shapes = new Map<number, Shape>()

  function learn(key: number, columns: readonly Column[]): Shape {
    const sorted = columns.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const shape = {
      metrics: sorted.map(({ name }) => name),
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
    if (ordered !== undefined) return { metrics: known?.metrics ?? [], values: ordered }
    const shape = learn(key, columns)
    return { metrics: shape.metrics, values: arrange(shape, columns, values) ?? [] }
  }
}

/** The values in the order of the shape; undefined when the columns are others that happen to have the same key. */
function arrange({ places }: Shape, columns: readonly Column[], values: readonly number[]): number[] | undefined {
  if (places.size !== columns.length) return undefined
  const ordered = new Array<number>(columns.length).fill(0)
  for (let index = 0; index < columns.length; index += 1) {
    const place = places.get(columns[index])
    if (place === undefined) return undefined
    ordered[place] = values[index]
  }
  return ordered
}
