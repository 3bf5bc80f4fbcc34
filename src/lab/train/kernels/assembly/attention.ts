/**
 * Causal attention of one sequence: `rows` new tokens with queries, after `past` tokens of which only keys and values are
 * there. Heads in groups share a key head. For each head h of key head g, scores are scaled by 1 / sqrt(width):
 *   W_h = softmax(Q_h K_g^T / sqrt(width)), token i seeing the first past + i + 1 keys;  out_h = W_h V_g
 * Queries and out have rows of heads x width, keys and values rows of keyHeads x width. W is kept, head after head, in
 * rows of `weightStride(past + rows)` numbers; what is right of a token's own key in it is 0 up to the end of its block.
 */
import { largest, multiplyRow } from './distributions'
import { exponentials } from './exponentials'
import { multiply, multiplyTransposed, transposedMultiply } from './matrices'
import { dot } from './vectors'

/** Queries at a time: a block computes scores for all keys that its last token sees, half a block of them in vain. */
const BLOCK = 32

function weightStride(keys: i32): i32 {
  return (keys + 3) & ~3
}

export function attend(
  out: i32,
  weights: i32,
  queries: i32,
  keys: i32,
  values: i32,
  rows: i32,
  past: i32,
  heads: i32,
  keyHeads: i32,
  width: i32,
): void {
  const stride = weightStride(past + rows)
  const wide = heads * width
  const narrow = keyHeads * width
  const group = heads / keyHeads
  if (rows === 1) {
    // One token: the heads of a group are the rows of one product.
    for (let g = 0; g < keyHeads; g++) {
      const first = g * group
      const w = weights + first * stride
      const head = first * width
      multiplyTransposed(w, queries + head, keys + g * width, group, past + 1, width, stride, width, narrow)
      for (let h = 0; h < group; h++) softmaxFirst(w + h * stride, past + 1, past + 1, width)
      multiply(out + head, w, values + g * width, group, past + 1, width, width, stride, narrow, false)
    }
    return
  }
  for (let h = 0; h < heads; h++) {
    const key = (h / group) * width
    for (let from = 0; from < rows; from += BLOCK) {
      const count = min(BLOCK, rows - from)
      const seen = past + from + count
      const w = weights + (h * rows + from) * stride
      const head = from * wide + h * width
      multiplyTransposed(w, queries + head, keys + key, count, seen, width, stride, wide, narrow)
      for (let i = 0; i < count; i++) softmaxFirst(w + i * stride, past + from + i + 1, seen, width)
      multiply(out + head, w, values + key, count, seen, width, wide, stride, narrow, false)
    }
  }
}

/** Softmax over the first `count` scores of a row; 0 from there to `length`. */
function softmaxFirst(row: i32, count: i32, length: i32, width: i32): void {
  const at = (<usize>row) << 2
  const scale: f32 = 1 / sqrt<f32>(<f32>width)
  const sum = exponentials(at, at, count, scale, largest(at, count) * scale)
  multiplyRow(at, 1 / sum, count)
  memory.fill(at + ((<usize>count) << 2), 0, (<usize>(length - count)) << 2)
}

/**
 * With dW = dOut V^T and dS = W (dW - sum over keys of W dW) / sqrt(width):
 *   dQ = dS K    dK += dS^T Q    dV += W^T dOut
 * `scratch` has room for one block of dW. dKeys and dValues have past + rows rows, and are added to.
 */
export function attendBackward(
  dQueries: i32,
  dKeys: i32,
  dValues: i32,
  dOut: i32,
  scratch: i32,
  weights: i32,
  queries: i32,
  keys: i32,
  values: i32,
  rows: i32,
  past: i32,
  heads: i32,
  keyHeads: i32,
  width: i32,
): void {
  const stride = weightStride(past + rows)
  const wide = heads * width
  const narrow = keyHeads * width
  const group = heads / keyHeads
  const scale: f32 = 1 / sqrt<f32>(<f32>width)
  for (let h = 0; h < heads; h++) {
    const key = (h / group) * width
    for (let from = 0; from < rows; from += BLOCK) {
      const count = min(BLOCK, rows - from)
      const seen = past + from + count
      const w = weights + (h * rows + from) * stride
      const head = from * wide + h * width
      transposedMultiply(dValues + key, w, dOut + head, count, seen, width, narrow, stride, wide, true)
      multiplyTransposed(scratch, dOut + head, values + key, count, seen, width, stride, wide, narrow)
      for (let i = 0; i < count; i++) softmaxBackward(scratch + i * stride, w + i * stride, seen, scale)
      multiply(dQueries + head, scratch, keys + key, count, seen, width, wide, stride, narrow, false)
      transposedMultiply(dKeys + key, scratch, queries + head, count, seen, width, narrow, stride, wide, true)
    }
  }
}

/** dW becomes dS, in place. Where W is 0 (a key not seen) so is dS. */
function softmaxBackward(slopes: i32, weights: i32, length: i32, scale: f32): void {
  const to = (<usize>slopes) << 2
  const w = (<usize>weights) << 2
  const along = dot(to, w, length)
  const alongs = f32x4.splat(along)
  const scales = f32x4.splat(scale)
  let i = 0
  for (; i <= length - 4; i += 4) {
    const at = (<usize>i) << 2
    const difference = f32x4.sub(v128.load(to + at), alongs)
    v128.store(to + at, f32x4.mul(f32x4.mul(v128.load(w + at), difference), scales))
  }
  for (; i < length; i++) {
    const at = (<usize>i) << 2
    store<f32>(to + at, load<f32>(w + at) * (load<f32>(to + at) - along) * scale)
  }
}
