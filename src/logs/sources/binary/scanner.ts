import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { builtFile } from '../../model/util/built-file.js'
import { POWER_ERRORS, POWERS, UPPER_HALVES } from './decimal.js'

/**
 * The innermost loops of reading binary logs, in WebAssembly (`assembly/index.ts`): checksums, lengths, names and decimal
 * numbers of thousands of points in one call, in a third of the time. A call begins a stretch of bytes, which is put into
 * the loops' memory, and its answer stands in columns until the next call. Names that are seen often have numbers.
 */
interface Loops {
  readonly position: { readonly value: number }
  readonly placed: { readonly value: number }
  prepare(seed: bigint): void
  scanEvents(from: number, to: number): number
  readItems(from: number, to: number): number
}

/** One row a record or item; the first `count` count. Places are those of the bytes that were given. */
export interface Scanned {
  count: number
  /** Behind the last row. */
  end: number
  /** What is to be added to places in the columns. */
  shift: number
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** The number of the name; -1 where the row is none of the usual. */
  readonly names: Int32Array
  readonly steps: Uint32Array
  readonly times: Float64Array
  readonly values: Float64Array
  /** Items whose names have places, as many as `placed` says; the first place is 1. */
  readonly row: Float64Array
  placed: number
  /** The names that have places, in that order. */
  layout: readonly number[]
}

/** Memory, in bytes: tables of checksums and powers, names, columns, places, and the stretch that is looked at. */
const POWERS_AT = 8_192
const COLUMNS_AT = 16_384 + 65_536 * 16 + 16_384 * 64
const MOST_ROWS = 4_096
const MOST_NAMES = 16_384
const STRETCH_AT = 3 << 20
const STRETCH_BYTES = 1 << 18
const PAGES = 53

let loops: Loops | undefined
const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES })
const bytesThere = new Uint8Array(memory.buffer)
const column = (nth: number): number => COLUMNS_AT + nth * MOST_ROWS * 4
const scanned: Scanned = {
  count: 0,
  end: 0,
  shift: 0,
  starts: new Uint32Array(memory.buffer, column(0), MOST_ROWS),
  ends: new Uint32Array(memory.buffer, column(1), MOST_ROWS),
  names: new Int32Array(memory.buffer, column(2), MOST_ROWS),
  steps: new Uint32Array(memory.buffer, column(3), MOST_ROWS),
  times: new Float64Array(memory.buffer, column(4), MOST_ROWS),
  values: new Float64Array(memory.buffer, column(6), MOST_ROWS),
  row: new Float64Array(memory.buffer, column(12), MOST_ROWS + 1),
  placed: 0,
  layout: [],
}
const places = new Uint32Array(memory.buffer, column(8), MOST_NAMES)

/** `scanEvents`: records of an event file that are whole and sound. `readItems`: items of a W&B history record. */
export function scan(what: 'scanEvents' | 'readItems', bytes: Uint8Array, from: number, to = bytes.length): Scanned {
  loops ??= startLoops()
  const end = Math.min(to, from + STRETCH_BYTES)
  bytesThere.set(bytes.subarray(from, end), STRETCH_AT)
  scanned.count = loops[what](STRETCH_AT, STRETCH_AT + end - from)
  scanned.shift = from - STRETCH_AT
  scanned.end = loops.position.value + scanned.shift
  scanned.placed = loops.placed.value
  return scanned
}

/** Gives names places in the row, at most as many as fit into a call's answer, and takes those of all others. */
export function layOut(names: readonly number[]): void {
  for (const name of scanned.layout) places[name] = 0
  for (const [place, name] of names.entries()) places[name] = place + 1
  scanned.layout = names
}

function startLoops(): Loops {
  const path = builtFile('logs', 'scanner.wasm')
  if (path === null) throw new Error('scanner.wasm has not been built; run "npm run build"')
  const { exports }: { exports: object } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(path)), {
    env: { memory },
  })
  // The file is compiled from assembly/, whose functions are those of Loops: the promise is made here, once.
  const started = exports as Loops
  started.prepare(randomBytes(8).readBigUInt64LE())
  for (const [nth, table] of [POWERS, POWER_ERRORS, UPPER_HALVES].entries()) {
    new Float64Array(memory.buffer, POWERS_AT + nth * table.length * 8, table.length).set(table)
  }
  return started
}
