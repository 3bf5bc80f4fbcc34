/** Rows of a table picked by index (an embedding), and sums of vectors: the residual stream and its reverse. */
import { copy } from './vectors'

export function gatherRows(out: i32, table: i32, indices: i32, rows: i32, columns: i32): void {
  for (let r = 0; r < rows; r++) {
    const index = <i32>load<f32>((<usize>(indices + r)) << 2)
    copy(out + r * columns, table + index * columns, columns)
  }
}

export function addToRows(table: i32, indices: i32, x: i32, rows: i32, columns: i32): void {
  for (let r = 0; r < rows; r++) {
    const index = <i32>load<f32>((<usize>(indices + r)) << 2)
    add(table + index * columns, x + r * columns, columns)
  }
}

export function add(target: i32, source: i32, length: i32): void {
  const to = (<usize>target) << 2
  const from = (<usize>source) << 2
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    v128.store(to + at, f32x4.add(v128.load(to + at), v128.load(from + at)))
  }
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    store<f32>(to + at, load<f32>(to + at) + load<f32>(from + at))
  }
}
