import { gunzipSync } from 'node:zlib'

/**
 * Reads back what `parquet.ts` writes, and nothing else: flat columns, one page a row group, plain or by dictionary. To
 * start DuckDB takes longer than to read a run of a million points so; what others wrote, and what is to be sorted or
 * joined, is DuckDB's.
 */
export interface ParquetGroup {
  readonly rows: number
  /** Rows without a value have NaN. */
  readonly numbers: (column: string) => Float64Array
  /** How often each text stands there in a row. */
  readonly textRuns: (column: string) => readonly (readonly [text: string, rows: number])[]
  /** Rows without one have null. */
  readonly texts: (column: string) => readonly (string | null)[]
}

/** Null where the file is not klens's own. Throws where it is not as klens writes them. */
export function ownParquetGroups(file: Buffer): readonly ParquetGroup[] | null {
  const footer = new ThriftReader(file, file.length - 8 - file.readUInt32LE(file.length - 8)).struct()
  if (textOf(footer.get(6)) !== 'klens') return null
  const [, ...leaves] = listOf(footer.get(2)).map(structOf)
  const groups = listOf(footer.get(4)).map(structOf)
  const places = new Map(leaves.map((leaf, i) => [textOf(leaf.get(4)), i]))
  return groups.map(group => {
    const rows = numberOf(group.get(3))
    if (!(rows <= MOST_ROWS)) throw new RangeError('no row group is so long')
    const columns = listOf(group.get(1))
    const page = (column: string): Page => {
      const place = places.get(column) ?? -1
      return pageOf(file, structOf(structOf(columns[place]).get(3)), rows, numberOf(leaves[place]?.get(3)) === 1)
    }
    return {
      rows,
      numbers: column => numbersIn(page(column), rows),
      textRuns: column => textRunsIn(page(column)),
      texts: column => textsIn(page(column), rows),
    }
  })
}

/** The bytes of a value, by its physical type. */
const WIDTHS: { readonly [type: number]: 4 | 8 | undefined } = { 1: 4, 2: 8 }
const [UNCOMPRESSED, GZIP] = [0, 2]
/** Some times as many as a writer puts into one. */
const MOST_ROWS = 1 << 18

interface Page {
  /** The bytes of an integer; null for other values. */
  readonly integer: 4 | 8 | null
  /** How many of the rows have a value, and which; null: all. */
  readonly count: number
  readonly present: Uint32Array | null
  readonly dictionary: { readonly bytes: Buffer; readonly count: number } | null
  readonly values: Buffer
}

function pageOf(file: Buffer, chunk: Struct, rows: number, isOptional: boolean): Page {
  const dictionaryAt = chunk.get(11)
  const dictionary = dictionaryAt === undefined ? null : bodyAt(file, numberOf(dictionaryAt))
  const data = bodyAt(file, numberOf(chunk.get(9)))
  const codec = numberOf(chunk.get(4))
  if (codec !== UNCOMPRESSED && codec !== GZIP) throw new RangeError('nothing is compressed in this way')
  const body = codec === GZIP ? gunzipSync(data.bytes, { maxOutputLength: 16 * MOST_ROWS }) : data.bytes
  const levels = isOptional ? 4 + body.readUInt32LE(0) : 0
  const nulls = numberOf(structOf(chunk.get(12)).get(3))
  return {
    integer: WIDTHS[numberOf(chunk.get(1))] ?? null,
    count: rows - nulls,
    present: nulls === 0 ? null : hybrid(body.subarray(4, levels), 1, rows),
    dictionary: dictionary && { bytes: dictionary.bytes, count: numberOf(structOf(dictionary.header.get(7)).get(1)) },
    values: body.subarray(levels),
  }
}

function bodyAt(file: Buffer, offset: number): { readonly header: Struct; readonly bytes: Buffer } {
  const reader = new ThriftReader(file, offset)
  const header = reader.struct()
  return { header, bytes: file.subarray(reader.at, reader.at + numberOf(header.get(3))) }
}

function numbersIn({ integer, count, present, dictionary, values }: Page, rows: number): Float64Array {
  const held = dictionary === null ? plain(values, count, integer) : looked()
  if (present === null) return held
  const all = new Float64Array(rows)
  for (let row = 0, next = 0; row < rows; row += 1) {
    all[row] = present[row] === 1 ? held[next] : Number.NaN
    next += present[row]
  }
  return all

  function looked(): Float64Array {
    const entries = plain(dictionary?.bytes ?? values, dictionary?.count ?? 0, integer)
    return entriesAt(hybrid(values.subarray(1), values[0], count), entries)
  }
}

function entriesAt(indices: Uint32Array, entries: Float64Array): Float64Array {
  const found = new Float64Array(indices.length)
  for (let i = 0; i < indices.length; i += 1) found[i] = entries[indices[i]]
  return found
}

function plain(bytes: Buffer, count: number, integer: Page['integer']): Float64Array {
  const copy = new Uint8Array(bytes.subarray(0, count * (integer ?? 8))).buffer
  if (integer === null) return new Float64Array(copy)
  return integer === 4 ? Float64Array.from(new Int32Array(copy)) : Float64Array.from(new BigInt64Array(copy), Number)
}

function textsIn(page: Page, rows: number): readonly (string | null)[] {
  const held = textRunsIn(page).flatMap(([text, count]) => Array<string>(count).fill(text))
  const { present } = page
  let next = -1
  return Array.from({ length: rows }, (_, row) => {
    if (present !== null && present[row] === 0) return null
    next += 1
    return held[next]
  })
}

function textRunsIn({ count, dictionary, values }: Page): [text: string, rows: number][] {
  const texts: string[] = []
  const bytes = dictionary?.bytes ?? values
  for (let at = 0; texts.length < (dictionary?.count ?? 0); ) {
    const end = at + 4 + bytes.readUInt32LE(at)
    texts.push(bytes.toString('utf8', at + 4, end))
    at = end
  }
  const runs: [string, number][] = []
  let rows = 0
  hybridRuns(values.subarray(1), values[0], count, (index, from, to) => {
    const last = runs.at(-1)
    if (last?.[0] === texts[index]) last[1] += to - from
    else runs.push([texts[index], to - from])
    rows += to - from
  })
  if (rows !== count) throw new RangeError('texts are not packed')
  return runs
}

function hybrid(bytes: Uint8Array, width: number, count: number): Uint32Array {
  const values = new Uint32Array(count)
  hybridRuns(bytes, width, count, (value, from, to) => values.fill(value, from, to), values)
  return values
}

/** Parquet's mixture of repeated and of packed integers; packed ones go into an array, where there is one for them. */
function hybridRuns(
  bytes: Uint8Array,
  width: number,
  count: number,
  repeat: (value: number, from: number, to: number) => void,
  packed = new Uint32Array(0),
): void {
  const reader = new ThriftReader(bytes, 0)
  for (let row = 0; row < count; ) {
    const header = reader.varint()
    if (!(header > 0) || width > 24) throw new RangeError('no integers of this kind are written')
    if (header % 2 === 1) {
      const end = Math.min(count, row + (header - 1) * 4)
      unpack(bytes.subarray(reader.at), width, packed.subarray(row, end))
      reader.at += ((header - 1) / 2) * width
      row = end
    } else {
      let value = 0
      for (let shift = 0; shift < width; shift += 8) value |= reader.byte() << shift
      repeat(value, row, Math.min(count, row + header / 2))
      row += header / 2
    }
  }
}

function unpack(bytes: Uint8Array, width: number, values: Uint32Array): void {
  const mask = (1 << width) - 1
  let [held, bits, at] = [0, 0, 0]
  for (let i = 0; i < values.length; i += 1) {
    for (; bits < width; bits += 8) {
      held |= bytes[at] << bits
      at += 1
    }
    values[i] = held & mask
    held >>>= width
    bits -= width
  }
}

type Struct = ReadonlyMap<number, Thrift>
type Thrift = number | Uint8Array | readonly Thrift[] | Struct

/** Thrift's compact protocol, as far as `parquet.ts` writes it. */
class ThriftReader {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  byte(): number {
    this.at += 1
    return this.#bytes[this.at - 1]
  }

  varint(): number {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.at]
      this.at += 1
      value += (byte % 128) * factor
      if (!(byte >= 128)) return value
    }
  }

  struct(): Struct {
    const fields = new Map<number, Thrift>()
    for (let id = 0, head = this.byte(); head > 0; head = this.byte()) {
      id += head >> 4
      fields.set(id, this.#value(head % 16))
    }
    return fields
  }

  #value(type: number): Thrift {
    if (type === 12) return this.struct()
    if (type === 9) {
      const head = this.byte()
      const length = head >> 4 === 15 ? this.varint() : head >> 4
      return Array.from({ length }, () => this.#value(head % 16))
    }
    const number = this.varint()
    if (type !== 8) return number / 2
    this.at += number
    return this.#bytes.subarray(this.at - number, this.at)
  }
}

function numberOf(value: Thrift | undefined): number {
  return typeof value === 'number' ? value : Number.NaN
}

function listOf(value: Thrift | undefined): readonly Thrift[] {
  return Array.isArray(value) ? value : []
}

function structOf(value: Thrift | undefined): Struct {
  return value instanceof Map ? value : new Map()
}

function textOf(value: Thrift | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : ''
}
